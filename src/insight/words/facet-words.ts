/** Reads from each facet which words describe it: its subject, its statistic, its year, its frame and its classes. */
import type { LabelledValue } from '../verify.js'
import type { Synonyms } from '../synonyms.js'
import { GRAMMAR_WORDS, isListedWord, SYNONYMS } from './vocabulary.js'

type FacetStatistic = 'total' | 'count' | 'average' | 'median' | 'low' | 'high' | 'mode' | 'frame' | 'plain' | 'other'

export type FacetWords = LabelledValue & {
  place: number
  /** It leaves the statistic, the year and the frame out of the label: "Population". A family has comparable facets. */
  family: string
  statistic: FacetStatistic
  /** This part of the label says the statistic: "average by area". */
  statisticText: string
  /** This part of the label holds a year: "2026 estimate". */
  yearText: string
  frameId: string | undefined
  /** A name has no number: "MAREMBE". A class has its share: "Urban (9 of 9 frames, 100 %)". */
  kind: 'name' | 'class' | 'number'
  number: number | undefined
  /** A name or a class has these words. */
  classWords: ReadonlySet<string>
  /** All frames that record the attribute have this class. */
  isWhole: boolean
  /** A class, or frames that pass a condition, have this share of the frames: from 0 to 1. */
  share: number | undefined
  /** The figure is over the frames that pass: "State is MAREMBE". It is empty for all frames. */
  condition: string
}

const CLASS_SHARE = /\s*\((\d[\d,]*) of (\d[\d,]*) frames, [\d.]+ %\)$/
const STATISTIC_PATTERNS: readonly [RegExp, FacetStatistic][] = [
  [/^total$/, 'total'],
  [/^(?:average.*|weighted average|mean)$/, 'average'],
  [/^median$/, 'median'],
  [/^(?:(?:\w+ )?lowest|minimum|lowest of .*)$/, 'low'],
  [/^(?:(?:\w+ )?highest|maximum|highest of .*)$/, 'high'],
  [/^most common$/, 'mode'],
  [/^frame \d+$/, 'frame'],
]
const isStatisticText = (text: string) => STATISTIC_PATTERNS.some(([pattern]) => pattern.test(text))
const FRAMES_SHARE = /(?:^| \()(\d[\d,]*) of (\d[\d,]*) frames/
const ungroupedNumber = (text: string) => Number(text.replace(/,/g, ''))

const CONDITION = ', on frames where '

export function facetWords({ label, value }: LabelledValue, place: number): FacetWords {
  const [figure = '', condition = ''] = label.split(CONDITION)
  const [first = '', ...rest] = figure.split(', ')
  const yearText = rest.find((part) => /^\d{4}\b/.test(part)) ?? ''
  const parts = rest.filter((part) => part !== yearText)
  // "Schools, pupils, total" is about the pupils of schools.
  const property = parts.length > 1 && !isStatisticText(parts[0] ?? '') && isStatisticText(parts[1] ?? '')
  const statisticText = parts.slice(property ? 1 : 0).join(', ')
  const isUnread = !/^[-+−$€£₦¥]?\d[\d,.]*(?=$|[\s%°])/.test(value)
  // Classes that share the first place are told together: "Loam and Clay, each".
  const name = value.replace(CLASS_SHARE, '').replace(/, each$/, '')
  const [, part, whole] = CLASS_SHARE.exec(value) ?? []
  const [, some, all] = FRAMES_SHARE.exec(value) ?? []
  const number = Number(/^[-+−]?\d[\d,]*(?:\.\d+)?/.exec(value)?.[0].replace(/[,+]/g, '').replace('−', '-'))
  const kind = !isUnread ? 'number' : part === undefined ? 'name' : 'class'
  return {
    label,
    value,
    place,
    family: (property ? `${first}, ${parts[0]}` : first).toLowerCase(),
    statistic: statisticOf(statisticText, kind, value),
    statisticText,
    yearText,
    frameId: /^frame (\d+)$/.exec(statisticText)?.[1],
    kind,
    number: kind === 'number' && Number.isFinite(number) ? number : undefined,
    classWords: new Set(
      [
        ...(kind !== 'number' && !/ (?:first|highest|lowest)$/.test(statisticText) ? lowerWords(name) : []),
        ...(kind === 'number' && / of [\d,]+ frames, [\d.]+ %$/.test(value) ? lowerWords(statisticText) : []),
        ...lowerWords(/^.* is ([^\d]*)$/.exec(condition)?.[1] ?? ''),
      ].filter((word) => !GRAMMAR_WORDS.has(word)),
    ),
    condition,
    isWhole: (kind === 'name' && !/^frame \d/.test(statisticText)) || (part !== undefined && part === whole),
    share: some === undefined || all === undefined ? undefined : ungroupedNumber(some) / ungroupedNumber(all),
  }
}

function statisticOf(text: string, kind: FacetWords['kind'], value: string): FacetStatistic {
  if (text === '') return kind === 'number' && /^\d[\d,]*$/.test(value) ? 'count' : 'plain'
  return STATISTIC_PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
}

export const lowerWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []

/** Finds the same stem for "schools" and "school", "densities" and "density". */
export function stemOf(word: string): string {
  if (/(?:ss|us|is)$/.test(word) || word.length < 4) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** These words stand in many labels. One of them alone names no label. */
const WEAK = new Set('main mean most common nearest frame number estimate or total average'.split(' '))
const isWeakStem = (stem: string) => WEAK.has(stem)
/** A text names the place that it is about by these, whichever figure it gives. */
const CONTAINERS = new Set('frame area state lga ward zone land place'.split(' '))
export const isContainer = (stem: string) => CONTAINERS.has(stem)

export type Families = {
  /** A stem may name these families. */
  byStem: ReadonlyMap<string, ReadonlySet<string>>
  /** This one stem is the whole name of these families. */
  byWhole: ReadonlyMap<string, ReadonlySet<string>>
  weak: ReadonlySet<string>
  /** These facets have the word in the name of a place or a class. */
  byClass: ReadonlyMap<string, readonly FacetWords[]>
  /** Names of several words: "access to market". The longest is first. */
  phrases: readonly Phrase[]
}
type Phrase = { stems: readonly string[]; family: string }

/** Says which families each word may name, by the words of the labels and by their synonyms. */
export function familiesOf(facets: readonly FacetWords[], synonyms: Synonyms = []): Families {
  const byStem = new Map<string, Set<string>>()
  const byWhole = new Map<string, Set<string>>()
  const weak = new Set<string>()
  const add = (map: Map<string, Set<string>>, stem: string, family: string) =>
    void map.set(stem, (map.get(stem) ?? new Set()).add(family))
  for (const family of new Set(facets.map((facet) => facet.family))) {
    const stems = lowerWords(family)
      .map(stemOf)
      .filter((stem) => !GRAMMAR_WORDS.has(stem))
    const strong = stems.filter((stem) => !isWeakStem(stem) || stems.length === 1)
    for (const stem of stems) if (!strong.includes(stem)) weak.add(stem)
    for (const stem of strong) for (const each of [stem, ...plainSynonymsOf(stem)]) add(byStem, each, family)
    if (strong.length === 1 && strong[0] !== undefined) add(byWhole, strong[0], family)
  }
  const byClass = new Map<string, FacetWords[]>()
  for (const facet of facets)
    for (const word of facet.classWords) byClass.set(word, [...(byClass.get(word) ?? []), facet])
  const phrases: Phrase[] = []
  const isKnown = (word: string) => isListedWord(word) || byStem.has(stemOf(word)) || byClass.has(word)
  // A name counts where it has a word that would be refused without it: other words keep their plain use.
  const named = facets.flatMap(({ family, place }) => (synonyms[place] ?? []).map((name) => ({ family, name })))
  for (const { family, stems } of named.flatMap((each) => stemsOfName(each, isKnown))) {
    const [stem] = stems
    if (stems.length > 1) phrases.push({ family, stems })
    else if (stem !== undefined) add(byStem, stem, family)
  }
  return { byStem, byWhole, weak, byClass, phrases: phrases.toSorted((a, b) => b.stems.length - a.stems.length) }
}

const QUESTION_WORDS = /^(?:how|what|who|where|which|do)$/
function stemsOfName({ family, name }: { family: string; name: string }, isKnown: (word: string) => boolean): Phrase[] {
  const words = lowerWords(name)
  return words.every(isKnown) || words.some((word) => QUESTION_WORDS.test(word))
    ? []
    : [{ family, stems: words.map(stemOf) }]
}

const plainSynonymsOf = (stem: string) => SYNONYMS.filter(([first]) => first === stem).flatMap((line) => line.slice(1))
