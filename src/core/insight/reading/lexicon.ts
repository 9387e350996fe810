/** The words of a question as edges of the chart: names of the catalogue and of the index, numbers, units of measure and cues. */
import { SCALE_VALUES, unitOfMeasureAt, valueOfWords, WORD_VALUES } from '../../numbers/index.js'
import { type UnitLevel, UNIT_LEVELS } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import type { Edge } from './chart.js'
import { cuesAt, isArticle, isFreeWord } from './cues.js'
import { comparable, numberIn } from './items.js'
import { type NameMeaning, namesIn } from './names.js'
import { isOfUnits, type Topic } from './topic.js'
import type { Word } from './words.js'

/** A word of the question; a mark is a word of its own. */
export type Token = { word: string; text: string; before: string; isFree: boolean; at: number }
export type ClassNamed = { topic: Topic; value: string }
export type PlaceNamed = { level: UnitLevel; names: string[]; text: string }

const MARKS = { weak: ',', strong: ';' } as const

export function tokensOf(words: readonly Word[]): Token[] {
  return words.flatMap(({ word, text, mark, isSlashed }, at): Token[] => {
    const own = { word, text, before: words[at - 1]?.word ?? '', isFree: isFreeWord(word), at }
    const isMarked = mark !== '' && !isSlashed && at > 0
    const sign = isMarked ? [{ word: MARKS[mark], text: MARKS[mark], before: '', isFree: false, at: -1 }] : []
    return isArticle(word) ? sign : [...sign, own]
  })
}

/** `level`: the figures are those of such a unit, which "the state" means. */
export function edgesOf(
  catalogue: Catalogue,
  words: readonly Word[],
  tokens: readonly Token[],
  level?: string,
): Edge[] {
  const plain = tokens.map(({ word }) => word)
  const edges: Edge[] = []
  const add = ([from, to]: readonly [number, number], category: string, value: unknown, cost = 0) =>
    edges.push({ from, to, category, value, cost })
  for (const [at, token] of tokens.entries()) {
    for (const { cue, length } of cuesAt(plain, at))
      if (!isOtherwise(cue.kind, tokens, at + length))
        add([at, at + length], cue.kind, 'bound' in cue ? cue.bound : 'name' in cue ? cue : true)
    // "To a school", "on a square mile": a rate.
    if (/^(on|to)$/.test(token.word) && /^an?$/.test(tokens[at + 1]?.before ?? ''))
      add([at, at + 1], 'rate', token.word)
    const isWhole = token.word === level || (level === 'lga' && /^(lga|local government)$/.test(token.word))
    if (isWhole && (/^(the|this|whole|entire)$/.test(token.before) || level === 'country'))
      add([at, at + 1], 'here', true)
    if (/^frames?$|^area$/.test(token.word) && /^(these|this)$/.test(token.before)) add([at, at + 1], 'here', true)
    if (/^(live|lives|living|is|are|lie|lies|stand|stands)$/.test(token.word)) add([at, at + 1], 'verb', true)
    if (token.word === ',') add([at, at + 1], 'comma', true)
    const number = numberAt(plain, at)
    if (number)
      add(
        [at, at + number.length],
        /^(19|20)\d\d$/.test(number.value) && number.length === 1 ? 'year' : 'number',
        number.value,
      )
    if (number && /^(19|20)\d\d$/.test(number.value)) add([at, at + number.length], 'number', number.value, 1)
    const ordinal = ORDINALS.indexOf(token.word)
    if (ordinal > 0) add([at, at + 1], 'ordinal', ordinal + 1)
    const glued = numberIn(token.word)
    const own = glued?.unit ? unitOfMeasureAt([glued.unit], 0) : undefined
    if (glued && own) add([at, at + 1], 'quantity', { number: glued.number, unit: own.unit })
    for (const [value, end, isBefore] of namesAt(tokens, at)) {
      add([at, end], 'name', value)
      if (isBefore) add([at, end], 'proper', value)
    }
    const measure = unitOfMeasureAt(plain, at)
    if (measure) add([at, at + measure.length], 'measure', measure.unit)
  }
  const tokenAt = new Map(tokens.map(({ at }, i) => [at, i]))
  for (const { start, end, meanings, kind, near } of spansOf(catalogue, words)) {
    const from = tokenAt.get(start)
    const last = tokenAt.get(end - 1)
    if (from === undefined || last === undefined || kind === 'dataset') continue
    for (const { category, value, cost } of fragmentsOf(meanings, near)) add([from, last + 1], category, value, cost)
  }
  return edges
}

/** "What is an urban index?" asks for no figure, and "the lowest estimate" for none of a frame. */
function isOtherwise(cue: string, tokens: readonly Token[], from: number): boolean {
  const next = tokens.slice(from).find(({ isFree }) => !isFree)
  if (cue === 'which') return /^an?$/.test(next?.before ?? '')
  return /^(most|least|highest|lowest)$/.test(cue) && (next?.word.startsWith('estimate') ?? false)
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

function spansOf(catalogue: Catalogue, words: readonly Word[]) {
  const compared = comparable(catalogue, words)
  return namesIn(compared, catalogue.names, catalogue.units)
    .filter(({ start, end }) => !compared.slice(start, end).some(({ isGuess }) => isGuess))
    .map((span) => ({
      ...span,
      near: words.slice(span.start, span.end).map(({ text }) => text).join(' '), // prettier-ignore
    }))
}

/** Two topics of one name are two edges, and the names of one place at several levels are the largest. */
function fragmentsOf(
  meanings: readonly NameMeaning[],
  text: string,
): { category: string; value: unknown; cost: number }[] {
  const places = UNIT_LEVELS.flatMap((unit) => {
    const names = meanings.flatMap(({ topic: { subject }, value }) =>
      subject.kind === 'index' && subject.figure === unit && value !== undefined ? [value] : [],
    )
    return names.length > 0 ? [{ level: unit, names, text }] : []
  })
  const topics = meanings
    .filter(({ topic, value }) => value === undefined && !isOfUnits(topic))
    .map(({ topic }) => topic)
  const classes = meanings.flatMap(({ topic, value }) =>
    value !== undefined && topic.subject.kind !== 'index' && !isOfUnits(topic) ? [{ topic, value }] : [],
  )
  const series = [...new Set(topics.map((topic) => topic.series))].map((name) =>
    topics.filter((topic) => topic.series === name),
  )
  return [
    ...places.map((value, i) => ({ category: 'place', value, cost: i })),
    ...series.flatMap((same) => {
      const [topic] = same
      if (!topic) return []
      const { subject, type } = topic
      if (type === 'features') return [{ category: 'features', value: topic, cost: 0 }]
      if (subject.kind !== 'property') return [{ category: type === 'number' ? 'series' : 'category', value: type === 'number' ? same : topic, cost: 0 }] // prettier-ignore
      if (type === 'number') return [{ category: 'property', value: topic, cost: 0 }]
      return [{ category: isFlag(topic) ? 'flag' : 'kind', value: topic, cost: 0 }]
    }),
    ...classes.map((value) => ({ category: value.topic.subject.kind === 'property' ? 'feature-class' : 'class', value, cost: 0 })), // prettier-ignore
  ]
}

/** Words with a capital are a name: the last of a feature is what it is, "Lagoon Road". */
function namesAt(tokens: readonly Token[], at: number): [name: string, end: number, isBefore: boolean][] {
  const isName = (token: Token | undefined) => /^\p{Lu}/u.test(token?.text ?? '')
  const found: [string, number, boolean][] = []
  if (at === 0) return found
  for (let end = at + 1; isName(tokens[end - 1]); end++)
    found.push([tokens.slice(at, end).map(({ word }) => word).join(' '), end, isName(tokens[end])]) // prettier-ignore
  return found
}

const isFlag = ({ classes }: Topic) => classes.length > 0 && classes.every((value) => /^(true|false)$/.test(value))

/** "5,000", "five thousand", "5 thousand". */
function numberAt(words: readonly string[], at: number): { value: string; length: number } | undefined {
  const isWord = (word = '') => WORD_VALUES.has(word) || SCALE_VALUES.has(word)
  const digits = numberIn(words[at] ?? '')
  let end = at
  while (
    isWord(words[end]) ||
    (words[end] === 'and' && end > at && SCALE_VALUES.has(words[end - 1] ?? '') && isWord(words[end + 1]))
  )
    end++
  if (end > at) return { value: valueOfWords(words.slice(at, end).join(' ')), length: end - at }
  if (!digits || digits.unit !== '') return undefined
  const scale = SCALE_VALUES.get(words[at + 1] ?? '')
  if (scale === undefined) return { value: digits.number, length: 1 }
  return digits.number.includes('.') ? undefined : { value: String(BigInt(digits.number) * scale), length: 2 }
}
