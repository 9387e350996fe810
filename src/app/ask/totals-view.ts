/** Draws the answer to a question about a unit or a box of many frames, or about the whole index. */
import type { Request as ExpressRequest } from 'express'
import { noun } from '../../core/counted.js'
import { groupThousands } from '../../core/decimal.js'
import type { InsightCall } from '../../core/insight/answer.js'
import { answerAboutUnit, type AskedPlace } from '../../core/insight/unit/answer.js'
import type { NamedPlaces, UnitFigure } from '../../core/insight/unit/figure.js'
import { countText } from '../shell/amounts.js'
import { table, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { waysToBox, waysToIndex, waysToUnit } from '../map/other-ways.js'
import { queryOf, type Pick as MapPick } from '../map/view.js'
import { unitArgs } from '../map/words.js'
import { showSql, type OtherWays } from '../shell/show-sql.js'
import { nextQuestions } from './answer-view.js'
import type { AnswerPage } from './answer-page.js'

/** Undefined: the whole index. */
type TotalsPlace = Exclude<MapPick, { kind: 'frames' }> | undefined

type UnitQuestion = {
  call: InsightCall
  place: TotalsPlace
  question: string | undefined
  most: number
  page: AnswerPage
}

/** Undefined where the place has no totals. Datasets that cost are not read, and no total of them is shown. */
export async function totalsView(
  req: ExpressRequest,
  { call, place, question, most, page }: UnitQuestion,
): Promise<{ body: Html; named: NamedPlaces } | undefined> {
  const { reader, catalogues, datasets, onUnknown } = call
  const answer = await answerAboutUnit({ reader, datasets, catalogues, place: askedPlace(place), question, onUnknown })
  if (!answer) return undefined
  const body = html`<section class="card answer" aria-labelledby="answer">
      <h2 id="answer" tabindex="-1">${question ?? 'Totals'}</h2>
      <p class="lead">${answer.headline}</p>
      <p class="quiet">
        There ${noun(answer.frames, 'is', 'are')} ${countText(answer.frames, 'frame')} here. The answer comes from
        ${sourceText(place, answer.statements)}, and is exact.
      </p>
      ${soldPart(call, most)} ${place && !page.isBesideMap && mapLine(req, place)}
    </section>
    ${nextQuestions(page, answer.followUps)}
    <section class="wraps" aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      ${table('Figures', columns, answer.figures)}
    </section>
    <section>
      <h2>The statement${answer.statements.length === 1 ? '' : 's'}</h2>
      ${showSql(req, { statements: answer.statements, ...waysTo(place) })}
    </section>`
  return { body, named: answer.named }
}

function askedPlace(place: TotalsPlace): AskedPlace {
  if (!place) return { path: [] }
  if (place.kind === 'unit') return { path: unitArgs(place.unit).flatMap((name) => name ?? []) }
  const { minLon, minLat, maxLon, maxLat } = place.box
  return { box: [minLon, minLat, maxLon, maxLat] }
}

function waysTo(place: TotalsPlace): OtherWays {
  if (!place) return waysToIndex
  return place.kind === 'unit' ? waysToUnit(place.unit) : waysToBox(place.box)
}

const READ_FRAMES = new Set(['ask/area_of_unit', 'ask/classes_of_unit', 'ask/spread_of_parts', 'ask/spread_of_box'])

/** The first statement reads totals. */
function sourceText(place: TotalsPlace, statements: readonly { name: string }[]): string {
  const totals =
    place?.kind === 'box'
      ? 'the totals that are kept for blocks of 0.1° inside the box and from the frames around them'
      : 'the totals that each import keeps'
  return statements.some(({ name }) => READ_FRAMES.has(name)) ? `${totals}, and from every frame here` : totals
}

/** A price is that of a call, which takes few frames. */
function soldPart({ datasets }: InsightCall, most: number): Html | false {
  const priced = datasets.filter(({ price }) => price !== null)
  const names = priced.map(({ name, price }) => `${name}, ${countText(price ?? 0, 'credit')} a call`).join('; ')
  return (
    priced.length > 0 &&
    html`<p class="quiet">
      Not read, as they cost credits: ${names}. A price buys a call of at most ${most} frames: pick a smaller place to
      read them.
    </p>`
  )
}

const mapLine = (req: ExpressRequest, pick: MapPick): Html =>
  html`<p>
    <a href="${req.visit.place.app}/map${queryOf({ pick })}">Show it on the map</a>
  </p>`

const columns: readonly Column<UnitFigure>[] = [
  { heading: 'Figure', cell: ({ label }) => label, width: 'wide' },
  { heading: 'Value', cell: ({ value }) => value, align: 'number' },
  { heading: 'Place', cell: ({ source }) => source.unit },
  { heading: 'Dataset', cell: ({ source }) => source.dataset },
  { heading: 'Vintage', cell: ({ source }) => source.vintage ?? '', width: 'short' },
  {
    heading: 'Recorded on',
    cell: ({ source: { recorded, frames } }) =>
      `${groupThousands(String(recorded))} of ${groupThousands(String(frames))} frames`,
    width: 'short',
  },
]
