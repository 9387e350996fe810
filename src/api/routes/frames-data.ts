/** GET /v1/frames/data: the records of the caller's datasets on frames, or the price of reading them. */
import { type Bill, chargeUnlessHungUp, paidId, quoteCall } from '../../core/credits/index.js'
import { type DatasetRow, type Reader, withDeadline } from '../../core/db/index.js'
import {
  areUnchanged,
  type DatasetRecords,
  datasetsWithRecords,
  type FrameRecords,
  pricedOn,
  recordsOn,
  visibleDatasets,
} from '../../core/datasets/index.js'
import { isFrameId } from '../../core/frame-id.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { enterIfRepeated } from '../http/idempotency.js'
import { datasetsParam, neededIdsParam, priceParam, refuseUnknown } from '../http/params.js'
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
  const answer = asksPrice ? answerPrice : answerRecords
  return await answer(services, { ...call, reader, ids, datasets })
}

async function answerRecords(services: Services, call: DataCall): Promise<DataAnswer | undefined> {
  const { ledger, metrics } = services
  const { reader, caller, ids, datasets } = call
  const hangUp = call.hangUp()
  await enterIfRepeated(services, call, ['records', ids, call.asked.get('datasets')])
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
  const quote = await quoteCall(withDeadline(ledger.db, call.deadline), caller, priced)
  // The answer depends on the credits of the organisation, which change at any moment.
  return { text: JSON.stringify({ frames: [], ...quote }), isUnique: priced.length > 0 }
}

/** The part of the ETag that stands for the datasets. */
const tagged = (datasets: readonly DatasetRow[]) =>
  datasets.map(({ layerId, name, category, version, price }) => [layerId, name, category, version, price])

/** Drops the datasets that the credits did not cover. */
function recordsJson(
  frames: readonly FrameRecords[],
  datasets: readonly DatasetRow[],
  { charged, leftOut }: Bill,
): string {
  const dropped = new Set(leftOut.map(({ layerId }) => layerId))
  const heads = datasets
    .filter((dataset) => !dropped.has(paidId(dataset)))
    .map((dataset) => ({ dataset, head: headJson(dataset) }))
  const written = frames.map(({ id, bbox, records }) => {
    let members = ''
    for (const { dataset, head } of heads) {
      const found = records.get(dataset)
      if (found) members += `${members === '' ? '' : ','}${head}${restJson(found)}`
    }
    return `{"id":"${id}"${bbox === undefined ? '' : `,"bbox":${bbox}`},"datasets":[${members}]}`
  })
  return `{"frames":[${written.join(',')}],"charged":${JSON.stringify(charged)},"leftOut":${JSON.stringify(leftOut)}}`
}

/** The members that a dataset has on every frame, up to its records. */
const headJson = ({ layerId, name, category, kind, orgId }: DatasetRow) =>
  JSON.stringify({ layerId, name, category, kind, orgId }).slice(0, -1)

const restJson = ({ values, features = [], truncated }: DatasetRecords) =>
  values !== undefined
    ? `,"values":${values}}`
    : `,"features":[${features.join(',')}]${truncated ? ',"truncated":true' : ''}}`
