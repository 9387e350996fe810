/** Holds the comparisons of a sentence to the figures: trends, "than", ranges, likeness and order. */
import type { FacetWords } from './facet-words.js'
import { isSlot, wordAt, type Token } from './tokens.js'
import type { SentenceView, SlotView, WordContext } from './views.js'
import { COMPARATIVES_LESS, COMPARATIVES_MORE, EQUALITY, LIKENESS, TREND_DOWN, TREND_UP, TRENDS } from './vocabulary.js'

export function comparisonFaults(view: SentenceView, context: WordContext): string[] {
  return [
    ...trendFaults(view, context),
    ...thanFaults(view, context),
    ...rangeFaults(view),
    ...likenessFaults(view, context),
    ...moreFaults(view),
    ...orderFaults(view, context),
  ]
}

/** A trend is that of two years, and every slot of the sentence fits it. */
function trendFaults(view: SentenceView, { facets }: WordContext): string[] {
  const { tokens, slots, mentions } = view
  const ups = tokens.filter((token) => TREND_UP.has(wordAt(token)) && isTrend(token, view))
  const downs = tokens.filter((token) => TREND_DOWN.has(wordAt(token)) && isTrend(token, view))
  const others = tokens.filter(
    (token) => TRENDS.has(wordAt(token)) && !TREND_UP.has(wordAt(token)) && !TREND_DOWN.has(wordAt(token)),
  )
  if (ups.length + downs.length + others.length === 0) return []
  const families = new Set([
    ...slots.map(({ facet }) => facet.family),
    ...mentions.flatMap((mention) => [...mention.families]),
  ])
  const yearly = facets.filter(({ family, yearText }) => yearText !== '' && families.has(family))
  const differences = differencesOf(yearly)
  const isTrue =
    others.every((token) => wordAt(token).startsWith('chang')) &&
    differences.length > 0 &&
    differences.every((difference) =>
      ups.length > 0 ? difference > 0 : downs.length > 0 ? difference < 0 : difference !== 0,
    ) &&
    !(ups.length > 0 && downs.length > 0) &&
    slots.every(
      ({ facet }) => facet.yearText !== '' || facet.kind !== 'number' || ['frames', 'area'].includes(facet.family),
    )
  return isTrue ? [] : ['A trend is refused: only a rise or a fall between the years of the labels may be told.']
}
/** "The ground rises to {highest}" is no trend: agreement.ts holds it to the statistic. */
const isTrend = (token: Token, { slots, tokens }: SentenceView) => {
  if (TRENDS.has(wordAt(token))) return true
  if (slots.some(({ facet }) => facet.yearText !== ''))
    return !/^(?:made|makes?|adds?|sums?)$/.test(wordAt(tokens[tokens.indexOf(token) - 1]))
  return /^(?:risen|rising|rose|fallen|fell|falling)$/.test(wordAt(token))
}

function differencesOf(yearly: readonly FacetWords[]): number[] {
  return yearly.flatMap((later) =>
    yearly.flatMap((earlier) =>
      later.family === earlier.family &&
      later.statistic === 'total' &&
      earlier.statistic === 'total' &&
      later.yearText > earlier.yearText &&
      later.number !== undefined &&
      earlier.number !== undefined
        ? [later.number - earlier.number]
        : [],
    ),
  )
}

/** "{F2}, more than the {L1} of {F1}": the slot before "than" is compared with the next one. */
function thanFaults({ tokens }: SentenceView, { facets }: WordContext): string[] {
  return tokens.flatMap((token, than) => {
    if (wordAt(token) !== 'than') return []
    const word = tokens.findLast(
      (each, i) => i < than && (COMPARATIVES_MORE.has(wordAt(each)) || COMPARATIVES_LESS.has(wordAt(each))),
    )
    const left = facetOfToken(
      tokens.findLast((each, i) => i < than && isValueOrLabel(each)),
      facets,
    )
    const right = facetOfToken(
      tokens.find((each, i) => i > than && isValueOrLabel(each)),
      facets,
    )
    const isComparable =
      left &&
      right &&
      left.family === right.family &&
      left.number !== undefined &&
      right.number !== undefined &&
      left.statistic === right.statistic
    const isTrue =
      isComparable &&
      (COMPARATIVES_MORE.has(wordAt(word))
        ? (left.number ?? 0) > (right.number ?? 0)
        : (left.number ?? 0) < (right.number ?? 0))
    return isTrue && word
      ? []
      : ['A comparison with "than" is refused: only figures of one kind may be compared, and truly.']
  })
}
const isValueOrLabel = (token: Token) => isSlot(token, 'F') || isSlot(token, 'L')
const facetOfToken = (token: Token | undefined, facets: readonly FacetWords[]) =>
  token?.kind === 'slot' ? facets[token.place] : undefined

/** Checks "from {lowest} to {highest}", "from {2025} to {2026}" and "between {lowest} and {highest}". */
function rangeFaults({ tokens, slots }: SentenceView): string[] {
  return slots.flatMap((second, i) => {
    const first = slots[i - 1]
    if (!first) return []
    const between = tokens.slice(first.at + 1, second.at).map(wordAt)
    const isFromTo = between.at(-1) === 'to' && between.length <= 3
    const isBetween = wordAt(tokens[first.at - 1]) === 'between' && between.length === 1 && between[0] === 'and'
    if (!isFromTo && !isBetween) return []
    return isRange(first, second) ? [] : [`{F${first.facet.place + 1}} and {F${second.facet.place + 1}} are no range.`]
  })
}
function isRange({ facet: first }: SlotView, { facet: second }: SlotView): boolean {
  if (first.family !== second.family) return false
  if (first.statistic === 'low' && second.statistic === 'high') return first.yearText === second.yearText
  return first.statistic === second.statistic && first.yearText !== '' && first.yearText < second.yearText
}

/** The word "more" needs "than", or two figures of one kind of which the first is larger. */
function moreFaults({ tokens, slots }: SentenceView): string[] {
  const more = tokens.find((token) => /^(?:more|less)$/.test(wordAt(token)))
  if (!more || tokens.some((token) => wordAt(token) === 'than')) return []
  const [first, second] = slots.map(({ facet }) => facet)
  const isPair =
    slots.length === 2 &&
    first?.family === second?.family &&
    first?.number !== undefined &&
    second?.number !== undefined
  const difference = (first?.number ?? 0) - (second?.number ?? 0)
  return isPair && (wordAt(more) === 'more' ? difference > 0 : difference < 0)
    ? []
    : ['"More" and "less" are refused: say each figure as it is.']
}

/** "Respectively" and "in that order" need the frames in the order of the answer. */
function orderFaults({ tokens, slots }: SentenceView, { frameIds }: WordContext): string[] {
  const isOrdered = tokens.some(
    (token, i) =>
      wordAt(token) === 'respectively' ||
      (wordAt(token) === 'order' &&
        /^(?:that|the|this)$/.test(wordAt(tokens[i - 1])) &&
        wordAt(tokens[i - 2]) === 'in'),
  )
  if (!isOrdered) return []
  const places = slots.map(({ facet }) => frameIds.indexOf(facet.frameId ?? ''))
  return places.every((place, i) => place >= 0 && (i === 0 || place > (places[i - 1] ?? 0)))
    ? []
    : ['The figures are not in that order.']
}

/** Frames are alike within a tenth, and equal where their values are the same. */
function likenessFaults({ tokens, slots }: SentenceView, { facets }: WordContext): string[] {
  const isOfFrames = slots.length > 1 && slots.every(({ facet }) => facet.statistic === 'frame')
  const isEqual = tokens.some((token) => EQUALITY.has(wordAt(token)) || (isOfFrames && wordAt(token) === 'same'))
  const isLike = tokens.some((token) => LIKENESS.has(wordAt(token)))
  if (!isEqual && !isLike) return []
  const compared =
    slots.length > 0 ? slots.map(({ facet }) => facet) : facets.filter(({ statistic }) => statistic === 'frame')
  const pairs = compared.flatMap((left, i) =>
    compared
      .slice(i + 1)
      .flatMap((right) =>
        left.family === right.family && left.number !== undefined && right.number !== undefined
          ? [[left.number, right.number] as const]
          : [],
      ),
  )
  const isTrue =
    pairs.length > 0 &&
    pairs.every(([left, right]) =>
      isEqual ? left === right : Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) / 10,
    )
  return isTrue ? [] : ['These figures are not alike: say each as it is.']
}
