/** Turns the words of a question into items: names of the catalogue, cues of the language, numbers, and what is left. */
import type { Catalogue } from './catalogue.js'
import type { Topic } from './topic.js'
import { CUE_WORDS, cueAt, type Cue } from './cues.js'
import { isEnglish } from './english.js'
import { FUNCTION_WORDS } from './lexicon.js'
import { isFiller, spansIn, type Comparable, type NameIndex, type NameMeaning, type Span } from './names.js'
import { correctionOf } from './typos.js'
import type { NamedPlace } from './reading.js'
import type { Word } from './words.js'

/** `isPointed`: "this" or "our" stands before it. */
export type Item = { start: number; end: number; mark: Word['mark']; text: string; isPointed: boolean } & (
  | { kind: 'topic'; meanings: NameMeaning[]; isWeak: boolean; isDataset: boolean }
  | { kind: 'class'; meanings: NameMeaning[] }
  | { kind: 'detail'; meanings: NameMeaning[] }
  | { kind: 'number'; number: string; isPercent: boolean; unit: string }
  | { kind: 'year'; year: number }
  | ({ kind: 'cue' } & Cue)
  | { kind: 'place'; place: NamedPlace }
  | { kind: 'unknown' }
)

export type ClassItem = Extract<Item, { kind: 'class' }>

const YEAR = /^(?:19|20)\d\d$/
const MULTIPLES: Record<string, number> = { k: 3, m: 6, bn: 9 }

/** "5,000", "5k" and "1.5 million" as plain decimals. */
function numberIn(word: string): { number: string; unit: string } | undefined {
  const found = /^(\d+(?:[.,]\d+)*)\s?(%|[a-z][a-z0-9]*)?$/.exec(word)
  if (!found) return undefined
  const plain = (found[1] ?? '').replace(/,(?=\d{3}(?:\D|$))/g, '')
  if (!/^\d+(\.\d+)?$/.test(plain)) return undefined
  const places = MULTIPLES[found[2] ?? '']
  if (found[2] === 'k' && places !== undefined) return { number: shifted(plain, places), unit: '' }
  return { number: plain, unit: found[2] ?? '' }
}

function shifted(decimal: string, places: number): string {
  const [whole = '0', part = ''] = decimal.split('.')
  const digits = part.padEnd(places, '0')
  const rest = digits.slice(places)
  return (whole + digits.slice(0, places)).replace(/^0+(?=\d)/, '') + (rest === '' ? '' : `.${rest}`)
}

function comparable({ names, stemOf }: Catalogue, words: readonly Word[]): Comparable {
  return words.map(({ word, mark, isSlashed }, i) => {
    const isKnown =
      FUNCTION_WORDS.has(word) ||
      CUE_WORDS.has(word) ||
      names.stems.has(stemOf(word)) ||
      /\d/.test(word) ||
      isEnglish(word)
    const plain = isKnown
      ? word
      : (singularOf(names, stemOf, word) ?? correctionOf(word, names.vocabulary.get(word[0] ?? '') ?? []) ?? word)
    return { word: plain, stem: stemOf(plain), isBroken: i > 0 && mark !== '' && !isSlashed }
  })
}

/** The plural of an abbreviation: "PHCs". */
const singularOf = ({ stems }: NameIndex, stemOf: Catalogue['stemOf'], word: string): string | undefined => {
  const one = word.replace(/s$/, '')
  return one !== word && stems.has(stemOf(one)) ? one : undefined
}

export function itemsOf(catalogue: Catalogue, words: readonly Word[]): Item[] {
  const compared = comparable(catalogue, words)
  const spans = new Map(spansIn(compared, catalogue.names).map((span) => [span.start, span]))
  const items: Item[] = []
  for (let i = 0; i < words.length;) {
    const span = spans.get(i)
    const item =
      longerCue(words, compared, span) ??
      spanItem(words, compared, span) ??
      cueItem(words, compared, i, spans) ??
      wordItem(words, compared, i)
    if (item.item) items.push(item.item)
    i = item.end
  }
  return items
}

type Step = { item: Item | undefined; end: number }
const base = (words: readonly Word[], start: number, end: number) => ({
  start,
  end,
  mark: words[start]?.mark ?? '',
  isPointed: /^(this|these|our|my|your|that|whole)$/.test(words[start - 1]?.word ?? ''),
  text: words
    .slice(start, end)
    .map(({ text }) => text)
    .join(' '),
})

/** "Land area" is longer than the name "land". */
function longerCue(words: readonly Word[], compared: Comparable, span: Span | undefined): Step | undefined {
  if (!span) return undefined
  const plain = compared.slice(span.start).map(({ word }) => word)
  const found = cueAt(plain, 0)
  const end = span.start + (found?.length ?? 0)
  if (found?.cue.cue !== 'size' || end <= span.end) return undefined
  return { item: { ...base(words, span.start, end), kind: 'cue', ...found.cue }, end }
}

function spanItem(words: readonly Word[], compared: Comparable, span: Span | undefined): Step | undefined {
  if (!span) return undefined
  const { start, end, kind, meanings } = span
  const place = base(words, start, end)
  if (kind === 'class') return { item: { ...place, kind: 'class', meanings }, end }
  if (kind === 'detail') return { item: { ...place, kind: 'detail', meanings }, end }
  const text = compared.slice(start, end).map(({ word }) => word)
  const cue = cueAt(text, 0)
  const isWeak =
    cue?.length === text.length &&
    (cue.cue.cue === 'unit' || cue.cue.cue === 'ground' || cue.cue.cue === 'frames' || cue.cue.cue === 'size')
  return { item: { ...place, kind: 'topic', meanings, isWeak, isDataset: kind === 'dataset' }, end }
}

/** A cue ends before the next name. A bound needs a number after it: "over 300", but "all over". */
function cueItem(
  words: readonly Word[],
  compared: Comparable,
  i: number,
  spans: ReadonlyMap<number, Span>,
): Step | undefined {
  let end = i + 1
  while (end < words.length && !spans.has(end) && words[end]?.mark === '') end++
  const plain = compared.slice(i, end).map(({ word }) => word)
  let found = cueAt(plain, 0)
  if (found?.cue.cue === 'bound' && !numberFollows(compared, i + found.length) && !numberPrecedes(compared, plain, i))
    found = fallback(plain[0] ?? '')
  if (!found) return undefined
  return { item: { ...base(words, i, i + found.length), kind: 'cue', ...found.cue }, end: i + found.length }
}

const PLACING = new Set(['over', 'within', 'under', 'between', 'beyond', 'above', 'below'])
const fallback = (word: string) => (PLACING.has(word) ? { cue: { cue: 'in' } as const, length: 1 } : undefined)

function numberFollows(compared: Comparable, from: number): boolean {
  return compared.slice(from, from + 2).some(({ word }) => {
    const found = cueAt([word], 0)
    return numberIn(word) !== undefined || found?.cue.cue === 'number'
  })
}

/** "3 or more", "8 minutes or less". */
const numberPrecedes = (compared: Comparable, plain: readonly string[], i: number) =>
  plain[0] === 'or' && compared.slice(Math.max(0, i - 2), i).some((_, k, all) => numberFollows(all, k))

/** "Good day" says nothing, "market day" does. */
const DAYTIMES = /^(day|morning|afternoon|evening)$/

function wordItem(words: readonly Word[], compared: Comparable, i: number): Step {
  const place = base(words, i, i + 1)
  const { word } = compared[i] ?? { word: '' }
  if (YEAR.test(word)) return { item: { ...place, kind: 'year', year: Number(word) }, end: i + 1 }
  const found = numberIn(word)
  if (found)
    return {
      item: { ...place, kind: 'number', number: found.number, isPercent: found.unit === '%', unit: found.unit },
      end: i + 1,
    }
  // "Elevation wise": the word before is the topic.
  if (word === 'wise' && i > 0) return { item: undefined, end: i + 1 }
  const isGreeting = !DAYTIMES.test(word) || compared[i - 1]?.word === 'good'
  if (isGreeting && (isFiller(word) || FUNCTION_WORDS.has(word))) return { item: undefined, end: i + 1 }
  return { item: { ...place, kind: 'unknown' }, end: i + 1 }
}

/** Topics that two names of one place may both mean, with no topic twice. */
export const topicsOfMeanings = (meanings: readonly NameMeaning[]): Topic[] => [
  ...new Set(meanings.map(({ topic }) => topic)),
]
