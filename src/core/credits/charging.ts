/** Charges a call for the datasets that are licensed per query, once for each dataset that contributed. */
import { testPurpose } from '../access/index.js'
import { type Database, type DatasetRow, withDeadline } from '../db/index.js'
import { pricesOfKey } from '../db/statements.js'
import { openHold, releaseHold, type Reservation } from './allowance.js'
import { type Caller, charge, chargeWalk, type Priced } from './ledger.js'
import type { Refunds } from './refunds.js'

/** `key_cap`: the credits would cover it. `costs_credits`: nobody agreed to the price yet. */
type LeftOutReason = 'insufficient_credits' | 'key_cap' | 'costs_credits'
type LeftOut = { layerId: string; name: string; reason: LeftOutReason; price: number }
/** The ids of the datasets that were charged, and the datasets that were not: the credits did not cover them. */
export type Bill = { charged: string[]; leftOut: LeftOut[] }

/** The accounts that calls pay from, and the refunds of failed calls. */
export type Ledger = { db: Database; refunds: Refunds }
/**
 * A call that may be charged. Its request id is charged once. `walk`: of the pages of a walk, one is charged in an
 * hour.
 */
export type PaidCall = { caller: Caller; requestId: string; walk?: string }

/** Charges in the order of the datasets. A call that fails here is refunded: the database may have charged it. */
export async function chargeCall(
  { db, refunds }: Ledger,
  { caller, requestId, walk }: PaidCall,
  contributing: readonly DatasetRow[],
): Promise<Bill> {
  const priced = pricedOf(contributing)
  const [first] = priced
  if (!first) return { charged: [], leftOut: [] }
  if (testPurpose(caller)) return billOf(priced, [])
  try {
    const [asked, charged] =
      walk === undefined
        ? [priced, await charge(db, caller, requestId, priced)]
        : [[first], await chargeWalk(db, caller, { requestId, walk }, first)]
    return charged ? await billFor(db, caller, asked, charged) : { charged: [], leftOut: [] }
  } catch (error) {
    refunds.add({ caller, requestId, part: 'charge' })
    throw error
  }
}

/** Asks why a dataset was not charged, where there is one. */
async function billFor(
  db: Database,
  { orgId, keyId, deadline }: Caller,
  priced: readonly PricedDataset[],
  charged: string[],
): Promise<Bill> {
  const { leftOut } = billOf(priced, charged)
  if (leftOut.length === 0) return { charged, leftOut }
  const prices = leftOut.map(({ price }) => price)
  const [account] = await pricesOfKey(deadline ? withDeadline(db, deadline) : db, orgId, keyId, prices)
  const isCapped = (place: number) => !keyId.startsWith('per_') && account?.byBalance.includes(place + 1)
  return { charged, leftOut: leftOut.map((each, i) => (isCapped(i) ? { ...each, reason: 'key_cap' } : each)) }
}

/** The bill of a person who has not agreed to a price: nothing is charged. */
export const billWithoutCharge = (contributing: readonly DatasetRow[]): Bill =>
  billOf(pricedOf(contributing), [], 'costs_credits')

/** Refunds a call whose answer nobody receives. */
export function refundCall({ refunds }: Ledger, call: PaidCall, { charged }: Bill): void {
  if (charged.length > 0) refunds.add({ ...call, part: 'charge' })
}

/** Charges a call whose client waits for the answer. Undefined: the client hung up, and the call is charged nothing. */
export async function chargeUnlessHungUp(
  ledger: Ledger,
  call: PaidCall,
  contributing: readonly DatasetRow[],
  hangUp: AbortSignal,
): Promise<Bill | undefined> {
  if (hangUp.aborted) return undefined
  const bill = await chargeCall(ledger, call, contributing)
  if (!hangUp.aborted) return bill
  refundCall(ledger, call, bill)
  return undefined
}

/**
 * The price of a call, in all and by dataset. `balance` are the credits of the organisation: a caller adds up the prices
 * of several calls with it. Only a key that can spend the credits gets to know them.
 */
export type Quote = Bill & { price: { credits: number; datasets: PricedDataset[]; balance?: number } }
type PricedDataset = Priced & { name: string }

/** Returns what `chargeCall` would charge and leave out at this moment. */
export async function quoteCall(
  db: Pick<Database, 'rows'>,
  { orgId, keyId }: Pick<Caller, 'orgId' | 'keyId'>,
  contributing: readonly DatasetRow[],
): Promise<Quote> {
  const priced = pricedOf(contributing)
  const prices = priced.map(({ price }) => price)
  const [account] = priced.length === 0 ? [] : await pricesOfKey(db, orgId, keyId, prices)
  const balance = Number(account?.balance ?? 0)
  const datasets = priced.filter((_, place) => account?.covered.includes(place + 1))
  const credits = datasets.reduce((sum, { price }) => sum + price, 0)
  const charged = datasets.map(({ layerId }) => layerId)
  const price = { credits, datasets, ...(priced.length === 0 ? {} : { balance }) }
  const isCapped = ({ layerId }: LeftOut) =>
    account?.byBalance.includes(priced.findIndex((each) => each.layerId === layerId) + 1)
  const { leftOut } = billOf(priced, charged)
  return { charged, leftOut: leftOut.map((each) => (isCapped(each) ? { ...each, reason: 'key_cap' } : each)), price }
}

/** Distances are paid for as the features that they are to. */
export const paidId = ({ layerId, distanceTo }: Pick<DatasetRow, 'layerId' | 'distanceTo'>) => distanceTo ?? layerId

/** A call that reads features and the distances to them pays once. */
function pricedOf(datasets: readonly DatasetRow[]): PricedDataset[] {
  const priced = datasets.flatMap((dataset) => {
    const { name, price } = dataset
    return price === null ? [] : [{ layerId: paidId(dataset), name, price }]
  })
  return priced.filter(({ layerId }, i) => priced.findIndex((each) => each.layerId === layerId) === i)
}

function billOf(
  priced: readonly PricedDataset[],
  charged: string[],
  reason: LeftOutReason = 'insufficient_credits',
): Bill {
  const leftOut = priced
    .filter(({ layerId }) => !charged.includes(layerId))
    .map(({ layerId, name, price }): LeftOut => ({ layerId, name, reason, price }))
  return { charged, leftOut }
}

type HoldingCall = PaidCall & { ledger: Ledger; caller: { plan: string } }

/** Returns undefined where the database fails. It may still open the hold then, and the hold is released later. */
export async function openCallHold(call: HoldingCall): Promise<Reservation | undefined> {
  try {
    return await openHold(call.ledger.db, call.caller, call.requestId)
  } catch {
    releaseLater(call)
    return undefined
  }
}

/** A hold that is not released blocks its part of the allowance until it expires. */
export const releaseCallHold = (call: HoldingCall): Promise<void> =>
  releaseHold(call.ledger.db, call.caller.orgId, call.requestId).catch(() => releaseLater(call))

const releaseLater = ({ ledger, caller, requestId }: HoldingCall) =>
  ledger.refunds.add({ caller, requestId, part: 'hold' })
