/** The part of a dataset's page about one attribute: its spread or its values, and its coverage by state. */
import { counted } from '../../core/counted.js'
import type { LevelTotal } from '../../core/db/unit-totals.js'
import { groupedNumber, shareBar } from '../shell/chart.js'
import { table, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { histogram, numbersOf } from './histogram.js'
import type { CatalogueFigures, ClassRow } from './statements.js'
import { percentOf, valueText } from './words.js'

/** A subject can be summarised over frames: an attribute of a baseline, or the number or extent of features. */
export type ChosenSubject = { name: string; label: string; unit: string | null }

export type Chosen = {
  subject: ChosenSubject
  figures: CatalogueFigures | undefined
  classes: readonly ClassRow[]
  states: readonly LevelTotal[]
  countsFeatures: boolean
}

export function chosenSection({ subject, figures, classes, states, countsFeatures }: Chosen): Html {
  const numbers = figures && numbersOf(figures)
  return html`<section id="attribute">
    <h2>${subject.label}</h2>
    ${!figures && html`<p class="empty">No frame records it.</p>`}
    ${numbers && histogram(numbers, subject.label, subject.unit)}
    ${figures && classes.length > 0 && classTable(subject.label, classes, figures.recorded)}
    ${states.length > 0 && coverageTable(subject, states, countsFeatures)}
  </section>`
}

/** Draws a bar for each value, the most frequent first. */
export function classTable(label: string, classes: readonly ClassRow[], whole: number): Html {
  const [first] = classes
  const left = (first?.classes ?? 0) - classes.length
  return html`${table(`Values of ${label}`, classColumns(whole), classes)}
  ${left > 0 && html`<p class="quiet">and ${counted(left, 'more value')}</p>`}`
}

const classColumns = (whole: number): Column<ClassRow>[] => [
  { heading: 'Value', cell: ({ value }) => value ?? '', width: 'wide' },
  { heading: 'Share', cell: ({ items }) => shareBar(items ?? 0, whole, 'answered') },
  { heading: 'Of those recorded', cell: ({ items }) => percentOf(items ?? 0, whole), align: 'number' },
  { heading: 'Count', cell: ({ items }) => groupedNumber(items ?? 0), align: 'number' },
]

function coverageTable({ label, unit }: ChosenSubject, states: readonly LevelTotal[], countsFeatures: boolean): Html {
  const columns: Column<LevelTotal>[] = [
    { heading: 'State', cell: ({ state }) => state ?? '' },
    { heading: 'Frames', cell: ({ recorded, frames }) => shareBar(recorded, frames, 'answered') },
    { heading: 'Coverage', cell: ({ recorded, frames }) => percentOf(recorded, frames), align: 'number' },
    {
      heading: countsFeatures ? 'Frames with any' : 'Frames that record it',
      cell: ({ recorded, frames }) => `${groupedNumber(recorded)} of ${groupedNumber(frames)}`,
      align: 'number',
    },
    {
      heading: unit === null ? 'Total' : `Total, ${unit}`,
      cell: ({ number: total, class: commonest }) =>
        total === null ? (commonest ?? html`<span class="quiet">none</span>`) : valueText(total, null),
      align: 'number',
    },
  ]
  return html`<h3>Coverage by state</h3>
    ${table(`Coverage of ${label} by state`, columns, states)}`
}
