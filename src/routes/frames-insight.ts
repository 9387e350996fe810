/** POST /v1/frames/insight: a worded answer about frames. */
import type { RequestHandler } from 'express'
import { datasetsInReach } from '../db/statements.js'
import { callerOf } from '../http/authenticate.js'
import { insightBody } from '../http/body.js'
import { sendData } from '../http/send.js'
import { answerOn } from '../insight/answer.js'
import type { Services } from '../services.js'

export function framesInsight({ db, narrate, log, metrics }: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const question = insightBody(req.body)
    const requestId = String(res.get('X-Request-Id'))
    const reach = await datasetsInReach(db, caller.orgId, caller.datasets)
    const seen = caller.capabilities.includes('feature.read') ? reach : reach.filter(({ kind }) => kind === 'frames')
    const answer = await answerOn(db, narrate, caller, requestId, question, seen, (outcome) => {
      metrics.concluded(outcome)
      log.info({ requestId, ...outcome })
    })
    metrics.billed(answer, seen)
    res.set('Cache-Control', 'no-store')
    sendData(res, answer)
  }
}
