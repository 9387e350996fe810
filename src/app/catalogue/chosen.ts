/** The part of a dataset's page about one attribute: its spread or its values, and its coverage by state. */
import { counted } from '../../core/counted.js'
import type { CatalogueFigures, ClassRow } from './rows.js'
import type { UnitFigure } from '../../core/figures/index.js'
import { CHART_HEIGHT, CHART_WIDTH, groupedNumber, plot, round, shareBar } from '../shell/chart.js'
import { type Column, folded, table } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { percentOf, valueText } from './words.js'
import { SKEWED_BINS, type SpreadBin, spreadBins } from '../../core/spread-bins.js'

/** A subject can be summarised over frames: an attribute of a baseline, or the number or extent of features. */
export type ChosenSubject = { name: string; label: string; unit: string | null }

export type Chosen = {
  subject: ChosenSubject
  figures: CatalogueFigures | undefined
  classes: readonly ClassRow[]
  states: readonly UnitFigure[]
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

function coverageTable({ label, unit }: ChosenSubject, states: readonly UnitFigure[], countsFeatures: boolean): Html {
  const columns: Column<UnitFigure>[] = [
    { heading: 'State', cell: ({ state }) => state },
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

type HistogramNumbers = Pick<CatalogueFigures, 'recorded' | 'sampled'> & {
  lowest: string
  highest: string
  bins: SpreadBin[]
  isSkewed: boolean
}

/** Undefined for a category, and where no frame records a number. */
export const numbersOf = ({ lowest, highest, bins, ...counts }: CatalogueFigures): HistogramNumbers | undefined =>
  lowest === null || highest === null || bins.length === 0
    ? undefined
    : {
        ...counts,
        bins: spreadBins(bins, Number(lowest), Number(highest)),
        isSkewed: bins.length === SKEWED_BINS,
        lowest,
        highest,
      }

const bars = (bins: readonly SpreadBin[], height: number): Html[] => {
  const top = Math.max(...bins.map(({ numbers }) => numbers), 1)
  const width = CHART_WIDTH / bins.length
  return bins.map(({ numbers }, i) => {
    // The smallest count is still seen.
    const tall = numbers === 0 ? 0 : Math.max(height / 80, (numbers / top) * height)
    return html`<rect
      class="answered"
      x="${round(i * width + 2)}"
      y="${round(height - tall)}"
      width="${round(width - 4)}"
      height="${round(tall)}"
    ></rect>`
  })
}

/** Draws a small one for a line of a table, which has its range beside it. */
export const smallHistogram = ({ bins }: HistogramNumbers, label: string): Html =>
  html`<svg
    width="112"
    height="24"
    viewBox="0 0 ${CHART_WIDTH} 240"
    preserveAspectRatio="none"
    role="img"
    aria-label="Spread of ${label}"
  >
    ${bars(bins, 236)}
  </svg>`

function histogram(numbers: HistogramNumbers, label: string, unit: string | null): Html {
  const { bins, isSkewed, lowest, highest, sampled, recorded } = numbers
  const top = Math.max(...bins.map((bin) => bin.numbers))
  return plot({
    caption: html`<strong>${label}${unit !== null && `, ${unit}`}</strong>
      <span class="quiet">
        ${sampled < recorded ? `frames of a sample of ${groupedNumber(sampled)}` : 'frames'}
        ${isSkewed ? 'in ranges that double, with zero alone' : 'in twenty ranges of one width'}
      </span>`,
    top,
    label: `${label}, frames by range`,
    bars: bars(bins, CHART_HEIGHT),
    ends: [valueText(lowest, unit), valueText(highest, unit)],
    isTopRight: true,
    below: folded('twin', 'The same as a table', table(`Frames by ${label}`, binColumns, binsOf(numbers))),
  })
}

type Bin = { from: string; to: string; frames: number }

const binColumns: readonly Column<Bin>[] = [
  { heading: 'From', cell: ({ from }) => from, align: 'number' },
  { heading: 'To', cell: ({ to }) => to, align: 'number' },
  { heading: 'Frames', cell: ({ frames }) => groupedNumber(frames), align: 'number' },
]

const edgeText = (edge: number): string => groupedNumber(Number(edge.toPrecision(6)))

/** One number alone is in the first bin. */
const binsOf = ({ lowest, highest, bins }: HistogramNumbers): Bin[] =>
  lowest === highest
    ? [{ from: valueText(lowest, null), to: valueText(lowest, null), frames: bins[0]?.numbers ?? 0 }]
    : bins.map(({ from, to, numbers }) => ({ from: edgeText(from), to: edgeText(to), frames: numbers }))
