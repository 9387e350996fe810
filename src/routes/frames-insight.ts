/** POST /v1/frames/insight: a worded answer about frames. */
import type { RequestHandler } from 'express'
import { callerOf } from '../http/authenticate.js'
import { insightBody } from '../http/body.js'
import { hangUpSignal } from '../http/hang-up.js'
import { insightCall } from '../http/insight-call.js'
import { sendData } from '../http/send.js'
import { answerQuestion } from '../insight/answer.js'
import type { Services } from '../services.js'

export function framesInsightRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const caller = callerOf(req)
    const request = insightBody(req.body)
    const call = await insightCall(services, req, caller, { requestId: req.id, hangUp: hangUpSignal(res) })
    const answer = await answerQuestion(call, request)
    // After the client hung up there is no answer to send.
    if (!answer) return
    services.metrics.countCharges(answer, call.datasets)
    res.set('Cache-Control', 'no-store')
    await sendData(res, answer)
  }
}
