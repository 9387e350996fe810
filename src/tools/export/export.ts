/** Writes the frames of a unit or a box to a file, with values of datasets, through the API or from the database. */
import { counted } from '../../core/counted.js'
import { nothingFound } from './absent.js'
import type { Api } from './api.js'
import { checkOgr, convertRows, type FileFormat } from './convert.js'
import { frameLine, type LineFormat, type TableForm } from './lines.js'
import {
  currentTag,
  firstPath,
  pages,
  withUnits,
  type Feature,
  type FrameSelection,
  type WrittenFrames,
} from './pages.js'
import {
  appendLines,
  beginPart,
  dropPart,
  finish,
  lockPart,
  partOf,
  tagOfPart,
  readWritten,
  type ExportRequest,
} from './part-file.js'
import { addPricesOn, sumOfPrices, type RunPrice } from './price.js'
import { rowLine } from './rows-part.js'
import { pathOfVersions, valuesOn, type Charges, type FrameValues } from './values.js'

export type ExportOptions = TableForm & {
  file: string
  format: FileFormat
  selection: FrameSelection
  /** The baselines whose values are written. */
  layers: readonly string[]
  /** The address of the API, or the name of the organisation that reads its database. */
  source: string
}
/** A dataset with the frames of the file that it has values on, and the calls of this run that it was charged for. */
type ExportedValues = { layerId: string; frames: number; charges: number }
export type ExportResult = { file: string; frames: number; resumedAt: number; values?: ExportedValues[] }

/** An export begins anew so often where the index or a dataset changes meanwhile. */
const ATTEMPTS = 3
const NOTHING_WRITTEN: WrittenFrames = { last: undefined, ids: new Set() }

type ExportRun = ExportOptions & { api: Api; charges: Charges; progress: (step: string) => void }

export async function exportFrames(
  api: Api,
  options: ExportOptions,
  progress: (step: string) => void,
): Promise<ExportResult> {
  const { file, selection, layers } = options
  const run: ExportRun = { ...options, api, charges: {}, progress }
  if (run.format === 'gpkg') await checkOgr(file)
  const lock = lockPart(file)
  try {
    const request = requestOf(run)
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const written = await writePart(run, request)
      if (written?.frames === 0) {
        dropPart(file)
        throw await nothingFound(api, selection, file)
      }
      if (written) return { file, ...written, ...(await finishFile(run)) }
      progress(`${layers.length > 0 ? 'the index or a dataset' : 'the index'} changed meanwhile: beginning anew`)
    }
    throw new Error(`The index changed ${ATTEMPTS} times while ${file} was being written. Try again later.`)
  } finally {
    lock.release()
  }
}

/** `frames` would be read by this run, beside those that an earlier one wrote. */
export type ExportPrice = RunPrice & { file: string; frames: number; resumedAt: number }

/** Adds up what a run of these options would be charged now. Writes nothing. */
export async function priceOfExport(
  api: Api,
  options: ExportOptions,
  progress: (step: string) => void,
): Promise<ExportPrice> {
  const { file, selection, layers } = options
  const lock = lockPart(file)
  try {
    const request = requestOf(options)
    const { written } = await earlierRun(api, options, request)
    const resumedAt = written.ids.size
    const sum = sumOfPrices(layers)
    let frames = 0
    for await (const page of pages(api, selection, written)) {
      const ids = page.map(({ id }) => id)
      await addPricesOn(api, ids, layers, sum)
      frames += page.length
      progress(counted(frames, 'frame'))
    }
    if (frames + resumedAt === 0) throw await nothingFound(api, selection, file)
    return { file, frames, resumedAt, ...sum.total() }
  } finally {
    lock.release()
  }
}

const requestOf = ({ selection, source, units, guards, layers, format }: ExportOptions): ExportRequest => ({
  path: firstPath(selection),
  url: source,
  units,
  guards,
  format: lineFormat({ format, layers }),
  ...(layers.length > 0 ? { layers } : {}),
})

type EarlierRun = { tagPath: string; tag: string | undefined; isResumed: boolean; written: WrittenFrames }

/** Finds the frames of a run that was cut short. The index and the datasets have to be the same now. */
async function earlierRun(
  api: Api,
  { file, selection, layers }: ExportOptions,
  request: ExportRequest,
): Promise<EarlierRun> {
  const tagPath = layers.length > 0 ? pathOfVersions(layers) : firstPath({ ...selection, limit: '1' })
  const before = tagOfPart(file, request)
  const tag = await currentTag(api, tagPath, before)
  const isResumed = before !== undefined && tag === before
  const written = isResumed ? await readWritten(file, request.format) : NOTHING_WRITTEN
  return { tagPath, tag, isResumed, written }
}

/** Lines can be written at once where no values follow. Each other file is made of its rows at the end. */
const isWrittenAtOnce = ({ format, layers }: Pick<ExportOptions, 'format' | 'layers'>): boolean =>
  layers.length === 0 && (format === 'csv' || format === 'geojsonl')

const lineFormat = (run: Pick<ExportOptions, 'format' | 'layers'>): LineFormat =>
  run.format === 'csv' && isWrittenAtOnce(run) ? 'csv' : 'geojsonl'

/** Returns undefined where the index changed before the end: one file holds the lines of one index. */
async function writePart(
  run: ExportRun,
  request: ExportRequest,
): Promise<{ frames: number; resumedAt: number } | undefined> {
  const { api, file, selection, progress } = run
  const { tagPath, tag, isResumed, written } = await earlierRun(api, run, request)
  if (!isResumed) beginPart(file, request, tag)
  const resumedAt = written.ids.size
  if (resumedAt > 0) progress(`going on after ${counted(resumedAt, 'frame')}`)
  let frames = resumedAt
  for await (const page of pages(api, selection, written)) {
    await appendLines(file, await linesOf(run, page))
    frames += page.length
    progress(counted(frames, 'frame'))
  }
  return (await currentTag(api, tagPath, tag)) === tag ? { frames, resumedAt } : undefined
}

async function linesOf(run: ExportRun, page: Feature[]): Promise<string> {
  const { api, layers, charges } = run
  const features = run.units ? await withUnits(api, page) : page
  if (isWrittenAtOnce(run)) return features.map((feature) => frameLine(lineFormat(run), feature, run)).join('')
  const ids = features.map(({ id }) => id)
  const values = layers.length > 0 ? await valuesOn(api, ids, layers, charges) : new Map<string, FrameValues>()
  return features.map((feature) => rowLine(feature, values.get(feature.id) ?? [])).join('')
}

async function finishFile(run: ExportRun): Promise<Pick<ExportResult, 'values'>> {
  const { file, format, layers, charges, progress } = run
  const part = partOf(file)
  if (isWrittenAtOnce(run)) {
    await finish(part, file)
    return {}
  }
  const { units, guards } = run
  const { written, recorded } = await convertRows({ part, format, units, guards, layers }, progress)
  await finish(written, file)
  if (layers.length === 0) return {}
  return {
    values: layers.map((layerId) => ({ layerId, frames: recorded[layerId] ?? 0, charges: charges[layerId] ?? 0 })),
  }
}
