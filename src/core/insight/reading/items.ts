/** Turns the words of a question into items: names of the catalogue, phrases of the language, numbers, and what is left. */
import { defined } from '../../defined.js'
import type { Catalogue } from './catalogue.js'
import { SCALE_VALUES, WORD_VALUES } from '../../numbers/index.js'
import { type Comparable, correctionOf, type NameMeaning, type Span, spansIn } from './names.js'
import { type Cue, CUE_WORDS, cueAt, isIgnored } from './phrases.js'
import type { Topic } from './topic.js'
import { COUNT, type Word } from './words.js'

/**
 * `before`: the word before it, which may be ignored: "this". `isGuess`: it is spelled as no word that is known.
 * `near`: the words that it is read as, where it has a slip of the keyboard.
 */
export type Item = {
  start: number
  end: number
  mark: Word['mark']
  text: string
  before: string
  isGuess?: true
  near?: string
} & (
  | { kind: 'topic'; topics: Topic[]; isDataset: boolean; isCounted: boolean }
  | { kind: 'class'; meanings: NameMeaning[] }
  | { kind: 'detail'; meanings: NameMeaning[] }
  | { kind: 'number'; number: string; unit: string; isYear: boolean; isOrdinal: boolean }
  /** A word for units or frames may be a name of the catalogue as well. */
  | ({ kind: 'cue'; topics: Topic[] } & Cue)
  | { kind: 'unknown' }
)
export type ItemOf<Kind extends Item['kind']> = Extract<Item, { kind: Kind }>
export type CueName = Cue['cue']

export const isCue = <Name extends CueName>(
  item: Item | undefined,
  ...cues: Name[]
): item is Extract<Item, { kind: 'cue'; cue: Name }> => item?.kind === 'cue' && (cues as string[]).includes(item.cue)

export const isPointed = ({ before }: Item) =>
  /^(this|these|those|that|our|my|your|whole|entire|selected|chosen|given)$/.test(before)
/** A plural asks for several groups: "which wards". */
export const isPlural = (item: Item | undefined) => /[^s]s$/i.test(item?.text ?? '')
export const isUnit = (item: Item | undefined) => isCue(item, 'state', 'lga', 'ward', 'unit')

/** "The LGA called Lakeside". */
export const isCalled = (item: Item | undefined) => isCue(item, 'names') && /^(called|named)$/i.test(item.text)

/** "What about the LGA Lagoon": words stand between, as they do not in "what LGA". */
export const isWhatAbout = (item: Item | undefined, next: Item | undefined) =>
  isCue(item, 'which') && /^what/i.test(item.text) && next !== undefined && next.start > item.end

/** Whether an item is of a kind, or has a cue. "unit" is each word for units. */
const isNamed = (item: Item, names: readonly string[]) =>
  names.some(
    (name) => name === item.kind || (item.kind === 'cue' && name === item.cue) || (name === 'unit' && isUnit(item)),
  )

/**
 * The items from a place that a pattern fits: "with|without topic !bound". A step is a choice of kinds and cues; "?" may
 * be missing, and "!" must not follow. No mark stands between the items.
 */
export function matchAt(
  items: readonly Item[],
  at: number,
  steps: readonly string[],
  isFirst = true,
): Item[] | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return []
  const item = items[at]
  const isFit =
    item !== undefined && (isFirst || item.mark === '') && isNamed(item, step.replace(/[!?]/, '').split('|'))
  if (step.startsWith('!')) return isFit ? undefined : matchAt(items, at, rest, isFirst)
  const more = isFit ? matchAt(items, at + 1, rest, false) : undefined
  if (item && more) return [item, ...more]
  return step.endsWith('?') ? matchAt(items, at, rest, isFirst) : undefined
}

/** "5,000", "5k", "850m" and "3rd". */
export function numberIn(word: string): { number: string; unit: string } | undefined {
  const found = /^(\d+(?:[.,]\d+)*)\s?(%|[a-z][a-z0-9]*)?$/.exec(word)
  const plain = (found?.[1] ?? '').replace(/,(?=\d{3}(?:\D|$))/g, '')
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined
  const unit = found?.[2] ?? ''
  return unit === 'k' && !plain.includes('.') ? { number: `${plain}000`, unit: '' } : { number: plain, unit }
}

/** The words of a question as they are spelled in the catalogue. */
export function comparable({ names, stemOf, units }: Catalogue, words: readonly Word[]): Comparable[] {
  const ofUnits = new Set([...units.keys()].flatMap((phrase) => phrase.split(' ')))
  return words.map(({ text, word, mark, isSlashed }, i) => {
    const isKnown =
      isIgnored(word) || ofUnits.has(word) || CUE_WORDS.has(word) || word === COUNT || names.stems.has(stemOf(word))
    // The plural of an abbreviation has no stem: "PHCs".
    const one = word.replace(/s$/, '')
    const isOfMany = !isKnown && names.stems.has(stemOf(one))
    const found = isKnown || isOfMany ? undefined : correctionOf(word, names.vocabulary)
    const plain = isOfMany ? one : (found?.word ?? word)
    const isBroken = i > 0 && mark !== '' && !isSlashed
    return {
      word: plain,
      stem: stemOf(plain),
      isBroken,
      isGuess: found?.isGuess === true,
      isNear: found?.isGuess === false,
      isCapital: /^\p{Lu}/u.test(text),
    }
  })
}

export function itemsOf(catalogue: Catalogue, words: readonly Word[]): Item[] {
  const compared = comparable(catalogue, words)
  const plain = compared.map(({ word }) => word)
  const spans = new Map(spansIn(compared, catalogue.names, catalogue.units).map((span) => [span.start, span]))
  const items: Item[] = []
  for (let i = 0; i < words.length;) {
    const span = spans.get(i)
    const end = endOfPhrases(words, i, span ? undefined : spans)
    const found = cueAt(plain.slice(i, end), 0)
    const item = itemAt({ words, plain, i, last: items.at(-1)?.end ?? 0 }, found, span)
    const isGuess = item && compared.slice(i, item.end).some((each) => each.isGuess)
    const isNear = item && !isGuess && compared.slice(i, item.end).some((each) => each.isNear)
    const near = isNear ? plain.slice(i, item.end).join(' ') : undefined
    if (item) items.push({ ...item, ...(isGuess && { isGuess }), ...defined({ near }) })
    i = item?.end ?? i + 1
  }
  return items
}

/** A phrase ends before a mark and before the next name. */
function endOfPhrases(words: readonly Word[], start: number, spans: ReadonlyMap<number, Span> | undefined): number {
  let end = start + 1
  while (end < words.length && words[end]?.mark === '' && spans?.has(end) !== true) end++
  return end
}

type SpanPlace = { words: readonly Word[]; plain: readonly string[]; i: number; last: number }
type FoundCue = ReturnType<typeof cueAt>

/** The words between two items may be ignored, though not the marks before them: "people, and the schools". */
function markBetween(words: readonly Word[], from: number, to: number): Word['mark'] {
  const marks = words.slice(from, to + 1).map(({ mark }) => mark)
  return marks.includes('strong') ? 'strong' : (marks.find((mark) => mark !== '') ?? '')
}

/** These phrases are meant where a name has the same words: "state", "area". */
const isWordOfPlaces = ({ cue }: Cue) => /^(state|lga|ward|unit|country|frames|size|extent|sum|ground)$/.test(cue)

function itemAt({ words, plain, i, last }: SpanPlace, found: FoundCue, span: Span | undefined): Item | undefined {
  const base = (end: number) => ({
    start: i,
    end,
    mark: markBetween(words, last, i),
    before: plain[i - 1] ?? '',
    text: words.slice(i, end).map(({ text }) => text).join(' '), // prettier-ignore
  })
  const length = span ? span.end - span.start : 0
  const topics = [...new Set((span?.meanings ?? []).map(({ topic }) => topic))]
  const isCueMeant = found && (length < found.length || (length === found.length && isWordOfPlaces(found.cue)))
  if (found && isCueMeant && !(span && isIgnorable(found.cue)))
    return { ...base(i + found.length), kind: 'cue', topics, ...found.cue }
  if (span) {
    const { end, kind, meanings } = span
    if (kind === 'class') return { ...base(end), kind, meanings }
    if (kind === 'detail') return { ...base(end), kind, meanings }
    const isCounted = plain[i] === COUNT || plain[i - 1] === COUNT
    return { ...base(end), kind: 'topic', topics, isDataset: kind === 'dataset', isCounted }
  }
  const word = plain[i] ?? ''
  const number = numberIn(word)
  const value = WORD_VALUES.get(word) ?? SCALE_VALUES.get(word)
  const isOrdinal = /^\d+(st|nd|rd|th)$/.test(word)
  if (number) return { ...base(i + 1), kind: 'number', ...number, isOrdinal, isYear: /^(?:19|20)\d\d$/.test(word) }
  if (value !== undefined)
    return { ...base(i + 1), kind: 'number', number: String(value), unit: '', isOrdinal, isYear: false }
  return isIgnored(word) ? undefined : { ...base(i + 1), kind: 'unknown' }
}

/** "In" and "of" stand between the words of names. */
const isIgnorable = ({ cue }: Cue) => /^(in|of|from)$/.test(cue)
