/** Writes the frames of a place with values of datasets, or the features of a dataset, as a file of any form. */
import { createReadStream, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { counted } from '../counted.js'
import type { Reader } from '../db/index.js'
import { catalogueOfFile, cataloguesOf, isRepeated } from './catalogue.js'
import { collectColumns, type FileItem, type TableForm, TAKEN_NAMES, uniqueNames } from './columns.js'
import { type FileForm, writers, writeTexts } from './formats.js'
import { itemPages, type WhatToRead } from './pages.js'

export type FileContent = WhatToRead &
  Pick<TableForm, 'guards' | 'about'> & {
    /** Undefined writes the catalogue alone. */
    form: FileForm | undefined
    /** Leaves out frames on which the datasets record nothing. */
    onlyRecorded?: boolean
  }

type Written = {
  items: number
  /** How many frames or features each dataset has values on. */
  recorded: Record<string, number>
  /** The file with the catalogue of the columns, where there are any of frames. */
  catalogue?: string
}

/** The columns of values are those of all records, so that items with values wait in a file of rows. */
export async function writeItems(
  db: Pick<Reader, 'rows'>,
  content: FileContent,
  path: string,
  progress: (step: string) => void,
): Promise<Written> {
  const { form, layers, units, guards, about, onlyRecorded = false } = content
  const hasFeatures = content.place === undefined
  let items = 0
  async function* all(): AsyncGenerator<FileItem> {
    for await (const page of itemPages(db, content)) {
      const kept = onlyRecorded ? page.filter(({ values }) => values.some((each) => each !== null)) : page
      yield* kept
      items += kept.length
      progress(counted(items, hasFeatures ? 'feature' : 'frame'))
    }
  }
  if (layers.length === 0 && form !== undefined) {
    await writers[form](path, all(), { units, guards, columns: [] })
    return { items, recorded: {} }
  }
  const rows = `${path}.rows`
  const catalogues = await cataloguesOf(db, layers)
  const names = catalogues.map((entries) => entries.map(({ name }) => name))
  const collector = collectColumns(layers, uniqueNames(TAKEN_NAMES), names)
  await writeTexts(rows, async (add) => {
    for await (const item of all()) {
      collector.add(item.values)
      await add(`${JSON.stringify(item)}\n`)
    }
  })
  const columns = collector.columns().filter((column) => !isRepeated(column, catalogues))
  progress(`writing ${counted(columns.length, 'column')} of values`)
  if (form !== undefined) await writers[form](path, itemsIn(rows), { hasFeatures, units, guards, columns, about })
  const written = { items, recorded: collector.recorded() }
  if (columns.length === 0 || hasFeatures) return written
  const catalogue = `${path}.attributes.json`
  writeFileSync(catalogue, `${JSON.stringify(catalogueOfFile(columns, catalogues), null, 2)}\n`)
  return { ...written, catalogue }
}

async function* itemsIn(path: string): AsyncGenerator<FileItem> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    yield JSON.parse(line) as FileItem
}
