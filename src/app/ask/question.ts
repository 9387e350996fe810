/** Draws the question beside the map: the form, and the answer with the frames that the map lights; meters it. */
import type { Response, Request, RequestHandler } from 'express'
import { framesById } from '../../core/db/statements.js'
import { FRAME_IDS_MAX, QUESTION_MAX } from '../../core/insight/index.js'
import { LEVEL_NOUNS, levelOf, placeText, type UnitPath } from '../../core/place.js'
import type { Services } from '../../services.js'
import { answerAboutPlace, type PlaceAnswer } from './place-answer.js'
import { html, type Html } from '../shell/html.js'
import { type MapData, mapLink } from '../map/data.js'
import type { Panel } from '../map/panel.js'
import { outlinesOfUnits } from '../map/statements.js'
import { keptFields } from '../map/toolbar.js'
import { type MapView, NO_PLACE, questionOf, readableView } from '../map/view.js'
import { count } from '../map/words.js'
import { ApiError } from '../../core/errors.js'
import { meterPerson } from '../shell/person-authority.js'
import { sendPage } from '../shell/send-page.js'

export const takesQuestion = ({ frames }: Panel): boolean =>
  frames === undefined || (frames > 0 && frames <= FRAME_IDS_MAX)

/** Stands in place of the form. */
export const tooManyFramesNote = html`<p class="quiet">
  A question takes a frame, at most ${FRAME_IDS_MAX} listed frames, a unit, a box, a shape or the whole index.
</p>`

/** Undefined: nothing was asked, or the client hung up. */
export async function answerOnMap(
  services: Services,
  res: Response,
  data: MapData,
): Promise<(PlaceAnswer & { outlines: readonly string[] }) | undefined> {
  const { question, pick, camera } = data.view
  if (question === undefined) return undefined
  const view = { ...data.view, ...NO_PLACE, pick, camera }
  const answer = await answerAboutPlace(services, res, { path: data.path, view, isBesideMap: true }, question)
  if (!answer) return undefined
  if ('fault' in answer) return { ...answer, outlines: [] }
  const { frameIds, units } = answer
  const [frames, shapes] = await Promise.all([
    frameIds.length === 0 ? [] : framesById(data.reader, [...frameIds]),
    units.length === 0 ? [] : outlinesOfUnits(data.reader, ...unitColumns(units)),
  ])
  return { ...answer, outlines: [...frames, ...shapes].map(({ geometry }) => geometry) }
}

const unitColumns = (units: readonly UnitPath[]): [string[], (string | null)[], (string | null)[]] => [
  units.map(([state = '']) => state),
  units.map(([, lga = null]) => lga),
  units.map(([, , ward = null]) => ward),
]

export type AnswerOnMap = Awaited<ReturnType<typeof answerOnMap>>

/** `frames`: so many of those that the address names are in the index. */
export function questionPart(
  data: Pick<MapData, 'path' | 'view' | 'misread'>,
  answer: AnswerOnMap,
  frames?: number,
): Html {
  const { path, view, misread } = data
  const fault = answer && 'fault' in answer ? answer.fault : undefined
  return html`<div class="map-question" id="asked" data-lit="[${(answer?.outlines ?? []).join(',')}]">
    <form role="search" aria-label="Question" class="map-ask" action="${path}">
      <label for="question">Ask about ${placeName(view, frames)}</label>
      <div class="line">
        <input
          id="question"
          name="question"
          value="${view.question ?? misread?.question ?? ''}"
          maxlength="${QUESTION_MAX}"
          autocomplete="off"
          required
          placeholder="How many people live here?"
          ${fault !== undefined && html`aria-invalid="true" aria-describedby="question-fault"`}
        />
        <button>Ask</button>
      </div>
      ${fault !== undefined && html`<p class="fault" id="question-fault">${fault}</p>`}
      ${keptFields(view, { feature: undefined, search: undefined, question: undefined })}
    </form>
    ${answer && 'body' in answer && html`<div class="map-answer">${answer.body}</div>`}
  </div>`
}

function placeName({ pick }: MapView, frames: number | undefined): string {
  if (!pick) return placeText({ unit: [] })
  if ('unit' in pick) return `this ${LEVEL_NOUNS[levelOf(pick.unit)]}`
  if (!('frames' in pick)) return `the frames of this ${'box' in pick ? 'box' : 'shape'}`
  const named = frames ?? pick.frames.length
  return named === 1 ? 'this frame' : `these ${count(named, 'frame', 'frames')}`
}

/** The script of the page asks for the parts that change. It shows a refusal itself. */
export const isPartOfMap = ({ context: { asked } }: Request): boolean => asked.get('part')?.[0] === 'panel'

/**
 * A view of the map without a question spends nothing from the bucket of questions. A person who asks too often keeps the
 * form, and reads when to ask again.
 */
export function meterMap(services: Services): RequestHandler {
  const [read, question] = [meterPerson(services, 'read'), meterPerson(services, 'insight')]
  return (req, res, next) => {
    if (questionOf(req.context.asked) === undefined) return read(req, res, next)
    return question(req, res, (error?: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited' || isPartOfMap(req)) return next(error)
      services.metrics.count('frames_console_refusals_total', { reason: 'rate' })
      sendRefusedQuestion(res, error)
    })
  }
}

/** The bucket of pages may be empty, too: this page reads nothing. */
function sendRefusedQuestion(res: Response, { status, headers, message }: ApiError): void {
  const { req } = res
  const data = { path: `${req.visit.place.app}/map`, ...readableView(req.context.asked) }
  const { pick, camera } = data.view
  res.status(status).set(headers)
  sendPage(res, {
    title: 'Map',
    section: '/map',
    styles: ['map.css'],
    body: html`<p class="notice warn" role="alert">Nothing was asked, and nothing was spent. ${message}</p>
      ${questionPart({ misread: undefined, ...data }, undefined)}
      <p><a href="${mapLink(data, { pick, camera })}">The map without the question</a></p>`,
  })
}
