/** The words of the language that productions are made of, by kind. Names and numbers come from the lexicon. */
import type { Bounds } from '../../figures/index.js'
import { plainWordsOf } from './words.js'

export type Bound = keyof Bounds

/** Each kind is a category of the chart; a phrase of several kinds is a fragment of each. */
// prettier-ignore
const WORDS = {
  count: 'how many, how much, number of, count of, count, total number of, tally of, tally, amount of, no of, number',
  which: 'which, what, whats, list, name, show me which, where are',
  names: 'names of, list of, name of, names',
  where: 'where, wheres, whereabouts',
  how: 'how, how far, how long',
  dense: 'how dense, how densely',
  of: 'of',
  in: 'in, on, inside, run through, runs through, running through, across, throughout, at, within, on ground of, on soils of, around, into',
  with: 'with, crossed by, has, have, having, hold, holds, contain, contains, sell, sells, selling, offer, offers, offering, that have, whose, where, there is',
  recording: 'record, records, recording, with a record of, with a value for, that record',
  without: 'without, no, none, zero, with no, has no, have no, having no, lack, lacks, lacking, without any, without a, without a single, not a single, devoid of, free of, do not have, does not have, dont have, doesnt have, that dont have, not have, that have no, where there is no, there is no, not any, no single',
  not: 'not, non, not in, not on, isnt, arent, dont, doesnt, do not, does not, that are not, are not, is not, never',
  outside: 'outside, outside of, everywhere outside, anywhere outside, not counting, not including',
  except: 'except, except for, excluding, exclude, excludes, apart from, aside from, other than, all but, but not, except those, except in, other than those, except those selling, excluding those, excluding those who live, apart from those, everywhere but, everywhere except, anywhere but, anywhere except, leaving out, ignoring, with the exception of',
  notRecorded: 'do not record, does not record, that do not record, with no record of, without a record of, with null, not recording, without a value for, with no value for, with missing, missing',
  and: 'and, and also, as well as, along with, plus, and with',
  but: 'but',
  or: 'or, or else, or in, or on',
  either: 'either',
  neither: 'neither, that are neither, are neither, neither in, in neither',
  nor: 'nor, nor in',
  per: 'per, for each, for every, to each, to every, a head of',
  head: 'per capita, per head',
  for: 'for',
  to: 'to',
  each: 'each, every, in each, in every, of each, of every, on each, on every, per, for each, for every, per each',
  by: 'by, broken down by, grouped by, split by, for each, according to',
  than: 'than, than in',
  more: 'more',
  fewer: 'fewer, less',
  most: 'most, the most, largest number of, highest number of, greatest number of, biggest number of, largest, highest, biggest, greatest, maximum, max, longest, plenty',
  least: 'fewest, least, the fewest, smallest number of, lowest number of, smallest, lowest, minimum, min, shortest',
  top: 'top, first',
  bottom: 'bottom',
  rank: 'rank, order, sort, ranking of, ranking, list, compare',
  inOrder: 'from the largest to the smallest, from largest to smallest, from the biggest to the smallest, from the highest to the lowest, from highest to lowest, from the most to the least, from most to least, in order, in descending order, ranked, sorted',
  share: 'share of, percentage of, percent of, per cent of, proportion of, fraction of, part of, what share of, what percentage of, what percent of, what proportion of, what fraction of, what part of, which part of, which share of, how much of, how many percent of, share, percentage, percent, proportion, %',
  half: 'half, half of, one half of',
  percent: 'percent, in percent, per cent, as a percentage, %, in per cent',
  density: 'density of, density',
  ratio: 'ratio of, ratio',
  difference: 'difference between, difference in, gap between, difference of, difference',
  spread: 'range of, range, spread of, spread',
  between: 'between',
  weighted: 'weighted by',
  distinct: 'number of different, how many different, how many kinds of, number of kinds of, how many distinct, distinct, list distinct, number of distinct, different kinds of, how many types of, how many sorts of',
  large: 'largest, biggest',
  small: 'smallest',
  common: 'common, frequent, widespread, commonest, most common, most frequent, most widespread, main, mainly, mostly, dominant, predominant, majority of',
  change: 'growth of, growth in, growth, change in, change of, increase in, increase of, decrease in, by how much did, by how many percent did, by what percentage did, how much did, how much has, how has, how did, grow, grew, grown, change, changed, increase, increased, growth rate, change in percent',
  trend: 'growing, rising, falling, increasing, decreasing, shrinking, declining, going up, going down, going up or down',
  from: 'from, since',
  away: 'of another, of any, of, of the nearest, of each, of their nearest, from another, away from, from the nearest, away from the nearest, from any, from every, from all, away from any, from, to, from their nearest, from the closest, from each',
  nearest: 'nearest, closest, next',
  farthest: 'farthest, furthest',
  total: 'total, combined, together, overall, altogether, in all, in total, total of, sum of, sum, joint, grand total',
  average: 'average, mean, avg, on average, average of, mean of, typical',
  median: 'median, median of',
  highest: 'highest, maximum, largest, max, greatest, biggest, highest value of, longest',
  lowest: 'lowest, minimum, smallest, min, least, shortest',
  nobody: 'nobody, no one, noone, no people, nobody living in them, no one living in them, nobody living there, empty, uninhabited, no people in them, nobody in them',
  inhabited: 'inhabited, populated, somebody, people living in them, people in them',
  land: 'land, land area, area, ground, terrain',
  size: 'area, size, how big, how large, surface area, land area, total area, extent, acreage',
  frames: 'frame, frames, areas, area, place, places, cell, cells, square, squares, tile, tiles, grid cell, grid cells, grid square, grid squares, location, locations, spot, spots, site, sites, point, points',
  state: 'state, states',
  lga: 'lga, lgas, local government, local governments, local government area, local government areas',
  ward: 'ward, wards',
  called: 'called, named',
  about: 'what about, and what about, how about',
  extent: 'length of, length, total length of, total length, how long, how large, how big, area of, size of',
  interval: 'interval, intervals, confidence interval, confidence intervals, credible interval, confidence limits, margin of error, error margin, uncertainty, uncertain, how uncertain, how sure, how certain, how accurate, how reliable, how precise, bounds, lower and upper bound, lower and upper bounds, upper and lower bound, upper and lower bounds, lower and upper limit, lower and upper limits, between which bounds, between what bounds, between which limits, between which numbers, between which values, between what values, within which bounds, interval for, interval of',
  compare: 'compare, compared with, compared to, compared, comparing, comparison of, versus, vs, against, side by side',
  bands: 'in bands of, in bands, in the bands, in band of, in the band of',
  only: 'only',
  who: 'who, whom',
  other: 'country, countries, nation, nationwide, national, nationally, countrywide, why, when, will, would, could, may, might, before, after, until, near, far, distance, other, same, last, next, previous, because, if',
  lie: 'lie, lies',
  profile: 'profile, overview, summary, summarise, summarize, describe, description, report, everything, tell me about, tell us about, know about, info on, info about, information on, information about, what data',
} as const
export type CueName = keyof typeof WORDS

const BOUNDS: Readonly<Record<Bound, string>> = {
  above:
    'above, over, more than, greater than, higher than, larger than, exceeding, in excess of, beyond, further than, farther than',
  atLeast:
    'at least, atleast, no less than, no fewer than, not less than, not fewer than, minimum of, not below, not under',
  below: 'below, under, less than, fewer than, lower than, smaller than, closer than, beneath',
  atMost: 'at most, atmost, up to, no more than, not more than, within, not above, not over',
  equals: 'exactly, equal to',
}
const BEHIND: Partial<Record<Bound, string>> = {
  atLeast: 'or more, or above, or over, +',
  atMost: 'or less, or fewer, or below',
}

/** An adjective is of a topic of this name: alone, its comparative, which sets a bound, and its superlative. */
export type Adjective = { name: string; side: 'above' | 'below' }
const ADJECTIVES: readonly (Adjective & { base: string; more: string; most: string })[] = [
  {
    name: 'slope',
    side: 'above',
    base: 'steep, hilly',
    more: 'steeper, hillier',
    most: 'steepest, hilliest, most hilly',
  },
  { name: 'slope', side: 'below', base: 'flat', more: 'flatter', most: 'flattest' },
  {
    name: 'elevation',
    side: 'above',
    base: 'high, elevated',
    more: 'higher',
    most: 'most elevated, highest, highest lying',
  },
  { name: 'elevation', side: 'below', base: 'low', more: 'lower', most: 'lowest, lowest lying' },
  {
    name: 'population',
    side: 'above',
    base: 'populous, populated, crowded',
    more: '',
    most: 'most populous, most populated, most crowded, busiest',
  },
  { name: 'population', side: 'below', base: '', more: '', most: 'least populous, least populated, least crowded' },
  {
    name: 'building density',
    side: 'above',
    base: 'built up, densely built',
    more: '',
    most: 'most built up, densest built up',
  },
  {
    name: 'population density',
    side: 'above',
    base: 'densely populated',
    more: '',
    most: 'densest, most densely populated, most dense',
  },
  {
    name: 'population density',
    side: 'below',
    base: 'sparsely populated',
    more: '',
    most: 'sparsest, most sparsely populated, least densely populated, least dense',
  },
  { name: 'urban index', side: 'above', base: '', more: '', most: 'most urban, most urbanised' },
  { name: 'urban index', side: 'below', base: '', more: '', most: 'least urban, least urbanised' },
]

/** They ask for nothing: the figure is the same without them. */
const FREE = `is are was were be been being am do does did there here it its this these it its that those they them their he she
 his her me my we us our you your i im ive id can shall please kindly pls plz hello hi dear sir madam good morning
 afternoon evening greetings regards ok thanks thank sorry live lives living lived reside resides residing located situated lie
 lies lying stand stands standing found exist exists tell give show find let see get selected chosen given asked need know want
 like also too just really altogether who whom people's whose any some all both now today currently present away whole
 entire as so then whether through round got s about else estimate estimates estimated figure figures value values data`

type Cue =
  | { kind: CueName }
  | { kind: 'bound' | 'boundBehind'; bound: Bound }
  | ({ kind: 'adjective' | 'more-than' | 'most-of' } & Adjective)

export const isArticle = (word: string): boolean => /^(the|an?)$/.test(word)

const CUES = new Map<string, Cue[]>()
function add(list: string, cue: Cue) {
  for (const text of list.split(', ')) {
    const words = text === '+' ? [text] : plainWordsOf(text)
    const phrase = words.filter((word) => !isArticle(word)).join(' ')
    if (phrase !== '') CUES.set(phrase, [...(CUES.get(phrase) ?? []), cue])
  }
}
for (const [kind, list] of Object.entries(WORDS)) add(list, { kind: kind as CueName })
for (const [bound, list] of Object.entries(BOUNDS)) add(list, { kind: 'bound', bound: bound as Bound })
for (const [bound, list] of Object.entries(BEHIND)) add(list, { kind: 'boundBehind', bound: bound as Bound })
for (const { name, side, base, more, most } of ADJECTIVES) {
  add(base, { kind: 'adjective', name, side })
  add(more, { kind: 'more-than', name, side })
  add(most, { kind: 'most-of', name, side })
}
const isFree = new Set(FREE.split(/\s+/))
export const WORDS_OF_LANGUAGE: ReadonlySet<string> = new Set([...CUES.keys()].flatMap((phrase) => phrase.split(' ')))
const LONGEST = 8

export const isFreeWord = (word: string): boolean => isFree.has(word) || isArticle(word)
export const isWordOfLanguage = (word: string): boolean => isFreeWord(word) || WORDS_OF_LANGUAGE.has(word)
export const cueKinds = (word: string): readonly string[] => (CUES.get(word) ?? []).map(({ kind }) => kind)
/** The phrases that begin at a place. */
export const cuesAt = (words: readonly string[], at: number): { cue: Cue; length: number }[] =>
  Array.from({ length: Math.min(LONGEST, words.length - at) }, (_, i) => i + 1).flatMap((length) =>
    (CUES.get(words.slice(at, at + length).join(' ')) ?? []).map((cue) => ({ cue, length })),
  )
