/** POST /v1/frames/insight: a worded answer about frames. */
import type { RequestHandler } from 'express'
import { withDeadline } from '../db/connect.js'
import { visibleDatasets } from '../datasets/visible.js'
import { callerOf } from '../http/authenticate.js'
import { insightBody } from '../http/body.js'
import { hangUpSignal } from '../http/hang-up.js'
import { sendData } from '../http/send.js'
import { answerQuestion } from '../insight/answer.js'
import type { Outcome } from '../insight/paid-words.js'
import type { Planning } from '../insight/reading/by-model.js'
import type { Services } from '../services.js'

export function framesInsightRoute({
  ledger,
  authorityReader,
  readerForRequest,
  catalogues,
  wording,
  log,
  metrics,
}: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const request = insightBody(req.body)
    const { deadline } = req
    const reader = readerForRequest(deadline)
    const datasets = await visibleDatasets(withDeadline(authorityReader, deadline), reader, caller)
    const call = {
      caller: { ...caller, deadline },
      requestId: req.id,
      hangUp: hangUpSignal(res),
      reader,
      datasets,
      ledger,
      catalogues,
      wording,
      onOutcome: (outcome: Outcome) => {
        metrics.countOutcome(outcome)
        if ('worded' in outcome) req.outcome = 'worded'
        log.info({ requestId: req.id, ...outcome })
      },
      onPlanned: ({ outcome, reason }: Planning) => {
        metrics.countPlan(outcome)
        log.info({ requestId: req.id, plan: outcome, ...(reason === undefined ? {} : { reason }) })
      },
    }
    const answer = await answerQuestion(call, request)
    // After the client hung up there is no answer to send.
    if (!answer) return
    metrics.countCharges(answer, datasets)
    res.set('Cache-Control', 'no-store')
    await sendData(res, answer)
  }
}
