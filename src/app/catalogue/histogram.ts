/** Draws how the numbers of an attribute spread: a bar for each bin, with a table beside them. */
import { SKEWED_BINS, spreadBins, type SpreadBin } from '../../core/spread-bins.js'
import { CHART_HEIGHT, CHART_WIDTH, groupedNumber, plot, round } from '../shell/chart.js'
import { folded, table, type Column } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import type { CatalogueFigures } from './statements.js'
import { valueText } from './words.js'

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
    class="small-bars"
    viewBox="0 0 ${CHART_WIDTH} 240"
    preserveAspectRatio="none"
    role="img"
    aria-label="Spread of ${label}"
  >
    ${bars(bins, 236)}
  </svg>`

export function histogram(numbers: HistogramNumbers, label: string, unit: string | null): Html {
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
