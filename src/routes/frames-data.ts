/** GET /v1/frames/data: what the datasets that a key can read record on frames, or what reading them would cost. */
import type { Request, RequestHandler, Response } from 'express'
import type { Authority } from '../access/authority.js'
import { chargeFor, quoteFor, takeBackCharge } from '../credits/charging.js'
import { contributing, recordsOn } from '../datasets/records.js'
import { areStillServed, datasetsSeen } from '../datasets/seen.js'
import { until } from '../db/connect.js'
import type { Reads } from '../db/replicas/replicas.js'
import { datasetsContributing, type DatasetRow } from '../db/statements.js'
import { callerOf } from '../http/authenticate.js'
import { unlessCached } from '../http/etag.js'
import { hungUp } from '../http/hung-up.js'
import { datasetsParam, mayBeFrame, neededIdsParam, priceParam } from '../http/params.js'
import { recordsJson } from '../http/records.js'
import { sendData, sendDataText } from '../http/send.js'
import type { Services } from '../services.js'

type Call = {
  req: Request
  res: Response
  reads: Reads
  caller: Authority
  ids: string[]
  /** The datasets that the call sees, of those that it asks for. */
  seen: DatasetRow[]
  isStill: () => Promise<boolean>
}

export function framesData(services: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const ids = neededIdsParam(req.asked)
    const datasets = datasetsParam(req.asked)
    const asksPrice = priceParam(req.asked)
    const reads = services.readerForRequest(req.deadline)
    const all = await datasetsSeen(until(services.authorityReader, req.deadline), reads, caller)
    const seen = datasets ? all.filter(({ layerId }) => datasets.includes(layerId)) : all
    const call: Call = { req, res, reads, caller, ids, seen, isStill: () => areStillServed(reads, seen) }
    await (asksPrice ? sendPrice(services, call) : sendRecords(services, call))
  }
}

async function sendRecords({ ledger, metrics }: Services, { req, res, reads, ...call }: Call): Promise<void> {
  const { caller, ids, seen, isStill } = call
  const gone = hungUp(res)
  const read = () => recordsOn(reads, ids, mayBeFrame, seen)
  const records = await unlessCached({ reads, req, res }, { question: [ids, told(seen)], read, isStill })
  if (!records || gone.aborted) return
  const paid = { caller: { ...caller, deadline: req.deadline }, requestId: req.id }
  const bill = await chargeFor(ledger, paid, contributing(records, seen))
  // A client that hung up gets no answer, and pays for none.
  if (gone.aborted) return takeBackCharge(ledger, paid, bill)
  metrics.countCharges(bill, seen)
  // What was paid for, or could not be, is of this call alone.
  if (bill.charged.length > 0 || bill.leftOut.length > 0) res.removeHeader('ETag')
  await sendDataText(res, recordsJson(records, seen, bill))
}

/** No record is read, and nothing is charged: the database says which of the priced datasets record something there. */
async function sendPrice({ ledger }: Services, { req, res, reads, ...call }: Call): Promise<void> {
  const { caller, ids, seen, isStill } = call
  const priced = seen.filter(({ price }) => price !== null)
  const layers = priced.map(({ layerId }) => layerId)
  const read = async () =>
    layers.length === 0 ? [] : await datasetsContributing(reads, ids.filter(mayBeFrame), layers)
  const places = await unlessCached({ reads, req, res }, { question: [ids, told(seen), 'price'], read, isStill })
  if (!places) return
  const costing = places.flatMap(({ place }) => priced[place - 1] ?? [])
  // The credits of the organisation change at any moment.
  if (costing.length > 0) res.removeHeader('ETag')
  await sendData(res, { frames: [], ...(await quoteFor(until(ledger.db, req.deadline), caller.orgId, costing)) })
}

const told = (seen: readonly DatasetRow[]) =>
  seen.map(({ layerId, name, category, version, price }) => [layerId, name, category, version, price])
