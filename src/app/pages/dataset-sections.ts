/** The parts of a dataset's page that need no chosen attribute: its facts, its attributes, its properties. */
import type { CatalogueDataset } from '../catalogue/data.js'
import { classTable, type Subject } from '../catalogue/chosen.js'
import { numbersOf, smallHistogram } from '../catalogue/histogram.js'
import type { AttributeFigures, DatasetColumn } from '../catalogue/statements.js'
import { subjectsOf, type Values } from '../catalogue/values.js'
import { itemsText, kindText, licenceSentence, summaryText, sureText, valueText } from '../catalogue/words.js'
import { number } from '../shell/chart.js'
import { instant, table, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'

export function factsSection(dataset: CatalogueDataset): Html {
  const { layerId, description, category, vintage, owner, columns, importedAt } = dataset
  const methods = [...new Set(columns.flatMap(({ method }) => method ?? []))]
  const fact = (title: string, value: Html | string | null) =>
    value !== null &&
    value !== '' &&
    html`<dt>${title}</dt>
      <dd>${value}</dd>`
  return html`${description !== null && html`<p class="lead">${description}</p>`}
    <dl class="facts card">
      ${fact('Id', html`<code>${layerId}</code>`)} ${fact('Category', category)} ${fact('Vintage', vintage)}
      ${fact('Method', methods.join(', '))} ${fact('Owner', owner)} ${fact('Licence', licenceSentence(dataset))}
      ${fact('Holds', `${itemsText(dataset)}, ${kindText(dataset)}`)} ${fact('Imported', instant(importedAt))}
    </dl>`
}

type Shown = { dataset: CatalogueDataset; values: Values | undefined; app: string }

export function attributeSections({ dataset, values, app }: Shown): Html {
  const isBaseline = dataset.kind === 'frames'
  return html`
    ${
      isBaseline &&
      html`<section>
        <h2>Attributes</h2>
        ${table('Attributes', attributeColumns({ dataset, values, app }), dataset.columns)}
      </section>`
    }
    ${
      !isBaseline &&
      values &&
      html`<section>
        <h2>On frames</h2>
        ${table('Features on frames', figureColumns({ dataset, values, app }), subjectsOf(dataset))}
      </section>`
    }
    ${
      !isBaseline &&
      dataset.columns.length > 0 &&
      html`<section>
        <h2>Properties of its features</h2>
        ${table('Properties', propertyColumns(values), dataset.columns)}
        ${values && dataset.columns.map((column) => propertyValues(column, values))}
      </section>`
    }
    ${!values && html`<p class="notice plain">Its values cost credits, so this page shows none of them.</p>`}
  `
}

type SubjectColumn = Column<Subject>

/** Range, gaps and spread: these are values, so a dataset that costs has none of the columns. */
function figureColumns({ dataset, values, app }: Shown): SubjectColumn[] {
  if (!values) return []
  const figuresOf = ({ name }: Subject): AttributeFigures | undefined => values.figures.get(name)
  const path = `${app}/datasets/${encodeURIComponent(dataset.layerId)}`
  const nameColumn: SubjectColumn = {
    heading: 'Figure',
    cell: ({ name, label, unit }) =>
      html`<a href="${path}?attribute=${encodeURIComponent(name)}#attribute"
        >${label}${unit !== null && `, ${unit}`}</a
      >`,
  }
  return [
    ...(dataset.kind === 'frames' ? [] : [nameColumn]),
    { heading: 'Lowest', cell: (subject) => boundOf(figuresOf(subject)?.lowest), align: 'number' },
    { heading: 'Highest', cell: (subject) => boundOf(figuresOf(subject)?.highest), align: 'number' },
    { heading: 'Recorded', cell: (subject) => number(figuresOf(subject)?.recorded ?? 0), align: 'number' },
    { heading: 'Null', cell: (subject) => lackingOf(figuresOf(subject)), align: 'number' },
    {
      heading: 'Spread',
      cell: (subject) => {
        const figures = figuresOf(subject)
        const numbers = figures && numbersOf(figures)
        return numbers ? smallHistogram(numbers, subject.label) : html`<span class="quiet">no numbers</span>`
      },
    },
  ]
}

const lackingOf = (figures: AttributeFigures | undefined): string => (figures ? number(figures.lacking) : 'all')

const boundOf = (bound: string | null | undefined): Html | string =>
  bound === null || bound === undefined ? html`<span class="quiet">none</span>` : valueText(bound, null)

function attributeColumns(shown: Shown): Column<DatasetColumn>[] {
  const { dataset, values, app } = shown
  const path = `${app}/datasets/${encodeURIComponent(dataset.layerId)}`
  const label = ({ name, label: text }: DatasetColumn) =>
    values ? html`<a href="${path}?attribute=${encodeURIComponent(name)}#attribute">${text}</a>` : html`${text}`
  return [
    {
      heading: 'Attribute',
      cell: (column) =>
        html`${label(column)}<br /><code class="id">${column.name}</code>
          ${column.description !== null && html`<br /><span class="quiet">${column.description}</span>`}`,
      width: 'wide',
    },
    {
      heading: 'Type',
      cell: ({ type, unit }) => html`${type}${unit !== null && html`<br /><span class="quiet">${unit}</span>`}`,
      width: 'short',
    },
    {
      heading: 'Over frames',
      cell: (column) =>
        html`<span class="whole">${summaryText(column, dataset.columns)}</span>
          ${sureText(column) !== '' && html`<br /><span class="quiet">${sureText(column)}</span>`}`,
    },
    ...figureColumns(shown),
  ]
}

function propertyColumns(values: Values | undefined): Column<DatasetColumn>[] {
  const recorded = new Map(values?.classes.map((row) => [row.name, row.recorded]))
  return [
    { heading: 'Property', cell: ({ name }) => html`<code>${name}</code>`, width: 'wide' },
    { heading: 'Type', cell: ({ type }) => type },
    ...(values
      ? [
          {
            heading: 'Features that record it',
            cell: ({ name }: DatasetColumn) => number(recorded.get(name) ?? 0),
            align: 'number' as const,
          },
        ]
      : []),
  ]
}

function propertyValues({ name }: DatasetColumn, { classes }: Values): Html | false {
  const own = classes.filter((row) => row.name === name && row.value !== null)
  const [first] = own
  return (
    first !== undefined &&
    html`<details class="twin">
      <summary>Values of ${name}</summary>
      ${classTable(name, own, first.recorded ?? 0)}
    </details>`
  )
}
