/** Draws an answer as bars, and says how sure it is. */
import { type MapView, queryOf } from '../map/view.js'
import { folded } from '../shell/components.js'
import { shareBar } from '../shell/chart.js'
import { html, type Html } from '../shell/html.js'
import { groupThousands } from '../../core/decimal.js'
import type { InsightAnswer } from '../../core/insight/index.js'
import { type Facet, type Result, withUnit } from '../../core/figures/index.js'
import type { Place } from '../../core/place.js'
import { placeName } from '../../core/place-name.js'

/** Only these figures have an interval of their own: rankings, lists of units and ratios have none. */
const HAVE_INTERVALS: readonly Result['is'][] = ['amount', 'density', 'portion']

/** Says how sure the figures of the headline are, where a model has made them and the headline says nothing of it. */
export function intervalsPart({ headline, shown: { facets, named } }: InsightAnswer): Html | false {
  const isSaid = (value: string) => headline.includes(/^between \S+ and \S+/.exec(value)?.[0] ?? value)
  const intervals = facets.filter(({ typed, value }) => typed.result.is === 'interval' && !isSaid(value))
  return (
    named.some(({ typed }) => HAVE_INTERVALS.includes(typed.result.is)) &&
    intervals.length > 0 &&
    html`<p class="quiet">${intervals.map(({ label, value }) => `${label}: ${value}.`).join(' ')}</p>`
  )
}

/** Draws a ranking, a share, a change or several places as bars. The link of a place leads to the map with the colours of `view`. */
export function drawingPart({ shown }: InsightAnswer, app: string, view: MapView): Html | false {
  const drawing = drawingOf(shown.named)
  if (!drawing) return false
  const { bars, whole } = drawing
  const intervals = intervalsOfGroups(shown.facets)
  const list = (some: readonly Bar[], label: string) =>
    html`<ol class="bars" aria-label="${label}">
      ${some.map(
        ({ name, value, number, pick }) =>
          html`<li>
            ${pick ? html`<a href="${app}/map${queryOf({ ...view, camera: undefined, pick })}">${placeName(name)}</a>` : html`<span>${name}</span>`}
            <span class="number">${value}</span> ${shareBar(number, whole, 'answered')}
            ${intervals.has(name) && html`<span class="quiet">${intervals.get(name)} (95 %)</span>`}
          </li>`,
      )}
    </ol>`
  const [first, more] = [bars.slice(0, BARS_OPEN), bars.slice(BARS_OPEN)]
  return html`${list(first, 'The figures as bars')}
  ${more.length > 0 && folded('fold', `${more.length} more`, list(more, 'More figures as bars'))}`
}

/** More bars are folded. */
const BARS_OPEN = 8

/** A bar is as long as `number` is of `whole`. */
type AnswerDrawing = { bars: readonly Bar[]; whole: number }
/** `pick`: the bar is that of a frame or a unit, and leads to it. */
type Bar = { name: string; value: string; number: number; pick?: Place }

/** Gives the interval of each group's total by the name of the group. */
const intervalsOfGroups = (facets: readonly Facet[]): ReadonlyMap<string, string> =>
  new Map(
    facets
      .filter(({ source }) => source.statistic === 'interval')
      .flatMap(({ groups = [] }) => groups.map(({ name, value }) => [name, value])),
  )

/** Undefined where the answers are no bars. */
function drawingOf(answers: readonly Facet[]): AnswerDrawing | undefined {
  const [first] = answers
  if (!first) return undefined
  const drawing = answers.length > 1 ? ofSeveral(answers) : ofOne(first)
  return drawing && drawing.whole > 0 && drawing.bars.every(({ number }) => number >= 0) ? drawing : undefined
}

function ofOne({ groups, source: { figure }, typed: { named, result } }: Facet): AnswerDrawing | undefined {
  const text = (number: string) => withUnit(number, named.unit)
  if (groups) {
    const bars = groups.map(({ unit, ...group }) => ({
      ...group,
      ...(unit && { pick: { unit } }),
      number: Number(group.number),
    }))
    return figure?.op === 'percent' ? { bars, whole: 100 } : upToHighest(bars)
  }
  if (result.is === 'rank')
    return upToHighest(
      result.ranked.map(({ name, number }) => ({
        ...bar(`Frame ${name}`, text(number), number),
        pick: { frames: [name] },
      })),
    )
  if (result.is === 'share') return drawnPart(result.value, String(result.count), String(result.of))
  if (result.is === 'portion') return drawnPart(`${result.percent} %`, result.part, result.whole)
  if (result.is !== 'change') return undefined
  const { other, from, to } = result
  return upToHighest([bar(other.label, text(from), from), bar(named.label, text(to), to)])
}

const bar = (name: string, value: string, number: string) => ({ name, value, number: Number(number) })
const upToHighest = (bars: AnswerDrawing['bars']): AnswerDrawing => ({
  bars,
  whole: Math.max(...bars.map(({ number }) => number), 0),
})
const drawnPart = (name: string, part: string, whole: string): AnswerDrawing => ({
  bars: [bar(name, `${groupThousands(part)} of ${groupThousands(whole)}`, part)],
  whole: Number(whole),
})

/** One figure of several places. */
function ofSeveral(answers: readonly Facet[]): AnswerDrawing | undefined {
  const [first] = answers
  const isSame = ({ source: { layerId, attribute, property, statistic } }: Facet) =>
    layerId === first?.source.layerId &&
    attribute === first.source.attribute &&
    property === first.source.property &&
    statistic === first.source.statistic
  const bars = answers.flatMap(({ label, value, typed: { result } }) =>
    result.is === 'amount' ? [bar(label, value, result.number)] : [],
  )
  return bars.length === answers.length && answers.every(isSame) ? upToHighest(bars) : undefined
}
