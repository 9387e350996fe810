/** Holds the comparisons of a sentence to the figures: "than", "more", ranges and order. */
import { isExtreme } from './statistics.js'
import type { FacetWords } from './facet-words.js'
import { likenessFaults } from './likeness.js'
import { isSlot, wordAt, type Token } from './tokens.js'
import { trendFaults } from './trends.js'
import { namesInOrder, type SentenceView, type SlotView, type WordContext } from './views.js'
import { COMPARATIVES_LESS, COMPARATIVES_MORE, EXCEEDING, NEGATIONS } from './vocabulary.js'

export function comparisonFaults(view: SentenceView, context: WordContext): string[] {
  return [
    ...trendFaults(view, context),
    ...thanFaults(view, context),
    ...rangeFaults(view),
    ...likenessFaults(view, context),
    ...moreFaults(view, context),
    ...aboveFaults(view),
    ...otherFaults(view, context),
    ...followFaults(view),
    ...orderFaults(view, context),
  ]
}

const THAN = 'A comparison with "than" is refused: only figures of one kind may be compared, and truly.'

/** The words "{F2}, more than the {L1}" compare two figures, and "more buildings than {I1}" compare two frames. */
function thanFaults(view: SentenceView, context: WordContext): string[] {
  const { tokens } = view
  return tokens.flatMap((token, than) => {
    const isExceeding = EXCEEDING.has(wordAt(token))
    if (wordAt(token) !== 'than' && !isExceeding) return []
    const word = tokens.findLast(
      (each, i) => i < than && (COMPARATIVES_MORE.has(wordAt(each)) || COMPARATIVES_LESS.has(wordAt(each))),
    )
    const isMore = isExceeding || COMPARATIVES_MORE.has(wordAt(word))
    if (!isExceeding && !word) return [THAN]
    if (isBound(view, than, isMore)) return []
    const right = tokens.find((each, i) => i > than && each.kind === 'slot')
    if (isTrueOfNames(view, than, isMore)) return []
    const isTrue = isSlot(right, 'I')
      ? isTrueOfFrames(view, context, { than, right: right.place, isMore })
      : isTrueOfFigures(view, context, { than, right, isMore })
    return isTrue ? [] : [THAN]
  })
}

/** "Never more than {highest}" and "no fewer than {lowest}" say what these figures are. */
function isBound({ tokens, slots }: SentenceView, than: number, isMore: boolean): boolean {
  const slot = slots.find(({ at }) => at === than + 1)
  const isNegated = tokens.slice(Math.max(0, than - 3), than).some((token) => NEGATIONS.has(wordAt(token)))
  return isNegated && slot?.facet.statistic === (isMore ? 'high' : 'low')
}

type Comparison<Right> = { than: number; right: Right; isMore: boolean }

/** "That is more than {F1}" begins with the last figure of the sentence before it. */
function isTrueOfFigures(
  { tokens, lastFacet }: SentenceView,
  { facets }: WordContext,
  { than, right, isMore }: Comparison<Token | undefined>,
): boolean {
  const before = tokens.findLast((each, i) => i < than && (isSlot(each, 'F') || isSlot(each, 'L')))
  const isReference = /^(?:that|this|it|which)$/.test(wordAt(tokens[0]))
  const left = before ? facetOfToken(before, facets) : isReference ? lastFacet : undefined
  const other = facetOfToken(right, facets)
  return (
    left !== undefined &&
    other !== undefined &&
    left.family === other.family &&
    (left.statistic === other.statistic || (left.share !== undefined && other.share !== undefined)) &&
    isGreater(sizeOf(left), sizeOf(other), isMore)
  )
}
const facetOfToken = (token: Token | undefined, facets: readonly FacetWords[]) =>
  token?.kind === 'slot' ? facets[token.place] : undefined

/** A class is as large as its share of the frames. */
const sizeOf = ({ share, number }: FacetWords) => share ?? number

/** "More forest than cropland: {F1} against {F2}" names both before their figures. */
function isTrueOfNames({ tokens, mentions, slots }: SentenceView, than: number, isMore: boolean): boolean {
  const [left, right] = slots
  if (slots.length !== 2 || !left || !right || left.at < than) return false
  const isNamed = ({ facet }: SlotView, from: number, to: number) =>
    tokens.slice(from, to).some((token) => facet.share !== undefined && facet.classWords.has(wordAt(token))) ||
    (facet.share === undefined &&
      mentions.some((mention) => mention.from >= from && mention.to <= to && mention.families.has(facet.family)))
  const isCount = ({ facet }: SlotView) => ['count', 'total'].includes(facet.statistic)
  const isComparable =
    (left.facet.share === undefined) === (right.facet.share === undefined) &&
    (left.facet.family === right.facet.family
      ? left.facet.statistic === right.facet.statistic
      : isCount(left) && isCount(right))
  const isFar = wordAt(tokens[than - 1]) === 'far' || tokens.slice(0, than).some((token) => wordAt(token) === 'far')
  const [large, small] = (isMore ? [left, right] : [right, left]).map(({ facet }) => sizeOf(facet))
  return (
    isComparable &&
    isNamed(left, 0, than) &&
    isNamed(right, than, left.at) &&
    isGreater(large, small, true) &&
    (!isFar || (large ?? 0) >= FAR * (small ?? 0))
  )
}
/** "Far more" is at least this many times as many. */
const FAR = 1.5

const isGreater = (left: number | undefined, right: number | undefined, isMore: boolean) =>
  left !== undefined && right !== undefined && (isMore ? left > right : left < right)

/** Every family that the sentence names is greater in the frame before "than". */
function isTrueOfFrames(
  { tokens, mentions, slots }: SentenceView,
  { facets, frameIds }: WordContext,
  { than, right, isMore }: Comparison<number>,
): boolean {
  const before = tokens.findLast((token, i) => i < than && isSlot(token, 'I'))
  const slot = slots.findLast(({ at, facet }) => at < than && facet.frameId !== undefined)
  const leftId = slot?.facet.frameId ?? (before?.kind === 'slot' ? frameIds[before.place] : undefined)
  const rightId = frameIds[right]
  const named = mentions.filter(({ to, isContainer }) => to <= than && !isContainer)
  const families = new Set([
    ...named.flatMap((mention) => [...mention.families]),
    ...slots.map(({ facet }) => facet.family),
  ])
  const valueOf = (family: string, id: string | undefined) =>
    facets.find((facet) => facet.family === family && facet.frameId === id && id !== undefined)?.number
  const compared = [...families].filter((family) => valueOf(family, rightId) !== undefined)
  return (
    leftId !== rightId &&
    compared.length > 0 &&
    compared.every((family) => isGreater(valueOf(family, leftId), valueOf(family, rightId), isMore))
  )
}

/** Checks "from {lowest} to {highest}", "from {2025} to {2026}" and "between {lowest} and {highest}". */
function rangeFaults({ tokens, slots }: SentenceView): string[] {
  return slots.flatMap((second, i) => {
    const first = slots[i - 1]
    if (!first) return []
    const between = tokens.slice(first.at + 1, second.at).map(wordAt)
    const isFrom = wordAt(tokens[first.at - 1]) === 'from' && first.facet.family === second.facet.family
    const isFromTo = between.at(-1) === 'to' && (between.length <= 3 || isFrom) && !/^belongs?$/.test(between[0] ?? '')
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

/** "More" needs "than", two figures of one kind of which the first is larger, or the figure of the larger frame. */
function moreFaults({ tokens, slots }: SentenceView, { facets }: WordContext): string[] {
  const words = tokens.flatMap((token, i) => (/^(?:more|less)$/.test(wordAt(token)) ? [i] : []))
  if (words.length === 0 || tokens.some((token) => wordAt(token) === 'than')) return []
  const [first, second] = slots.map(({ facet }) => facet)
  const isPair =
    words.length === 1 &&
    slots.length === 2 &&
    first?.family === second?.family &&
    isGreater(first?.number, second?.number, wordAt(tokens[words[0] ?? 0]) === 'more')
  const isOfFrame = (at: number) => {
    const own = slots.find((slot) => slot.at > at) ?? slots.at(-1)
    const said = wordAt(tokens[at]) === 'more' ? 'high' : 'low'
    // "The more populous frames" name a condition.
    const isCondition = own !== undefined && own.facet.condition !== '' && /^frames?$/.test(wordAt(tokens[at + 2]))
    return (
      isCondition ||
      own?.facet.statistic === said ||
      (own?.facet.statistic === 'frame' && isExtreme(own.facet, said, facets))
    )
  }
  return isPair || words.every(isOfFrame) ? [] : ['"More" and "less" are refused: say each figure as it is.']
}

/** "{F1}, well above the average of {F2}" compares two figures of one family. */
function aboveFaults({ tokens, slots }: SentenceView): string[] {
  return tokens.flatMap((token, i) => {
    const word = wordAt(token)
    if (!/^(?:above|below)$/.test(word)) return []
    const left = slots.findLast(({ at }) => at < i)?.facet
    const right = slots.find(({ at }) => at > i)?.facet
    if (!left || !right || left.family !== right.family || left.condition !== right.condition) return []
    return isGreater(sizeOf(left), sizeOf(right), word === 'above')
      ? []
      : [`"${word}" is untrue between {F${left.place + 1}} and {F${right.place + 1}}.`]
  })
}

/** "Forest, {F1}, is followed by cropland, {F2}" goes from the larger class to the smaller. */
function followFaults({ tokens, slots }: SentenceView): string[] {
  const followed = tokens.findIndex((token, i) => wordAt(token) === 'followed' && wordAt(tokens[i + 1]) === 'by')
  const first = slots.findLast(({ at }) => at < followed)?.facet
  if (followed < 0 || first === undefined) return []
  const ranked = [first, ...slots.filter(({ at }) => at > followed).map(({ facet }) => facet)]
  const sizes = ranked.filter(({ family }) => family === first.family).map((facet) => sizeOf(facet) ?? 0)
  return sizes.every((size, i) => i === 0 || size <= (sizes[i - 1] ?? 0))
    ? []
    : ['"Followed by" goes from the larger figure to the smaller.']
}

/** One frame has no other. */
const otherFaults = ({ tokens }: SentenceView, { frameIds }: WordContext): string[] =>
  frameIds.length === 1 &&
  tokens.some((token, i) => /^(?:other|another|both)$/.test(wordAt(token)) && /^frames?$/.test(wordAt(tokens[i + 1])))
    ? ['There is one frame only.']
    : []

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
  if (namesInOrder({ tokens, slots })) return []
  const places = slots.map(({ facet }) => frameIds.indexOf(facet.frameId ?? ''))
  return places.every((place, i) => place >= 0 && (i === 0 || place > (places[i - 1] ?? 0)))
    ? []
    : ['The figures are not in that order.']
}
