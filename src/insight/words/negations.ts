/** Holds negations to the figures: a zero, frames that have none, or a thing that no figure is about. */
import { familiesIn, within, type Clause } from './clauses.js'
import { lowerWords, stemOf, type FacetWords } from './facet-words.js'
import type { Mention } from './mentions.js'
import { isMark, wordAt, type Token } from './tokens.js'
import type { SentenceView, WordContext } from './views.js'
import { ANSWER_NOUNS, GIVES, isListedWord, NEGATIONS, NOT_GIVEN } from './vocabulary.js'

/** "Nothing is said about water" and "no figure is given for water": a place without water is another thing. */
export const namesWhatIsMissing = (tokens: readonly Token[]) =>
  within(ANSWER_NOUNS, tokens) ||
  (tokens.some((token) => wordAt(token) === 'nothing') &&
    tokens.some((token) => /^(?:about|on|of)$/.test(wordAt(token))))

/** "No facet gives the number of clinics": true where no facet is about them. */
export function saysNotRecorded(view: SentenceView, clause: Clause, { question, families }: WordContext): boolean {
  const words = view.tokens.slice(clause.from, clause.to)
  if (
    !(namesWhatIsMissing(words) || within(NOT_GIVEN, words)) ||
    !within(GIVES, words) ||
    words.some((token) => token.kind === 'slot')
  )
    return false
  const named = familiesIn(view, clause)
  // "The number of boys in school is not recorded": the question asks for boys, and no figure is about them.
  const asked = new Set(lowerWords(question).map(stemOf))
  const isOther = words.some((token) => {
    const stem = stemOf(wordAt(token))
    return asked.has(stem) && !isListedWord(wordAt(token)) && !families.byStem.has(stem) && !families.byClass.has(stem)
  })
  return named.length === 0 || isOther
}

/** "None of the frames has a clinic": true where a figure says zero. */
export function saysNone(view: SentenceView, clause: Clause, { facets }: WordContext): boolean {
  const negation = view.tokens.findIndex((token, i) => i >= clause.from && NEGATIONS.has(wordAt(token)))
  const isJoined = /^(?:and|but)$/.test(wordAt(view.tokens[negation - 1]))
  const inClause = familiesIn(view, isJoined ? { from: negation, to: clause.to } : clause)
  const named = inClause.length > 0 ? inClause : familiesIn(view, { from: 0, to: clause.from })
  const to = isMark(view.tokens[clause.to], ':') && lacksSomething(view.tokens, clause) ? clause.to + 2 : clause.to
  const slots = view.slots.filter(({ at }) => at >= (isJoined ? negation : clause.from) && at < to)
  if (isNotAll(view, negation) || isNoMajority(view, named, facets)) return true
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

/** "Frames without a school: {F1}" and "Schools, frames that have none: {F1}" have their figure behind the colon. */
const lacksSomething = (tokens: readonly Token[], { from, to }: Clause) =>
  wordAt(tokens[to - 1]) === 'none' ||
  tokens.some(
    (token, i) =>
      i >= from &&
      i < to &&
      /^frames?$/.test(wordAt(token)) &&
      /^(?:lack|lacks|without|with no|have no|has no)$/.test(
        /^(?:lack|lacks|without)$/.test(wordAt(tokens[i + 1]))
          ? wordAt(tokens[i + 1])
          : `${wordAt(tokens[i + 1])} ${wordAt(tokens[i + 2])}`,
      ),
  )

/** "No land cover has a majority": the most common class has at most half of the frames. */
const isNoMajority = ({ tokens }: SentenceView, named: readonly Mention[], facets: readonly FacetWords[]) =>
  tokens.some((token) => /^(?:majority|dominates|prevails|predominates)$/.test(wordAt(token))) &&
  named.length > 0 &&
  named.every(({ families }) =>
    facets.some(
      ({ family, statistic, share }) =>
        families.has(family) && statistic === 'mode' && share !== undefined && share <= 0.5,
    ),
  )

/** "Not all of the frames were surveyed: {F1}" is true where a figure of the sentence is of some frames. */
const isNotAll = ({ tokens, slots }: SentenceView, negation: number) =>
  /^(?:all|every)$/.test(wordAt(tokens[negation + 1])) &&
  tokens.slice(negation, negation + 6).some((token) => /^frames?$/.test(wordAt(token))) &&
  slots.some(({ facet }) => facet.share !== undefined && facet.share < 1)
