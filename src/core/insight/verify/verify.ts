/** Checks that every number of a narrative is a figure of its answer. */
import { defined } from '../../defined.js'
import { type Notes, noteSentences } from '../notes.js'
import type { LabelledValue } from '../../figures/index.js'
import { countedUnit, nounOf, type NumberInText, readNumbers } from '../../numbers/index.js'
import {
  isLengthOfList,
  isRankOf,
  isStated,
  numbersOfLabel,
  numbersOfValue,
  type Stated,
  type StatedFacet,
  type StatedSource,
} from './stated.js'

/** A narrative may state these facts and no others. */
export type AnswerFacts = {
  /** The headline without its notes, which quote the question. */
  headlineFigures: string
  facets: readonly StatedFacet[]
  /** The answer is about this many frames. */
  frames: number
  frameIds: readonly string[]
}
/** An answer, as the API returned it, or a part of it. */
export type ReturnedAnswer = Pick<AnswerFacts, 'frameIds'> & {
  headline: string
  facets: readonly LabelledValue[]
  sources?: readonly (StatedSource & { label: string })[]
  frames?: number
  notes?: Notes
}

/** Without its notes, nothing of a headline is known to be a figure. */
export function factsOf(answer: ReturnedAnswer): AnswerFacts {
  const { headline, notes, frameIds, frames = frameIds.length } = answer
  const before = notes && noteSentences(notes).join(' ')
  const headlineFigures = before !== undefined && headline.startsWith(before) ? headline.slice(before.length) : ''
  const sources = new Map(answer.sources?.map((source) => [source.label, source]))
  const facets = answer.facets.map((facet) => ({ ...facet, ...defined({ source: sources.get(facet.label) }) }))
  return { headlineFigures, facets, frameIds, frames }
}

/** The text holds this number, and no figure does. */
export type Unaccounted = { text: string; at: number; why: string }
/** Tests put another check in the place of unaccountedNumbers. */
export type CheckNumbers = (narrative: string, facts: AnswerFacts) => Unaccounted[]

export function unaccountedNumbers(narrative: string, facts: AnswerFacts): Unaccounted[] {
  const { ids, names, values } = knownOf(facts)
  const text = masked(masked(narrative, ids, isCountAt), names)
  return readNumbers(text).flatMap((number) => {
    const end = number.at + number.text.length
    if (
      'why' in number
        ? isRankOf(number.text, sentenceAt(text, number.at), facts.facets)
        : isLengthOfList(number.value, text.slice(end, end + 40), facts.facets)
    )
      return []
    const why = whyUnaccounted(number, valuesAt(text, number, values), facts.frames)
    return why === undefined ? [] : [{ at: number.at, text: number.text, why }]
  })
}

/** A sentence is read so far on both sides: a hostile text has ordinals without an end. */
const SENTENCE_MAX = 300

/** The sentence that stands here, as far as it is read. */
function sentenceAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - SENTENCE_MAX), at)
  const after = text.slice(at, at + SENTENCE_MAX)
  const end = after.search(/[.!?](?:\s|$)|\n/)
  return (
    before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n')) + 1) +
    (end < 0 ? after : after.slice(0, end))
  )
}

type KnownFacts = { ids: FoldedNames; names: FoldedNames; values: KnownValues }

/** A menu has a hundred sentences about the same facts. */
const knownByFacts = new WeakMap<AnswerFacts, KnownFacts>()

function knownOf(facts: AnswerFacts): KnownFacts {
  const found = knownByFacts.get(facts)
  if (found) return found
  const ids = indexNames(facts.frameIds)
  const names = indexNames(namesWithNumbers(facts))
  const known = { ids, names, values: knownValues(facts, ids, names) }
  knownByFacts.set(facts, known)
  return known
}

/** The units and the nouns that stand behind each value among the facts. */
type KnownValues = ReadonlyMap<string, Stated[]>

/** The figures of this value that the text may state here. */
function valuesAt(text: string, number: NumberInText, values: KnownValues): Stated[] {
  if ('why' in number) return []
  const end = number.at + number.text.length
  const isYear = /^\d{4}$/.test(number.text)
  return (values.get(number.value) ?? []).filter(
    (each) => isStated(text, number.at, end, each) && (each.noun !== 'year' || isYear),
  )
}

function whyUnaccounted(number: NumberInText, figures: readonly Stated[], frames: number): string | undefined {
  if ('why' in number) return number.why
  const { value, unit, noun } = number
  if (value === String(frames) && noun === undefined && (unit === undefined || unit === 'frame')) return undefined
  if (figures.length === 0) return 'no figure has this value'
  if (noun !== undefined && figures.every((each) => each.noun !== undefined && each.noun !== noun))
    return 'the figure with this value counts something else'
  // A text may say "12.5" for 12.5 m, but never "45" for 45 %.
  const isOfUnit = figures.some((each) => each.unit === unit || (unit === undefined && each.unit !== '%'))
  return isOfUnit ? undefined : 'the figure with this value has another unit'
}

function knownValues({ headlineFigures, facets }: AnswerFacts, ids: FoldedNames, names: FoldedNames): KnownValues {
  const found = new Map<string, Stated[]>()
  const keep = (stated: Stated) => found.set(stated.value, [...(found.get(stated.value) ?? []), stated])
  const read = (text: string, source?: StatedSource, counted?: string) => {
    for (const { value, unit, noun = unit, ...words } of numbersOfValue(masked(masked(text, ids), names), source))
      keep({ ...words, value, unit, noun: noun ?? counted })
  }
  for (const facet of facets) {
    // A count of features stands without its noun, which is the label.
    read(facet.value, facet.source, /^[\d,]+$/.test(facet.value) ? nounOf(` ${facet.label}`) : undefined)
    for (const stated of numbersOfLabel(facet)) keep(stated)
    const frames = facet.source?.frames
    if (frames !== undefined) keep({ value: String(frames), unit: 'frame', noun: 'frame' })
  }
  // A headline says on how many frames a figure stands. The facets know the figures, and behind which words each may be.
  const ofFacets = new Set(found.keys())
  for (const { value, unit, noun = unit } of numbersOfValue(masked(masked(headlineFigures, ids), names), undefined))
    if (!ofFacets.has(value)) keep({ value, unit, noun })
  return found
}

/**
 * Finds the names that hold numbers. A narrative may quote each as a whole. A value that
 * does not begin with a number is a name, without the share behind it ("GRA 2", "Gate 7 (12 of 20 frames)",
 * "Rumueme (7A)"). So is the place of "515 pupils at Kofa College 50". So are a label and each of its parts ("2026
 * estimate"), and the frames that it is limited to ("frames where Population is above 5,000 people"). A list has a name
 * before each of its numbers, or behind their count: "GRA 2 (40 people), KOFA (7 people)", "2 wards: GRA 2; KOFA".
 */
function namesWithNumbers({ facets }: AnswerFacts): Set<string> {
  const values = facets.flatMap(({ value }) => {
    if (/^(?:between |an? (?:in|de)crease of |not defined \()?[-+−$€£₦¥]?\d/.test(value))
      return [...(NAMED_PLACE.exec(value)?.slice(1) ?? []), ...listedNames(value)]
    if (SHARE.test(value)) return [value.replace(SHARE, '')]
    if (LIST.test(value)) return value.split('), ').map((item) => item.split(' (')[0] ?? '')
    return [value, ...value.split('; ')].flatMap((item) => [item, item.replace(/ \([^()]*\)$/, '')])
  })
  const labels = facets.flatMap(({ label }) => [label, ...label.split(', '), ...label.split(', on ').slice(1)])
  const distinct = [...new Set([...values, ...labels])]
  return new Set(distinct.filter((name) => /[\p{L}]/u.test(name) && readNumbers(name).length > 0))
}

const NAMED_PLACE = / at (\p{Lu}[^,;()]*)$/u
/** "2 of 4 wards: GATE 7; TWIN WELLS and 3 more" */
const listedNames = (value: string) =>
  value
    .replace(/ and [\d,]+ more$/, '')
    .split(': ')
    .slice(1)
    .join(': ')
    .split(/[;,] /)
const LIST = /\), [^()]*\(|^[^()]* \(-?\d[\d,.]*(?: [^()]*)?\)/
const SHARE = / \([^()]* of [^()]*\)$/

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character)

/** A name in lower case, and its last word. */
type FoldedName = { folded: string; last: string }
/** Holds names by their first word. A text is searched only for names whose first and last word it has. */
type FoldedNames = ReadonlyMap<string, readonly FoldedName[]>

/** isWordCharacter looks at one unit of UTF-16: a letter of two units is none here either. */
const TEXT_WORDS = /(?:(?![\u{10000}-\u{10ffff}])[\p{L}\p{M}\p{N}_])+/gu

function indexNames(names: Iterable<string>): FoldedNames {
  const index = new Map<string, FoldedName[]>()
  for (const name of names) {
    if (name === '') continue
    const folded = name.toLowerCase()
    const words = folded.match(TEXT_WORDS) ?? ['']
    const [first = ''] = words
    const known = index.get(first) ?? []
    known.push({ folded, last: words.at(-1) ?? '' })
    index.set(first, known)
  }
  return index
}

/** "322074005 people" states a number, though a frame has this id; "frame 322074005" names the frame. */
function isCountAt(text: string, at: number, end: number): boolean {
  const after = text.slice(end, end + 40)
  if (countedUnit(after) === undefined && nounOf(after) === undefined) return false
  return !/(?:\b(?:frames?|ids?|and|or) |, )$/i.test(text.slice(Math.max(0, at - 8), at))
}

type IsExcepted = (text: string, at: number, end: number) => boolean

/** Writes ~ over each name that stands in the text as a whole. Every other character keeps its place. */
function masked(text: string, names: FoldedNames, isExcepted: IsExcepted = () => false): string {
  const folded = text.toLowerCase()
  if (folded.length !== text.length) return text
  const isMasked = new Uint8Array(text.length)
  const words = new Set(['', ...(folded.match(TEXT_WORDS) ?? [])])
  for (const { folded: wanted, last } of [...words].flatMap((word) => names.get(word) ?? [])) {
    if (!words.has(last)) continue
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
      const end = at + wanted.length
      if (standsWhole(text, at, end) && !isExcepted(text, at, end)) isMasked.fill(1, at, end)
    }
  }
  return Array.from(isMasked, (mask, at) => (mask === 1 ? '~' : text.charAt(at))).join('')
}

/** "GRA 2" does not stand whole in "GRA 22", "GRA 2.5" or "GRA 2 %". */
function standsWhole(text: string, at: number, end: number): boolean {
  if (isWordCharacter(text[at - 1]) || isWordCharacter(text[end])) return false
  if (/^ ?(?:%|per ?cent)/i.test(text.slice(end, end + 10))) return false
  return !/^[.,]\d/.test(text.slice(end, end + 2)) && !/\d[.,]$|[-−]$/.test(text.slice(Math.max(0, at - 2), at))
}
