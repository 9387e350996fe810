/** Reads a question of several questions: each is read by itself, so that none changes what another asks for. */
import type { Catalogue } from './catalogue.js'
import { merged } from './merged.js'
import { leadingLength, linked, readQuestion } from './read.js'
import { wordsOf } from './words.js'
import type { Reading } from './reading.js'

/** After "and", these words begin a question that stands by itself. "Is" and "do" need their subject: "... and is rural" goes on. */
const OPENERS =
  'how|what|whats|which|where|wheres|who|whose|when|why|name|list|rank|compare|tell me|give me|show me|number of|no of|' +
  'count of|total|average|avg|mean|median|percentage|share|(?:is|are|was|were) (?:it|there|this|that|these|those|they|the|we|any)|' +
  'do(?:es)? (?:it|this|these|they|the|people|we|any)|can|combien|quelle?s?'
/** In Pidgin "school no dey" is a whole clause. After another such clause it may go on with that one's question. */
const CLAUSE = String.raw`\S+ no dey\b(?<!\bdey\b.+)`
const BEFORE_QUESTION = new RegExp(
  String.raw`[\s,;]+(?:and|et|plus)\s+(?:also\s+)?(?=(?:${OPENERS})\b|\S+ ?%|${CLAUSE})`,
  'giu',
)
const ANY_AND = /[\s,;]+and\s+/giu

/** Each clause is read by itself, which takes time. */
const CLAUSES_MAX = 12

export function readCompound(catalogue: Catalogue, question: string): Reading {
  const whole = readQuestion(catalogue, question)
  // An order to a model, or code, takes nothing from the question beside it.
  if (whole.wants === 'nothing') {
    const clauses = question.split(ANY_AND).slice(0, CLAUSES_MAX)
    const asking = clauses.length > 1 ? readAll(catalogue, clauses).filter(isFull) : []
    return asking.length > 0 ? merged(asking) : whole
  }
  // An unknown word on one side of "and" leaves the other side as it is: "crime rate and households".
  const splits = whole.unknown.length > 0 ? [BEFORE_QUESTION, ANY_AND] : [BEFORE_QUESTION]
  for (const split of splits) {
    const lead = leadingText(catalogue, question)
    const texts = question.split(split).map((text, i) => (i === 0 ? text : lead + text))
    if (texts.length < 2 || texts.length > CLAUSES_MAX) continue
    const clauses = fullClauses(catalogue, withQualifiers(texts))
    const parts = merged(clauses)
    const known = (reading: Reading) => reading.asks.filter(({ isNearest }) => !isNearest).length
    const keepsAll = lost(parts) <= lost(whole) && subjectsIn(parts) >= subjectsIn(whole)
    if (keepsAll && (split === BEFORE_QUESTION || known(parts) > known(whole))) return parts
  }
  return whole
}

/** "In Marembe, how many people and how many schools": the place is of both. */
function leadingText(catalogue: Catalogue, question: string): string {
  const [lead = ''] = /^[^,:;?]*[,:]\s*/.exec(question) ?? []
  const length = leadingLength(catalogue, question)
  return length > 0 && wordsOf(lead).length === length ? lead : ''
}

const readAll = (catalogue: Catalogue, clauses: readonly string[]) =>
  clauses.map((clause) => readQuestion(catalogue, clause))

/** "Average and median slope": the first word is of the clause after it. */
const withQualifiers = (texts: readonly string[]): string[] =>
  texts.flatMap((text, i) => {
    if (i < texts.length - 1 && SINGLE_WORD.test(text)) return []
    const before = texts[i - 1] ?? ''
    return [i > 0 && SINGLE_WORD.test(before) ? `${before} and ${text}` : text]
  })
const SINGLE_WORD = /^\s*\S+\s*$/

/** A clause that asks for nothing by itself belongs to the one before it: "how many schools, and where are the most". */
function fullClauses(catalogue: Catalogue, texts: readonly string[]): Reading[] {
  const clauses: { text: string; reading: Reading }[] = []
  for (const text of texts) {
    const reading = readQuestion(catalogue, text)
    const before = clauses.at(-1)
    if (before && !(isFull(reading) && isFull(before.reading))) {
      before.text = `${before.text} and ${text}`
      before.reading = readQuestion(catalogue, before.text)
    } else clauses.push({ text, reading })
  }
  return linked(clauses.map(({ text, reading }) => ({ words: wordsOf(text), reading })))
}

const lost = ({ unknown, unanswered }: Reading) => unknown.length + unanswered.length
/** Several figures of one subject may be meant: their number tells nothing. */
const subjectsIn = ({ asks }: Reading) => new Set(asks.map(({ subject }) => JSON.stringify(subject))).size
const isFull = (reading: Reading) => reading.asks.length + lost(reading) > 0
