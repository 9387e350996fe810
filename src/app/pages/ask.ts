/**
 * GET /app/ask: a question about frames, answered by the code of the insight call, without a charge and without words.
 * POST /app/ask: the same question with the datasets that cost, or in words. The ledger charges a form once.
 */
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import type { DatasetRow } from '../../core/db/index.js'
import { insightCall } from '../../api/http/insight-call.js'
import { decode, type Query } from '../../api/http/query.js'
import { type AnswerPage, answerView, spendForm } from '../ask/answer-view.js'
import { answerAboutPlace, checkedRequest, ownersOf } from '../ask/place-answer.js'
import { requestIdOf, toAnswer } from '../ask/spending-form.js'
import { framesFault } from '../map/typed-place.js'
import { pickFields, queryOf, questionOf, viewOf } from '../map/view.js'
import { countText } from '../shell/amounts.js'
import { textField } from '../shell/form.js'
import { html, type Html } from '../shell/html.js'
import { personAuthority, spendAsPerson, type Spending } from '../shell/person-authority.js'
import { sendHtml, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { billWithoutCharge, charge } from '../../core/credits/index.js'
import { states } from '../../core/db/statements.js'
import { ApiError } from '../../core/errors.js'
import {
  answerQuestion,
  FRAME_IDS_MAX,
  type InsightAnswer,
  type InsightRequest,
  QUESTION_MAX,
} from '../../core/insight/index.js'
import type { Services } from '../../services.js'
import { type Place, placeText, UNIT_LEVELS } from '../../core/place.js'
import { textInput } from '../shell/components.js'
import type { PageContent } from '../shell/layout.js'

export function askRoute(services: Services): RequestHandler {
  const read = spendAsPerson(services, 'read')
  const ask = spendAsPerson(services, 'insight')
  return async (req, res) => {
    const { asking, isRead } = readAsked(req.context.asked)
    const { place, question } = asking
    // A page that asks nothing spends no question.
    const isQuestion = isRead && (place !== undefined || question !== undefined)
    if (!(await passes(services, res, isQuestion ? ask : read, asking))) return
    if (!isRead) res.status(400)
    if (!isQuestion) return sendPage(res, askPage(req, { ...asking, body: await statesToAsk(services, req) }))
    const answer = await answerAboutPlace(services, res, answerPage(req, place), question)
    // After the client hung up there is no answer to send.
    if (!answer) return
    if ('fault' in answer) res.status(422)
    sendPage(res, askPage(req, { place, question, ...answer }))
  }
}

/** A person keeps what was typed when a bucket is empty, and reads when it will hold a call again. */
async function passes({ metrics }: Services, res: Response, spend: Spending, asking: QuestionForm): Promise<boolean> {
  const { req } = res
  try {
    await spend(req, res)
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    metrics.count('frames_console_refusals_total', { reason: 'rate' })
    res.status(error.status).set(error.headers)
    sendPage(res, askPage(req, { ...asking, notice: `Nothing was asked, and nothing was spent. ${error.message}` }))
    return false
  }
}

const answerPage = (req: ExpressRequest, pick: Place | undefined, isBesideMap = false): AnswerPage => ({
  path: `${req.visit.place.app}/${isBesideMap ? 'map' : 'ask'}`,
  view: { pick },
  isBesideMap,
})

/** The fields of a form that spends, once they are checked. */
type SpendingForm = {
  requestId: string
  sent: string
  request: InsightRequest
  asking: Asking
  isPaid: boolean
}

/** Without a place, the question is about the whole index. */
type Asking = { place: Place | undefined; question: string | undefined }

export function askAndPayRoute(services: Services): RequestHandler {
  const spend = spendAsPerson(services, 'insight')
  const answers = keepAnswers()
  return async (req, res) => {
    const form = readSpendingForm(req)
    if ('fault' in form) {
      if (!(await passes(services, res, spend, form.asking))) return
      res.status(400)
      return sendPage(res, askPage(req, { ...form.asking, notice: form.fault }))
    }
    const { orgId } = sessionOf(req)
    const key = [orgId, form.requestId, form.isPaid, form.request.format].join(' ')
    const earlier = answers.find(key)
    if (earlier) return await sendAgain(services, res, form, earlier)
    const asking = { ...form.asking, body: sendAgainForm(req, form) }
    // Kept before the bucket is asked: the same form that comes meanwhile waits, and spends nothing.
    const making = passes(services, res, spend, asking).then((isPassed) => {
      if (!isPassed) throw new BucketEmpty()
      return answerOnce(services, req, form)
    })
    const kept = await unlessBucketEmpty(answers.keep(key, making))
    if (kept) sendAnswer(services, res, form, kept)
  }
}

class BucketEmpty extends Error {}

const unlessBucketEmpty = (making: Promise<KeptAnswer>): Promise<KeptAnswer | undefined> =>
  making.catch((error: unknown) => {
    if (error instanceof BucketEmpty) return undefined
    throw error
  })

function readSpendingForm(req: ExpressRequest): SpendingForm | { fault: string; asking: Asking } {
  const asking = { place: placeOfForm(req), question: textField(req, 'question') || undefined }
  const checked = checkedRequest(asking.place ?? { unit: [] }, asking.question)
  if ('fault' in checked) return { fault: checked.fault, asking }
  const sent = textField(req, 'request')
  const requestId = requestIdOf(sessionOf(req), toAnswer(checked), sent)
  if (requestId === undefined) {
    const fault = 'This form is older than an hour, or was made for another question. Nothing was spent: ask again.'
    return { fault, asking }
  }
  const isWorded = textField(req, 'words') === 'yes'
  const request: InsightRequest = { ...checked, format: isWorded ? 'plain' : 'figures' }
  const isPaid = textField(req, 'read') === 'yes'
  return { requestId, sent, request, asking, isPaid }
}

/** Undefined: the whole index. A form has the fields that its page wrote. */
function placeOfForm(req: ExpressRequest): Place | undefined {
  const frames = textField(req, 'frames')
  if (frames !== '') return { frames: frames.split(',') }
  const named = [...UNIT_LEVELS, 'box', 'shape'].flatMap((name) => {
    const value = textField(req, name)
    return value === '' ? [] : [[name, [encodeURIComponent(value)]] as const]
  })
  return viewOf(new Map(named)).pick
}

async function answerOnce(services: Services, req: ExpressRequest, form: SpendingForm): Promise<KeptAnswer> {
  const { requestId, request, isPaid } = form
  // A person who closes the page keeps the answer: the same form brings it again. A refund would make it free.
  const hangUp = new AbortController().signal
  const call = await insightCall(services, req, personAuthority(sessionOf(req)), { requestId, hangUp })
  // The page with the form has counted the words of the question.
  const onUnknown = () => {}
  const answer = await answerQuestion({ ...call, onUnknown, ...(!isPaid && { charge: billWithoutCharge }) }, request)
  if (!answer) throw new Error('unreachable: the question got no answer')
  services.metrics.countCharges(answer, call.datasets)
  return { answer, datasets: call.datasets, owners: await ownersOf(req, call.datasets) }
}

/** The ledger refuses a form whose charge was given back: its answer is not paid for. */
async function sendAgain(
  services: Services,
  res: Response,
  form: SpendingForm,
  earlier: Promise<KeptAnswer>,
): Promise<void> {
  const kept = await unlessBucketEmpty(earlier)
  const { req } = res
  if (!kept) {
    const asking = { ...form.asking, body: sendAgainForm(req, form) }
    res.status(429).set('Retry-After', '5')
    return sendPage(
      res,
      askPage(req, { ...asking, notice: 'Nothing was asked, and nothing was spent. Send it again in some seconds.' }),
    )
  }
  const { orgId, keyId } = personAuthority(sessionOf(req))
  await charge(services.ledger.db, { orgId, keyId, deadline: req.context.deadline }, form.requestId, [])
  sendAnswer(services, res, form, kept)
}

function sendAnswer({ wording }: Services, res: Response, form: SpendingForm, kept: KeptAnswer): void {
  const { req } = res
  const { sent, request, asking, isPaid } = form
  // The script of the map asks for the answer alone, whose links lead on there.
  const page = answerPage(req, asking.place, textField(req, 'part') === 'answer')
  const spend = { requestId: sent, isPaid, canWord: wording !== undefined }
  const body = answerView({ req, meant: [], asked: request, ...kept, page, spend })
  if (page.isBesideMap) return sendHtml(res, body)
  sendPage(res, askPage(req, { ...asking, body }))
}

/** The form holds for its hour: it is sent again as it came. */
const sendAgainForm = (req: ExpressRequest, { sent, request, asking, isPaid }: SpendingForm): Html =>
  spendForm(req, { request: sent, ...asking, isPaid, isWorded: request.format === 'plain' }, 'Send it again')

/** A person who knows no id begins with a state. */
async function statesToAsk({ readerForRequest }: Services, req: ExpressRequest): Promise<Html> {
  const { app } = req.visit.place
  const known = await states(readerForRequest(req.context.deadline))
  return html`<section aria-labelledby="states">
    <h2 id="states">Or ask about a state</h2>
    <ul class="bare">
      ${known.map(
        ({ state, frames }) =>
          html`<li>
            <a href="${app}/ask${queryOf({ pick: { unit: [state] } })}">${state}</a>
            <span class="quiet">${countText(frames, 'frame')}</span>
          </li>`,
      )}
    </ul>
  </section>`
}

function readAsked(query: Query): { asking: QuestionForm; isRead: boolean } {
  const question = questionOf(query)
  try {
    return { asking: { place: viewOf(query).pick, question }, isRead: true }
  } catch (error) {
    if (!(error instanceof ApiError) || !error.code.startsWith('invalid')) throw error
    return { asking: { place: undefined, question, ...askedFault(query) }, isRead: false }
  }
}

const firstParam = (query: Query, name: string): string =>
  (query.get(name) ?? [])
    .map((value) => decode(value.replaceAll('+', ' ')) ?? value)
    .join(',')
    .trim()

const PLACE_PARAMETERS = ['frames', 'frame', 'state', 'box'] as const

function askedFault(query: Query): Omit<QuestionForm, 'place' | 'question'> {
  const named = PLACE_PARAMETERS.filter((name) => firstParam(query, name) !== '')
  if (named.length > 1)
    return { notice: 'The address names several places, and a question is about one. Pick it again.' }
  const frames = firstParam(query, 'frames') || firstParam(query, 'frame')
  const sent = query.get(firstParam(query, 'frames') === '' ? 'frame' : 'frames') ?? []
  if (frames !== '') return { frames, faultOfFrames: framesFault(sent) }
  if (named.includes('box'))
    return { notice: 'The box of this address cannot be read. It has four numbers: west, south, east, north.' }
  return {
    notice:
      'The place of this address cannot be read. An LGA has its state beside it, and a ward its LGA and its state.',
  }
}

/**
 * Keeps the answers of forms that spend, so that the same form sent twice gets the first answer: it spends no call from a
 * bucket, and no credits. A form that is sent again while its answer is made waits for it.
 */
type KeptAnswer = { answer: InsightAnswer; datasets: readonly DatasetRow[]; owners: ReadonlyMap<string, string> }

/** An answer takes some 20 kB. */
const KEPT_MAX = 200

function keepAnswers() {
  const kept = new Map<string, Promise<KeptAnswer>>()
  return {
    find: (key: string) => kept.get(key),
    keep: async (key: string, making: Promise<KeptAnswer>): Promise<KeptAnswer> => {
      const [oldest] = kept.keys()
      if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      kept.set(key, making)
      try {
        return await making
      } catch (error) {
        // A form that was refused, or whose answer failed, may be sent again.
        kept.delete(key)
        throw error
      }
    },
  }
}

type QuestionForm = Asking & {
  /** The text that a person typed for the frames, where it names none. */
  frames?: string
  faultOfFrames?: string
  fault?: string
  /** Says why nothing was answered. */
  notice?: string
  /** The index has these of the frames that the place names. */
  frameIds?: readonly string[]
  /** Says what the index lacks of the place. */
  note?: Html | false
  body?: Html
}

function askPage(req: ExpressRequest, asking: QuestionForm): PageContent {
  const { place, question, faultOfFrames, fault, notice, note, body } = asking
  const { app } = req.visit.place
  return {
    title: 'Ask',
    section: '/ask',
    isRefused: notice !== undefined,
    faults: { frames: faultOfFrames, question: fault },
    body: html`${notice !== undefined && html`<p class="notice warn" role="alert">${notice}</p>`}
      <form class="form sheet" method="get" action="${app}/ask">
        ${place ? placePart(app, place, asking.frameIds) : placeInput(app, asking)}
        ${textInput({
          name: 'question',
          label: 'Question',
          value: question,
          maxLength: QUESTION_MAX,
          hint: 'Such as: how many people live here? Without a question, the answer is a profile.',
          fault,
        })}
        <div class="row"><button class="primary">Ask</button></div>
      </form>
      ${note} ${body}`,
  }
}

const placePart = (app: string, place: Place, frameIds: readonly string[] | undefined): Html =>
  html`<p>
      About ${placeText('frames' in place && frameIds ? { frames: frameIds } : place)}.
      <a href="${app}/map${queryOf({ pick: place })}">Map</a>
      <a href="${app}/ask">Ask about another place</a>
    </p>
    ${Object.entries(pickFields(place)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`

const placeInput = (app: string, { frames, faultOfFrames }: QuestionForm): Html =>
  html`<p>
      A question is about the whole index, or about frames. <a href="${app}/map">Pick them on the map</a>, or name them:
    </p>
    ${textInput({
      name: 'frames',
      label: 'Frames',
      value: frames,
      maxLength: 1000,
      hint: `Up to ${FRAME_IDS_MAX} ids, separated by commas. Leave it blank for the whole index.`,
      fault: faultOfFrames,
    })}`
