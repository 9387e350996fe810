/** POST /v1/frames/insight: a worded answer about frames. */
import type { RequestHandler } from 'express'
import { until } from '../db/connect.js'
import { datasetsSeen } from '../datasets/seen.js'
import { callerOf } from '../http/authenticate.js'
import { insightBody } from '../http/body.js'
import { hungUp } from '../http/hung-up.js'
import { sendData } from '../http/send.js'
import { answerOn } from '../insight/answer.js'
import type { Outcome } from '../insight/worded.js'
import type { Services } from '../services.js'

export function framesInsight({
  ledger,
  authorityReader,
  readerForRequest,
  narrate,
  log,
  metrics,
}: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const question = insightBody(req.body)
    const { deadline } = req
    const asking = { caller: { ...caller, deadline }, plan: caller.plan, requestId: req.id, gone: hungUp(res) }
    const reads = readerForRequest(deadline)
    const seen = await datasetsSeen(until(authorityReader, deadline), reads, caller)
    const told = (outcome: Outcome) => {
      metrics.countOutcome(outcome)
      log.info({ requestId: req.id, ...outcome })
    }
    const answer = await answerOn({ ledger, reads, narrate, told }, asking, question, seen)
    // The client hung up: nobody is there to send an answer to.
    if (!answer) return
    metrics.countCharges(answer, seen)
    res.set('Cache-Control', 'no-store')
    await sendData(res, answer)
  }
}
