/**
 * Holds a plan to the words of its question. Each word that tells something is tied to the plan by a name of the
 * catalogue, a place of the index, a number, a unit of measure or a cue, or the plan says that nothing answers it. What
 * only the plan ties to a name is quoted, so that the reader sees what was read as what. A plan that drops a word which
 * changes the figure is refused.
 */
import { placeName } from '../../place-name.js'
import { isUnitLevel, levelPlural, UNIT_LEVELS } from '../../place.js'
import type { Edge } from './chart.js'
import { NAMES, type PlaceNamed, type Token, topicsOf } from './tokens.js'
import { refuseIf } from './plan-words.js'
import type { ReadAs } from './reading.js'
import {
  DOES_TEXT,
  hasWord,
  isOfLayer,
  isOfLongerName,
  isOfNames,
  isOfNumber,
  isOfWhatItDoes,
  isTied,
  isTopicOf,
  isTopicOrClass,
  JOINING,
  type Judged,
  type JudgedPlan,
  type JudgedQuestion,
  type PlanElement,
  saidBy,
} from './ties.js'
import { hasYear, layerOf, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

/** Returns what only the plan tied to a name, and the words that carry nothing. */
export function judgedWords(plan: JudgedPlan, asked: JudgedQuestion): ReadAs[] {
  const judged: Judged = { ...plan, ...asked }
  holdCounted(judged)
  const read = wordsRead(judged, asked.tokens.keys())
  const [first] = plan.elements.filter(({ topics }) => topics.length > 0)
  return read.length > 0 ? read : namedIn(judged, first ?? plan.elements[0])
}

/** Says which of the words that the grammar left carry nothing. Where its figures have them all, it says what they are. */
export function leftWords(reading: JudgedPlan, asked: JudgedQuestion, left: readonly string[]): ReadAs[] {
  const judged: Judged = { ...reading, ...asked }
  const own = [...asked.tokens.entries()].flatMap(([at, token]) => (hasWord(left, token) ? [at] : []))
  const read = wordsRead(judged, own)
  const names = [...new Set(own.flatMap((at) => tiesOf(judged, at)))]
  return read.length > 0 ? read : [{ words: left.join(', '), ...(names.length > 0 && { name: names.join('; ') }) }]
}

/** Names what a word asks for in the figures that the grammar read. */
const tiesOf = ({ edges, does, elements }: Judged, at: number): string[] =>
  edges.flatMap((edge) => {
    if (edge.from > at || at >= edge.to) return []
    if (isUnitLevel(edge.category)) return [`by ${edge.category}`]
    if (edge.category === 'year')
      return elements.flatMap(({ topics }) => topics.flatMap((topic) => (hasYear(topic, Number(edge.value)) ? [topic.label] : []))) // prettier-ignore
    const [fact] = saidBy(edge).flatMap((each) => (does.has(each) ? (DOES_TEXT[each] ?? []) : []))
    return fact === undefined ? [] : [fact]
  })

/** Words that stand side by side are quoted together. */
function wordsRead(judged: Judged, places: Iterable<number>): ReadAs[] {
  const { tokens, elements } = judged
  const quotes: { start: number; end: number; name: string | typeof HARMLESS }[] = []
  for (const at of places) {
    const token = tokens[at] as Token
    const name = token.isFree || token.at < 0 ? TIED : readAs(judged, at)
    const last = quotes.at(-1)
    if (name === TIED) continue
    if (last && last.name === name && isBeside(tokens, last.end, at)) last.end = at + 1
    else quotes.push({ start: at, end: at + 1, name })
  }
  const read = quotes.map(({ start, end, name }) => ({
    words: textOf(tokens, start, end),
    ...(name !== HARMLESS && { name }),
  }))
  const near = elements.flatMap(({ near: words, name }) => (words === undefined ? [] : [{ words, name }]))
  return [...near, ...read.filter(({ name }) => name !== undefined), ...read.filter(({ name }) => name === undefined)]
}

const textOf = (tokens: readonly Token[], start: number, end: number) =>
  tokens.slice(start, end).flatMap(({ at, text }) => (at < 0 ? [] : [text])).join(' ') // prettier-ignore

/** Where all words are tied, the answer says which of them name what the plan measures. */
function namedIn({ tokens, edges }: Judged, element: PlanElement | undefined): ReadAs[] {
  if (!element) return []
  const isOwn = (edge: Edge) =>
    element.topics.length === 0
      ? /^(land|size|frames|measure|state|lga|ward)$/.test(edge.category)
      : /^(adjective|most-of)$/.test(edge.category) ||
        (NAMES.has(edge.category) && topicsOf(edge).some((topic) => isTopicOf([element], topic)))
  const [own] = edges.filter(isOwn).toSorted((a, b) => b.to - b.from - a.to + a.from)
  const words = own ? textOf(tokens, own.from, own.to) : element.words.split(' ').slice(0, WORDS_MAX).join(' ')
  // "The second most widespread land cover" counts frames of it.
  return [{ words, name: element.name === 'Frames' ? (element.topics[0]?.label ?? element.name) : element.name }]
}
const WORDS_MAX = 3

/** Only words that ask for nothing stand between. */
const isBeside = (tokens: readonly Token[], from: number, to: number) =>
  tokens.slice(from, to).every(({ isFree, at }) => isFree && at >= 0)

const TIED = Symbol('tied')
const HARMLESS = Symbol('harmless')

/** The name that only the plan ties the word to. */
function readAs(judged: Judged, at: number): string | typeof TIED | typeof HARMLESS {
  const { tokens, elements } = judged
  const token = tokens[at] as Token
  const isAt = ({ from, to }: Edge) => from <= at && at < to
  const slip = judged.slips.find((edge) => isAt(edge) && isTied(judged, edge))
  if (slip) return placeName((slip.value as PlaceNamed).levels[0]?.names[0] ?? token.text)
  const edges = judged.edges.filter(
    (edge) => isAt(edge) && !SAYS_NOTHING.has(edge.category) && !isOfLongerName(judged, edge, at),
  )
  const named = edges.filter(({ category }) => NAMES.has(category))
  // "Or" of "rural or urban" is no part of a name by itself.
  const isPlain = named.length === edges.length
  if (
    hasWord(
      elements.flatMap(({ near }) => near ?? []),
      token,
    )
  )
    return TIED
  if (edges.some((edge) => isTied(judged, edge)) || isOfNumber(judged, token)) return TIED
  // Another word may be spelled as nearly, so it is said which one is read.
  if (isPlain && (isOfNames(judged, token) || isOfWhatItDoes(judged, token))) return token.isGuess ? token.word : TIED
  if (hasWord(judged.harmless, token)) {
    const carriesNothing = isHarmless(token, edges)
      ? !isCounted(judged, at)
      : isRestated(judged, at) || isIdle(judged, at, edges)
    refuseIf(!carriesNothing && !isPreamble(judged, at), `"${token.text}" is passed over`)
    return HARMLESS
  }
  const isOfDataset = named.flatMap(topicsOf).some((topic) => isOfLayer(elements, topic))
  const isKnown = named.length > 0 || CHANGING.test(token.word) || /^\d/.test(token.word)
  refuseIf(edges.length > named.length && named.length === 0, `"${token.text}" is passed over`)
  refuseIf(named.length > 0 && named.every(({ category }) => category === 'place'), 'a place is passed over')
  refuseIf(isKnown && !isOfDataset, named.length > 0 ? 'a name of the catalogue is passed over' : `"${token.text}" is passed over`) // prettier-ignore
  return nameOf(judged, at, named.length > 0)
}

/** A word that changes what is asked, and that no plan computes. */
const CHANGING =
  /^(percentile|quantile|quartile|decile|deviation|variance|correlation|why|when|whom|will|would|could|might|should|if|unless|until|before|after|since|during|ago|last|next|previous|same|other|only|never|almost|countr(y|ies)|nation(al|wide)?)$/
/** They join others, or are of any figure. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['name', 'proper', 'verb', 'comma', 'rate', 'pronoun', 'lastYear'])
const isHarmless = ({ word }: Token, edges: readonly Edge[]) =>
  !CHANGING.test(word) && edges.every(({ category }) => JOINING.has(category))

/** "How many teachers": they are what is asked. */
const isCounted = ({ tokens, edges }: Judged, at: number): boolean => {
  const before = tokens.findLastIndex(({ isFree }, i) => i < at && !isFree)
  return edges.some(({ category, to }) => category === 'count' && to === before + 1)
}

/** "Of the 60 wards", "what are the two": the question tells how many there are. */
const isRestated = ({ tokens, edges, count }: Judged, at: number): boolean =>
  edges.some(
    ({ category, value, from, to }) =>
      category === 'number' &&
      from === at &&
      to === at + 1 &&
      ((tokens[at - 1]?.word === 'of' && edges.some((next) => next.from === to && isOfThings(next.category))) ||
        (tokens[at]?.before === 'the' && count > 1 && value === String(count))),
  )

/** Words of the grammar that ask for nothing where they stand. */
function isIdle({ tokens, edges, elements }: Judged, at: number, own: readonly Edge[]): boolean {
  const { word = '' } = tokens[at] ?? {}
  const next = tokens.slice(at + 1).find(({ isFree }) => !isFree)
  const before = tokens.slice(0, at)
  switch (word) {
    case 'one':
      return /^(in|of|on)$/.test(next?.word ?? '') && !/^(with|has|have|over|than)$/.test(before.at(-1)?.word ?? '')
    case 'ground':
    case 'land':
    case 'terrain':
      return before.at(-1)?.word === 'on'
    case 'cover':
      return (next === undefined || next.at < 0) && before.some((each) => /^do(es)?$/.test(each.word))
    default:
      // "How big is a school, in pupils": the size is a property that is named.
      return (
        own.some(({ category }) => category === 'size') &&
        edges.some(({ category, value, from }) => category === 'property' && tokens[from - 1]?.word === 'in' && isTopicOf(elements, value as Topic)) // prettier-ignore
      )
  }
}
const isOfThings = (category: string) => category === 'features' || category === 'frames' || isUnitLevel(category)

const OF_ASKER = /^(as|i|im|ive|we|my|our)$/
/** "As a health planner, ...": what the asker tells before the question, up to a mark. No place stands in it. */
function isPreamble({ tokens, edges }: Judged, at: number): boolean {
  const end = tokens.findIndex((token, i) => i > 0 && token.at < 0)
  const isPlaced = edges.some(({ category, to }) => category === 'place' && to <= end)
  return OF_ASKER.test(tokens[0]?.word ?? '') && at < end && !isPlaced
}

/** "How many frames", "how many schools": the plan counts them. */
function holdCounted(judged: Judged): void {
  const { tokens, edges, does } = judged
  for (const { to: end } of edges.filter(({ category }) => category === 'count')) {
    const at = tokens.findIndex(({ isFree }, i) => i >= end && !isFree)
    const things = edges.find(({ category, from }) => from === at && isOfThings(category))
    // "How many square miles".
    if (edges.some(({ category, from }) => category === 'measure' && from === at)) continue
    if (!things || edges.some(({ category, from }) => category === 'property' && from <= things.to && from >= at))
      continue
    const of = things.category === 'features' ? (layerOf(things.value as Topic) ?? '') : things.category
    refuseIf(!does.has(`counted:${of}`) && !does.has('distinct'), 'the things that are counted are passed over')
  }
}

/**
 * The name of the element that reads the word. Of several, those of the fewest words are the nearest. Where other words
 * name that, the word is its statistic, its order or its comparison; or it carries nothing.
 */
function nameOf(judged: Judged, at: number, isName: boolean): string | typeof HARMLESS {
  const token = judged.tokens[at] as Token
  const having = judged.elements.filter(({ words }) => hasWord([words], token))
  refuseIf(having.length === 0, 'words that nothing accounts for')
  const fewest = Math.min(...having.map(({ words }) => words.length))
  const nearest = having.filter(({ words }) => words.length === fewest)
  const unnamed = nearest.filter((element) => !isNamed(judged, element))
  const said = new Set(judged.edges.flatMap(saidBy))
  const does = nearest
    .flatMap((element) => element.does)
    .flatMap((fact) => (said.has(fact) ? [] : (DOES_TEXT[fact] ?? [])))
  const isOfSubject = unnamed.length > 0 || isName || isCounted(judged, at)
  const names = isOfSubject ? (unnamed.length > 0 ? unnamed : nearest).map(({ name }) => name) : does
  return names.length === 0 ? HARMLESS : [...new Set(names)].join('; ')
}

/** Words of the question name what the element measures or tests. */
function isNamed({ edges, tokens, catalogue: { stemOf } }: Judged, { topics, values, name }: PlanElement): boolean {
  const [topic] = topics
  const [value] = values
  // A place stands in the question by its name.
  if (!topic) return namedBy(name)?.some((cue) => edges.some(({ category }) => category === cue)) ?? true
  const own = value ? { topics: [], values: [value] } : { topics: [topic], values: [] }
  const asked = new Set(tokens.map(({ word }) => stemOf(word)))
  const names = value ? [value.value] : [...topic.names, topic.unit ?? '', topic.label.split(',')[0] ?? '']
  const areAsked = (words: readonly string[]) => words.length > 0 && words.every((word) => asked.has(stemOf(word)))
  const isOwn = (edge: Edge) =>
    NAMES.has(edge.category) && isTopicOrClass([{ words: '', name, does: [], ...own }], edge)
  return edges.some(isOwn) || names.some((text) => areAsked(plainWordsOf(text)))
}
const NAMED_BY: Readonly<Record<string, readonly string[]>> = {
  Frames: ['frames'],
  Area: ['land', 'size', 'extent'],
}
function namedBy(name: string): readonly string[] | undefined {
  const level = UNIT_LEVELS.find((each) => levelPlural(each) === name)
  return NAMED_BY[name] ?? (level && [level])
}
