/** Writes the frames of a unit or a box to a file, with values of datasets. */
import type { Progress } from '../load/progress.js'
import { join } from 'node:path'
import type { Database } from '../../core/db/index.js'
import {
  type FileForm,
  type TableForm,
  type WhatToRead,
  whileUnchanged,
  writeItems,
} from '../../core/frame-file/index.js'
import { nameFile, withPart } from './part.js'
import { didYouMean } from '../../core/nearest.js'
import { type Area, foldName, levelNoun, unitText } from '../../core/place.js'
import { missingUnit } from '../../core/place-reads.js'

export type ExportOptions = WhatToRead & Pick<TableForm, 'guards'> & { file: string; format: FileForm; place: Area }
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
  const { file, format, layers, place } = options
  return await withPart(file, async (folder) => {
    const path = join(folder, `frames.${format}`)
    const { items, recorded, catalogue } = await whileUnchanged({ db, layers, progress }, () =>
      writeItems(db, { ...options, form: format }, path, progress),
    )
    if (items === 0) throw await nothingFound(db, place, file)
    const attributes = `${file}.attributes.json`
    if (catalogue !== undefined) await nameFile(catalogue, attributes)
    await nameFile(path, file)
    const values = layers.map((layerId) => ({ layerId, frames: recorded[layerId] ?? 0 }))
    return {
      file,
      frames: items,
      ...(layers.length > 0 && { values }),
      ...(catalogue !== undefined && { attributes }),
    }
  })
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
  return `There is no ${levelNoun(level)} "${name}"${inside}.${didYouMean(foldName(name), known) || all}`
}
