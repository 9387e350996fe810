/** Finds the clauses of a request that say whom it is for, which source it means, and who signs it. They ask for nothing. */
import { isEnglish } from './english.js'
import type { Word } from './words.js'

/** The words from `start` up to `end`. */
export type Range = { start: number; end: number }

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** A request is for somebody who reads the answer, or for a piece of work. "Schools for girls" are other schools. */
const PURPOSES =
  setOf(`team office officer desk ministry minister department agency authority committee council board bureau unit
  governor commissioner chairman chairperson chair director manager boss chief supervisor coordinator client donor donors funder
  partner partners colleague colleagues editor lawyer auditor auditors engineer consultant secretary secretariat assembly cabinet
  briefing brief report meeting memo paper proposal presentation slide slides deck plan planning microplan project programme program
  campaign audit application grant budget survey study assessment appraisal review thesis dissertation assignment class lecture
  article story newsletter dashboard map poster exercise workshop visit trip mission form file records purposes use ngo nonprofit`)
/** A survey of the question is the data that the service has. */
const SOURCES =
  setOf(`survey surveys sample dataset datasets data database records register estimate estimates count selection
  shortlist batch index team`)
const SOURCE_OPENERS = setOf('as by in from per of to at')
const DETERMINERS = setOf('the this that our my your a an')
const RECENT = setOf('last latest newest recent current most')
const PARTICIPLES = setOf(
  'reached counted recorded covered mapped surveyed enumerated visited listed captured reported',
)
const VERBS = setOf('has have had says shows gives puts counted recorded found it them')
const CLOSINGS = setOf('regards sincerely faithfully thanks thank cheers')

const PURPOSE_MAX = 5

/** "5 metres above sea level": the words after the unit say from where a height is measured. */
function endOfSeaLevel(words: readonly Word[], i: number): number | undefined {
  const [number, unit] = [words[i - 2]?.word ?? '', words[i - 1]?.word ?? '']
  const isMeasured =
    (/^\d/.test(number) && /^(m|metres?|meters?|ft|feet)$/.test(unit)) || /^\d+(\.\d+)?(m|ft)$/.test(unit)
  if (!isMeasured) return undefined
  const following = words.slice(i, i + 5).map(({ word }) => word).join(' ') // prettier-ignore
  const [found] = /^(above (the )?(mean |average )?sea level|asl|amsl)\b/.exec(following) ?? []
  return found === undefined ? undefined : i + found.split(' ').length
}

/** The ranges of the words without their asides. */
export function withoutAsides(words: readonly Word[], { start, end }: Range): Range[] {
  const kept: Range[] = []
  let from = start
  for (let i = start; i < end;) {
    const found = i > start ? endOfAside(words, i, end) : undefined
    if (found === undefined) {
      i++
      continue
    }
    if (i > from) kept.push({ start: from, end: i })
    from = found
    i = found
  }
  if (from < end) kept.push({ start: from, end })
  return kept
}

const endOfAside = (words: readonly Word[], i: number, end: number): number | undefined =>
  endOfClosing(words, i, end) ?? endOfPurpose(words, i, end) ?? endOfSource(words, i, end) ?? endOfSeaLevel(words, i)

/**
 * An aside ends where the wish does: at a mark, at "and", or at the last word. "For the study area" goes on, while a
 * word that is not English is none of it.
 */
const isEnd = (words: readonly Word[], i: number, end: number) =>
  i >= end ||
  words[i]?.mark !== '' ||
  /^(and|please|pls|so|but)$/.test(words[i]?.word ?? '') ||
  !isEnglish(words[i]?.word ?? '')

/** "Thanks", "regards, Bello": a name may follow, and another wish after "and". */
function endOfClosing(words: readonly Word[], i: number, end: number): number | undefined {
  if (!CLOSINGS.has(words[i]?.word ?? '')) return undefined
  let place = i + 1
  while (place < end && words[place]?.word !== 'and' && !isLowerAfterMark(words[place])) place++
  return place
}

const isLowerAfterMark = (word: Word | undefined) =>
  word !== undefined && word.mark !== '' && /^\p{Ll}/u.test(word.text)

/** "For the tax office", "for a report". */
function endOfPurpose(words: readonly Word[], i: number, end: number): number | undefined {
  if (words[i]?.word !== 'for' || !DETERMINERS.has(words[i + 1]?.word ?? '')) return undefined
  for (let place = i + 2; place < Math.min(end, i + 2 + PURPOSE_MAX); place++) {
    if (words[place]?.mark !== '') return undefined
    if (PURPOSES.has(words[place]?.word ?? '') && isEnd(words, place + 1, end)) return place + 1
  }
  return undefined
}

/** "As the survey has it", "reached by the survey", "as at the last count", "in the sample". */
function endOfSource(words: readonly Word[], i: number, end: number): number | undefined {
  let place = i
  if (PARTICIPLES.has(words[place]?.word ?? '')) place++
  if (!SOURCE_OPENERS.has(words[place]?.word ?? '')) return undefined
  // "As at", "according to" and "as of" have two words.
  if (/^(at|of|in|per)$/.test(words[place + 1]?.word ?? '')) place++
  place++
  if (!DETERMINERS.has(words[place]?.word ?? '')) return undefined
  place++
  while (RECENT.has(words[place]?.word ?? '')) place++
  if (!SOURCES.has(words[place]?.word ?? '') || place >= end) return undefined
  place++
  while (place < end && words[place]?.mark === '' && VERBS.has(words[place]?.word ?? '')) place++
  return isEnd(words, place, end) ? place : undefined
}
