/** Finds what the holder of a key may do. Every request reads it from the database. */
import { type Database, type RowOf, withDeadline } from '../db/index.js'
import { keyAuthority } from '../db/statements.js'
import type { Deadline } from '../deadline.js'
import { batch } from '../batch.js'

export type Authority = Omit<RowOf<typeof keyAuthority>, 'place'>

/** `keyHash` is the SHA-256 of the secret, in hexadecimal. Undefined for a key that is unknown, expired or revoked. */
export type FindAuthority = (keyHash: string, deadline?: Deadline) => Promise<Authority | undefined>

/** Requests of one batch share a query. The query of a request is never older than the request. */
export const authorityFinder = (db: Pick<Database, 'rows'>): FindAuthority =>
  batch(async (hashes: string[], deadline) => {
    const found: (Authority | undefined)[] = hashes.map(() => undefined)
    for (const { place, ...authority } of await keyAuthority(withDeadline(db, deadline), hashes))
      found[place - 1] = authority
    return found
  })
