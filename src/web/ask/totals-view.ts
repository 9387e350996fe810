/** Draws the answer to a question about a unit of many frames, or about the whole index. */
import type { Request as ExpressRequest } from 'express'
import { groupThousands } from '../../decimal.js'
import type { InsightCall } from '../../insight/answer.js'
import { answerAboutUnit } from '../../insight/unit/answer.js'
import type { NamedPlaces, UnitFigure } from '../../insight/unit/figure.js'
import type { Unit } from '../../http/params.js'
import { table, type Column } from '../components.js'
import { html, type Html } from '../html.js'
import { queryOf } from '../map/view.js'
import { unitArgs } from '../map/words.js'
import { waysToIndex, waysToUnit } from '../map/other-ways.js'
import { showSql } from '../show-sql.js'
import { placeOfRequest } from '../web.js'
import { count, nextQuestions } from './answer-view.js'
import type { AnswerPage } from './answer-page.js'

type UnitQuestion = {
  call: InsightCall
  unit: Unit | undefined
  question: string | undefined
  most: number
  page: AnswerPage
}

/** Undefined where the unit has no totals. Datasets that cost are not read, and no total of them is shown. */
export async function totalsView(
  req: ExpressRequest,
  { call, unit, question, most, page }: UnitQuestion,
): Promise<{ body: Html; named: NamedPlaces } | undefined> {
  const { reader, catalogues, datasets } = call
  const path = unit ? unitArgs(unit).flatMap((name) => name ?? []) : []
  const answer = await answerAboutUnit({ reader, datasets, catalogues, path, question })
  if (!answer) return undefined
  const body = html`<section class="card answer" aria-labelledby="answer">
      <h2 id="answer" tabindex="-1">${question ?? 'Totals'}</h2>
      <p class="lead">${answer.headline}</p>
      <p class="quiet">
        ${
          answer.frames > most
            ? `There are ${groupThousands(String(answer.frames))} frames here. The answer comes from the totals that each import keeps, or from all of the frames, and is exact.`
            : 'The answer comes from the totals that each import keeps, and is exact.'
        }
      </p>
      ${soldPart(call, most)} ${unit && !page.isBesideMap && mapLine(req, unit)}
    </section>
    ${nextQuestions(page, answer.followUps)}
    <section class="wraps" aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      ${table('Figures', columns, answer.figures)}
    </section>
    <section>
      <h2>The statement${answer.statements.length === 1 ? '' : 's'}</h2>
      ${showSql(req, { statements: answer.statements, ...(unit ? waysToUnit(unit) : waysToIndex) })}
    </section>`
  return { body, named: answer.named }
}

/** A price is that of a call, which takes few frames. */
function soldPart({ datasets }: InsightCall, most: number): Html | false {
  const priced = datasets.filter(({ price }) => price !== null)
  const names = priced.map(({ name, price }) => `${name}, ${count(price ?? 0, 'credit')} a call`).join('; ')
  return (
    priced.length > 0 &&
    html`<p class="quiet">
      Not read, as they cost credits: ${names}. A price buys a call of at most ${most} frames: pick a smaller place to
      read them.
    </p>`
  )
}

const mapLine = (req: ExpressRequest, unit: Unit): Html =>
  html`<p>
    <a href="${placeOfRequest(req).app}/map${queryOf({ pick: { kind: 'unit', unit } })}">Show it on the map</a>
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
