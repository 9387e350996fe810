/** GET /v1/frames/data: what the datasets that a key can read record on frames. */
import type { RequestHandler } from 'express'
import { chargeFor } from '../credits/charging.js'
import { contributing, recordsOn } from '../datasets/records.js'
import { datasetsSeen } from '../datasets/seen.js'
import { callerOf } from '../http/authenticate.js'
import { answeredFromCache } from '../http/etag.js'
import { mayBeFrame, neededIdsParam } from '../http/params.js'
import { recordsJson } from '../http/records.js'
import { sendDataText } from '../http/send.js'
import type { Services } from '../services.js'

export function framesData({ db, vouched, readsOfCall, metrics }: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const ids = neededIdsParam(req.asked)
    const reads = readsOfCall()
    const seen = await datasetsSeen(vouched, reads, caller)
    const question = [
      ids,
      seen.map(({ layerId, name, category, version, price }) => [layerId, name, category, version, price]),
    ]
    if (await answeredFromCache(reads, req, res, question)) return
    const records = await recordsOn(reads, ids, mayBeFrame, seen)
    const bill = await chargeFor(db, caller, req.id, contributing(records, seen))
    metrics.billed(bill, seen)
    // What was paid for, or could not be, is of this call alone.
    if (bill.charged.length > 0 || bill.leftOut.length > 0) res.removeHeader('ETag')
    sendDataText(res, recordsJson(records, seen, bill))
  }
}
