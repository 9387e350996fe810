/** Holds the claims of a sentence to the figures: unknown words, negations, and what is said of a place. */
import { lowerWords, stemOf, type FacetWords } from './facet-words.js'
import { belongingFaults } from './belonging.js'
import { comparisonFaults } from './comparisons.js'
import { existenceFaults } from './existence.js'
import { shareFaults } from './shares.js'
import { statisticsNear } from './statistics.js'
import { isMark, isSlot, wordAt, type Token } from './tokens.js'
import {
  ANSWER_NOUNS,
  CHARACTER,
  DEGREES,
  DIFFERENCE,
  EQUALITY,
  GIVES,
  isListedWord,
  LIKENESS,
  NEGATIONS,
  NOT_GIVEN,
  WHOLE,
} from './vocabulary.js'
import type { SentenceView, WordContext } from './views.js'

/** A clause ends at a strong mark, but not at one right before a slot. */
type Clause = { from: number; to: number }

export function claimFaults(view: SentenceView, context: WordContext): string[] {
  const clauses = clausesOf(view.tokens)
  return [
    ...clauses.flatMap((clause) => wordFaults(view, clause, context)),
    ...comparisonFaults(view, context),
    ...beyondFaults(view),
    ...existenceFaults(view, context),
    ...shareFaults(view, context),
    ...belongingFaults(view),
    ...characterFaults(view, context),
    ...unfiguredFaults(view, clauses),
  ]
}

function clausesOf(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  tokens.forEach((token, i) => {
    const isBut = isMark(token, ',') && /^(?:but|while|though|although|yet)$/.test(wordAt(tokens[i + 1]))
    if (!(isMark(token, '.;:!?()') || isBut) || (isMark(token, ':') && NEGATIONS.has(wordAt(tokens[i + 1])))) return
    if (i > from) clauses.push({ from, to: i })
    from = i + 1
  })
  if (from < tokens.length) clauses.push({ from, to: tokens.length })
  return clauses
}

const familiesIn = ({ mentions }: SentenceView, { from, to }: Clause) =>
  mentions.filter((mention) => mention.from >= from && mention.from < to && !mention.isContainer && !mention.isSoft)

/** Unknown words are refused, but a clause that says what is not recorded may name what the question asks for. */
function wordFaults(view: SentenceView, clause: Clause, context: WordContext): string[] {
  const { tokens, mentions } = view
  const isNegated = tokens.some((token, i) => i >= clause.from && i < clause.to && NEGATIONS.has(wordAt(token)))
  const isAbsence = isNegated && saysNotRecorded(view, clause)
  const asked = isAbsence ? new Set(lowerWords(context.question).map(stemOf)) : new Set<string>()
  const unknown = tokens.flatMap((token, i) => {
    if (i < clause.from || i >= clause.to || token.kind !== 'word') return []
    const next = wordAt(tokens[i + 1])
    if (DEGREES.has(token.low) && (next === 'flat' || LIKENESS.has(next) || EQUALITY.has(next))) return []
    if (token.low === 'give' && /^(?:|a|an|the|its|no)$/.test(next) && !isMark(tokens[i + 1], ',')) return []
    if (token.low === 'only' && saysWhatIsGiven(view, clause)) return []
    if (token.low === 'many' && !/^(?:how|as)$/.test(wordAt(tokens[i - 1]))) return [unknownWord(token.text)]
    if (token.low === 'close' && /^(?:to|in|together)$/.test(next) && !isSlot(tokens[i + 2], 'F')) return []
    if (/^(?:small|narrow|minor|modest)$/.test(token.low) && tokens.some((each) => DIFFERENCE.has(wordAt(each))))
      return []
    if (isListedWord(token.low) || mentions.some((mention) => mention.from <= i && i < mention.to)) return []
    if (context.families.byStem.has(stemOf(token.low)) || context.families.weak.has(stemOf(token.low))) return []
    if (context.families.byClass.has(token.low)) return []
    if (/^households?$/.test(token.low) && view.slots.some(({ facet }) => facet.statisticText === 'weighted average'))
      return []
    if (isAbsence && isLong(token.low) && namesWhatIsMissing(view.tokens.slice(clause.from, clause.to))) return []
    if (isAbsence && (asked.has(stemOf(token.low)) || /^(?:give|say|include|known)$/.test(token.low))) return []
    return [unknownWord(token.text)]
  })
  if (!isNegated || isAbsence || saysNone(view, clause, context)) return unknown
  return [...unknown, 'A negation is refused: say the figure as it is.']
}

const unknownWord = (text: string) =>
  `"${text.slice(0, 40)}" is not a word of the labels, nor one that may stand in the text: leave it out.`
const within = (set: ReadonlySet<string>, tokens: readonly Token[]) => tokens.some((token) => set.has(wordAt(token)))
/** "Nothing is said about water" and "no figure is given for water": a place without water is another thing. */
const namesWhatIsMissing = (tokens: readonly Token[]) =>
  within(ANSWER_NOUNS, tokens) ||
  (tokens.some((token) => wordAt(token) === 'nothing') &&
    tokens.some((token) => /^(?:about|on|of)$/.test(wordAt(token))))
/** A thing without a figure may be any English word of four letters or more. */
const isLong = (word: string) => /^[a-z]{4,20}$/.test(word)

/** "Only the main figures are shown": no slot is in such a clause. */
const saysWhatIsGiven = ({ tokens }: SentenceView, { from, to }: Clause) => {
  const words = tokens.slice(from, to)
  return within(ANSWER_NOUNS, words) && !words.some((token) => token.kind === 'slot')
}

/** "No facet gives the number of clinics": true where no facet is about them. */
function saysNotRecorded(view: SentenceView, clause: Clause): boolean {
  const words = view.tokens.slice(clause.from, clause.to)
  if (
    !(namesWhatIsMissing(words) || within(NOT_GIVEN, words)) ||
    !within(GIVES, words) ||
    words.some((token) => token.kind === 'slot')
  )
    return false
  const named = familiesIn(view, clause)
  return named.length === 0
}

/** "None of the frames has a clinic": true where a figure says zero. */
function saysNone(view: SentenceView, clause: Clause, { facets }: WordContext): boolean {
  const inClause = familiesIn(view, clause)
  const named = inClause.length > 0 ? inClause : familiesIn(view, { from: 0, to: clause.from })
  const isTypedLabel = isMark(view.tokens[clause.to], ':') && wordAt(view.tokens[clause.to - 1]) === 'none'
  const to = isTypedLabel ? clause.to + 2 : clause.to
  const slots = view.slots.filter(({ at }) => at >= clause.from && at < to)
  const negation = view.tokens.findIndex((token, i) => i >= clause.from && NEGATIONS.has(wordAt(token)))
  // comparisons.ts holds "never more than {highest}" to the statistic.
  const than = view.tokens.findIndex((token, i) => i > negation && i < negation + 4 && wordAt(token) === 'than')
  if (than > 0 && slots.some(({ at, facet }) => at === than + 1 && /^(?:low|high)$/.test(facet.statistic))) return true
  // "{F1} have no clinic" repeats the label of frames that have none.
  const isOfNone = slots.some(({ facet }) => facet.statisticText.endsWith('have none'))
  if (isOfNone) return slots.length === 1 && named.every(({ families }) => families.has(slots[0]?.facet.family ?? ''))
  const isOfFewest = view.tokens.some((token) => /^(?:fewest|lowest|least)$/.test(wordAt(token)))
  const isNone = (facet: FacetWords) =>
    facet.statisticText.endsWith('have none')
      ? /^([\d,]+) of \1 /.test(facet.value)
      : facet.number === 0 &&
        ['count', 'total', 'plain', 'high', 'other', ...(isOfFewest ? ['low'] : [])].includes(facet.statistic) &&
        !/none/.test(facet.statisticText)
  return (
    named.length > 0 &&
    named.every(({ families }) => facets.some((facet) => families.has(facet.family) && isNone(facet))) &&
    slots.every(
      ({ facet, at }) =>
        ['frames', 'area'].includes(facet.family) ||
        facet.kind === 'name' ||
        (at < negation && isNone(facet) && facet.statistic === 'count') ||
        (at > negation &&
          isNone(facet) &&
          (isMark(view.tokens[at - 1], ',:') || /^(?:as|and|on|in)$/.test(wordAt(view.tokens[at - 1])))),
    )
  )
}

/** The figures say nothing of what is outside the frames. */
function beyondFaults({ tokens, mentions }: SentenceView): string[] {
  const isOutside = tokens.some(
    (token, i) =>
      /^(?:beyond|besides|except)$/.test(wordAt(token)) &&
      mentions.some(({ from, isContainer }) => isContainer && from > i && from < i + 4),
  )
  return isOutside ? ['Nothing is known of what is outside the frames.'] : []
}

/** A town needs an urban class in the data. "Throughout" needs a class that all frames have. */
function characterFaults(view: SentenceView, { facets }: WordContext): string[] {
  const { tokens, slots } = view
  const classes = facets.filter(({ kind }) => kind === 'class')
  const isWhole = tokens.some((token) => WHOLE.has(wordAt(token)))
  const spoken = classes.filter(({ classWords, place }) =>
    tokens.some((token) => classWords.has(wordAt(token)) || (isSlot(token, 'F') && token.place === place)),
  )
  const isPlainThroughout =
    isWhole && tokens.some((token) => wordAt(token) === 'throughout') && spoken.length === 0 && slots.length > 0
  const wholeFault = isWhole && !isPlainThroughout && (spoken.length === 0 || !spoken.some(({ isWhole: all }) => all))
  const untrue = tokens.find((token, i) => {
    const needed = CHARACTER.get(wordAt(token))
    if (wordAt(token).startsWith('dense') && isDensePlace(view)) return false
    if (!needed || view.mentions.some((mention) => mention.from <= i && i < mention.to)) return false
    return !classes.some(({ classWords, isWhole: all }) => all && [...classWords].some((word) => needed.test(word)))
  })
  return [
    ...(wholeFault ? ['The figures do not say that all of it is so.'] : []),
    ...(untrue || isUntrueSlope(tokens, facets)
      ? ['No figure says that the place is so: leave the description out.']
      : []),
  ]
}

/** Eurostat's degree of urbanisation calls 300 people per km² an urban cluster. */
const DENSE_FROM = 300
/** "Both frames are dense, at {F1} and {F2}" gives the densities. */
function isDensePlace({ slots }: SentenceView): boolean {
  const densities = slots.filter(({ facet }) => /density|per km²/.test(facet.label.toLowerCase()))
  return densities.length > 0 && densities.every(({ facet }) => (facet.number ?? 0) >= DENSE_FROM)
}

/** A slope under 5 degrees is gentle, and one of 10 or more is steep. */
function isUntrueSlope(tokens: readonly Token[], facets: readonly FacetWords[]): boolean {
  const slopes = facets.flatMap(({ family, statistic, number }) =>
    family.includes('slope') && statistic !== 'low' && statistic !== 'high' && number !== undefined ? [number] : [],
  )
  const says = (words: RegExp) => tokens.some((token) => words.test(wordAt(token)))
  const isGentle = slopes.length > 0 && slopes.every((slope) => slope < 5)
  const isSteep = slopes.length > 0 && slopes.every((slope) => slope >= 10)
  return (says(/^(?:gentle|gently|flat)$/) && !isGentle) || (says(/^steep$/) && !isSteep)
}

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
    if (isOpening || isNegated || (isMark(tokens[clause.to], ':') && isTopicOnly(words))) return []
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
