/** Holds what a sentence says of a change between two years to the figures: a rise, a fall, or none. */
import type { FacetWords } from './facet-words.js'
import { isMark, wordAt, type Token } from './tokens.js'
import type { SentenceView, SlotView, WordContext } from './views.js'
import { STEADY, TREND_DOWN, TREND_UP, TRENDS } from './vocabulary.js'

export const trendFaults = (view: SentenceView, context: WordContext): string[] => [
  ...changeFaults(view, context),
  ...steadyFaults(view, context),
]

const SEGMENT_ENDS = new Set('while whereas but'.split(' '))
type Segment = { tokens: readonly Token[]; slots: readonly SlotView[]; mentions: SentenceView['mentions'] }

/** "The population rose to {F1}, while the households number {F2}": the trend is of its own part of the sentence. */
function segmentOf({ tokens, slots, mentions }: SentenceView, at: number): Segment {
  const isEnd = (i: number) => isMark(tokens[i], ';') || SEGMENT_ENDS.has(wordAt(tokens[i]))
  let from = at
  while (from > 0 && !isEnd(from - 1)) from -= 1
  const end = tokens.findIndex((_, i) => i >= at && isEnd(i))
  const to = end < 0 ? tokens.length : end
  const inside = slots.filter((slot) => slot.at >= from && slot.at < to)
  return inside.length === 0
    ? { tokens, slots, mentions }
    : {
        tokens: tokens.slice(from, to),
        slots: inside,
        mentions: mentions.filter((mention) => mention.from >= from && mention.from < to),
      }
}

/** A trend is that of two years, and every slot beside it fits it. */
function changeFaults(view: SentenceView, context: WordContext): string[] {
  const trend = view.tokens.findIndex(
    (token) =>
      (TREND_UP.has(wordAt(token)) || TREND_DOWN.has(wordAt(token)) || TRENDS.has(wordAt(token))) &&
      isTrend(token, view),
  )
  if (trend < 0) return []
  return isTrueTrend(segmentOf(view, trend), view, context)
    ? []
    : ['A trend is refused: only a rise or a fall between the years of the labels may be told.']
}

function isTrueTrend({ tokens, slots, mentions }: Segment, view: SentenceView, { facets }: WordContext): boolean {
  const words = tokens.filter((token) => isTrend(token, view)).map(wordAt)
  const ups = words.filter((word) => TREND_UP.has(word))
  const downs = words.filter((word) => TREND_DOWN.has(word))
  const others = words.filter((word) => TRENDS.has(word) && !TREND_UP.has(word) && !TREND_DOWN.has(word))
  const families = new Set([
    ...slots.map(({ facet }) => facet.family),
    ...mentions.flatMap((mention) => [...mention.families]),
  ])
  const differences = differencesOf(
    facets.filter(({ family, yearText }) => yearText !== '' && families.has(family)),
    slots,
  )
  return (
    others.every((word) => word.startsWith('chang')) &&
    differences.length > 0 &&
    differences.every((difference) =>
      ups.length > 0 ? difference > 0 : downs.length > 0 ? difference < 0 : difference !== 0,
    ) &&
    !(ups.length > 0 && downs.length > 0) &&
    slots.every(
      ({ facet }) =>
        facet.yearText !== '' ||
        facet.kind !== 'number' ||
        ['frames', 'area'].includes(facet.family) ||
        facet.statisticText.startsWith('change from'),
    )
  )
}

/** "The ground rises to {highest}" is no trend: agreement.ts holds it to the statistic. */
function isTrend(token: Token, { slots, tokens }: SentenceView): boolean {
  const word = wordAt(token)
  if (TRENDS.has(word)) return true
  if (!TREND_UP.has(word) && !TREND_DOWN.has(word)) return false
  if (slots.some(({ facet }) => facet.yearText !== ''))
    return !/^(?:made|makes?|adds?|sums?)$/.test(wordAt(tokens[tokens.indexOf(token) - 1]))
  return /^(?:risen|rising|rose|fallen|fell|falling)$/.test(word)
}

/** The totals decide, unless the slots give another statistic of two years: "the average rose from {F1} to {F2}". */
function differencesOf(yearly: readonly FacetWords[], slots: readonly SlotView[]): number[] {
  const given = slots.map(({ facet }) => facet)
  const pairsOf = (facets: readonly FacetWords[]) =>
    facets.flatMap((later) =>
      facets.flatMap((earlier) =>
        later.family === earlier.family &&
        later.statistic === earlier.statistic &&
        later.yearText > earlier.yearText &&
        later.number !== undefined &&
        earlier.number !== undefined
          ? [later.number - earlier.number]
          : [],
      ),
    )
  const own = pairsOf(given.filter(({ yearText }) => yearText !== ''))
  return own.length > 0 ? own : pairsOf(yearly.filter(({ statistic }) => statistic === 'total'))
}

/** "The lowest stayed at {F1}": the figure has this value in every year of its label. */
function steadyFaults({ tokens, slots }: SentenceView, { facets }: WordContext): string[] {
  const steady = tokens.findIndex((token) => STEADY.has(wordAt(token)))
  if (steady < 0) return []
  const compared = slots.find(({ at }) => at > steady) ?? slots.at(-1)
  const years = facets.filter(
    ({ family, statistic, yearText }) =>
      family === compared?.facet.family && statistic === compared.facet.statistic && yearText !== '',
  )
  return years.length > 1 && years.every(({ number }) => number === years[0]?.number)
    ? []
    : ['No figure says that it stayed the same: say each figure as it is.']
}
