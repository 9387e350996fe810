/** GET /v1/frames/data: the records of the caller's datasets on frames, or the price of reading them. */
import type { Request, RequestHandler, Response } from 'express'
import type { Authority } from '../access/authority.js'
import { chargeUnlessHungUp, quoteCall } from '../credits/charging.js'
import { pricedOn } from '../datasets/priced.js'
import { datasetsWithRecords, recordsOn } from '../datasets/records.js'
import { areUnchanged, visibleDatasets } from '../datasets/visible.js'
import { withDeadline } from '../db/connect.js'
import type { Reader } from '../db/replicas/reader.js'
import type { DatasetRow } from '../db/statements.js'
import { isFrameId } from '../frame-id.js'
import { callerOf } from '../http/authenticate.js'
import { unlessCached } from '../http/etag.js'
import { hangUpSignal } from '../http/hang-up.js'
import { datasetsParam, neededIdsParam, priceParam } from '../http/params.js'
import { recordsJson } from '../http/records.js'
import { sendData, sendDataText } from '../http/send.js'
import type { Services } from '../services.js'

type DataCall = {
  req: Request
  res: Response
  reader: Reader
  caller: Authority
  ids: string[]
  /** The datasets that are visible to the caller and that this call names. */
  datasets: DatasetRow[]
}

export function framesDataRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const ids = neededIdsParam(req.asked)
    const named = datasetsParam(req.asked)
    const asksPrice = priceParam(req.asked)
    const reader = services.readerForRequest(req.deadline)
    const visible = await visibleDatasets(withDeadline(services.authorityReader, req.deadline), reader, caller)
    const datasets = named ? visible.filter(({ layerId }) => named.includes(layerId)) : visible
    await (asksPrice ? sendPrice : sendRecords)(services, { req, res, reader, caller, ids, datasets })
  }
}

async function sendRecords({ ledger, metrics }: Services, call: DataCall): Promise<void> {
  const { req, res, reader, caller, ids, datasets } = call
  const hangUp = hangUpSignal(res)
  const frames = await unlessCached(call, {
    question: [ids, tagged(datasets)],
    read: () => recordsOn(reader, ids, datasets),
    isStill: () => areUnchanged(reader, datasets),
  })
  if (!frames) return
  const payer = { caller: { ...caller, deadline: req.deadline }, requestId: req.id }
  const bill = await chargeUnlessHungUp(ledger, payer, datasetsWithRecords(frames, datasets), hangUp)
  if (!bill) return
  metrics.countCharges(bill, datasets)
  // The charge and the datasets left out belong to this call alone.
  if (bill.charged.length > 0 || bill.leftOut.length > 0) res.removeHeader('ETag')
  await sendDataText(res, recordsJson(frames, datasets, bill))
}

async function sendPrice({ ledger }: Services, call: DataCall): Promise<void> {
  const { req, res, reader, caller, ids, datasets } = call
  const priced = await unlessCached(call, {
    question: [ids, tagged(datasets), 'price'],
    read: () => pricedOn(reader, ids.filter(isFrameId), datasets),
    isStill: () => areUnchanged(reader, datasets),
  })
  if (!priced) return
  // The answer depends on the credits of the organisation, which change at any moment.
  if (priced.length > 0) res.removeHeader('ETag')
  await sendData(res, { frames: [], ...(await quoteCall(withDeadline(ledger.db, req.deadline), caller.orgId, priced)) })
}

/** The part of the ETag that stands for the datasets. */
const tagged = (datasets: readonly DatasetRow[]) =>
  datasets.map(({ layerId, name, category, version, price }) => [layerId, name, category, version, price])
