/** Checks the words around a slot against its facet: its name, its statistic, its year, its frame and its class. */
import type { FacetWords, Families } from './facet-words.js'
import { isMark, isSlot, wordAt, type Token } from './tokens.js'
import { EACH_WORDS, EARLIER, LATER, NEGATIONS, STATISTIC_WORDS, type StatisticWord } from './vocabulary.js'
import { isPlace, type SentenceView, type SlotView, type WordContext } from './views.js'

const slotName = ({ place }: FacetWords) => `{F${place + 1}}`

export function agreementFaults(
  view: SentenceView,
  slot: SlotView,
  { facets, families, frameIds }: WordContext,
): string[] {
  return [
    ...subjectFaults(view, slot),
    ...statisticFaults(view, slot, facets),
    ...yearFaults(view, slot, facets),
    ...frameFaults(view, slot, frameIds),
    ...spreadFaults(view, slot, facets),
    ...classFaults(view, slot, families),
    ...placeFaults(view, slot, families),
  ]
}

const WEAK_CUTS = new Set('and but while whereas plus which where'.split(' '))
/** "Zone, most common" and "Area, average by area" are labels. */
const saysStatistic = (tokens: readonly Token[]) =>
  tokens.every(
    (token) =>
      isMark(token, ',') || /^(?:most|by|area|weighted)$/.test(wordAt(token)) || STATISTIC_WORDS.has(wordAt(token)),
  )

/** A weighted average may be told of those that it is weighted by. */
const HOUSEHOLDS = /^(?:households?|population)$/
const LINKS = new Set(
  'is are was were be number numbers numbering total totals totalling of measures measure averages'.split(' '),
)

/** The last name before a slot is that of its facet. So is every name before it, but that of the slot before. */
function subjectFaults({ tokens, mentions, slots }: SentenceView, { facet, at, from, tailTo }: SlotView): string[] {
  const previous = slots.findLast((other) => other.at < at)
  const cut = tokens.findLastIndex(
    (token, i) => i >= from && i < at && (isMark(token, ',—–') || WEAK_CUTS.has(wordAt(token))),
  )
  const own = mentions.some(
    ({ from: start, families, isContainer }) =>
      start >= from && start < at && !isContainer && families.has(facet.family),
  )
  const colon =
    isMark(tokens[at - 1], ',:(') || isSlot(tokens[at - 2], 'F')
      ? tokens.findLastIndex((token, i) => i < at && isMark(token, ':'))
      : -1
  const wrong = mentions.find(({ from: start, to, families, isContainer, isSoft, wide }) => {
    if (families.has(facet.family) || start < from || start >= tailTo) return false
    if (own && wide.has(facet.family)) return false
    if (facet.statisticText === 'weighted average' && HOUSEHOLDS.test([...families].join())) return false
    // claims.ts holds "no clinic in any of the {F1}" to the figures.
    if (isPlace(facet) && tokens.some((token, i) => i < at && NEGATIONS.has(wordAt(token)))) return false
    const isSubject = to === at - 1 && LINKS.has(wordAt(tokens[to]))
    if ((isSoft && (!isSubject || own)) || (start >= at && /^(?:size|extent)$/.test(wordAt(tokens[start]))))
      return false
    const isPeople = families.size === 1 && families.has('population')
    if (facet.kind !== 'number' && isPeople && !/^(?:is|are|was|were)$/.test(wordAt(tokens[at - 1]))) return false
    // "Both the class and the cover say so: {F1} and {F2}."
    if (start < colon && own && slots.some((other) => families.has(other.facet.family))) return false
    if (isContainer) {
      // "Area: {F1}" and "the area is {F1}" name the facet, "the area has {F1}" names the place.
      const isAverage = facet.statistic === 'average' && wordAt(tokens[at - 1]).startsWith('average')
      const isLinked = isMark(tokens[at - 1], ':') || (LINKS.has(wordAt(tokens[at - 1])) && !isAverage)
      const isLinkOf = wordAt(tokens[at - 1]) === 'of' && facet.kind !== 'number'
      const isDirect = start < at && !own && isLinked && !isLinkOf && saysStatistic(tokens.slice(to, at - 1))
      const isUnit =
        [...families].some((family) => /^(?:state|lga|ward|zone)$/.test(family)) &&
        !isPlace(facet) &&
        beforeName(tokens, start) !== 'same' &&
        !tokens.some((token, i) => i >= from && i < start && /^(?:frames?|areas?|land)$/.test(wordAt(token)))
      return (isDirect && (facet.kind === 'number' || !families.has('area'))) || (isUnit && facet.kind === 'number')
    }
    const isOfPrevious = previous !== undefined && start < cut && families.has(previous.facet.family)
    return !isOfPrevious
  })
  if (!wrong) return []
  const words = tokens
    .slice(wrong.from, wrong.to)
    .map((token) => (token.kind === 'slot' ? `{L${token.place + 1}}` : token.text))
    .join(' ')
  return [`${slotName(facet)} stands where "${words}" is named: it is ${JSON.stringify(facet.label)}.`]
}
const beforeName = (tokens: readonly Token[], at: number) =>
  ['the', 'this', 'these', 'its', 'same'].includes(wordAt(tokens[at - 1])) && wordAt(tokens[at - 1]) !== 'same'
    ? wordAt(tokens[at - 2])
    : wordAt(tokens[at - 1])

const ALLOWED: Readonly<Record<StatisticWord, readonly string[]>> = {
  low: ['low'],
  high: ['high'],
  average: ['average'],
  median: ['median'],
  total: ['total', 'count', 'plain'],
  mode: ['mode', 'plain'],
}

const statisticIn = (tokens: readonly Token[], i: number): StatisticWord | undefined => {
  const word = wordAt(tokens[i])
  if (word === 'most' && wordAt(tokens[i + 1]) === 'common') return 'mode'
  if (/^(?:fall|falls|fell|top|bottom)$/.test(word) && /^(?:in|into|within|under|inside)$/.test(wordAt(tokens[i + 1])))
    return undefined
  if (wordAt(tokens[i + 1]) === 'than') return undefined
  if (word === 'together' || word === 'overall' || word === 'combined') return undefined
  return STATISTIC_WORDS.get(word)
}

/** Steps over words that a name holds: "mean" in "mean elevation". */
export function statisticsNear(
  { tokens, mentions }: SentenceView,
  from: number,
  to: number,
): { said: StatisticWord; at: number }[] {
  return tokens.flatMap((_, i) => {
    if (i < from || i >= to || mentions.some((mention) => mention.from <= i && i < mention.to)) return []
    const said = statisticIn(tokens, i)
    return said === undefined ? [] : [{ said, at: i }]
  })
}

function statisticFaults(
  view: SentenceView,
  { facet, at, from, tailTo }: SlotView,
  facets: readonly FacetWords[],
): string[] {
  if (facet.statistic === 'other' && facet.kind === 'number') {
    const own = facet.statisticText.toLowerCase()
    return statisticsNear(view, from, tailTo).flatMap(({ at: place }) =>
      own.includes(wordAt(view.tokens[place]).slice(0, 4)) ? [] : [mismatch(view, place, facet)],
    )
  }
  return statisticsNear(view, from, tailTo).flatMap(({ said, at: place }) => {
    if (ALLOWED[said].includes(facet.statistic)) return []
    if (facet.kind === 'name' && (said === 'mode' || isAbout(view, place))) return []
    if (facet.family === 'frames' || facet.family === 'area')
      return said === 'total' || place < at - 3 ? [] : [mismatch(view, place, facet)]
    if ((said === 'low' || said === 'high') && facet.statistic === 'frame' && isExtreme(facet, said, facets)) return []
    if (said === 'high' && facet.kind === 'class' && wordAt(view.tokens[place]) === 'most') return []
    // "The population rises from {2025} to {2026}": claims.ts holds the trend to the figures.
    if (isTrendWord(wordAt(view.tokens[place])) && facet.yearText !== '') return []
    return [mismatch(view, place, facet)]
  })
}
const mismatch = ({ tokens }: SentenceView, place: number, facet: FacetWords) =>
  `"${wordAt(tokens[place])}" does not describe ${slotName(facet)}, which is ${JSON.stringify(facet.label)}.`
const isAbout = ({ tokens }: SentenceView, place: number) => isMark(tokens[place + 1], ',')
const isTrendWord = (word: string) => /^(?:ris|rose|fall|fell|climb|dip)/.test(word)

/** In the answer the same value is that of the extreme. */
function isExtreme(facet: FacetWords, said: 'low' | 'high', facets: readonly FacetWords[]): boolean {
  const comparable = facets.filter(
    ({ family, yearText, statistic }) =>
      family === facet.family && yearText === facet.yearText && (statistic === 'frame' || statistic === said),
  )
  return comparable.every(
    ({ number }) =>
      number !== undefined &&
      facet.number !== undefined &&
      (said === 'low' ? facet.number <= number : facet.number >= number),
  )
}

const yearOf = ({ yearText }: FacetWords) => Number(yearText.slice(0, 4))

function yearFaults(
  { tokens, mentions }: SentenceView,
  { facet, from, tailTo }: SlotView,
  facets: readonly FacetWords[],
): string[] {
  const label = mentions.find(
    ({ from: at, facet: other }) =>
      other !== undefined &&
      other.family === facet.family &&
      at >= from &&
      at < tailTo &&
      isLabelOf(tokens, at, from, tailTo),
  )?.facet
  const wrongLabel = label !== undefined && (label.yearText !== facet.yearText || !isSameFigure(label, facet))
  const years = facets.filter(({ family, yearText }) => family === facet.family && yearText !== '').map(yearOf)
  const wrongTime = tokens.some((token, i) => {
    if (i < from || i >= tailTo || token.kind !== 'word') return false
    if (EARLIER.has(token.low))
      return (
        facet.yearText === '' ||
        years.length < 1 ||
        yearOf(facet) !== Math.min(...years) ||
        Math.min(...years) === Math.max(...years)
      )
    if (LATER.has(token.low)) return facet.yearText === '' || yearOf(facet) !== Math.max(...years)
    return false
  })
  return wrongLabel || wrongTime
    ? [`The words beside ${slotName(facet)} are not of its own label, ${JSON.stringify(facet.label)}.`]
    : []
}
/** The sentence "more than the {L2}" compares with another label. */
const isLabelOf = (tokens: readonly Token[], at: number, from: number, tailTo: number) =>
  !tokens
    .slice(Math.max(from, at - 3), Math.min(at, tailTo))
    .some((token) => /^(?:than|with|against|to|for|from)$/.test(wordAt(token)))
const isSameFigure = (label: FacetWords, facet: FacetWords) =>
  label.place === facet.place ||
  label.value === facet.value ||
  (label.statistic === facet.statistic && label.frameId === facet.frameId) ||
  (label.statistic === 'total' && facet.statistic !== 'low' && facet.statistic !== 'high')

/** "Frame {I1} has {F1}": the facet is of that frame. */
function frameFaults({ tokens }: SentenceView, { facet, at }: SlotView, frameIds: readonly string[]): string[] {
  const named = tokens.findLast((token, i) => i < at && isSlot(token, 'I'))
  const isOther = tokens.some(
    (token, i) =>
      i < at &&
      i > at - 4 &&
      /^(?:with|against|than)$/.test(wordAt(token)) &&
      isSlot(
        tokens.findLast((each, j) => j < i && each.kind === 'slot'),
        'F',
      ),
  )
  if (named?.kind !== 'slot' || facet.kind !== 'number' || isOther) return []
  const id = frameIds[named.place]
  return facet.frameId === id || facet.value.endsWith(` in frame ${id}`)
    ? []
    : [`${slotName(facet)} is not of frame ${id}.`]
}

const ONE = new Set('a an each every per any one single typical average'.split(' '))
/** A total is neither of one frame nor of every frame. */
function spreadFaults(
  { tokens }: SentenceView,
  { facet, from, tailTo }: SlotView,
  facets: readonly FacetWords[],
): string[] {
  if (facet.kind !== 'number') return []
  if (facets.some(({ family, number }) => family === 'frames' && number === 1)) return []
  const isOfOne = ['average', 'median', 'low', 'high', 'frame'].includes(facet.statistic)
  const wrong = tokens.some((token, i) => {
    if (i < from || i >= tailTo || token.kind !== 'word') return false
    const isFrame = token.low === 'frame' && ONE.has(wordAt(tokens[i - 1]))
    if (tokens.some((each, at) => at < i && NEGATIONS.has(wordAt(each)))) return false
    if (token.low === 'each' && facet.statistic === 'average') return false
    if (isFrame) return !isOfOne && facet.statistic !== 'other'
    if (token.low === 'any' && (wordAt(tokens[i - 1]) === 'have' || facet.statistic === 'other')) return false
    if (token.low === 'per' && wordAt(tokens[i + 1]) === 'the' && isSlot(tokens[i + 2], 'L')) return false
    return EACH_WORDS.has(token.low) && wordAt(tokens[i + 1]) !== 'frame'
  })
  return wrong ? [`${slotName(facet)} is not for each of something: say it as a whole.`] : []
}

/** A class of the data in the words before a figure is that of all frames, or the slot's own. */
function classFaults({ tokens, mentions }: SentenceView, { facet, from, at }: SlotView, families: Families): string[] {
  const wrong = tokens.find((token, i) => {
    if (i < from || i >= at || token.kind !== 'word' || facet.classWords.has(token.low)) return false
    if (mentions.some((mention) => mention.from <= i && i < mention.to)) return false
    const owners = families.byClass.get(token.low)
    return owners !== undefined && !owners.some(({ isWhole }) => isWhole)
  })
  return wrong?.kind === 'word' ? [`"${wrong.text}" is not of all frames: leave it out beside ${slotName(facet)}.`] : []
}

const HOLDS = new Set(
  'has have had holds hold is are was were numbers counts contains totals covers records'.split(' '),
)
const INSIDE = new Set('in within around across inside near from'.split(' '))
/** The frames lie in the ward: a figure of the frames is no figure of the ward. */
function placeFaults({ tokens, slots }: SentenceView, { facet, at }: SlotView, families: Families): string[] {
  if (facet.kind !== 'number' || facet.family === 'frames') return []
  const verb = tokens.findLastIndex((token, i) => i < at && HOLDS.has(wordAt(token)))
  const subject = slots.find(({ nounTo }) => nounTo === verb)
  const isUnitWord = (i: number) =>
    families.byClass.get(wordAt(tokens[i]))?.some(({ kind }) => kind === 'name') === true
  const named = tokens.findLastIndex((_, i) => i < verb && !isUnitWord(i))
  const start = subject?.at ?? named + 1
  const isUnit = subject ? subject.facet.kind === 'name' : verb > 0 && isUnitWord(verb - 1)
  return isUnit && !INSIDE.has(beforeName(tokens, start))
    ? [`${slotName(facet)} is a figure of the frames, not of the whole place: name the frames or the area.`]
    : []
}
