/** Writes the frames of a unit or a box to a file, through the API. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { nothingFound } from './absent.js'
import type { Api } from './api.js'
import { frameLine, type LineFormat } from './lines.js'
import { currentTag, firstPath, pages, withUnits, type FrameSelection, type WrittenFrames } from './pages.js'
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

export type ExportOptions = { file: string; selection: FrameSelection; units: boolean; url: string }
export type ExportResult = { file: string; frames: number; resumedAt: number }

/** An export begins anew so often where the index changes meanwhile. */
const ATTEMPTS = 3
const runProgram = promisify(execFile)
const NOTHING_WRITTEN: WrittenFrames = { last: undefined, ids: new Set() }

export async function exportFrames(
  api: Api,
  options: ExportOptions,
  progress: (step: string) => void,
): Promise<ExportResult> {
  const { file, selection, units, url } = options
  const isPackage = /\.gpkg$/i.test(file)
  if (isPackage) await checkOgr(file)
  const format: LineFormat = /\.csv$/i.test(file) ? 'csv' : 'geojsonl'
  const lock = lockPart(file)
  try {
    const request: ExportRequest = { path: firstPath(selection), url, units, format }
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const written = await writePart(api, options, request, progress)
      if (written?.frames === 0) {
        dropPart(file)
        throw await nothingFound(api, selection, file)
      }
      if (written) {
        await finish(isPackage ? await toPackage(file, progress) : partOf(file), file)
        return { file, ...written }
      }
      progress('the index changed meanwhile: beginning anew')
    }
    throw new Error(`The index changed ${ATTEMPTS} times while ${file} was being written. Try again later.`)
  } finally {
    lock.release()
  }
}

/** Answers with undefined where the index changed before the end: one file holds the lines of one index. */
async function writePart(
  api: Api,
  { file, selection, units }: ExportOptions,
  request: ExportRequest,
  progress: (step: string) => void,
): Promise<{ frames: number; resumedAt: number } | undefined> {
  const before = tagOfPart(file, request)
  const tag = await currentTag(api, selection, before)
  const isResumed = before !== undefined && tag === before
  if (!isResumed) beginPart(file, request, tag)
  const written = isResumed ? await readWritten(file, request.format) : NOTHING_WRITTEN
  const resumedAt = written.ids.size
  if (resumedAt > 0) progress(`going on after ${resumedAt} frames`)
  let frames = resumedAt
  for await (const page of pages(api, selection, written)) {
    const features = units ? await withUnits(api, page) : page
    await appendLines(file, features.map((feature) => frameLine(request.format, feature, units)).join(''))
    frames += features.length
    progress(`${frames} frames`)
  }
  return (await currentTag(api, selection, tag)) === tag ? { frames, resumedAt } : undefined
}

async function checkOgr(file: string): Promise<void> {
  try {
    await runProgram('ogr2ogr', ['--version'])
  } catch (error) {
    throw new Error(
      `${file}: a GeoPackage is written by ogr2ogr, which is not installed here (Debian: gdal-bin). Name the file .geojsonl or .csv, or install it.`,
      { cause: error },
    )
  }
}

async function toPackage(file: string, progress: (step: string) => void): Promise<string> {
  progress('writing the GeoPackage')
  const geoPackage = `${file}.part.gpkg`
  rmSync(geoPackage, { force: true })
  const shape = ['-nln', 'frame', '-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:4326']
  await runProgram('ogr2ogr', ['-f', 'GPKG', geoPackage, `GeoJSONSeq:${partOf(file)}`, ...shape])
  return geoPackage
}
