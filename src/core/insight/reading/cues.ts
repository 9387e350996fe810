/** The words of the language that productions are made of, by kind. Names and numbers come from the lexicon. */
import type { Bounds } from '../../figures/index.js'
import { plainWordsOf } from './words.js'

export type Bound = keyof Bounds

/** Each kind is a category of the chart; a phrase of several kinds is a fragment of each. */
// prettier-ignore
const WORDS = {
  count: 'how many, how much, number of, count of, count, total number of, tally of, amount of, no of',
  which: 'which, what, list, name, show me which, where are',
  names: 'names of, list of, name of, names',
  of: 'of',
  in: 'in, on, inside, run through, runs through, running through, across, throughout, at, within, on ground of, on soils of',
  with: 'with, crossed by, has, have, having, hold, holds, contain, contains, that have, whose, where, there is',
  recording: 'record, records, recording, with a record of, with a value for, that record',
  without: 'without, no, with no, has no, have no, having no, lack, lacks, lacking, without any, without a, do not have, does not have, that have no, where there is no, there is no',
  not: 'not, non, outside, outside of, not in, not on, isnt, arent, that are not, are not, is not',
  except: 'except, except for, excluding, apart from, other than, all but, but not, not counting, except those, except in, other than those, except those selling',
  notRecorded: 'do not record, does not record, that do not record, with no record of, without a record of, with null, not recording, without a value for, with no value for, with missing, missing',
  and: 'and, and also, as well as, but, plus, and with',
  or: 'or, or else, or in, or on',
  either: 'either',
  neither: 'neither, that are neither, are neither, neither in, in neither',
  nor: 'nor, nor in',
  per: 'per, for each, for every, to each, to every',
  for: 'for',
  to: 'to',
  each: 'each, every, in each, in every, of each, of every, per, for each, for every',
  by: 'by, broken down by, grouped by, split by, for each',
  than: 'than, than in',
  more: 'more',
  fewer: 'fewer, less',
  most: 'most, the most, largest number of, highest number of, greatest number of, largest, highest, biggest, greatest',
  least: 'fewest, least, the fewest, smallest number of, lowest number of, smallest, lowest',
  top: 'top, first',
  bottom: 'bottom',
  rank: 'rank, order, sort, ranking of',
  share: 'share of, percentage of, percent of, proportion of, fraction of, part of, what share of, what percentage of, what percent of, what proportion of, what fraction of, what part of, which part of, which share of, how much of, how many percent of',
  percent: 'percent, in percent, per cent, as a percentage, %, in per cent',
  density: 'density of, density',
  ratio: 'ratio of',
  difference: 'difference between, difference in, gap between, difference of',
  between: 'between',
  weighted: 'weighted by',
  distinct: 'number of different, how many different, how many kinds of, number of kinds of, how many distinct, distinct, list distinct, number of distinct, different kinds of, how many types of, how many sorts of',
  common: 'common, frequent, widespread, commonest',
  change: 'growth of, growth in, change in, change of, increase in, increase of, decrease in, by how much did, by how many percent did, by what percentage did, how much did, grow, grew, grown, growth, change, changed, increase, increased',
  from: 'from',
  away: 'of another, from another, away from, from the nearest, away from the nearest, from any, from every, from all, away from any, of any, of a, of the nearest, from, of, to, from their nearest, from the closest, from each',
  nearest: 'nearest, closest, next',
  total: 'total, combined, together, overall, altogether, in all, in total, total of, sum of, joint',
  average: 'average, mean, avg, on average, average of, mean of, typical',
  median: 'median, median of',
  highest: 'highest, maximum, largest, max, greatest, biggest, highest value of',
  lowest: 'lowest, minimum, smallest, min, least',
  nobody: 'nobody, no one, noone, no people, nobody living in them, no one living in them, nobody living there, empty, uninhabited, no people in them, nobody in them',
  inhabited: 'inhabited, populated, somebody, people living in them, people in them',
  land: 'land, land area, area, ground, surface',
  frames: 'frame, frames, areas, places, cell, cells, square, squares, tile, tiles, grid cells, grid squares',
  state: 'state, states',
  lga: 'lga, lgas, local government, local governments, local government area, local government areas',
  ward: 'ward, wards',
  called: 'called, named',
  extent: 'length, total length',
} as const
export type CueName = keyof typeof WORDS

const BOUNDS: Readonly<Record<Bound, string>> = {
  above:
    'above, over, more than, greater than, higher than, larger than, exceeding, in excess of, beyond, further than, farther than',
  atLeast: 'at least, no less than, no fewer than, not less than, not fewer than, minimum of',
  below: 'below, under, less than, fewer than, lower than, smaller than, closer than',
  atMost: 'at most, up to, no more than, not more than, within',
  equals: 'exactly, equal to',
}
const BEHIND: Partial<Record<Bound, string>> = {
  atLeast: 'or more, or above, or over',
  atMost: 'or less, or fewer, or below',
}

/** An adjective is of a topic of this name; its comparative sets a bound, its superlative an order. */
export type Adjective = { name: string; side: 'above' | 'below' }
const ADJECTIVES: readonly [name: string, side: Adjective['side'], more: string, most: string][] = [
  ['slope', 'above', 'steeper', 'steepest'],
  ['slope', 'below', 'flatter', 'flattest'],
  ['elevation', 'above', '', 'most elevated'],
]

/** They ask for nothing: the figure is the same without them. */
const FREE = `is are was were be been do does did there here it its this these those that they their them me my we us i
 please kindly hello hi thanks live lives living lived reside residing located situated lie lies stand stands standing
  found exist exists tell give show find get need want know like to also just really altogether who people's whose any all both`

type Cue =
  | { kind: CueName }
  | { kind: 'bound' | 'boundBehind'; bound: Bound }
  | ({ kind: 'more-than' | 'most-of' } & Adjective)

export const isArticle = (word: string): boolean => /^(the|an?)$/.test(word)

const CUES = new Map<string, Cue[]>()
function add(list: string, cue: Cue) {
  for (const text of list.split(', ')) {
    const phrase = plainWordsOf(text)
      .filter((word) => !isArticle(word))
      .join(' ')
    if (phrase !== '') CUES.set(phrase, [...(CUES.get(phrase) ?? []), cue])
  }
}
for (const [kind, list] of Object.entries(WORDS)) add(list, { kind: kind as CueName })
for (const [bound, list] of Object.entries(BOUNDS)) add(list, { kind: 'bound', bound: bound as Bound })
for (const [bound, list] of Object.entries(BEHIND)) add(list, { kind: 'boundBehind', bound: bound as Bound })
for (const [name, side, more, most] of ADJECTIVES) {
  add(more, { kind: 'more-than', name, side })
  add(most, { kind: 'most-of', name, side })
}
const free = new Set(FREE.split(/\s+/))
const LONGEST = 6

export const isFreeWord = (word: string): boolean => free.has(word)
/** The phrases that begin at a place. */
export const cuesAt = (words: readonly string[], at: number): { cue: Cue; length: number }[] =>
  Array.from({ length: Math.min(LONGEST, words.length - at) }, (_, i) => i + 1).flatMap((length) =>
    (CUES.get(words.slice(at, at + length).join(' ')) ?? []).map((cue) => ({ cue, length })),
  )
