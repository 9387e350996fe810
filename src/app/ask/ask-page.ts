/** Draws the page Ask: the form with what was typed, and the answer below it. */
import type { Request as ExpressRequest } from 'express'
import { FRAME_IDS_MAX, QUESTION_MAX } from '../../api/http/body.js'
import { textInput } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import type { PageContent } from '../shell/layout.js'
import { pickFields, queryOf, type Pick as AskedPlace } from '../map/view.js'
import { countText } from '../shell/amounts.js'

export type QuestionForm = {
  place: AskedPlace | undefined
  question: string | undefined
  /** The text that a person typed for the frames, where it names none. */
  frames?: string
  framesFault?: string
  fault?: string
  /** Says why nothing was answered. */
  notice?: string
  body?: Html
}

export function askPage(req: ExpressRequest, asking: QuestionForm): PageContent {
  const { place, question, framesFault, fault, notice, body } = asking
  const { app } = req.visit.place
  return {
    title: 'Ask',
    section: '/ask',
    isRefused: notice !== undefined,
    faults: { frames: framesFault, question: fault },
    body: html`${notice !== undefined && html`<p class="notice warn" role="alert">${notice}</p>`}
      <form class="form sheet" method="get" action="${app}/ask">
        ${place ? placePart(app, place) : placeInput(app, asking)}
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
  if (place.kind === 'frames') return countText(place.ids.length, 'frame')
  if (place.kind === 'box') return 'the frames of a box'
  if (place.kind === 'shape') return 'the frames of a shape'
  const { unit } = place
  if (unit.level === 'state') return `the state ${unit.state}`
  return unit.level === 'lga'
    ? `the LGA ${unit.lga}, ${unit.state}`
    : `the ward ${unit.ward}, ${unit.lga}, ${unit.state}`
}

const placeInput = (app: string, { frames, framesFault }: QuestionForm): Html =>
  html`<p>
      A question is about the whole index, or about frames. <a href="${app}/map">Pick them on the map</a>, or name them:
    </p>
    ${textInput({
      name: 'frames',
      label: 'Frames',
      value: frames,
      maxLength: 1000,
      hint: `Up to ${FRAME_IDS_MAX} ids, separated by commas. Leave it blank for the whole index.`,
      fault: framesFault,
    })}`
