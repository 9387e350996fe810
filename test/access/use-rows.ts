/** Reads the counts of a key. */
import type { Database } from '../../src/core/db/connect.js'

type Row = { day: string; call: string; outcome: string; bucket: string; calls: number; last: string | null }
export const useOf = async (db: Database, keyId: string) => [
  ...(await db.rows<Row>(
    `select to_char(day, 'YYYY-MM-DD') as day, call, outcome, bucket, calls::int as calls, last_request_id as last
     from key_use where key_id = $1::text order by day, call, outcome, bucket`,
    [keyId],
  )),
]
/** The calls of a key, over all days and outcomes. */
export const callsOf = async (db: Database, keyId: string) =>
  (await useOf(db, keyId)).reduce((sum, { calls }) => sum + calls, 0)
