/**
 * Answers a question about a place, without a charge and without words, for the page Ask and beside the map. It is the
 * code of the insight call; totals answer for a place of more frames than that call takes.
 */
import type { Response } from 'express'
import { billWithoutCharge } from '../../core/credits/charging.js'
import { ApiError } from '../../core/errors.js'
import { FRAME_IDS_MAX, insightBody } from '../../api/http/body.js'
import { hangUpSignal } from '../../api/http/hang-up.js'
import { insightCall } from '../../api/http/insight-call.js'
import { answerQuestion, type InsightCall, type InsightRequest } from '../../core/insight/answer.js'
import type { UnitPath } from '../../core/insight/unit/statements.js'
import type { Services } from '../../services.js'
import { html, type Html } from '../shell/html.js'
import { queryOf, type Pick as AskedPlace } from '../map/view.js'
import { unitArgs } from '../map/words.js'
import { personAuthority } from '../shell/person-authority.js'
import { sessionOf } from '../shell/session.js'
import type { AnswerPage } from './answer-page.js'
import { answerView } from './answer-view.js'
import { framesOfPlace } from './place.js'
import { newSpendingId } from './spending-form.js'
import { totalsView } from './totals-view.js'

type PlaceQuestion = {
  /** Undefined: the whole index. */
  place: AskedPlace | undefined
  question: string | undefined
  page: AnswerPage
}

/** `frameIds`: the frames that the figures rest on, or those that an answer about many frames names. */
export type PlaceAnswer = { body: Html; frameIds: readonly string[]; units: readonly UnitPath[] } | { fault: string }

/** Undefined: the client hung up. */
export async function answerAboutPlace(
  services: Services,
  res: Response,
  { place, question, page }: PlaceQuestion,
): Promise<PlaceAnswer | undefined> {
  const { req } = res
  const session = sessionOf(req)
  const hangUp = hangUpSignal(res)
  const call = await insightCall(services, req, personAuthority(session), { requestId: req.context.id, hangUp })
  const frameIds = place && (await framesOfPlace(call.reader, place, FRAME_IDS_MAX))
  if (frameIds?.length === 0) return { body: noFramesOf(req.visit.place.app, place), frameIds, units: [] }
  const request = checkedRequest(frameIds ?? [ANY_FRAME], question)
  if ('fault' in request) return request
  if (!frameIds) {
    const totals = await totalsOf(res, { call, place, question: request.question, page })
    if (!totals) return { body: tooManyFrames(req.visit.place.app, place), frameIds: [], units: [] }
    return { body: totals.body, frameIds: totals.named.frames, units: totals.named.units }
  }
  const answer = await answerQuestion({ ...call, charge: billWithoutCharge }, request)
  if (!answer) return undefined
  const spend = { requestId: newSpendingId(session, request), canWord: services.wording !== undefined, isPaid: false }
  const body = answerView({ req, asked: request, answer, datasets: call.datasets, page, spend })
  return { body, frameIds: answer.frameIds, units: [] }
}

type TotalsQuestion = PlaceQuestion & { call: InsightCall }

async function totalsOf({ req }: Response, { call, place, question, page }: TotalsQuestion) {
  if (place?.kind === 'frames') return undefined
  return await totalsView(req, { call, place, question, most: FRAME_IDS_MAX, page })
}

/** The rules for a question are checked before those for frames. */
const ANY_FRAME = '0'

/** The rules are those of the call. */
export function checkedRequest(
  frameIds: readonly string[],
  question: string | undefined,
): InsightRequest | { fault: string } {
  try {
    return insightBody({ frameIds, format: 'figures', ...(question !== undefined && { question }) })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_body') return { fault: error.message }
    throw error
  }
}

function noFramesOf(app: string, place: AskedPlace | undefined): Html {
  if (place?.kind !== 'unit') return html`<p class="notice warn">No frame of the index lies here.</p>`
  const names = unitArgs(place.unit).flatMap((name) => name ?? [])
  const name = names.toReversed().join(', ')
  return html`<p class="notice warn">
    The index has no unit of this name: ${name}.
    <a href="${app}/map${queryOf({ search: names.at(-1) })}">Search for it</a>
  </p>`
}

const tooManyFrames = (app: string, pick: AskedPlace | undefined): Html =>
  html`<p class="notice warn">
    A question takes at most ${FRAME_IDS_MAX} frames, and there are more here. None was read.
    <a href="${app}/map${queryOf({ pick })}">Pick a smaller part on the map</a>
  </p>`
