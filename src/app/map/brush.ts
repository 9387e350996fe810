/**
 * Draws the numbers of a level as a histogram. That of frames is brushed: the map dims the frames outside, and questions,
 * files and statements are about those inside, by a filter of the algebra of figures.
 */
import { groupThousands } from '../../core/decimal.js'
import { figure } from '../../core/db/statements.js'
import { type AlgebraFigure, FEATURES, type Filter, type Measure, withUnit } from '../../core/figures/index.js'
import { setOf } from '../../core/place.js'
import { SKEWED_BINS, spreadBins } from '../../core/spread-bins.js'
import { html, type Html } from '../shell/html.js'
import type { Spread } from './classing.js'
import type { MapData } from './data.js'
import { keptFields } from './toolbar.js'
import { type MapView, NO_PLACE, queryOf } from './view.js'
import { count } from './words.js'

/** A bin of a histogram: its numbers lie between both ends, which it has. */
type Bar = { low: number; high: number; numbers: number; colour: string | undefined }

/** The bins of whole numbers begin one above the end of the bin before. */
export function barsOf(spread: Spread, colourOf: (number: number) => string | undefined): Bar[] {
  const { bins, lowest, highest, isWhole } = spread
  // People write 657, not 656.8000001: an end inside has as many digits as tell bars apart.
  const written = (end: number) => {
    if (isWhole || [0, lowest, highest].includes(end)) return end
    const wide = bins.length === SKEWED_BINS ? end / 10 : (highest - lowest) / bins.length
    const digits = 1 - Math.floor(Math.log10(wide))
    return Number((Math.floor(end * 10 ** digits) / 10 ** digits).toPrecision(12))
  }
  return spreadBins(bins, lowest, highest)
    .map(({ from, to, numbers }) => ({ from: written(from), to: written(to), numbers }))
    .map(({ from, to, numbers }, i) => ({
      low: i === 0 || from === to ? from : isWhole ? Math.floor(from) + 1 : from,
      high: isWhole ? Math.floor(to) : to,
      numbers,
      colour: colourOf(to),
    }))
    .filter(({ low, high }) => low <= high)
}

const BAR = { wide: 10, high: 40 }

/** Bars are as high as the square root of their numbers: a bin of a few frames shows beside one of most. */
export function histogram(bars: readonly Bar[], [first, last] = [0, bars.length]): Html {
  const most = Math.sqrt(Math.max(1, ...bars.map(({ numbers }) => numbers)))
  return html`<svg
    class="histogram"
    viewBox="0 0 ${bars.length * BAR.wide} ${BAR.high}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${bars.map(({ numbers, colour }, i) => {
      const high = Math.ceil((BAR.high * Math.sqrt(numbers)) / most)
      const [left, wide] = [i * BAR.wide, BAR.wide - 1]
      return html`<path
        d="M${left} ${BAR.high}v-${high}h${wide}v${high}z"
        fill="var(--${colour})"
        class="${(i < first || i > last) && 'is-out'}"
      ></path>`
    })}
  </svg>`
}

export const brushLink = ({ path, view }: MapData, brush: MapView['brush']): string =>
  path + queryOf({ ...view, brush })

export function brushForm(data: MapData, bars: readonly Bar[]): Html {
  const { path, view } = data
  const { from = '', to = '' } = view.brush ?? {}
  const last = bars.length - 1
  const first =
    from === ''
      ? 0
      : Math.max(
          0,
          bars.findLastIndex(({ low }) => low <= Number(from)),
        )
  const found = to === '' ? -1 : bars.findIndex(({ high }) => high >= Number(to))
  const end = found < 0 ? last : found
  const list = (of: (bar: Bar) => number) => bars.map(of).join(' ')
  const line = (
    name: string,
    label: string,
    [bar, value, usual]: [bar: number, value: string, usual: number | undefined],
  ) =>
    html`<label>
      ${label}
      <input type="range" data-of="${name}" min="0" max="${last}" value="${bar}" aria-label="${label}, by bars" />
      <input
        name="${name}"
        value="${value}"
        placeholder="${usual}"
        inputmode="decimal"
        autocomplete="off"
        aria-label="${label}"
      />
    </label>`
  return html`<form
    class="brush"
    action="${path}"
    aria-label="Filter of frames"
    data-lows="${list(({ low }) => low)}"
    data-highs="${list(({ high }) => high)}"
    data-numbers="${list(({ numbers }) => numbers)}"
  >
    ${histogram(bars, [first, end])} ${line('from', 'From', [first, from, bars[0]?.low])}
    ${line('to', 'To', [end, to, bars[last]?.high])}
    ${keptFields(view, { ...NO_PLACE, pick: view.pick, brush: undefined })}
    <button>Filter</button>
    <p role="status">${view.brush && html`${data.inside} <a href="${brushLink(data, undefined)}">All frames</a>`}</p>
  </form>`
}

/** Undefined where nothing is brushed, or what the map is coloured by has no numbers. */
export function filterOf({ colour, view }: Pick<MapData, 'colour' | 'view'>): Filter | undefined {
  if (!view.brush || colour?.attribute.type !== 'number') return view.where
  const brushed = filterOfBrush(view.brush, colour.dataset.layerId, colour.attribute.name)
  return view.where ? { all: [view.where, brushed] } : brushed
}

/** An answer about some frames says so before all else. */
export function filterNote({ path, view, colour }: MapData, frames: number): Html {
  const { from, to } = view.brush ?? {}
  const written = (end: string) => withUnit(groupThousands(end), colour?.attribute.unit ?? null)
  const ends = [from !== undefined && `at least ${written(from)}`, to !== undefined && `at most ${written(to)}`]
  const what = view.brush
    ? ` with ${colour?.attribute.label}: ${ends.filter(Boolean).join(' and ')}`
    : ' of a condition'
  return html`<p class="notice warn">
    <strong>Of the ${count(frames, 'frame', 'frames')}${what}</strong>
    <a href="${path}${queryOf({ ...view, brush: undefined, where: undefined })}">All frames</a>
  </p>`
}

export const filterOfBrush = ({ from, to }: NonNullable<MapView['brush']>, of: string, name: string): Filter => ({
  of,
  ...(name !== FEATURES && { name }),
  ...(from !== undefined && { atLeast: from }),
  ...(to !== undefined && { atMost: to }),
})

/** Says how many frames lie inside the brush, what they add up to, and which share of the place that is. */
export async function insideText({ reader, view, colour }: MapData): Promise<string | undefined> {
  const where = filterOf({ colour, view })
  if (!where || !colour) return undefined
  const place = setOf(view.pick ?? { unit: [] })
  const { summary, unit, name } = colour.attribute
  const subject = { of: colour.dataset.layerId, ...(name !== FEATURES && { name }) }
  const read = async (of: Measure) => (await figure(reader, JSON.stringify({ of } satisfies AlgebraFigure)))[0]
  const isSum = summary === 'sum'
  const [inside, all, frames] = await Promise.all([
    read({ place, where, subject, how: isSum ? 'sum' : 'mean' }),
    isSum ? read({ place, subject, how: 'sum' }) : undefined,
    read({ place, how: 'count' }),
  ])
  const things = inside?.things ?? 0
  const part = shareText(things, frames?.things ?? 0)
  const value = inside?.shown == null ? '' : withUnit(groupThousands(inside.shown), unit)
  if (!isSum) return `${count(things, 'frame', 'frames')}${part}${value === '' ? '' : `, ${value} on average`}.`
  return `${count(things, 'frame', 'frames')}${part}${value === '' ? '' : `, ${value}${shareText(Number(inside?.value), Number(all?.value))}`}.`
}

function shareText(part: number, whole: number): string {
  if (!(whole > 0)) return ''
  const percent = (100 * part) / whole
  return ` (${percent > 0 && percent < 1 ? '< 1' : Math.round(percent)} %)`
}
