/** Holds the claims of a sentence to the figures: unknown words, and names without a figure. */
import { belongingFaults } from './belonging.js'
import { clausesOf, familiesIn, within, type Clause } from './clauses.js'
import { comparisonFaults } from './comparisons.js'
import { conditionFaults } from './conditions.js'
import { existenceFaults, isEveryClaim } from './existence.js'
import { lowerWords, stemOf } from './facet-words.js'
import { namesWhatIsMissing, saysNone, saysNotRecorded } from './negations.js'
import { placeClaimFaults } from './place-claims.js'
import { shareFaults } from './shares.js'
import { saysFrames, statisticsNear } from './statistics.js'
import { isMark, isSlot, wordAt, type Token } from './tokens.js'
import type { SentenceView, WordContext } from './views.js'
import {
  ANSWER_NOUNS,
  COMPARATIVES_LESS,
  COMPARATIVES_MORE,
  DEGREES,
  DIFFERENCE,
  EQUALITY,
  isKnownNoun,
  isListedWord,
  LIKENESS,
  NEGATIONS,
} from './vocabulary.js'

export function claimFaults(view: SentenceView, context: WordContext): string[] {
  const clauses = clausesOf(view.tokens)
  return [
    ...clauses.flatMap((clause) => wordFaults(view, clause, context)),
    ...comparisonFaults(view, context),
    ...placeClaimFaults(view, context),
    ...existenceFaults(view, context),
    ...shareFaults(view, context),
    ...belongingFaults(view),
    ...conditionFaults(view),
    ...unfiguredFaults(view, clauses),
  ]
}

/** Unknown words are refused, but a clause that says what is not recorded may name what the question asks for. */
function wordFaults(view: SentenceView, clause: Clause, context: WordContext): string[] {
  const { tokens, mentions } = view
  const isNegated = tokens.some((token, i) => i >= clause.from && i < clause.to && NEGATIONS.has(wordAt(token)))
  const isAbsence = isNegated && saysNotRecorded(view, clause, context)
  const asked = isAbsence ? new Set(lowerWords(context.question).map(stemOf)) : new Set<string>()
  const unknown = tokens.flatMap((token, i) => {
    if (i < clause.from || i >= clause.to || token.kind !== 'word') return []
    const next = wordAt(tokens[i + 1])
    if (DEGREES.has(token.low) && (next === 'flat' || LIKENESS.has(next) || EQUALITY.has(next))) return []
    if (token.low === 'give' && /^(?:|a|an|the|its|no)$/.test(next) && !isMark(tokens[i + 1], ',')) return []
    if (token.low === 'only' && saysWhatIsGiven(view, clause)) return []
    if (token.low === 'many' && !/^(?:how|as)$/.test(wordAt(tokens[i - 1]))) return [unknownWord(token.text)]
    if (token.low === 'close' && /^(?:to|in|together)$/.test(next) && !isSlot(tokens[i + 2], 'F')) return []
    if (
      /^(?:small|narrow|minor|modest)$/.test(token.low) &&
      tokens.some((each) => DIFFERENCE.has(wordAt(each)) || /^(?:changes?|increase|rise)$/.test(wordAt(each)))
    )
      return []
    if (/^(?:empty|uninhabited|unpopulated)$/.test(token.low) && !isEmptyFrame(view, i))
      return [unknownWord(token.text)]
    if (token.low === 'far' && ((next === 'from' && hasBound(view)) || isComparison(tokens[i + 1]))) return []
    if (token.low === 'only' && isSlot(tokens[i + 1], 'F')) return []
    if (token.low === 'majority' && isMajority(view, i)) return []
    if (isListedWord(token.low) || mentions.some((mention) => mention.from <= i && i < mention.to)) return []
    if (context.families.byStem.has(stemOf(token.low)) || context.families.weak.has(stemOf(token.low))) return []
    if (context.families.byClass.has(token.low)) return []
    if (/^households?$/.test(token.low) && view.slots.some(({ facet }) => facet.statisticText === 'weighted average'))
      return []
    if (isAbsence && isLong(token.low) && namesWhatIsMissing(view.tokens.slice(clause.from, clause.to))) return []
    if (isAbsence && isKnownNoun(stemOf(token.low))) return []
    if (isAbsence && (asked.has(stemOf(token.low)) || /^(?:give|say|include|known)$/.test(token.low))) return []
    return [unknownWord(token.text)]
  })
  if (!isNegated || isAbsence || saysNone(view, clause, context)) return unknown
  return [...unknown, 'A negation is refused: say the figure as it is.']
}

const unknownWord = (text: string) =>
  `"${text.slice(0, 40)}" is not a word of the labels, nor one that may stand in the text: leave it out.`
/** A thing without a figure may be any English word of four letters or more. */
const isLong = (word: string) => /^[a-z]{4,20}$/.test(word)

/** "Some frames are empty: the lowest population is {F1}", which is zero. */
const isEmptyFrame = ({ tokens, slots }: SentenceView, at: number) =>
  tokens.slice(Math.max(0, at - 3), at + 2).some((token) => /^frames?$/.test(wordAt(token)) || isSlot(token, 'F')) &&
  slots.some(({ facet }) => facet.number === 0 || facet.statisticText === 'frames that have none')
/** "A majority of the frames" and "no class has a majority". */
const isMajority = ({ tokens }: SentenceView, at: number) =>
  saysFrames(tokens, at + 1) || tokens.slice(0, at).some((token) => NEGATIONS.has(wordAt(token)))
/** "Far from a market" is a condition of frames above a value. */
const hasBound = ({ slots }: SentenceView) => slots.some(({ facet }) => /\babove\b/i.test(facet.label))
/** comparisons.ts holds "far more" to the figures. */
const isComparison = (token: Token | undefined) =>
  /^outnumbers?$/.test(wordAt(token)) || COMPARATIVES_MORE.has(wordAt(token)) || COMPARATIVES_LESS.has(wordAt(token))

/** "Only the main figures are shown": no slot is in such a clause. */
const saysWhatIsGiven = ({ tokens }: SentenceView, { from, to }: Clause) => {
  const words = tokens.slice(from, to)
  return within(ANSWER_NOUNS, words) && !words.some((token) => token.kind === 'slot')
}

const clauseView = (view: SentenceView, { from, to }: Clause) => ({
  tokens: view.tokens.slice(from, to),
  mentions: view.mentions
    .filter((mention) => mention.from >= from && mention.to <= to)
    .map((mention) => ({ ...mention, from: mention.from - from, to: mention.to - from })),
})

/** "About the people:" has no verb, so it says nothing of them. */
const isTopicOnly = (tokens: readonly Token[]) =>
  !tokens.some((token) => /^(?:is|are|was|were|has|have|had|lies?|stands?|holds?|lives?|there)$/.test(wordAt(token)))

/** A sentence that names what is counted gives its figure, or it only says what the answer is about. */
function unfiguredFaults(view: SentenceView, clauses: readonly Clause[]): string[] {
  const { tokens, slots } = view
  const given = new Set(slots.map(({ facet }) => facet.family))
  return clauses.flatMap((clause) => {
    if (slots.some(({ at }) => at >= clause.from && at < clause.to)) return []
    const words = tokens.slice(clause.from, clause.to)
    const isOpening = isMark(tokens[clause.to], ':(') && isSlot(tokens[clause.to + 1], 'F')
    const isNegated = words.some((token) => NEGATIONS.has(wordAt(token)))
    if (
      isOpening ||
      isNegated ||
      isEveryClaim(clauseView(view, clause)) ||
      (isMark(tokens[clause.to], ':') && isTopicOnly(words))
    )
      return []
    const named = familiesIn(view, clause).filter(
      ({ families, facet }) =>
        !facet && ![...families].some((family) => given.has(family) || view.givenAround?.has(family)),
    )
    const isAbout = words.some(
      (token) =>
        ANSWER_NOUNS.has(wordAt(token)) ||
        /^(?:profile|summary|overview|report|answer|estimates?|details?|picture)$/.test(wordAt(token)),
    )
    const label =
      familiesIn(view, clause).some(({ facet }) => facet !== undefined) &&
      slots.length === 0 &&
      !isMark(tokens[clause.to], ':')
    const statistic =
      slots.length === 0
        ? statisticsNear(view, clause.from, clause.to).filter(({ said }) => said === 'low' || said === 'high')
        : []
    const isNotGiven = named.length > 0 && !isAbout
    return [
      ...(isNotGiven || label
        ? ['A sentence names a label and gives no figure of it: give the slot, or leave it out.']
        : []),
      ...(statistic.length > 0 ? ['A sentence without a slot says which is highest or lowest: give the slot.'] : []),
    ]
  })
}
