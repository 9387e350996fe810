/** Makes the menu of a narrative: numbered sentences, each of which is true and passes the check of numbers alone. */
import type { AnswerFacts, CheckNumbers } from '../numbers/verify.js'
import { wordingsOf } from './forms.js'
import type { Facet } from '../figures/facets.js'
import type { TypedFigure } from '../figures/typed.js'
import { nameText, refOf, type TypedFacet } from './nouns.js'
import { pairsOf } from './pairs.js'

/** The places of the facets of an answer that the headline names. */
export type MenuInput = {
  facts: Omit<AnswerFacts, 'facets'> & { facets: readonly Facet[] }
  answers: readonly number[]
  nearest: readonly number[]
  /** Sentences that must come before any figure: what is not recorded, not answered, or left out. */
  notes: readonly string[]
}

export type Sentence = {
  /** Each says the same. */
  wordings: readonly string[]
  figures: readonly number[]
  /** The frames that it is about, where it may begin with them. */
  start: string
  category: string
}
/** The lead comes first in every narrative. The others are for the model to choose from. */
export type Menu = {
  lead: readonly Sentence[]
  others: readonly Sentence[]
  /** Every sentence of one figure and of several: a replay, which knows no question, finds those of a narrative here. */
  all: readonly Sentence[]
}

/** The model reads no more. */
const MENU_MAX = 100

export function menuOf(input: MenuInput, check: CheckNumbers): Menu {
  const { facts, answers, nearest } = input
  const facets = facts.facets.map((facet) => ({ ...facet, typed: plainNames(facet.typed) }))
  const passes = (text: string) => isQuotable(text) && check(text, facts).length === 0
  const isSafe = (text: string) => passes(text) && isOneSentence(text)
  const passing = (texts: readonly string[]) => texts.filter(passes)
  const alone = facets.map((facet, place) => {
    const inCounts = passing(wordingsOf({ ...facet, inCounts: true }))
    const wordings = inCounts.length > 0 ? inCounts : passing(wordingsOf({ ...facet, inCounts: false }))
    return sentenceOf(facet, wordings, [place])
  })
  const isAsked = (place: number) => answers.includes(place) || nearest.includes(place)
  const told = new Set<number>()
  const possible: Sentence[] = []
  // A pair stands for its figures, all or none of which were asked for, and a comparison beside them.
  const pairs = pairsOf(facets).flatMap(({ figures, text, isComparison }) => {
    const first = facets[figures[0] ?? 0]
    if (!first || !passes(text)) return []
    const sentence = sentenceOf(first, [text], figures)
    possible.push(sentence)
    if (isComparison) return [sentence]
    const isWhole = figures.every(isAsked) || !figures.some(isAsked)
    if (!isWhole || figures.some((figure) => told.has(figure))) return []
    for (const figure of figures) told.add(figure)
    return [sentence]
  })
  const usable = withoutRepeats([...pairs, ...alone.filter((_, place) => !told.has(place))])
  const plainText = (place: number) => {
    const { label = '', value = '' } = facts.facets[place] ?? {}
    const text = `${plainName(label)}: ${value}.`
    return isSafe(text) ? text : UNQUOTABLE_FIGURE
  }
  const lead = [
    ...input.notes.map((text) => noteOf(isSafe(text) ? text : UNQUOTABLE_NOTE)),
    ...answering(answers, usable, plainText),
    ...(nearest.length === 0 ? [] : [noteOf(nearest.length === 1 ? NEAR : NEAR_SEVERAL)]),
    ...answering(nearest, usable, plainText),
  ]
  const others = usable
    .filter((sentence) => !lead.includes(sentence))
    .toSorted((one, other) => (one.figures[0] ?? 0) - (other.figures[0] ?? 0))
  return { lead: [...new Set(lead)], others: others.slice(0, MENU_MAX), all: [...alone, ...possible] }
}

/** Two figures may be one in words: the highest and the lowest of a single frame. */
function withoutRepeats(sentences: readonly Sentence[]): Sentence[] {
  const kept = new Map<string, Sentence>()
  for (const sentence of sentences) {
    const [text] = sentence.wordings
    if (text === undefined) continue
    const { figures } = kept.get(text) ?? { figures: [] }
    kept.set(text, { ...sentence, figures: [...figures, ...sentence.figures] })
  }
  return [...kept.values()]
}

const UNQUOTABLE_NOTE = 'The headline says what this answer leaves out.'
const UNQUOTABLE_FIGURE = 'The headline gives the figure.'
const NEAR = 'The next figure is near to the question, and does not answer it.'
const NEAR_SEVERAL = 'The next figures are near to the question, and do not answer it.'
/** A narrative may say these of any figures. */
export const GENERAL_NOTES = [UNQUOTABLE_NOTE, UNQUOTABLE_FIGURE, NEAR, NEAR_SEVERAL]

const noteOf = (text: string, figures: number[] = []): Sentence => ({
  wordings: [text],
  figures,
  start: '',
  category: '',
})
const sentenceOf = ({ typed, category }: TypedFacet, wordings: string[], figures: number[]): Sentence => ({
  wordings,
  figures,
  start: refOf(typed).start,
  category,
})

/** Sentences that hold each of these figures. */
function answering(
  places: readonly number[],
  sentences: readonly Sentence[],
  plainText: (place: number) => string,
): Sentence[] {
  const found: Sentence[] = []
  for (const place of places) {
    if (found.some(({ figures }) => figures.includes(place))) continue
    const best = sentences.find(({ figures }) => figures.includes(place))
    found.push(best ?? noteOf(plainText(place), [place]))
  }
  return found
}

const plainName = (label: string) => label.split(', ').map(nameText).join(', ')
const NAMES: ReadonlySet<string> = new Set(['label', 'unit', 'method', 'noun', 'plural', 'features'])
const VALUES: ReadonlySet<string> = new Set(['value', 'name', 'names', 'classes', 'at'])
/** Puts a name in quotes where the owner of the dataset wrote more than a plain name: it must not end our sentence. */
const plainNames = (typed: TypedFigure) =>
  JSON.parse(JSON.stringify(typed), (key, value: unknown) => {
    const quoted = (each: unknown) => (typeof each === 'string' ? nameText(each) : each)
    if (VALUES.has(key)) return Array.isArray(value) ? value.map(quoted) : quoted(value)
    return NAMES.has(key) && typeof value === 'string' ? plainName(value) : value
  }) as TypedFigure
const isOneSentence = (text: string) => !/[.!?] /.test(text.replaceAll(/"[^"]*"/g, ''))

const LENGTH_MAX = 1500

/** Names of datasets stand in sentences: none may act on a page that shows the narrative. */
export const isQuotable = (text: string) =>
  text.trim() !== '' &&
  text.length <= LENGTH_MAX &&
  !/[\p{C}\p{Zl}\p{Zp}]|<[a-z!/?]|:\/\/|www\.|&#?\w+;|!\[|\]\(|[`|]/iu.test(text)
