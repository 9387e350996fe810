/** Writes the frames of a unit or a box to a file, with values of datasets. */
import type { Progress } from '../load/progress.js'
import { join } from 'node:path'
import { counted } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import {
  collectColumns,
  TAKEN_NAMES,
  uniqueNames,
  type FileFrame,
  type TableForm,
} from '../../core/frame-file/columns.js'
import { type ExportFormat, writers } from './formats.js'
import { framePages, type FrameSelection, type WhatToRead, whileUnchanged } from './frames.js'
import { jsonLines, nameFile, withPart, writeTexts } from './part.js'
import { lgasOfState, states, wardsOfLga } from '../../core/db/statements.js'
import { didYouMean } from '../../core/nearest.js'

export type ExportOptions = WhatToRead & Pick<TableForm, 'guards'> & { file: string; format: ExportFormat }
/** `values`: each dataset, with how many frames of the file it has values on. */
export type ExportResult = { file: string; frames: number; values?: { layerId: string; frames: number }[] }

export async function exportFrames(db: Database, options: ExportOptions, progress: Progress): Promise<ExportResult> {
  const { file, format, layers } = options
  return await withPart(file, async (folder) => {
    const written = join(folder, `frames.${format}`)
    const result = await whileUnchanged({ db, layers, progress }, () => writeOnce(db, options, written, progress))
    await nameFile(written, file)
    return result
  })
}

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
    if (count === 0) throw await nothingFound(db, options.selection, file)
  }
  if (layers.length === 0) {
    await writers[format](path, frames(), { units, guards, columns: [] })
    return { file, frames: count }
  }
  const rows = `${path}.rows`
  const collector = collectColumns(layers, uniqueNames(TAKEN_NAMES))
  await writeTexts(rows, async (add) => {
    for await (const frame of frames()) {
      collector.add(frame.values)
      await add(`${JSON.stringify(frame)}\n`)
    }
  })
  const columns = collector.columns()
  progress(`writing ${counted(columns.length, 'column')} of values`)
  await writers[format](path, jsonLines<FileFrame>(rows), { units, guards, columns })
  const recorded = collector.recorded()
  return { file, frames: count, values: layers.map((layerId) => ({ layerId, frames: recorded[layerId] ?? 0 })) }
}

/** A person would take a file without frames for an answer. */
async function nothingFound(db: Database, selection: FrameSelection, file: string): Promise<Error> {
  return new Error(`${await reasonFor(db, selection)} ${file} is not written.`)
}

async function reasonFor(db: Database, selection: FrameSelection): Promise<string> {
  if (selection.level === 'area') {
    const { area } = selection
    if ('shape' in area) return 'No frame touches the shape.'
    return `No frame touches the box ${area.box.join(',')} (minLon,minLat,maxLon,maxLat, degrees).`
  }
  const { level, state } = selection
  const stateNames = (await states(db)).map((unit) => unit.state)
  if (!includesName(stateNames, state)) return `There is no state "${state}".${suggestionFor(state, stateNames)}`
  if (level === 'state') return `There is no frame in ${state}.`
  const { lga } = selection
  const lgaNames = (await lgasOfState(db, state)).map((unit) => unit.lga)
  if (!includesName(lgaNames, lga)) return `There is no LGA "${lga}" in ${state}.${suggestionFor(lga, lgaNames)}`
  if (level === 'lga') return `There is no frame in ${lga}, ${state}.`
  const { ward } = selection
  const wardNames = (await wardsOfLga(db, state, lga)).map((unit) => unit.ward)
  if (includesName(wardNames, ward)) return `There is no frame in ${ward}, ${lga}, ${state}.`
  return `There is no ward "${ward}" in ${lga}, ${state}.${suggestionFor(ward, wardNames)}`
}

/** The statements compare names the same way: case and blanks make no difference. */
const foldName = (name: string) => name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toUpperCase()
const includesName = (names: readonly string[], name: string) => names.some((each) => foldName(each) === foldName(name))

/** Suggests the nearest name, else all: a unit has few. */
function suggestionFor(name: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  return didYouMean(foldName(name), names) || ` There are ${names.join(', ')}.`
}
