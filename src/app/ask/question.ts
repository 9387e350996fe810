/** Draws the question beside the map: the form, and the answer with the frames that the map lights; meters it. */
import type { Response, Request, RequestHandler } from 'express'
import { framesById } from '../../core/db/statements.js'
import { FRAME_IDS_MAX } from '../../core/insight/index.js'
import { levelNoun, levelOf, placeText, type UnitPath } from '../../core/place.js'
import type { Services } from '../../services.js'
import { answerAboutPlace, type PlaceAnswer } from './place-answer.js'
import { html, type Html } from '../shell/html.js'
import { filterNote, filterOf } from '../map/brush.js'
import { type MapData, mapLink } from '../map/data.js'
import type { Panel } from '../map/panel.js'
import { outlinesOfUnits } from '../map/statements.js'
import { askField } from '../map/toolbar.js'
import { type MapView, NO_PLACE, questionOf, readableView } from '../map/view.js'
import { count } from '../map/words.js'
import { ApiError } from '../../core/errors.js'
import { spendAsPerson } from '../shell/person-authority.js'
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
  const where = filterOf(data)
  const answer = await answerAboutPlace(
    services,
    res,
    {
      path: data.path,
      view,
      isBesideMap: true,
      filter: where && { where, said: (frames) => filterNote(data, frames) },
    },
    question,
  )
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

/** The map lights what the answer names. */
export const answerPart = (answer: AnswerOnMap): Html =>
  html`<div class="map-answer stack" id="asked" data-lit="[${(answer?.outlines ?? []).join(',')}]">
    ${answer && 'fault' in answer && html`<p class="fault" role="alert">${answer.fault}</p>`}
    ${answer && 'body' in answer && answer.body}
  </div>`

/** Names what a question is about. `frames`: so many of those that the address names are in the index. */
export function placeAsked(view: MapView, frames?: number): string {
  const name = placeName(view, frames)
  return (view.brush ?? view.where) && !(view.pick && 'frames' in view.pick) ? `${name}, filtered` : name
}

function placeName({ pick }: MapView, frames?: number): string {
  if (!pick) return placeText({ unit: [] })
  if ('unit' in pick) return `this ${levelNoun(levelOf(pick.unit))}`
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
  const [read, question] = [spendAsPerson(services, 'read'), spendAsPerson(services, 'insight')]
  return async (req, res, next) => {
    if (questionOf(req.context.asked) === undefined) await read(req, res)
    else {
      try {
        await question(req, res)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'rate_limited' || isPartOfMap(req)) throw error
        services.metrics.count('frames_console_refusals_total', { reason: 'rate' })
        return sendRefusedQuestion(res, error)
      }
    }
    next()
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
    bar: askField({ misread: undefined, ...data }, placeAsked(data.view)),
    body: html`<p class="notice warn" role="alert">Nothing was asked, and nothing was spent. ${message}</p>
      <p><a href="${mapLink(data, { pick, camera })}">The map without the question</a></p>`,
  })
}
