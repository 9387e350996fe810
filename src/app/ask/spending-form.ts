/**
 * A form that spends credits or words carries the id under which the ledger charges it, so that the same form sent
 * twice is charged once. The id holds for one question about one set of frames: a person who sends it with others pays.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Session } from '../shell/rows.js'
import type { InsightRequest } from '../../core/insight/index.js'

export type AskedQuestion = Pick<InsightRequest, 'place' | 'question'>

/** A form that is older is refused: its answer would cost nothing any more, whatever the datasets hold by then. */
const VALID_MS = 3600 * 1000

export const newSpendingId = (session: Session, asked: AskedQuestion): string =>
  sealedQuestion(session, asked, `${randomUUID()}.${Date.now()}`)

/** It returns the id for the ledger, or undefined for a form that is too old, or of another session or question. */
export function requestIdOf(session: Session, asked: AskedQuestion, sent: string): string | undefined {
  const [requestId = '', madeAt = ''] = sent.split('.')
  const expected = Buffer.from(sealedQuestion(session, asked, `${requestId}.${madeAt}`))
  const came = Buffer.from(sent)
  if (came.length !== expected.length || !timingSafeEqual(came, expected)) return undefined
  return Date.now() - Number(madeAt) < VALID_MS ? requestId : undefined
}

function sealedQuestion({ tokenHash, orgId }: Session, { place, question = '' }: AskedQuestion, id: string): string {
  const text = JSON.stringify(['spending form', orgId, id, 'frames' in place ? place.frames : place, question])
  return `${id}.${createHmac('sha256', tokenHash).update(text).digest('base64url')}`
}
