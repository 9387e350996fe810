/** Says which words may stand right before and right behind a slot. Every other word is refused. */
import {
  AFTER,
  ARTICLES,
  AS_HEADS,
  BE,
  BEFORE,
  BEFORE_COMMA,
  BEFORE_NAME,
  BEFORE_PLACE,
  COVERS,
  EXTREMES,
  LIES,
  MEASURE_WORDS,
  OF_HEADS,
  ON_FRAMES,
  TO_HEADS,
} from './neighbour-words.js'
import { EARLIER, EXCEEDING, LATER, NEGATIONS, STATISTIC_WORDS, type StatisticWord } from './vocabulary.js'
import type { FacetWords } from './facet-words.js'
import { isMark, isSlot, wordAt, type Token } from './tokens.js'
import { isPlace, type SentenceView, type SlotView } from './views.js'

export function neighbourFaults(view: SentenceView, slot: SlotView): string[] {
  const { tokens } = view
  const before = tokens[slot.at - 1]
  const name = `{F${slot.facet.place + 1}}`
  const isAllowedBefore =
    before === undefined || before.kind !== 'word' ? isMarkBefore(view, slot) : isWordBefore(view, slot)
  const after = tokens[slot.nounTo]
  const isAllowedAfter = after?.kind !== 'word' || isWordAfter(view, slot)
  return [
    ...(isAllowedBefore
      ? []
      : [
          `"${tokenText(tokens, slot.at - 2, slot.at)}" may not stand before ${name}: ` +
            'write "is", "are", "has", "with" or "number", or its label and "of" or ":".',
        ]),
    ...(isAllowedAfter
      ? []
      : [
          `"${tokenText(tokens, slot.nounTo, slot.nounTo + 2)}" may not stand behind ${name}: ` +
            'end the clause, or write "and", "in" or "which".',
        ]),
  ]
}

const tokenText = (tokens: readonly Token[], from: number, to: number) =>
  tokens
    .slice(Math.max(0, from), to)
    .map((token) => (token.kind === 'slot' ? 'a slot' : token.text))
    .join(' ')

function endsMention({ mentions }: SentenceView, end: number) {
  return mentions.some(({ to }) => to === end)
}

function isMarkBefore(view: SentenceView, { at, facet }: SlotView): boolean {
  const { tokens } = view
  const before = tokens[at - 1]
  if (before === undefined || isMark(before, ':(“"‘')) return true
  if (isMark(before, '-')) return at === 1
  if (!isMark(before, ',;—–')) return false
  const second = tokens[at - 2]
  const word = wordAt(second)
  if (isMark(before, ';')) return second?.kind === 'slot' || endsMention(view, at - 1)
  if (second === undefined) return false
  return (
    (second.kind !== 'word' && !isMark(second, ',—–')) ||
    endsMention(view, at - 1) ||
    STATISTIC_WORDS.has(word) ||
    facet.classWords.has(word) ||
    view.slots.some((other) => other.at < at && other.facet.classWords.has(word)) ||
    EARLIER.has(word) ||
    LATER.has(word) ||
    BEFORE_COMMA.has(word) ||
    isOpeningTopic(tokens, at - 2)
  )
}

/** "In transport, {F1}" says what the figure is about. */
const isOpeningTopic = (tokens: readonly Token[], at: number) =>
  /^(?:in|for|on|as|under)$/.test(wordAt(tokens[at - 1])) &&
  (tokens[at - 2] === undefined || tokens[at - 2]?.kind === 'mark' || wordAt(tokens[at - 2]) === 'and')

function isWordBefore(view: SentenceView, slot: SlotView): boolean {
  const { tokens } = view
  const { at, facet } = slot
  const [third, second, before] = [wordAt(tokens[at - 3]), wordAt(tokens[at - 2]), wordAt(tokens[at - 1])]
  const special = SPECIAL[before]
  if (special) return special(view, slot)
  if (/^(?:cross|touch)(?:es)?$/.test(before)) return isPlace(facet) || facet.share !== undefined
  if (COVERS.has(before))
    return (
      isPlace(facet) ||
      facet.kind === 'class' ||
      facet.share !== undefined ||
      endsMention(view, at - 1) ||
      facet.classWords.has(second)
    )
  const isTime = STATISTIC_WORDS.has(before) || EARLIER.has(before) || LATER.has(before)
  if (isTime && ARTICLES.has(second) && !EXTREMES.has(before)) return true
  if (BEFORE_PLACE.has(before)) return isPlaceBefore(view, slot)
  if (facet.share !== undefined && facet.classWords.has(before)) return true
  if (facet.kind !== 'number' && (facet.classWords.has(before) || BEFORE_NAME.has(before))) return true
  return BEFORE.has(before) || EXCEEDING.has(before) || (endsMention(view, at) && third !== 'than')
}

/** "over {F1}" would be "more than" where {F1} is no place. */
function isPlaceBefore({ tokens }: SentenceView, { at, facet }: SlotView): boolean {
  const [second, before] = [wordAt(tokens[at - 2]), wordAt(tokens[at - 1])]
  if (/ of [\d,]+ frames(?:[,:]|$)/.test(facet.value) && facet.kind === 'number') return ON_FRAMES.has(before)
  if (facet.kind !== 'number') return true
  return isPlace(facet) && !(BE.has(second) || STATISTIC_WORDS.has(second) || MEASURE_WORDS.has(second))
}

/** "Only" goes with at most this share of the frames. */
const FEW = 0.75

type Special = (view: SentenceView, slot: SlotView) => boolean
/** These words may stand before some slots only. */
const SPECIAL: Readonly<Record<string, Special>> = {
  of: isOfHead,
  to: (view, slot) =>
    isSlot(view.tokens[slot.at - 2], 'F') ||
    TO_HEADS.has(wordAt(view.tokens[slot.at - 2])) ||
    isRangeEnd(view, slot) ||
    isFarEnd(view, slot),
  // claims.ts holds a comparison to the figures.
  than: () => true,
  called: (_, { facet }) => facet.statisticText === 'names' || facet.kind !== 'number',
  // "Recorded on only {F1}" is of a part of the frames.
  only: (_, { facet }) => facet.share !== undefined && facet.share <= FEW,
  now: ({ tokens }, { at }) => BE.has(wordAt(tokens[at - 2])),
  estimated: (_, { facet }) => facet.yearText.endsWith(' estimate') && facet.kind === 'number',
  or: ({ slots }, { at, facet }) =>
    slots.some(({ facet: other, nounTo }) => {
      return nounTo <= at && other.family === facet.family && other.statistic !== facet.statistic
    }),
  as: ({ tokens }, { at }) => isMark(tokens[at - 2], ',') || AS_HEADS.has(wordAt(tokens[at - 2])),
  all: (_, { facet }) => isPlace(facet),
  for: ({ tokens }, { at }) => wordAt(tokens[at - 2]) !== 'not',
  at: isAtHead,
  by: (_, { at, nounTo, facet }) => facet.kind !== 'number' || nounTo > at + 1,
  most: ({ tokens }, { at, facet }) => wordAt(tokens[at - 2]) === 'at' && facet.statistic === 'high',
  least: ({ tokens }, { at, facet }) => wordAt(tokens[at - 2]) === 'at' && facet.statistic === 'low',
  there: ({ tokens }, { at }) => BE.has(wordAt(tokens[at - 2])),
}

/** "The land lies at {F1}": {F1} is a height, or its name stands before. */
function isAtHead({ tokens, mentions }: SentenceView, { at, facet }: SlotView): boolean {
  const second = wordAt(tokens[at - 2])
  const isHeight = facet.kind !== 'number' || /elevation|altitude|height/.test(facet.family)
  const isNamed = mentions.some(({ to, families }) => to < at && families.has(facet.family))
  return second !== 'not' && (isHeight || isNamed || !LIES.has(second))
}

/** "{F1} out of {F2}" is a part of a total or of a count. */
const isPartOf = (part: FacetWords | undefined, { family, statistic, number, condition }: FacetWords) =>
  part?.family === family &&
  (statistic === 'total' || statistic === 'count') &&
  condition === '' &&
  (part.number ?? Infinity) <= (number ?? 0)

/** Accepts "a population of {F1}", "the total of {F1}" and "an area, by area, of {F1}". */
function isOfHead(view: SentenceView, { at, facet }: SlotView): boolean {
  const { tokens, slots } = view
  const second = tokens[at - 2]
  if (endsMention(view, at - 1) || isSlot(second, 'L')) return true
  if (isMark(second, ',')) return STATISTIC_WORDS.has(wordAt(tokens[at - 3])) || wordAt(tokens[at - 3]) === 'area'
  if (wordAt(second) === 'out') return isPlace(facet) || isPartOf(slots.findLast((slot) => slot.at < at)?.facet, facet)
  if (isSlot(second, 'F')) return isPlace(facet) && facet.kind === 'name'
  return (
    OF_HEADS.has(wordAt(second)) ||
    STATISTIC_WORDS.has(wordAt(second)) ||
    (facet.kind === 'name' &&
      second?.kind === 'word' &&
      !/^(?:outside|north|south|east|west|short)$/.test(wordAt(second))) ||
    (facet.family === 'frames' && /^(?:all|both|any|each|none|across|here|every|one)$/.test(wordAt(second)))
  )
}

/** Finds "up to {highest}", and the end of "from {F1} in the earlier estimate to {F2}". */
function isFarEnd({ tokens, slots }: SentenceView, { at, facet }: SlotView): boolean {
  const first = slots.findLast((slot) => slot.at < at)
  const isFrom = first !== undefined && wordAt(tokens[first.at - 1]) === 'from' && first.facet.family === facet.family
  const bound = wordAt(tokens[at - 2])
  return isFrom || (bound === 'up' && facet.statistic === 'high') || (bound === 'down' && facet.statistic === 'low')
}

/** Finds the second slot of "from {F1} up to {F2}". */
const isRangeEnd = ({ tokens }: SentenceView, { at }: SlotView) =>
  /^(?:up|down)$/.test(wordAt(tokens[at - 2])) && (isSlot(tokens[at - 3], 'F') || TREND.test(wordAt(tokens[at - 3])))
const TREND = /^(?:gone|went|going|goes|rises?|climbs?|rising|runs?|moved)$/

/** Finds "{F1} and more" and "{F1} and counting". */
function isAfterthought(tokens: readonly Token[], at: number): boolean {
  if (wordAt(tokens[at]) !== 'and' || NEGATIONS.has(wordAt(tokens[at + 1]))) return false
  const end = tokens.findIndex((token, i) => i > at && token.kind !== 'word')
  return (end < 0 ? tokens.length : end) - at <= 4 && tokens[end]?.kind !== 'slot'
}

const AVERAGES: readonly StatisticWord[] = ['average', 'median']
function isWordAfter({ tokens }: SentenceView, { nounTo, facet }: SlotView): boolean {
  const [first, second] = [wordAt(tokens[nounTo]), wordAt(tokens[nounTo + 1])]
  if (first === 'at' && /^(?:most|least|best|the)$/.test(second))
    return second === 'the' && STATISTIC_WORDS.has(wordAt(tokens[nounTo + 2])) && facet.kind === 'number'
  if (/^(?:then|now|today|currently)$/.test(first) && facet.yearText !== '') return true
  if (first === 'each' || first === 'apiece' || first === 'per')
    return (
      (facet.statistic === 'average' || facet.statistic === 'median') &&
      (first !== 'per' || second === 'frame' || facet.statisticText.endsWith(` per ${second}`))
    )
  if (first === 'long') return facet.statisticText.startsWith('length')
  if (first === 'or' || isAfterthought(tokens, nounTo)) return false
  if (first === 'plus') return tokens[nounTo + 1]?.kind === 'slot' || /^(?:a|the|its)$/.test(second)
  if (first === 'out' && second === 'of') return true
  if (first === 'a' && second === 'year' && wordAt(tokens[nounTo + 2]) === 'ago') return facet.yearText !== ''
  const said = STATISTIC_WORDS.get(first)
  if (said !== undefined) return said === 'total' || AVERAGES.includes(said)
  if (facet.kind !== 'number') return true
  return AFTER.has(first) || EXCEEDING.has(first)
}
