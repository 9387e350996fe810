/** POST /v1/frames/insight: a worded answer about frames. */
import type { Request, RequestHandler } from 'express'
import { callerOf } from '../http/authenticate.js'
import { insightBody } from '../http/body.js'
import { hangUpSignal } from '../http/hang-up.js'
import { insightCall } from '../http/insight-call.js'
import { sendData } from '../http/send.js'
import { answerQuestion, type InsightAnswer, type InsightRequest } from '../../core/insight/answer.js'
import type { SaidSentence } from '../../core/insight/sentences/compose.js'
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

export type SentAnswer = Omit<InsightAnswer, 'shown'>

/** Undefined: the client hung up. */
async function answerInsight(
  services: Services,
  req: Request,
  body: unknown,
  hangUp: AbortSignal,
): Promise<SentAnswer | undefined> {
  return (await answerAsked(services, req, insightBody(body), hangUp))?.sent
}

/** A tool asks about units and boxes, too. */
export async function answerAsked(
  services: Services,
  req: Request,
  request: InsightRequest,
  hangUp: AbortSignal,
): Promise<{ sent: SentAnswer; sentences: readonly SaidSentence[] } | undefined> {
  const call = await insightCall(services, req, callerOf(req), { requestId: req.context.id, hangUp })
  const answer = await answerQuestion(call, request)
  if (!answer) return undefined
  services.metrics.countCharges(answer, call.datasets)
  const { shown, ...sent } = answer
  return { sent, sentences: (shown.paragraphs ?? []).flatMap(({ sentences }) => sentences) }
}
