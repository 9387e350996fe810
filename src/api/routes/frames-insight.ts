/** POST /v1/frames/insight: a worded answer about frames. */
import type { Request } from 'express'
import { jsonBody } from '../http/body.js'
import type { Route } from '../http/admit.js'
import type { Call } from '../http/call.js'
import { enterIfRepeated } from '../http/idempotency.js'
import { insightCall } from '../http/insight-call.js'
import { sendData } from '../http/send.js'
import {
  answerQuestion,
  type InsightAnswer,
  insightBody,
  type InsightRequest,
  type SaidSentence,
} from '../../core/insight/index.js'
import type { Services } from '../../services.js'

export function framesInsightRoute(services: Services): Route {
  return async (call, res) => {
    const request = insightBody(await jsonBody(res.req, res))
    const answer = await answerAsked(services, call, request, res.req)
    if (!answer) return
    res.set('Cache-Control', 'no-store')
    await sendData(res, answer.sent)
  }
}

export type SentAnswer = Omit<InsightAnswer, 'shown'>

/** A tool asks about units and boxes, too. Undefined: the client hung up. */
export async function answerAsked(
  services: Services,
  asking: Pick<Call, 'caller' | 'id' | 'hangUp' | 'deadline' | 'idempotencyKey' | 'whenUnanswered'>,
  request: InsightRequest,
  req: Request,
): Promise<{ sent: SentAnswer; sentences: readonly SaidSentence[] } | undefined> {
  const { caller, id, hangUp } = asking
  await enterIfRepeated(services, asking, ['answer', request])
  const call = await insightCall(services, req, caller, { requestId: id, hangUp: hangUp() })
  const answer = await answerQuestion(call, request)
  if (!answer) return undefined
  services.metrics.countCharges(answer, call.datasets)
  const { shown, ...sent } = answer
  return { sent, sentences: (shown.paragraphs ?? []).flatMap(({ sentences }) => sentences) }
}
