/** Writes the frames of a unit or a box to a file, with values of datasets. */
import type { Progress } from '../load/progress.js'
import { join } from 'node:path'
import { counted } from '../../core/counted.js'
import type { Database } from '../../core/db/index.js'
import {
  collectColumns,
  type FileFrame,
  type TableForm,
  TAKEN_NAMES,
  uniqueNames,
} from '../../core/frame-file/index.js'
import { catalogueOfFile, cataloguesOf, isRepeated } from './catalogue.js'
import { type ExportFormat, writers } from './formats.js'
import { framePages, type WhatToRead, whileUnchanged } from './frames.js'
import { jsonLines, nameFile, withPart, writeTexts } from './part.js'
import { didYouMean } from '../../core/nearest.js'
import { type Area, foldName, LEVEL_NOUNS, unitText } from '../../core/place.js'
import { missingUnit } from '../../core/place-reads.js'

export type ExportOptions = WhatToRead & Pick<TableForm, 'guards'> & { file: string; format: ExportFormat }
/**
 * `values`: each dataset, with how many frames of the file it has values on. `attributes`: the file with the catalogue of
 * the columns.
 */
export type ExportResult = {
  file: string
  frames: number
  values?: { layerId: string; frames: number }[]
  attributes?: string
}

export async function exportFrames(db: Database, options: ExportOptions, progress: Progress): Promise<ExportResult> {
  const { file, format, layers } = options
  return await withPart(file, async (folder) => {
    const written = join(folder, `frames.${format}`)
    const result = await whileUnchanged({ db, layers, progress }, () => writeOnce(db, options, written, progress))
    if (result.attributes !== undefined) await nameFile(catalogueAt(written), result.attributes)
    await nameFile(written, file)
    return result
  })
}

const catalogueAt = (file: string) => `${file}.attributes.json`

/** The columns of values are those of all records, so that frames with values wait in a file of rows. */
async function writeOnce(
  db: Database,
  options: ExportOptions,
  path: string,
  progress: Progress,
): Promise<ExportResult> {
  const { file, format, layers, units, guards } = options
  let count = 0
  async function* frames(): AsyncGenerator<FileFrame> {
    for await (const page of framePages(db, options)) {
      yield* page
      count += page.length
      progress(counted(count, 'frame'))
    }
    if (count === 0) throw await nothingFound(db, options.place, file)
  }
  if (layers.length === 0) {
    await writers[format](path, frames(), { units, guards, columns: [] })
    return { file, frames: count }
  }
  const rows = `${path}.rows`
  const catalogues = await cataloguesOf(db, layers)
  const names = catalogues.map((entries) => entries.map(({ name }) => name))
  const collector = collectColumns(layers, uniqueNames(TAKEN_NAMES), names)
  await writeTexts(rows, async (add) => {
    for await (const frame of frames()) {
      collector.add(frame.values)
      await add(`${JSON.stringify(frame)}\n`)
    }
  })
  const columns = collector.columns().filter((column) => !isRepeated(column, catalogues))
  progress(`writing ${counted(columns.length, 'column')} of values`)
  await writers[format](path, jsonLines<FileFrame>(rows), { units, guards, columns })
  const recorded = collector.recorded()
  const values = layers.map((layerId) => ({ layerId, frames: recorded[layerId] ?? 0 }))
  if (columns.length === 0) return { file, frames: count, values }
  await writeTexts(catalogueAt(path), (add) =>
    add(`${JSON.stringify(catalogueOfFile(columns, catalogues), null, 2)}\n`),
  )
  return { file, frames: count, values, attributes: catalogueAt(file) }
}

/** A person would take a file without frames for an answer. */
async function nothingFound(db: Database, place: Area, file: string): Promise<Error> {
  return new Error(`${await reasonFor(db, place)} ${file} is not written.`)
}

async function reasonFor(db: Database, place: Area): Promise<string> {
  if ('shape' in place) return 'No frame touches the shape.'
  if ('box' in place) return `No frame touches the box ${place.box.join(',')} (minLon,minLat,maxLon,maxLat, degrees).`
  const missing = await missingUnit(db, place.unit)
  if (!missing) return `There is no frame in ${unitText(place.unit)}.`
  const { level, name, above, known } = missing
  const inside = above.length === 0 ? '' : ` in ${unitText(above)}`
  // The nearest name, else all: a unit has few.
  const all = known.length === 0 ? '' : ` There are ${known.join(', ')}.`
  return `There is no ${LEVEL_NOUNS[level]} "${name}"${inside}.${didYouMean(foldName(name), known) || all}`
}
