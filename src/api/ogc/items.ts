/** Reads the items of a collection, and charges for them. */
import { hash } from 'node:crypto'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import { type Bill, chargeUnlessHungUp, type Quote, quoteCall } from '../../core/credits/index.js'
import { areUnchanged } from '../../core/datasets/index.js'
import { walkIsPaid } from '../../core/db/statements.js'
import { msLeft } from '../../core/deadline.js'
import { ApiError, invalid } from '../../core/errors.js'
import type { Services } from '../../services.js'
import type { Call } from '../http/call.js'
import { type Chunk, chunkOf } from './chunk.js'
import type { Collection } from './collections.js'
import { type ItemsArea, WORLD } from './params.js'
import * as statements from './statements.js'

/** `root`: the address of /ogc. */
export type OgcCall = Call & { services: Services; reader: Reader; root: string }

/** A filter that every item passes. */
export const EVERYTHING = '{"terms":[]}'

export type ItemsChoice = {
  area: ItemsArea
  /** JSON for the statements of sql/ogc/. */
  filter: string
  crs: number
  /** Id of the item that the page comes after. Undefined: the first page. */
  after?: string | undefined
  only?: string
  limit: number
}

/** Programs look at a layer before they read it: GDAL at 10 items, and since 3.9 at 20. */
export const PROBE_MAX = 20

/** `lastShown`: the id of the last item, blank where there is none. `hasMore`: more items come after it. */
type ItemsPage = { features: Buffer[]; shown: number; lastShown: string; hasMore: boolean; odd: number }

/** A filter looks at this many items at first, and at up to so many at a time. */
const LOOK = { first: 2000, most: 20_000 }
/** A page that has items ends here, though more may pass: the answer must still be sent. */
const MS_KEPT = 2500

type ReadChunk = (...position: [after: string, look: number, most: number]) => Promise<Chunk>

function chunkReader(reader: Reader, collection: Collection, { area, filter, crs }: ItemsChoice): ReadChunk {
  const { kind } = collection
  const args = [JSON.stringify(area), filter, crs] as const
  // Frames are walked in another way where nothing bounds them.
  const ofFrames = [area === WORLD ? '{}' : args[0], filter, crs] as const
  switch (kind) {
    case 'frames':
      return (...position) => chunkOf(statements.itemsOfFrames, reader, ...ofFrames, ...position)
    case 'state':
    case 'lga':
    case 'ward':
      return (...position) => chunkOf(statements.itemsOfUnits, reader, kind, ...args, ...position)
    case 'baseline':
      return (...position) =>
        chunkOf(statements.itemsOfBaseline, reader, collection.dataset.layerId, ...ofFrames, ...position)
    case 'features':
      return (after, ...most) =>
        chunkOf(statements.itemsOfFeatures, reader, collection.dataset.layerId, ...args, Number(after), ...most)
  }
}

/** Reads chunk after chunk until the page is full and one more item is known, or all items are looked at. */
async function itemsPage({ reader, collection, choice, deadline }: ItemsCall, hungUp: AbortSignal): Promise<ItemsPage> {
  const read = chunkReader(reader, collection, choice)
  const page: ItemsPage = { features: [], shown: 0, lastShown: '', hasMore: false, odd: 0 }
  if (choice.only !== undefined) return await pageOfOne(read, choice.only, await startOf(reader, collection, choice))
  let after = await startOf(reader, collection, choice)
  let look = isSelective(choice, collection) ? Math.max(LOOK.first, choice.limit + 1) : choice.limit + 1
  for (;;) {
    const chunk = await read(after, look, choice.limit - page.shown)
    page.features.push(...chunk.features)
    if (chunk.shown > 0) page.lastShown = chunk.lastShown
    page.shown += chunk.shown
    page.odd += chunk.odd
    page.hasMore = chunk.hasMore
    if (chunk.hasMore || chunk.looked < look || hungUp.aborted) return page
    after = chunk.last
    look = LOOK.most
    if (msLeft(deadline) > MS_KEPT) continue
    if (page.shown > 0) return { ...page, hasMore: true }
    throw invalid(
      'filter: nothing that this call had time to look at passes. Name a state in it, or add a smaller bbox.',
    )
  }
}

/** The next item may be another one. */
async function pageOfOne(read: ReadChunk, id: string, after: string): Promise<ItemsPage> {
  const { features, lastShown } = await read(after, 1, 1)
  const isIt = lastShown === id
  return { features: isIt ? features : [], shown: isIt ? 1 : 0, lastShown, hasMore: false, odd: 0 }
}

/** Some of the items that are looked at are not shown. */
const isSelective = ({ filter, area }: ItemsChoice, { kind }: Collection) =>
  filter !== EVERYTHING || (kind !== 'frames' && kind !== 'baseline' && area !== WORLD)

/** Returns the id that the first chunk comes after. For features it is their number in the order of ids. */
async function startOf(reader: Reader, collection: Collection, { after, only }: ItemsChoice): Promise<string> {
  const id = only ?? after
  if (collection.kind !== 'features') {
    if (only !== undefined) return String(BigInt(only) - 1n)
    return after ?? '-1'
  }
  if (id === undefined) return '0'
  const [found] = await statements.featurePlace(reader, collection.dataset.layerId, id)
  const place = found?.place ?? 0
  return String(only === undefined ? place : Math.max(0, place - 1))
}

type ItemsCall = OgcCall & { collection: Collection; choice: ItemsChoice }

/**
 * `isUnique`: credits take part in the answer, so that no other call may get it. `number`: of all items, where it is
 * kept.
 */
type ItemsAnswer = Found & { isUnique: boolean }
type Found = { page: ItemsPage; number: number | null | undefined }

/** Undefined: the client has the answer already, or hung up. */
export async function readItems(asking: ItemsCall): Promise<ItemsAnswer | undefined> {
  const { services, reader, root, collection } = asking
  const dataset = datasetOf(collection)
  const free = await freeItems(asking)
  const choice = free === 0 ? asking.choice : { ...asking.choice, limit: free }
  const call = { ...asking, choice }
  const hungUp = call.hangUp()
  const found = await call.unlessCached<Found>(reader, {
    question: [root, choice, itemsTag(dataset)],
    read: async () => ({ page: await itemsPage(call, hungUp), number: await numberOfItems(call) }),
    isStill: async () => dataset === undefined || (await areUnchanged(reader, [dataset])),
    mayCharge: isPriced(dataset),
  })
  if (!found || hungUp.aborted) return undefined
  if (!isPriced(dataset) || found.page.shown === 0) return { ...found, isUnique: false }
  if (free > 0) return { ...found, isUnique: true }
  const caller = { ...call.caller, deadline: call.deadline }
  const payer = { caller, requestId: call.id, walk: walkOf(dataset, choice) }
  const bill = await chargeUnlessHungUp(services.ledger, payer, [dataset], hungUp)
  if (!bill) return undefined
  services.metrics.countCharges(bill, [dataset])
  const [leftOut] = bill.leftOut
  if (leftOut) throw notCovered(leftOut)
  return { ...found, isUnique: true }
}

function notCovered({ layerId, price, reason }: Bill['leftOut'][number]): ApiError {
  const isCapped = reason === 'key_cap'
  const lacking = isCapped ? 'the cap of this key has less left' : 'the credits of the organisation do not cover that'
  return new ApiError(
    403,
    isCapped ? 'key_cap' : 'insufficient_credits',
    `${layerId} costs ${price} credits for each walk over its items, and ${lacking}. Nothing was charged.`,
  )
}

const isPriced = (dataset: DatasetRow | undefined): dataset is DatasetRow & { price: number } =>
  dataset !== undefined && dataset.price !== null

const isWhole = ({ area, filter, only }: ItemsChoice) => area === WORLD && filter === EVERYTHING && only === undefined

/**
 * A probe is the first page of a whole priced collection, with few items: they are free. They are the same items for
 * every probe, and at most half of all, so that nobody reads a dataset for nothing. 0: the call is a page of a walk.
 */
async function freeItems(call: ItemsCall): Promise<number> {
  const { choice, collection } = call
  const dataset = datasetOf(collection)
  const isProbe = isWhole(choice) && choice.after === undefined && choice.limit <= PROBE_MAX
  if (!isPriced(dataset) || !isProbe) return 0
  const most = Math.floor(((await numberOfItems(call)) ?? 0) / 2)
  if (choice.limit <= most) return choice.limit
  return (await isPaid(call, dataset)) ? 0 : most
}

/** The pages of a walk ask for the same items of one version, in whatever system and number. */
const walkOf = ({ layerId, version }: DatasetRow, { area, filter, only }: ItemsChoice): string =>
  hash('sha256', JSON.stringify([layerId, version, area, filter, only]), 'base64url')

async function isPaid({ services, caller, choice, deadline }: ItemsCall, dataset: DatasetRow): Promise<boolean> {
  const db = withDeadline(services.ledger.db, deadline)
  const [walk] = await walkIsPaid(db, caller.orgId, caller.keyId, walkOf(dataset, choice))
  return walk?.isPaid ?? false
}

/** Undefined where a box or a filter chooses among the items, and for units: nobody counts them but by reading all. */
async function numberOfItems({ reader, collection, choice }: ItemsCall): Promise<Found['number']> {
  if (!isWhole(choice)) return undefined
  if (collection.kind === 'frames') return (await statements.numberOfFrames(reader))[0]?.number
  if (!('dataset' in collection)) return undefined
  return (await statements.numberInDataset(reader, collection.dataset.layerId))[0]?.number
}

/**
 * Quotes the call. A call that returns no item costs nothing, nor does a probe, nor a page of a walk that is paid for.
 */
export async function priceOfItems(call: ItemsCall): Promise<Quote> {
  const { services, deadline, choice } = call
  const dataset = datasetOf(call.collection)
  const costs = async (priced: DatasetRow): Promise<boolean> => {
    if ((await freeItems(call)) > 0 || (await isPaid(call, priced))) return false
    return (await itemsPage({ ...call, choice: { ...choice, limit: 1 } }, call.hangUp())).shown > 0
  }
  const contributing = isPriced(dataset) && (await costs(dataset)) ? [dataset] : []
  return await quoteCall(withDeadline(services.ledger.db, deadline), call.caller, contributing)
}

const datasetOf = (collection: Collection): DatasetRow | undefined =>
  'dataset' in collection ? collection.dataset : undefined

const itemsTag = (dataset: DatasetRow | undefined) =>
  dataset && [dataset.layerId, dataset.name, dataset.category, dataset.version, dataset.price]
