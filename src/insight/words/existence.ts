/** Holds to the figures what a sentence says of where things are: in every frame, in none, or anywhere at all. */
import type { FacetWords } from './facet-words.js'
import { isMark, isSlot, wordAt, type Token } from './tokens.js'
import { NEGATIONS } from './vocabulary.js'
import type { SentenceView, WordContext } from './views.js'

export function existenceFaults(view: SentenceView, context: WordContext): string[] {
  return [
    ...everyFaults(view, context),
    ...everywhereFaults(view, context),
    ...noneFaults(view),
    ...thereFaults(view, context),
    ...boundFaults(view),
  ]
}

const isInAll = ({ statisticText, value }: FacetWords) =>
  /^(?:frames that have any|recorded on)$/.test(statisticText) && /^([\d,]+) of \1 /.test(value)

type EveryView = Pick<SentenceView, 'tokens' | 'mentions'>
/** "Every frame has a clinic" names it, and everyFaults holds it to a figure. */
export const isEveryClaim = (view: EveryView) => everyClaim(view) !== undefined

function everyClaim({ tokens, mentions }: EveryView) {
  const every = tokens.findIndex((token) => /^(?:all|every|each|both|any)$/.test(wordAt(token)))
  const frame = tokens.findIndex((token, i) => i > every && i < every + 5 && /^frames?$/.test(wordAt(token)))
  const verb = tokens.findIndex(
    (token, i) =>
      i > frame && i < frame + 3 && /^(?:has|have|hold|holds|contain|contains|records?)$/.test(wordAt(token)),
  )
  const named = mentions.find(
    ({ from, isContainer, isSoft }) => from > verb && from < verb + 4 && !isContainer && !isSoft,
  )
  if (
    every < 0 ||
    frame < 0 ||
    verb < 0 ||
    !named ||
    tokens.slice(verb, named.from).some((token) => token.kind === 'slot')
  )
    return undefined
  return { named, verb }
}

/** "All frames have a clinic": a figure of the label says so. */
function everyFaults(view: SentenceView, { facets }: WordContext): string[] {
  const claim = everyClaim(view)
  if (!claim) return []
  const { named, verb } = claim
  const { tokens } = view
  const isTrue = facets.some((facet) => named.families.has(facet.family) && isInAll(facet))
  return isTrue || /^(?:the|an)$/.test(wordAt(tokens[verb + 1])) ? [] : [NOT_EVERY]
}
const NOT_EVERY = 'No figure says that every frame has it.'

const FOUND = /^(?:found|recorded|present|exist|exists|located|seen|are|is)$/
/** "Shops are found in every frame". shares.ts holds a class to its share. */
function everywhereFaults({ tokens, mentions, slots }: SentenceView, { facets }: WordContext): string[] {
  const found = tokens.findIndex(
    (token, i) =>
      FOUND.test(wordAt(token)) &&
      /^(?:in|on|across)$/.test(wordAt(tokens[i + 1])) &&
      /^(?:all|every|each)$/.test(wordAt(tokens[i + 2])) &&
      tokens.slice(i + 3, i + 6).some((each) => /^frames?$/.test(wordAt(each))),
  )
  if (found < 0 || slots.some(({ facet }) => facet.kind === 'class' || facet.statistic === 'average')) return []
  const named = mentions.findLast(({ from, isContainer }) => from < found && !isContainer)
  const slot = slots.findLast(({ at }) => at < found)
  const families = named?.families ?? new Set(slot ? [slot.facet.family] : [])
  if (families.size === 0 || tokens.slice(0, found).some((token) => NEGATIONS.has(wordAt(token)))) return []
  return facets.some((facet) => families.has(facet.family) && isInAll(facet)) ? [] : [NOT_EVERY]
}

/** "{F1} have no clinic" says what the frames that have none lack. */
function noneFaults({ tokens, slots }: SentenceView): string[] {
  const isSaid = tokens.some(
    (token) =>
      NEGATIONS.has(wordAt(token)) || /^(?:empty|uninhabited|unpopulated)$/.test(wordAt(token)) || isSlot(token, 'L'),
  )
  return slots.flatMap(({ facet, at }) =>
    facet.statisticText.startsWith('frames that have none') && !isSaid && !isMark(tokens[at - 1], ':')
      ? [`{F${facet.place + 1}} counts frames that have none: say so.`]
      : [],
  )
}

const isZero = ({ statistic, statisticText, number }: FacetWords) =>
  number === 0 && (['count', 'total', 'high'].includes(statistic) || statisticText === 'frames that have any')

/** "There are stalls here" is untrue where a figure says zero. */
function thereFaults({ tokens, mentions, slots }: SentenceView, { facets }: WordContext): string[] {
  const wrong = mentions.some(({ from, to, families, isContainer, isSoft, facet }) => {
    if (isContainer || isSoft || facet) return false
    const isThere =
      tokens[from - 1]?.kind === 'word' &&
      [from - 1, from - 2].some(
        (i) => /^(?:is|are|was|were)$/.test(wordAt(tokens[i])) && wordAt(tokens[i - 1]) === 'there',
      )
    const own = slots.find(({ at, facet: other }) => at >= to && at <= to + 3 && families.has(other.family))
    const isIn = own !== undefined && /^(?:in|on|across)$/.test(wordAt(tokens[own.at - 1]))
    const isNegated = tokens.slice(Math.max(0, from - 3), from).some((token) => NEGATIONS.has(wordAt(token)))
    return isThere && !isIn && !isNegated && facets.some((each) => families.has(each.family) && isZero(each))
  })
  return wrong ? ['A figure says that there is none: say so.'] : []
}

const ABOVE = /^(?:above|over|exceed|exceeds|exceeding)$/
const BELOW = /^(?:below|under|beneath)$/
/** "{F1} lie below that" changes the condition of frames above a value. */
function boundFaults({ slots, tokens }: SentenceView): string[] {
  return slots.flatMap(({ facet, from, tailTo }) => {
    const says = (words: RegExp) => tokens.slice(from, tailTo).some((token: Token) => words.test(wordAt(token)))
    const isOther =
      (/\b(?:above|at least)\b/.test(facet.statisticText) && says(BELOW)) ||
      (/\b(?:below|at most)\b/.test(facet.statisticText) && says(ABOVE))
    return isOther ? [`{F${facet.place + 1}} counts ${JSON.stringify(facet.statisticText)}: say it so.`] : []
  })
}
