/** Reads frames from the database, page by page, with their units and the values of baselines. */
import type { Database } from '../../core/db/index.js'
import { type FileFrame, recordedUnits, valuesOn } from '../../core/frame-file/index.js'
import * as statements from '../../core/db/statements.js'
import type { Area } from '../../core/place.js'
import { pageInPlace } from '../../core/place-reads.js'

export type WhatToRead = { place: Area; units: boolean; layers: string[] }

/** A statement for 5,000 frames and six baselines takes a quarter of a second. */
const FRAMES_AT_ONCE = 5000
const ATTEMPTS = 3

/**
 * Reads each frame once, in the order of ids. A transaction over a whole export would keep imports from switching, and
 * on the embedded database it would keep the API waiting: `whileUnchanged` looks for a switch instead.
 */
export async function* framePages(db: Database, { place, units, layers }: WhatToRead): AsyncGenerator<FileFrame[]> {
  let after: string | undefined
  do {
    const { features, next } = await pageInPlace(db, place, FRAMES_AT_ONCE, after)
    const page = JSON.parse(`[${features.toString()}]`) as Pick<FileFrame, 'id' | 'geometry'>[]
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

type ExportRead = { db: Database; layers: string[]; progress: (step: string) => void }

/** Does the work again where the index or a dataset is switched meanwhile: a file has the rows of one import. */
export async function whileUnchanged<Answer>(
  { db, layers, progress }: ExportRead,
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
  throw new Error('The index or a dataset changed while the file was being written. Run the command again.')
}
