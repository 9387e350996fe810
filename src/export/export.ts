/** Writes the frames of a unit or a box to a file, through the API as any consumer has it. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { nothingFound } from './absent.js'
import type { Api } from './api.js'
import { lineOf, type Form } from './lines.js'
import { firstPath, pages, tagNow, withUnits, type Wanted, type Written } from './pages.js'
import {
  appendLines,
  beginPart,
  dropPart,
  finish,
  lockPart,
  partOf,
  tagOfPart,
  writtenIn,
  type Asked,
} from './part-file.js'

export type Export = { file: string; wanted: Wanted; units: boolean; url: string }
export type Exported = { file: string; frames: number; resumedAt: number }

/** How often an export begins anew because the index changed under it. */
const TRIES = 3
const run = promisify(execFile)
const nothing: Written = { last: undefined, ids: new Set() }

export async function exportFrames(api: Api, wish: Export, progress: (step: string) => void): Promise<Exported> {
  const { file, wanted, units, url } = wish
  const isPackage = /\.gpkg$/i.test(file)
  if (isPackage) await needOgr(file)
  const form: Form = /\.csv$/i.test(file) ? 'csv' : 'geojsonl'
  const lock = lockPart(file)
  try {
    const asked: Asked = { path: firstPath(wanted), url, units, form }
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const made = await fill(api, wish, asked, progress)
      if (made?.frames === 0) {
        dropPart(file)
        throw await nothingFound(api, wanted, file)
      }
      if (made) {
        await finish(isPackage ? await toPackage(file, progress) : partOf(file), file)
        return { file, ...made }
      }
      progress('the index changed meanwhile: beginning anew')
    }
    throw new Error(`The index changed ${TRIES} times while ${file} was being written. Try again later.`)
  } finally {
    lock.release()
  }
}

/** Undefined where the index changed before the end: lines of two indexes do not go together. */
async function fill(
  api: Api,
  { file, wanted, units }: Export,
  asked: Asked,
  progress: (step: string) => void,
): Promise<{ frames: number; resumedAt: number } | undefined> {
  const before = tagOfPart(file, asked)
  const tag = await tagNow(api, wanted, before)
  const goesOn = before !== undefined && tag === before
  if (!goesOn) beginPart(file, asked, tag)
  const written = goesOn ? await writtenIn(file, asked.form) : nothing
  const resumedAt = written.ids.size
  if (resumedAt > 0) progress(`going on after ${resumedAt} frames`)
  let frames = resumedAt
  for await (const page of pages(api, wanted, written)) {
    const features = units ? await withUnits(api, page) : page
    await appendLines(file, features.map((feature) => lineOf(asked.form, feature, units)).join(''))
    frames += features.length
    progress(`${frames} frames`)
  }
  return (await tagNow(api, wanted, tag)) === tag ? { frames, resumedAt } : undefined
}

async function needOgr(file: string): Promise<void> {
  try {
    await run('ogr2ogr', ['--version'])
  } catch (error) {
    throw new Error(
      `${file}: a GeoPackage is written by ogr2ogr, which is not installed here (Debian: gdal-bin). Name the file .geojsonl or .csv, or install it.`,
      { cause: error },
    )
  }
}

async function toPackage(file: string, progress: (step: string) => void): Promise<string> {
  progress('writing the GeoPackage')
  const made = `${file}.part.gpkg`
  rmSync(made, { force: true })
  const shape = ['-nln', 'frame', '-nlt', 'MULTIPOLYGON', '-a_srs', 'EPSG:4326']
  await run('ogr2ogr', ['-f', 'GPKG', made, `GeoJSONSeq:${partOf(file)}`, ...shape])
  return made
}
