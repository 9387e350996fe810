/** Charts that the server draws: bars by day, and bars that show a share. Their colours come from the style sheet. */
import { counted, noun } from '../../core/counted.js'
import { html, type Html } from './html.js'
import { shortDay } from './period.js'

/** `kind` names the colour. */
type Series = { kind: 'answered' | 'refused' | 'failed' | 'hung-up'; title: string; values: readonly number[] }

type BarChart = { title: string; unit: string; days: readonly string[]; series: readonly Series[] }

/** The drawing is stretched to the width of the page, so it holds no text. */
export const CHART_WIDTH = 1000
export const CHART_HEIGHT = 160
/** A bar takes this part of its day's width. */
const BAR = 0.8

type Plot = {
  caption: Html
  /** The value of the line on top. */
  top: number
  label: string
  bars: readonly Html[]
  ends: readonly [left: string, right: string]
  /** The value on top stands on the right. */
  isTopRight?: boolean
  below?: Html
}

/** Bars on three lines, between two texts. */
export const plot = ({ caption, top, label, bars, ends, isTopRight, below }: Plot): Html =>
  html`<figure>
    <figcaption class="row">${caption}</figcaption>
    <div class="plot ${isTopRight && 'spread'}">
      <span class="small quiet">${groupedNumber(top)}</span>
      <svg viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
        ${[0, 0.5, 1].map((part) => {
          const y = part * CHART_HEIGHT
          return html`<line class="step" x1="0" x2="${CHART_WIDTH}" y1="${y}" y2="${y}"></line>`
        })}
        ${bars}
      </svg>
    </div>
    <div class="row apart small quiet"><span>${ends[0]}</span><span>${ends[1]}</span></div>
    ${below}
  </figure>`

/** Bars of several series, one upon the other, for each day. */
export function barChart({ title, unit, days, series }: BarChart): Html {
  const totals = days.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0))
  const top = roundUp(Math.max(...totals, 0))
  const used = series.filter(({ values }) => values.some((value) => value > 0))
  return plot({
    caption: html`<strong>${title}</strong>
      ${used.map((each) => html`<span class="${each.kind}">${each.title}</span>`)}`,
    top,
    label: `${title}, ${unit} by day`,
    bars: days.map((day, i) => dayBars({ day, i, days: days.length, top, unit }, series)),
    ends: [shortDay(days[0] ?? ''), shortDay(days.at(-1) ?? '')],
  })
}

type DayBars = { day: string; i: number; days: number; top: number; unit: string }

function dayBars({ day, i, days, top, unit }: DayBars, series: readonly Series[]): Html {
  const width = CHART_WIDTH / days
  const bars: Html[] = []
  let below = 0
  for (const { kind, values } of series) {
    const height = ((values[i] ?? 0) / top) * CHART_HEIGHT
    below += height
    if (height === 0) continue
    bars.push(
      html`<rect
        class="${kind}"
        x="${round(i * width + (width * (1 - BAR)) / 2)}"
        y="${round(CHART_HEIGHT - below)}"
        width="${round(width * BAR)}"
        height="${round(height)}"
      ></rect>`,
    )
  }
  const parts = series.map(({ title, values }) => `${title.toLowerCase()}: ${groupedNumber(values[i] ?? 0)}`)
  return html`<g>
    <title>${shortDay(day)}, ${unit}: ${parts.join(', ')}</title>
    <rect class="day" x="${round(i * width)}" y="0" width="${round(width)}" height="${CHART_HEIGHT}"></rect>
    ${bars}
  </g>`
}

/** A bar for each day of a key, in a line of a table: what was refused stands upon what was answered. */
export function smallBars(days: readonly { calls: number; unanswered: number }[]): Html {
  const calls = days.reduce((sum, day) => sum + day.calls, 0)
  const unanswered = days.reduce((sum, day) => sum + day.unanswered, 0)
  const top = Math.max(...days.map((day) => day.calls), 1)
  const title = `${groupedNumber(calls)} ${noun(calls, 'call')} in ${counted(days.length, 'day')}, ${groupedNumber(unanswered)} of them not answered`
  const bar = (kind: Series['kind'], i: number, from: number, to: number) =>
    to > from &&
    html`<rect class="${kind}" x="${i * 8 + 1}" y="${round(24 - to)}" width="6" height="${round(to - from)}"></rect>`
  return html`<svg width="112" height="24" viewBox="0 0 ${days.length * 8} 24" role="img" aria-label="${title}">
    <title>${title}</title>
    ${days.map((day, i) => {
      const [all, refused] = [(day.calls / top) * 23, (day.unanswered / top) * 23]
      return [bar('answered', i, 0, all - refused), bar('refused', i, all - refused, all)]
    })}
    <line class="step" x1="0" x2="${days.length * 8}" y1="23.5" y2="23.5"></line>
  </svg>`
}

/** A bar of which a part is filled, in the colour `full` where all of it is. The number stands beside it. */
export function shareBar(part: number, whole: number, full: 'answered' | 'refused' = 'refused'): Html {
  const filled = whole > 0 ? round(Math.min(1, part / whole) * CHART_WIDTH) : 0
  return html`<svg class="share" viewBox="0 0 ${CHART_WIDTH} 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="${CHART_WIDTH}" height="8"></rect>
    <rect class="${part >= whole ? full : 'answered'}" width="${filled}" height="8"></rect>
  </svg>`
}

export const groupedNumber = (value: number): string => value.toLocaleString('en')

export const round = (value: number): number => Math.round(value * 10) / 10

/** The next number of one digit and zeros, such as 40 after 31. */
function roundUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return Math.ceil(value / power) * power
}
