/** The numbers of an answer that a page draws as bars: a ranking, a share, a change, or places side by side. */
import { groupThousands } from '../../core/decimal.js'
import type { Facet } from '../../core/insight/figures/facets.js'
import { withUnit } from '../../core/insight/figures/figure-text.js'

/** A bar is as long as `number` is of `whole`. */
export type Drawing = { bars: readonly { name: string; value: string; number: number }[]; whole: number }

/** Undefined where the answers are no bars. */
export function drawingOf(answers: readonly Facet[]): Drawing | undefined {
  const [first] = answers
  if (!first) return undefined
  const drawing = answers.length > 1 ? ofSeveral(answers) : ofOne(first)
  return drawing && drawing.whole > 0 && drawing.bars.every(({ number }) => number >= 0) ? drawing : undefined
}

function ofOne({ groups, typed: { named, result } }: Facet): Drawing | undefined {
  const text = (number: string) => withUnit(number, named.unit)
  if (groups) return upToHighest(groups.map((group) => ({ ...group, number: Number(group.number) })))
  if (result.is === 'rank')
    return upToHighest(result.ranked.map(({ name, number }) => bar(`Frame ${name}`, text(number), number)))
  if (result.is === 'share') return partOf(result.value, String(result.count), String(result.of))
  if (result.is === 'part' || result.is === 'portion') return partOf(`${result.percent} %`, result.part, result.whole)
  if (result.is !== 'change') return undefined
  const { other, from, to } = result
  return upToHighest([bar(other.label, text(from), from), bar(named.label, text(to), to)])
}

const bar = (name: string, value: string, number: string) => ({ name, value, number: Number(number) })
const upToHighest = (bars: Drawing['bars']): Drawing => ({
  bars,
  whole: Math.max(...bars.map(({ number }) => number), 0),
})
const partOf = (name: string, part: string, whole: string): Drawing => ({
  bars: [bar(name, `${groupThousands(part)} of ${groupThousands(whole)}`, part)],
  whole: Number(whole),
})

/** One figure of several places. */
function ofSeveral(answers: readonly Facet[]): Drawing | undefined {
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
