/**
 * GET /app/ask: a question about frames, answered by the code of the insight call, without a charge and without words.
 * POST /app/ask: the same question with the datasets that cost, or in words. The ledger charges a form once.
 */
import type { Request as ExpressRequest, RequestHandler } from 'express'
import { billWithoutCharge } from '../../credits/charging.js'
import { states } from '../../db/statements.js'
import { FRAME_IDS_MAX, QUESTION_MAX } from '../../http/body.js'
import { insightCall } from '../../http/insight-call.js'
import { answerQuestion, type InsightRequest } from '../../insight/answer.js'
import type { Services } from '../../services.js'
import { answerView, count } from '../ask/answer-view.js'
import { answerAboutPlace, checkedRequest } from '../ask/place-answer.js'
import { requestIdOf } from '../ask/spending-form.js'
import { textInput } from '../components.js'
import { textField } from '../form.js'
import { html, type Html } from '../html.js'
import type { Page } from '../layout.js'
import { pickFields, questionOf, queryOf, viewOf, type Pick as AskedPlace } from '../map/view.js'
import { meterPerson, personAuthority } from '../person-authority.js'
import { badForm } from '../refusals.js'
import { sendPage } from '../send-page.js'
import { sessionOf } from '../session.js'
import { placeOfRequest } from '../web.js'

/** A page without a place asks nothing, so it spends no question. */
export function meterQuestion(services: Services): RequestHandler {
  const read = meterPerson(services, 'read')
  const question = meterPerson(services, 'insight')
  return (req, res, next) => (viewOf(req.asked).pick ? question : read)(req, res, next)
}

export function askRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const place = viewOf(req.asked).pick
    const question = questionOf(req.asked)
    if (!place) return sendPage(res, askPage(req, { place, question, body: await statesToAsk(services, req) }))
    const page = { linkTo: questionLink(req, place), isBesideMap: false }
    const answer = await answerAboutPlace(services, res, { place, question, page })
    // After the client hung up there is no answer to send.
    if (!answer) return
    if ('fault' in answer) res.status(422)
    sendPage(res, askPage(req, { place, question, ...answer }))
  }
}

const questionLink =
  (req: ExpressRequest, place: AskedPlace) =>
  (question: string): string =>
    `${placeOfRequest(req).app}/ask${queryOf({ pick: place })}&question=${encodeURIComponent(question)}`

export function askAndPayRoute(services: Services): RequestHandler {
  return async (req, res) => {
    const session = sessionOf(req)
    const frameIds = textField(req, 'frames').split(',')
    const question = textField(req, 'question') || undefined
    const checked = checkedRequest(frameIds, question)
    if ('fault' in checked) throw badForm(checked.fault)
    const sent = textField(req, 'request')
    const requestId = requestIdOf(session, checked, sent)
    if (requestId === undefined) throw badForm('It is older than an hour, or was made for another question. Ask again.')
    const isPaid = textField(req, 'read') === 'yes'
    const isWorded = textField(req, 'words') === 'yes'
    const request: InsightRequest = { ...checked, format: isWorded ? 'plain' : 'figures' }
    // A person who closes the page keeps the answer: the same form brings it again. A refund would make it free.
    const hangUp = new AbortController().signal
    const call = await insightCall(services, req, personAuthority(session), { requestId, hangUp })
    const answer = await answerQuestion({ ...call, ...(!isPaid && { charge: billWithoutCharge }) }, request)
    if (!answer) throw new Error('A question that nobody hangs up on has an answer.')
    services.metrics.countCharges(answer, call.datasets)
    const place: AskedPlace = { kind: 'frames', ids: frameIds }
    const body = answerView({
      req,
      asked: request,
      answer,
      datasets: call.datasets,
      page: { linkTo: questionLink(req, place), isBesideMap: false },
      spend: { requestId: sent, isPaid, canWord: services.wording !== undefined },
    })
    sendPage(res, askPage(req, { place, question, body }))
  }
}

/** A person who knows no id begins with a state. */
async function statesToAsk({ readerForRequest }: Services, req: ExpressRequest): Promise<Html> {
  const { app } = placeOfRequest(req)
  const known = await states(readerForRequest(req.deadline))
  return html`<section aria-labelledby="states">
    <h2 id="states">Or ask about a state</h2>
    <ul class="bare">
      ${known.map(
        ({ state, frames }) =>
          html`<li>
            <a href="${app}/ask${queryOf({ pick: { kind: 'unit', unit: { level: 'state', state } } })}">${state}</a>
            <span class="quiet">${count(frames, 'frame')}</span>
          </li>`,
      )}
    </ul>
  </section>`
}

type Asking = {
  place: AskedPlace | undefined
  question: string | undefined
  fault?: string
  body?: Html
}

function askPage(req: ExpressRequest, { place, question, fault, body }: Asking): Page {
  const { app } = placeOfRequest(req)
  return {
    title: 'Ask',
    section: '/ask',
    body: html`<form class="form sheet" method="get" action="${app}/ask">
        ${place ? placePart(app, place) : placeInput(app)}
        ${textInput({
          name: 'question',
          label: 'Question',
          value: question,
          maxLength: QUESTION_MAX,
          hint: 'Such as: how many people live here? Without a question, the answer is a profile.',
          fault,
        })}
        <div class="actions"><button class="primary">Ask</button></div>
      </form>
      ${body}`,
  }
}

const placePart = (app: string, place: AskedPlace): Html =>
  html`<p>
      About ${placeText(place)}. <a href="${app}/map${queryOf({ pick: place })}">Map</a>
      <a href="${app}/ask">Ask about another place</a>
    </p>
    ${pickFields(place).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`

function placeText(place: AskedPlace): string {
  if (place.kind === 'frames') return count(place.ids.length, 'frame')
  if (place.kind === 'box') return 'the frames of a box'
  const { unit } = place
  if (unit.level === 'state') return `the state ${unit.state}`
  return unit.level === 'lga'
    ? `the LGA ${unit.lga}, ${unit.state}`
    : `the ward ${unit.ward}, ${unit.lga}, ${unit.state}`
}

const placeInput = (app: string): Html =>
  html`<p>A question is about frames. <a href="${app}/map">Pick them on the map</a>, or name them:</p>
    ${textInput({
      name: 'frames',
      label: 'Frames',
      maxLength: 1000,
      hint: `Up to ${FRAME_IDS_MAX} ids, separated by commas.`,
    })}`
