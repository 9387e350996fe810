/** Draws the answer to a question about a unit of many frames: its totals, with the frames that they rest on. */
import type { Request as ExpressRequest } from 'express'
import { groupThousands } from '../../decimal.js'
import type { InsightCall } from '../../insight/answer.js'
import { answerByTotals, valueOfTotal, wayOf, type TotalOfDataset } from '../../insight/unit-totals.js'
import type { Unit } from '../../http/params.js'
import { table, type Column } from '../components.js'
import { html, type Html } from '../html.js'
import { queryOf } from '../map/view.js'
import { unitArgs } from '../map/words.js'
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
): Promise<Html | undefined> {
  const { reader, catalogues } = call
  const datasets = call.datasets.filter(({ price }) => price === null)
  const layers = datasets.map(({ layerId }) => layerId)
  const args: Parameters<typeof answerByTotals>[0]['args'] = [unit?.level ?? 'country', ...namesOf(unit), null, layers]
  const answer = await answerByTotals({ reader, datasets, catalogues, args, question, most })
  if (!answer) return undefined
  const priced = call.datasets.filter(({ price }) => price !== null)
  return html`<section class="card answer" aria-labelledby="answer">
      <h2 id="answer" tabindex="-1">${question ?? 'Totals'}</h2>
      <p class="lead">${answer.headline}</p>
      <p class="quiet">
        There are more than ${most} frames, so the answer comes from the totals that each import keeps. They are exact.
      </p>
      ${priced.length > 0 && html`<p class="quiet">Not read, as they cost credits: ${priced.map(({ name, price }) => `${name}, ${count(price ?? 0, 'credit')} a call`).join('; ')}.</p>`}
      ${unit && !page.isBesideMap && mapLine(req, unit)}
    </section>
    ${nextQuestions(page, answer.suggestions)}
    <section class="wraps" aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      ${table('Figures', columns, answer.totals)}
    </section>
    <section>
      <h2>The statement</h2>
      ${showSql(req, { statements: [{ name: 'totals_of_unit', args }] })}
    </section>`
}

const namesOf = (unit: Unit | undefined) => (unit ? unitArgs(unit) : ([null, null, null] as const))

const mapLine = (req: ExpressRequest, unit: Unit): Html =>
  html`<p>
    <a href="${placeOfRequest(req).app}/map${queryOf({ pick: { kind: 'unit', unit } })}">Show it on the map</a>
  </p>`

const columns: readonly Column<TotalOfDataset>[] = [
  { heading: 'Figure', cell: (total) => `${total.label}${wayOf(total)}`, width: 'wide' },
  { heading: 'Value', cell: valueOfTotal, align: 'number' },
  { heading: 'Dataset', cell: ({ dataset }) => dataset.name },
  { heading: 'Vintage', cell: ({ dataset }) => dataset.vintage ?? '', width: 'short' },
  {
    heading: 'Recorded on',
    cell: ({ recorded, frames }) => `${groupThousands(String(recorded))} of ${groupThousands(String(frames))} frames`,
    width: 'short',
  },
]
