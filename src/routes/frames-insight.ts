/** POST /v1/frames/insight: a worded answer about frames. */
import type { RequestHandler } from 'express'
import { datasetsSeen } from '../datasets/seen.js'
import { callerOf } from '../http/authenticate.js'
import { insightBody } from '../http/body.js'
import { sendData } from '../http/send.js'
import { answerOn } from '../insight/answer.js'
import type { Services } from '../services.js'

export function framesInsight({ db, vouched, readsOfCall, narrate, log, metrics }: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const question = insightBody(req.body)
    const requestId = req.id
    const reads = readsOfCall()
    const seen = await datasetsSeen(vouched, reads, caller)
    const answer = await answerOn({ db, reads }, narrate, caller, requestId, question, seen, (outcome) => {
      metrics.concluded(outcome)
      log.info({ requestId, ...outcome })
    })
    metrics.billed(answer, seen)
    res.set('Cache-Control', 'no-store')
    sendData(res, answer)
  }
}
