/** GET /v1/frames/data: the records of the caller's datasets on frames, or the price of reading them. */
import { chargeUnlessHungUp, quoteCall } from '../../core/credits/charging.js'
import { pricedOn } from '../../core/datasets/priced.js'
import { datasetsWithRecords, recordsOn } from '../../core/datasets/records.js'
import { areUnchanged, visibleDatasets } from '../../core/datasets/visible.js'
import { withDeadline } from '../../core/db/connect.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import type { DatasetRow } from '../../core/db/statements.js'
import { isFrameId } from '../../core/frame-id.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { datasetsParam, neededIdsParam, priceParam, refuseUnknown } from '../http/params.js'
import { recordsJson } from '../http/records.js'
import { sendDataText } from '../http/send.js'
import type { Services } from '../../services.js'

/** `isUnique`: credits take part in the answer, so that no other call may get it. */
type DataAnswer = { text: string; isUnique: boolean }

export function framesDataRoute(services: Services): Route {
  return async (call, res) => {
    const answer = await answerData(services, call)
    if (!answer) return
    if (answer.isUnique) res.removeHeader('ETag')
    await sendDataText(res, answer.text)
  }
}

type DataCall = Call & {
  reader: Reader
  ids: string[]
  /** The datasets that are visible to the caller and that this call names. */
  datasets: DatasetRow[]
}

/** Undefined: the client has the answer already, or hung up. */
export async function answerData(services: Services, call: Call): Promise<DataAnswer | undefined> {
  const { asked, caller, deadline } = call
  refuseUnknown(asked, ['ids', 'datasets', 'price'])
  const ids = neededIdsParam(asked)
  const named = datasetsParam(asked)
  const asksPrice = priceParam(asked)
  const reader = services.readerForRequest(deadline)
  const visible = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, caller)
  // Distances are recorded on every frame: a call gets, and pays for, those that it names.
  const datasets = visible.filter(({ layerId, distanceTo }) => named?.includes(layerId) ?? distanceTo === null)
  return await (asksPrice ? answerPrice : answerRecords)(services, { ...call, reader, ids, datasets })
}

async function answerRecords({ ledger, metrics }: Services, call: DataCall): Promise<DataAnswer | undefined> {
  const { reader, caller, ids, datasets } = call
  const hangUp = call.hangUp()
  const frames = await call.unlessCached(reader, {
    question: [ids, tagged(datasets)],
    read: () => recordsOn(reader, ids, datasets),
    isStill: () => areUnchanged(reader, datasets),
    mayCharge: datasets.some(({ price }) => price !== null),
  })
  if (!frames) return undefined
  const payer = { caller: { ...caller, deadline: call.deadline }, requestId: call.id }
  const bill = await chargeUnlessHungUp(ledger, payer, datasetsWithRecords(frames, datasets), hangUp)
  if (!bill) return undefined
  metrics.countCharges(bill, datasets)
  // The charge and the datasets left out belong to this call alone.
  const isUnique = bill.charged.length > 0 || bill.leftOut.length > 0
  return { text: recordsJson(frames, datasets, bill), isUnique }
}

async function answerPrice({ ledger }: Services, call: DataCall): Promise<DataAnswer | undefined> {
  const { reader, caller, ids, datasets } = call
  const priced = await call.unlessCached(reader, {
    question: [ids, tagged(datasets), 'price'],
    read: () => pricedOn(reader, ids.filter(isFrameId), datasets),
    isStill: () => areUnchanged(reader, datasets),
    mayCharge: datasets.some(({ price }) => price !== null),
  })
  if (!priced) return undefined
  const quote = await quoteCall(withDeadline(ledger.db, call.deadline), caller.orgId, priced)
  // The answer depends on the credits of the organisation, which change at any moment.
  return { text: JSON.stringify({ frames: [], ...quote }), isUnique: priced.length > 0 }
}

/** The part of the ETag that stands for the datasets. */
const tagged = (datasets: readonly DatasetRow[]) =>
  datasets.map(({ layerId, name, category, version, price }) => [layerId, name, category, version, price])
