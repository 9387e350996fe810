/** Writes the frames of a unit or a box to a file, with values of datasets. */
import { join } from 'node:path'
import { counted } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { nothingFound } from './absent.js'
import { collectColumns, type TableForm } from './columns.js'
import { checkOgr, TAKEN_NAMES, writers, type FileFormat } from './formats.js'
import { framePages, whileUnchanged, type Frame, type WhatToRead } from './frames.js'
import { jsonLines, nameFile, withParts, writeTexts } from './part.js'

export type ExportOptions = WhatToRead & Pick<TableForm, 'guards'> & { file: string; format: FileFormat }
/** `values`: each dataset, with how many frames of the file it has values on. */
export type ExportResult = { file: string; frames: number; values?: { layerId: string; frames: number }[] }

type Progress = (step: string) => void

export async function exportFrames(db: Database, options: ExportOptions, progress: Progress): Promise<ExportResult> {
  const { file, format, layers } = options
  if (format === 'gpkg') await checkOgr(file)
  return await withParts([file], async ([folder = '']) => {
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
  async function* frames(): AsyncGenerator<Frame> {
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
  const collector = collectColumns(layers, TAKEN_NAMES)
  await writeTexts(rows, async (add) => {
    for await (const frame of frames()) {
      collector.add(frame.values)
      await add(`${JSON.stringify(frame)}\n`)
    }
  })
  const columns = collector.columns()
  progress(`writing ${counted(columns.length, 'column')} of values`)
  await writers[format](path, jsonLines<Frame>(rows), { units, guards, columns })
  const recorded = collector.recorded()
  return { file, frames: count, values: layers.map((layerId) => ({ layerId, frames: recorded[layerId] ?? 0 })) }
}
