/** Draws a statement with its values, and the plan of a statement beside the cost that its header allows. */
import type { DryRunStep, StatementStep } from '../../api/inspect/dry-run.js'
import type { Explanation } from '../../api/inspect/explanation.js'
import { filled, prepared } from '../../api/inspect/literals.js'
import { copyableText, table, type Column } from './components.js'
import { html, type Html } from './html.js'
import { coloured } from './syntax.js'

/** A statement, or the note about one that a dry run leaves out. */
export const stepBlock = (step: DryRunStep, place: number): Html =>
  'name' in step ? sqlBlock(step, place) : html`<section class="card note"><p>${step.note}</p></section>`

/** `place` keeps the ids of a page apart. */
const sqlBlock = (step: StatementStep, place: number): Html =>
  html`<section class="card statement">
    ${heading(step)}
    ${copyableText(
      `sql-${place}`,
      coloured(`${filled(step.text, step.args)};`, 'sql'),
      `Statement ${place}, ${step.name} with its values`,
    )}
    <details>
      <summary>As the API sends it: PREPARE and EXECUTE</summary>
      ${copyableText(
        `prepared-${place}`,
        coloured(`${prepared(step.name, step.text, step.args)};`, 'sql'),
        `Statement ${place}, ${step.name}, prepared`,
      )}
    </details>
  </section>`

const heading = ({ name, file, text }: StatementStep): Html =>
  html`<div>
    <h2>${name} <code class="file">${file}</code></h2>
    <p>${sentenceOf(text)}</p>
  </div>`

/** The first line of the header says what the statement answers. */
const sentenceOf = (text: string): string => {
  const [, sentence = ''] = /^-- \w+: (.*)/.exec(text) ?? []
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

export const planBlock = ({ step, planText, measured, sentences }: Explanation, place: number): Html =>
  html`<section class="card statement">
    ${heading(step)} ${measured && table(`Cost of ${step.name}`, costColumns, costsOf(measured))}
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
    ${
      planText !== undefined &&
      html`<pre tabindex="0" role="region" aria-label="Plan ${place + 1}, of ${step.name}">${planText}</pre>`
    }
  </section>`

type Cost = { title: string; measured: string; allowed: string }

const costColumns: readonly Column<Cost>[] = [
  { heading: 'Cost', cell: ({ title }) => title },
  { heading: 'Measured', cell: ({ measured }) => measured, align: 'number' },
  { heading: 'At most, by its header', cell: ({ allowed }) => allowed, align: 'number' },
]

function costsOf({ facts, allowance }: NonNullable<Explanation['measured']>): Cost[] {
  const most = (limit: number | undefined) => (limit === undefined ? 'no limit' : count(limit))
  return [
    { title: 'Rows out', measured: count(facts.rows), allowed: '' },
    { title: 'Rows read', measured: count(facts.rowsRead), allowed: most(allowance?.rowsRead) },
    { title: 'Buffers of 8 kB', measured: count(facts.buffers), allowed: most(allowance?.buffers) },
    { title: 'Planning', measured: `${facts.planningMs.toFixed(3)} ms`, allowed: '' },
    { title: 'Execution', measured: `${facts.executionMs.toFixed(3)} ms`, allowed: '' },
  ]
}

const count = (number: number) => Math.floor(number).toLocaleString('en-US')
