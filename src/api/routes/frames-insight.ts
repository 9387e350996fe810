/** POST /v1/frames/insight: a worded answer about frames. */
import type { Request, RequestHandler } from 'express'
import { callerOf } from '../http/authenticate.js'
import { insightBody } from '../http/body.js'
import { hangUpSignal } from '../http/hang-up.js'
import { insightCall } from '../http/insight-call.js'
import { sendData } from '../http/send.js'
import { answerQuestion, type InsightAnswer } from '../../core/insight/answer.js'
import type { Services } from '../../services.js'

export function framesInsightRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const answer = await answerInsight(services, req, req.body, hangUpSignal(res))
    // After the client hung up there is no answer to send.
    if (!answer) return
    res.set('Cache-Control', 'no-store')
    await sendData(res, answer)
  }
}

/** A call gets the narrative as one text: its paragraphs, with the figures of each sentence, are for pages. */
type SentAnswer = Omit<InsightAnswer, 'paragraphs'>

/** Undefined: the client hung up. */
export async function answerInsight(
  services: Services,
  req: Request,
  body: unknown,
  hangUp: AbortSignal,
): Promise<SentAnswer | undefined> {
  const request = insightBody(body)
  const call = await insightCall(services, req, callerOf(req), { requestId: req.context.id, hangUp })
  const answer = await answerQuestion(call, request)
  if (!answer) return undefined
  services.metrics.countCharges(answer, call.datasets)
  const { paragraphs: _paragraphs, ...sent } = answer
  return sent
}
