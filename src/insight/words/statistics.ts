/** Checks that the statistic of a clause ("highest", "on average") is that of its slot. */
import type { FacetWords } from './facet-words.js'
import { isMark, wordAt, type Token } from './tokens.js'
import { slotName, type SentenceView, type SlotView } from './views.js'
import { COMPARATIVES_LESS, COMPARATIVES_MORE, STATISTIC_WORDS, type StatisticWord } from './vocabulary.js'

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
  // shares.ts holds "most of the frames" to the share.
  if (word === 'most' && saysFrames(tokens, i + 1)) return undefined
  if (/^(?:fall|falls|fell|top|bottom)$/.test(word) && /^(?:in|into|within|under|inside)$/.test(wordAt(tokens[i + 1])))
    return undefined
  if (wordAt(tokens[i + 1]) === 'than') return undefined
  if (word === 'together' || word === 'overall' || word === 'combined') return undefined
  return STATISTIC_WORDS.get(word)
}

/** Reads "frames" and "of the frames". */
export const saysFrames = (tokens: readonly Token[], at: number) =>
  /^(?:frames|of (?:the |these |its )?frames) $/.test(
    `${tokens
      .slice(at, at + 3)
      .map(wordAt)
      .join(' ')} `.replace(/(frames) .*$/, '$1 '),
  )

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

export function statisticFaults(
  view: SentenceView,
  { facet, at, from, tailTo }: SlotView,
  facets: readonly FacetWords[],
): string[] {
  if (facet.statistic === 'other' && facet.kind === 'number') {
    const own = facet.statisticText.toLowerCase()
    return statisticsNear(view, from, tailTo).flatMap(({ at: place }) =>
      isLikelyClass(view, place, facet) ||
      (isLargestClass(facet, facets) &&
        wordAt(view.tokens[place - 1]) !== 'least' &&
        /^(?:most|common|commonest)$/.test(wordAt(view.tokens[place]))) ||
      (isTrendWord(wordAt(view.tokens[place])) && facet.statisticText.startsWith('change from')) ||
      (/^averages?$/.test(wordAt(view.tokens[place])) && facet.statisticText.startsWith('per ')) ||
      own.includes(wordAt(view.tokens[place]).slice(0, 4))
        ? []
        : [mismatch(view, place, facet)],
    )
  }
  return statisticsNear(view, from, tailTo).flatMap(({ said, at: place }) => {
    if (ALLOWED[said].includes(facet.statistic)) return []
    if (facet.kind === 'name' && (said === 'mode' || isAbout(view, place) || isRank(facet, said))) return []
    if (facet.family === 'frames' || facet.family === 'area')
      return said === 'total' || place < at - 3 || isOfSlot(view, at) ? [] : [mismatch(view, place, facet)]
    if ((said === 'low' || said === 'high') && facet.statistic === 'frame' && isExtreme(facet, said, facets)) return []
    if (facet.statistic === 'mode' && wordAt(view.tokens[place]) === 'typical') return []
    if (said === 'high' && facet.kind === 'class' && /^(?:most|largest|biggest|top)$/.test(wordAt(view.tokens[place])))
      return []
    if ((said === 'low' || said === 'high') && isOfYear(wordAt(view.tokens[place]), said, { facet, facets })) return []
    // "The population rises from {2025} to {2026}": claims.ts holds the trend to the figures.
    const isChange = facet.yearText !== '' || facet.statisticText.startsWith('change from')
    if (isTrendWord(wordAt(view.tokens[place])) && isChange) return []
    return [mismatch(view, place, facet)]
  })
}
const mismatch = ({ tokens }: SentenceView, place: number, facet: FacetWords) =>
  `"${wordAt(tokens[place])}" does not describe ${slotName(facet)}, which is ${JSON.stringify(facet.label)}.`
const isAbout = ({ tokens }: SentenceView, place: number) => isMark(tokens[place + 1], ',')
/** "The denser of the {frames}" says nothing of how many there are. */
const isOfSlot = ({ tokens }: SentenceView, at: number) =>
  wordAt(tokens[at - 1]) === 'the' && wordAt(tokens[at - 2]) === 'of'
/** "The order, from the most to the fewest people" is that of a ranking. */
const isRank = ({ statisticText }: FacetWords, said: StatisticWord) =>
  statisticText.endsWith(' first') && (said === 'high' || said === 'low')
/** No class of the family has a larger share. */
const isLargestClass = ({ family, share }: FacetWords, facets: readonly FacetWords[]) =>
  share !== undefined && facets.every((each) => each.family !== family || (each.share ?? 0) <= share)
/** "Equally common" and "more common" compare classes. likeness.ts and comparisons.ts hold them to the shares. */
const isLikelyClass = ({ tokens }: SentenceView, place: number, { share }: FacetWords) =>
  share !== undefined && wordAt(tokens[place]) === 'common' && /^(?:equally|more|less)$/.test(wordAt(tokens[place - 1]))
const isTrendWord = (word: string) => /^(?:ris|rose|fall|fell|climb|dip)/.test(word)

type FacetAmong = { facet: FacetWords; facets: readonly FacetWords[] }
/** "The population is higher: {2026} against {2025}". */
function isOfYear(word: string, said: 'low' | 'high', { facet, facets }: FacetAmong): boolean {
  const isComparative = COMPARATIVES_MORE.has(word) || COMPARATIVES_LESS.has(word)
  const years = facets.filter(
    ({ family, statistic, yearText }) =>
      family === facet.family && statistic === facet.statistic && yearText !== '' && yearText !== facet.yearText,
  )
  return (
    isComparative &&
    facet.yearText !== '' &&
    years.length > 0 &&
    years.every(
      ({ number }) =>
        number !== undefined &&
        facet.number !== undefined &&
        (said === 'high' ? facet.number > number : facet.number < number),
    )
  )
}

/** In the answer the same value is that of the extreme. */
export function isExtreme(facet: FacetWords, said: 'low' | 'high', facets: readonly FacetWords[]): boolean {
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
