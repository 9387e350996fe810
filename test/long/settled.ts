/** Compares the ledger with what callers were answered. */
import type { Database } from '../../src/db/connect.js'
import { PRICES, type Made } from './calls.js'

type Entry = { request: string; kind: string; ref: string; credits: number }

/** Finds each call whose entries differ from its answer, and each entry without a call. */
export async function differencesFrom(
  made: readonly Made[],
  db: Pick<Database, 'rows'>,
  orgIds: readonly string[],
): Promise<string[]> {
  const entries = await db.rows<Entry>(
    `select request_id as request, kind, ref, credits::int as credits from credit_entry
    where org_id = any ($1::text[]) and kind in ('dataset', 'refund') order by entry_id`,
    [orgIds],
  )
  const entriesOf = new Map<string, Entry[]>(made.map(({ requestId }) => [requestId, []]))
  const differences: string[] = []
  for (const entry of entries) {
    const known = entriesOf.get(entry.request)
    if (known) known.push(entry)
    else differences.push(`an entry of the unknown call ${entry.request}`)
  }
  for (const { requestId, status, charged } of made) {
    const own = entriesOf.get(requestId) ?? []
    const paid = own.reduce((sum, { credits }) => sum - credits, 0)
    const told = charged.reduce((sum, layer) => sum + (PRICES[layer] ?? 0), 0)
    if (paid !== told) differences.push(`${requestId}, ${status}: told ${told}, paid ${paid}`)
  }
  return differences
}
