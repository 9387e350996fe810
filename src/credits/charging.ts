/** Charges a call for the datasets that are licensed per query, once for each that contributed something. */
import type { Database } from '../db/connect.js'
import type { DatasetRow } from '../db/statements.js'
import { accountBalance } from '../db/statements.js'
import { charge, coveredBy, type Caller, type Priced } from './ledger.js'
import type { Voids } from './voids.js'

type LeftOut = { layerId: string; name: string; reason: 'insufficient_credits'; price: number }
export type Charged = { charged: string[]; leftOut: LeftOut[] }

/** What is paid with: the accounts, and what gives back what a call that failed was charged. */
export type Ledger = { db: Database; voids: Voids }
/** A call that may be charged: `requestId` is charged once. */
export type PaidCall = { caller: Caller; requestId: string }

/**
 * In the order of the datasets; what the credits do not cover is left out. A call that ends in an error is charged nothing, also
 * where the database takes the charge and can no longer say so.
 */
export async function chargeFor(
  { db, voids }: Ledger,
  { caller, requestId }: PaidCall,
  contributing: readonly DatasetRow[],
): Promise<Charged> {
  const priced = pricedOf(contributing)
  if (priced.length === 0) return { charged: [], leftOut: [] }
  try {
    return billOf(priced, await charge(db, caller, requestId, priced))
  } catch (error) {
    voids.add({ caller, requestId, part: 'charge' })
    throw error
  }
}

/** Gives back what a call was charged whose answer nobody gets. */
export function takeBackCharge({ voids }: Ledger, call: PaidCall, { charged }: Charged): void {
  if (charged.length > 0) voids.add({ ...call, part: 'charge' })
}

/** What a call would be charged, in all and by dataset. */
type Quote = Charged & { price: { credits: number; datasets: PricedDataset[] } }
type PricedDataset = Priced & { name: string }

/** What chargeFor would charge at this moment, and leave out; nothing is charged. */
export async function quoteFor(
  db: Pick<Database, 'rows'>,
  orgId: string,
  contributing: readonly DatasetRow[],
): Promise<Quote> {
  const priced = pricedOf(contributing)
  const [account] = priced.length === 0 ? [] : await accountBalance(db, orgId)
  const datasets = coveredBy(Number(account?.balance ?? 0), priced)
  const credits = datasets.reduce((sum, { price }) => sum + price, 0)
  const charged = datasets.map(({ layerId }) => layerId)
  return { ...billOf(priced, charged), price: { credits, datasets } }
}

const pricedOf = (datasets: readonly DatasetRow[]): PricedDataset[] =>
  datasets.flatMap(({ layerId, name, price }) => (price === null ? [] : [{ layerId, name, price }]))

function billOf(priced: readonly PricedDataset[], charged: string[]): Charged {
  const leftOut = priced
    .filter(({ layerId }) => !charged.includes(layerId))
    .map(({ layerId, name, price }): LeftOut => ({ layerId, name, reason: 'insufficient_credits', price }))
  return { charged, leftOut }
}

/** Charges a call whose client waits for the answer. Undefined: the client hung up, so the call is charged nothing. */
export async function chargeUnlessHungUp(
  ledger: Ledger,
  call: PaidCall,
  contributing: readonly DatasetRow[],
  hungUp: AbortSignal,
): Promise<Charged | undefined> {
  if (hungUp.aborted) return undefined
  const bill = await chargeFor(ledger, call, contributing)
  if (!hungUp.aborted) return bill
  takeBackCharge(ledger, call, bill)
  return undefined
}
