/** Charges a call for the datasets that are licensed per query, once for each that contributed something. */
import type { Database } from '../db/connect.js'
import type { DatasetRow } from '../db/statements.js'
import { charge, refund, type Caller, type Priced } from './ledger.js'

type LeftOut = { layerId: string; name: string; reason: 'insufficient_credits'; price: number }
export type Charged = { charged: string[]; leftOut: LeftOut[] }

/** In the order of the datasets; what the credits do not cover is left out. */
export async function chargeFor(
  db: Database,
  caller: Caller,
  requestId: string,
  contributing: readonly DatasetRow[],
): Promise<Charged> {
  const priced = contributing.flatMap(({ layerId, name, price }) => (price === null ? [] : [{ layerId, name, price }]))
  if (priced.length === 0) return { charged: [], leftOut: [] }
  const charged = await chargedOrNothing(db, caller, requestId, priced)
  const leftOut = priced
    .filter(({ layerId }) => !charged.includes(layerId))
    .map(({ layerId, name, price }): LeftOut => ({ layerId, name, reason: 'insufficient_credits', price }))
  return { charged, leftOut }
}

/** A call that ends in an error costs nothing, also when the database took the charge and could not say so any more. */
async function chargedOrNothing(db: Database, caller: Caller, requestId: string, priced: Priced[]): Promise<string[]> {
  try {
    return await charge(db, caller, requestId, priced)
  } catch (error) {
    giveAllBack(db, caller, requestId)
    throw error
  }
}

/** Of a call that ends in an error after it was charged. */
export function takeBack(db: Database, caller: Caller, requestId: string, { charged }: Charged): void {
  if (charged.length > 0) giveAllBack(db, caller, requestId)
}

/** Nobody waits for it: the call has ended. */
const giveAllBack = (db: Database, caller: Caller, requestId: string) =>
  void refund(db, caller, requestId).catch(() => {})
