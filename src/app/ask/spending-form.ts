/**
 * A form that spends credits or words carries the id under which the ledger charges it, so that the same form sent
 * twice is charged once. The id holds for one question about one set of frames: a person who sends it with others pays.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { charge, chargeCall, quoteCall, refundCall } from '../../core/credits/index.js'
import { type DatasetRow, withDeadline } from '../../core/db/index.js'
import type { Deadline } from '../../core/deadline.js'
import type { InsightRequest } from '../../core/insight/index.js'
import type { Services } from '../../services.js'
import { personAuthority, purseText } from '../shell/person-authority.js'
import type { Session } from '../shell/rows.js'
import { sessionOf } from '../shell/session.js'

export type AskedQuestion = Pick<InsightRequest, 'place' | 'question'>

/** A form that is older is refused: its answer would cost nothing any more, whatever the datasets hold by then. */
const VALID_MS = 3600 * 1000

/** `purpose`: what the form spends on. The id holds for nothing else. */
export const newSpendingId = (session: Session, purpose: string): string =>
  sealed(session, purpose, `${randomUUID()}.${Date.now()}`)

/** It returns the id for the ledger, or undefined for a form that is too old, or of another session or purpose. */
export function requestIdOf(session: Session, purpose: string, sent: string): string | undefined {
  const [requestId = '', madeAt = ''] = sent.split('.')
  const expected = Buffer.from(sealed(session, purpose, `${requestId}.${madeAt}`))
  const came = Buffer.from(sent)
  if (came.length !== expected.length || !timingSafeEqual(came, expected)) return undefined
  return Date.now() - Number(madeAt) < VALID_MS ? requestId : undefined
}

export const toAnswer = ({ place, question = '' }: AskedQuestion): string =>
  JSON.stringify(['answer', 'frames' in place ? place.frames : place, question])

function sealed({ tokenHash, orgId }: Session, purpose: string, id: string): string {
  const text = JSON.stringify(['spending form', orgId, id, purpose])
  return `${id}.${createHmac('sha256', tokenHash).update(text).digest('base64url')}`
}

/** Returns why nothing is charged. Nothing is unless all is: a file without a chosen dataset would surprise. */
export async function payByForm(
  { ledger, metrics }: Services,
  req: Request,
  { contributing, requestId, deadline }: { contributing: DatasetRow[]; requestId: string; deadline: Deadline },
): Promise<string | undefined> {
  const person = personAuthority(sessionOf(req))
  const call = { caller: { ...person, deadline }, requestId }
  // The same form may come again: what it paid for then, it has.
  const paidBefore = (await charge(ledger.db, call.caller, requestId, [])) ?? []
  if (paidBefore.length > 0 && contributing.some(({ layerId }) => !paidBefore.includes(layerId)))
    return 'This form paid for other datasets. Open it again for more: nothing was charged now.'
  if (paidBefore.length === 0) {
    const left = req.visit.purse?.leftToday ?? Infinity
    const { price, leftOut } = await quoteCall(withDeadline(ledger.db, deadline), person, contributing)
    if (leftOut.length > 0 || price.credits > left) return `The credits do not cover it. ${purseText(req.visit)}`
  }
  const bill = await chargeCall(ledger, call, contributing)
  if (bill.leftOut.length > 0) {
    refundCall(ledger, call, bill)
    return 'The credits were spent meanwhile, so nothing is charged.'
  }
  metrics.countCharges(bill, contributing)
  return undefined
}
