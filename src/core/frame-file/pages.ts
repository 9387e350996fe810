/** Reads frames from the database, page by page, with their units and the values of baselines; and the features of a dataset. */
import type { Reader } from '../db/index.js'
import * as statements from '../db/statements.js'
import { exactText, parseExactly } from '../exact-json.js'
import type { Geometry } from '../geometry.js'
import type { Area } from '../place.js'
import { pageInPlace } from '../place-reads.js'
import { type FileItem, recordedUnits } from './columns.js'
import { valuesOn } from './values.js'

/** `place` is undefined for the features of the one dataset. */
export type WhatToRead = { place: Area | undefined; units: boolean; layers: string[] }

/** A statement for 5,000 frames and six baselines takes a quarter of a second. */
const FRAMES_AT_ONCE = 5000
const ATTEMPTS = 3

/**
 * Reads each frame once, in the order of ids. A transaction over a whole export would keep imports from switching, and
 * on the embedded database it would keep the API waiting: `whileUnchanged` looks for a switch instead.
 */
export async function* itemPages(db: Rows, { place, units, layers }: WhatToRead): AsyncGenerator<FileItem[]> {
  if (place === undefined) return yield* featurePages(db, layers[0] ?? '')
  let after: string | undefined
  do {
    const { features, next } = await pageInPlace(db, place, FRAMES_AT_ONCE, after)
    const page = JSON.parse(`[${features.toString()}]`) as Pick<FileItem, 'id' | 'geometry'>[]
    const ids = page.map(({ id }) => id)
    const rows = units ? await statements.framesById(db, ids) : []
    const unitsById = new Map(rows.map((row) => [row.id, recordedUnits(row)]))
    const values = await valuesOn(db, ids, layers)
    yield page.map(({ id, geometry }) => ({
      id,
      geometry,
      units: unitsById.get(id) ?? {},
      values: values.get(id) ?? [],
    }))
    after = next
  } while (after !== undefined)
}

async function* featurePages(db: Rows, layer: string): AsyncGenerator<FileItem[]> {
  for (let after = 0, isLast = false; !isLast;) {
    const rows = await statements.featuresPage(db, layer, after, FRAMES_AT_ONCE)
    yield rows.map(({ id, geometry, properties }) => ({
      id,
      geometry: JSON.parse(geometry) as Geometry,
      units: {},
      values: [Object.fromEntries(Object.entries(parseExactly(properties) as object).map(propertyText))],
    }))
    after = rows.at(-1)?.number ?? after
    isLast = rows.length < FRAMES_AT_ONCE
  }
}

const propertyText = ([name, value]: [string, unknown]): [string, string] => {
  if (value === null) return [name, '']
  const isText = typeof value === 'string' && !value.startsWith('\0')
  return [name, isText ? value : exactText(value)]
}

type Rows = Pick<Reader, 'rows'>
type FileRead = { db: Rows; layers: string[]; progress: (step: string) => void }

/** Does the work again where the index or a dataset is switched meanwhile: a file has the rows of one import. */
export async function whileUnchanged<Answer>(
  { db, layers, progress }: FileRead,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const versions = async () =>
    JSON.stringify([await statements.indexGeneration(db), await statements.datasetsServed(db, layers)])
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const before = await versions()
    const answer = await work()
    if ((await versions()) === before) return answer
    if (attempt < ATTEMPTS) progress('the index or a dataset changed meanwhile: beginning anew')
  }
  throw new Error('The index or a dataset changed while the file was being written. Try again.')
}
