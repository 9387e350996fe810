/** The words of the language that productions are made of, by kind. Names and numbers come from the lexicon. */
import { manyOf } from '../../counted.js'
import type { Bounds } from '../../figures/index.js'
import type { UnitLevel } from '../../place.js'
import type { Side } from './topic.js'
import { plainWordsOf } from './words.js'

export type Bound = keyof Bounds

/** Each kind is a category of the chart; a phrase of several kinds is a fragment of each. */
// prettier-ignore
const WORDS = {
  count: 'how many, how much, number of, count of, count, total number of, tally of, tally, amount of, no of, number, numbers',
  which: 'which, what, whats, list, name, show me which, where are',
  names: 'names of, list of, name of, names',
  where: 'where, wheres, whereabouts',
  how: 'how, how far, how long',
  dense: 'how dense, how densely',
  of: 'of',
  in: 'in, on, inside, run through, runs through, running through, run at, runs at, running at, operate at, operates at, operating at, across, throughout, at, within, among, amongst, sold by, sold at, offered by, on ground of, on soils of, around, into',
  with: 'with, crossed by, has, have, had, having, hold, holds, contain, contains, sell, sells, selling, offer, offers, offering, that have, whose, where, there is, get, gets, receive, receives, keep, keeps',
  recording: 'record, records, recording, with a record of, with a value for, that record',
  without: 'without, no, none, zero, with no, has no, have no, having no, lack, lacks, lacking, without any, without a, without a single, not a single, devoid of, free of, do not have, does not have, dont have, doesnt have, that dont have, not have, that have no, yet to get, yet to have, yet to receive, have yet to get, has yet to get, have yet to have, has yet to have, have yet to receive, has yet to receive, where there is no, there is no, not any, no single',
  not: 'not, non, not in, not on, isnt, arent, dont, doesnt, do not, does not, that are not, are not, is not, never',
  belong: 'belong to, belongs to, belonging to',
  outside: 'outside, outside of, everywhere outside, anywhere outside, not counting, not including',
  except: 'except, except for, excluding, exclude, excludes, apart from, aside from, other than, something other than, anything other than, anything but, anything except, something else than, all but, but not, except those, except in, other than those, except those selling, excluding those, excluding those who live, apart from those, everywhere but, everywhere except, anywhere but, anywhere except, leaving out, ignoring, with the exception of',
  notRecorded: 'do not record, does not record, that do not record, with no record of, without a record of, with null, not recording, without a value for, with no value for, with missing, missing, with no record for, without a record for, with no data on, with no data for, without data on, without data for, have no data on, has no data on, have no data for, has no data for, have no value for, has no value for, no data on, no data for, no value for, no record of, no record for, lack a record of, lack a value for, lack data on',
  unrecorded: 'unknown, missing, not recorded, not known, unrecorded, isnt recorded, is not recorded, not given, null, blank',
  record: 'record, recorded, records, value, values, estimate, estimates, data, figure, figures, known, given, entry, entries',
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
  most: 'most, the most, largest number of, highest number of, greatest number of, biggest number of, largest, highest, biggest, greatest, maximum, max, plenty',
  least: 'fewest, least, the fewest, smallest number of, lowest number of, smallest, lowest, minimum, min',
  top: 'top, first',
  bottom: 'bottom',
  rank: 'rank, order, sort, ranking of, ranking, list, compare',
  inOrder: 'from the largest to the smallest, from largest to smallest, from the biggest to the smallest, from the highest to the lowest, from highest to lowest, from the most to the least, from most to least, in order, in descending order, ranked, sorted',
  share: 'share of, percentage of, percent of, per cent of, proportion of, fraction of, part of, what share of, what percentage of, what percent of, what proportion of, what fraction of, what part of, which part of, which share of, how much of, how many percent of, share, percentage, percent, proportion, %, % of, pct of',
  half: 'half, half of, one half of',
  percent: 'percent, in percent, per cent, as a percentage, %, in per cent, in percentage terms, in relative terms, percentage wise, in terms of percentage',
  density: 'density of, density',
  ratio: 'ratio of, ratio',
  difference: 'difference between, difference in, gap between, difference of, difference',
  breakdown: 'breakdown of, breakdown, break down, break down of, distribution of, composition of',
  period: 'per year, each year, every year, yearly, annually, per annum, per month, each month, every month, monthly, per week, each week, every week, weekly, per day, each day, every day, daily',
  spread: 'range of, range, spread of, spread',
  between: 'between',
  weighted: 'weighted by, weighted with',
  weightedBefore: 'weighted',
  distinct: 'number of different, how many different, how many kinds of, number of kinds of, how many distinct, distinct, list distinct, number of distinct, different kinds of, how many types of, how many sorts of',
  large: 'largest, biggest',
  small: 'smallest',
  long: 'longest',
  short: 'shortest',
  common: 'common, frequent, widespread, commonest, most common, most frequent, most widespread, main, main one, most common one, main one of, mainly, mostly, dominant, predominant, majority of',
  sort: 'kind of, type of, sort of, category of, kinds of, types of, sorts of',
  rare: 'rarest, rare, scarcest, least common, least frequent, least widespread, least commonly found',
  change: 'change in, change of, by how much, by how much did, by how much has, by how much have, by how many percent, by how many percent did, by how many percent has, by what percentage, by what percentage did, by what percentage has, how much did, how much has, how much have, how has, how have, how did, change, changes, changed, change in percent',
  grow: 'growth of, growth in, growth, growth rate, grow, grows, grew, grown, increase in, increase of, increase, increases, increased, rise in, rise of, rise, rises, rose, risen, gone up, went up, go up, expand, expanded',
  rising: 'up or down, go up or down, gone up or down, went up or down, going up or down, growing, rising, increasing, going up, expanding, on the rise',
  falling: 'falling, decreasing, shrinking, declining, going down, dropping',
  loss: 'fall, falls, fell, fallen, fall in, fall of, decrease, decreases, decreased, decrease in, decrease of, shrink, shrinks, shrank, shrunk, decline, declines, declined, decline in, decline of, drop, drops, dropped, drop in, drop of, lose, loses, lost, loss, loss of, losses of, cut, cut in, gone down, went down, go down',
  gained: 'gain, gains, gained, gain in, gain of, add, adds, added',
  got: 'got',
  bothYears: 'between two years, between two surveys, between two censuses, between two counts, between two estimates, between both years, between both surveys, between both censuses, between the years, between surveys, between censuses, from one year to the next, from one year to the other, from one survey to the next, from one census to the next',
  fast: 'fastest, quickest, most rapidly, most quickly, most in percent, most in percentage terms, most by percentage, most by percent, fastest in percent, fastest by percent, fastest by percentage, fastest in relative terms',
  absolute: 'absolute, in absolute terms, in absolute numbers',
  from: 'from, since',
  away: 'of another, of any, of, of the nearest, of each, of their nearest, from another, away from, from the nearest, away from the nearest, from any, from every, from all, away from any, from, to, from their nearest, from the closest, from each, to reach, to get to, to reach the nearest, to get to the nearest, to the nearest, to the closest',
  nearest: 'nearest, closest, next',
  farthest: 'farthest, furthest',
  total: 'total, overall, altogether, in all, in total, total of, sum of, sum, grand total, added up, all told, between them, among them, between them all',
  joint: 'together, combined, joint, put together, taken together, added together, all together',
  average: 'average, mean, avg, on average, average of, mean of, typical',
  median: 'median, median of',
  highest: 'highest, maximum, largest, max, greatest, biggest, highest value of, longest',
  lowest: 'lowest, minimum, smallest, min, least, shortest',
  nobody: 'nobody, no one, noone, not a soul, no people, nobody lives there, nobody living in them, no one living in them, nobody living there, empty, uninhabited, no people in them, nobody in them',
  inhabited: 'inhabited, populated, somebody, someone, anybody, anyone, people living in them, people in them',
  land: 'land, land area, area, ground, terrain',
  size: 'area, size, land size, land mass, landmass, how big, how large, surface area, land area, total area, extent, acreage',
  frames: 'frame, frames, areas, area, place, places, cell, cells, square, squares, tile, tiles, grid cell, grid cells, grid square, grid squares, single frame, single frames, individual frame, individual frames, location, locations, spot, spots, site, sites, point, points',
  state: 'state, states',
  lga: 'lga, lgas, local area, local areas, local government, local governments, local government area, local government areas',
  ward: 'ward, wards',
  called: 'called, named',
  old: 'oldest, earliest',
  young: 'newest, latest, youngest, most recent',
  after: 'after',
  before: 'before',
  about: 'what about, and what about, how about',
  extent: 'length of, length, total length of, total length, network, how long, how large, how big, area of, size of',
  interval: 'interval, intervals, confidence interval, confidence intervals, credible interval, confidence limits, margin of error, error margin, uncertainty, uncertain, how uncertain, how sure, how certain, how accurate, how reliable, how precise, bounds, lower and upper bound, lower and upper bounds, upper and lower bound, upper and lower bounds, lower and upper limit, lower and upper limits, between which bounds, between what bounds, between which limits, between which numbers, between which values, between what values, within which bounds, interval for, interval of',
  compare: 'compare, compared with, compared to, compared, comparing, comparison of, versus, vs, against, side by side',
  bands: 'in bands of, in bands, in the bands, in band of, in the band of',
  only: 'only',
  covering: 'cover, covers, covering',
  under: 'under, under the, covered by, covered with, covered in, used as, used for',
  through: 'pass through, passes through, passing through, run through, runs through, running through, cross, crosses, go through, goes through, lead through, leads through',
  notThat: 'that are not, which are not, that arent, which arent, that is not, that isnt',
  percentile: 'percentile of, percentile, centile of, centile',
  inReverse: 'from the smallest to the largest, from smallest to largest, from the lowest to the highest, from lowest to highest, from the least to the most, from least to most, from the fewest to the most, in ascending order',
  attend: 'attend, attends, attending, go to, goes to, going to, enrolled in, enrolled at, study at, studying at',
  bigger: 'bigger than, larger than, smaller than',
  who: 'who, whom',
  other: 'country, countries, nation, nationwide, national, nationally, countrywide, why, when, will, would, could, may, might, until, near, far, distance, other, same, last, next, previous, because, if',
  lie: 'lie, lies',
  profile: 'profile, overview, summary, summarise, summarize, describe, description, report, everything, tell me about, tell us about, know about, info on, info about, information on, information about, what data',
} as const
export type CueName = keyof typeof WORDS

type Order = 'highest' | 'lowest'
type Extreme = 'max' | 'min'
/** A row that takes "most" or "least" asks for the highest or the lowest: each of these words gives its row the order. */
// prettier-ignore
const OF_CUES = {
  most: 'highest', least: 'lowest', top: 'highest', bottom: 'lowest', large: 'highest', small: 'lowest', long: 'highest', short: 'lowest', nearest: 'lowest', farthest: 'highest',
  more: 'highest', fewer: 'lowest', grow: 'highest', rising: 'highest', gained: 'highest', falling: 'lowest', loss: 'lowest',
  inOrder: 'highest', inReverse: 'lowest', young: 'highest', old: 'lowest',
  highest: 'max', lowest: 'min', average: 'mean', median: 'median', after: 'above', before: 'below',
  state: 'state', lga: 'lga', ward: 'ward',
} as const
export type Orders = { [Name in keyof typeof OF_CUES]: OneOf<(typeof OF_CUES)[Name]> }
type OneOf<Value> = Value extends Order ? Order : Value extends Extreme ? Extreme : Value
export const ORDERS: Partial<Record<string, string>> = OF_CUES

const BOUNDS: Readonly<Record<Bound, string>> = {
  above:
    'above, over, more than, more then, greater than, greater then, higher than, larger than, bigger than, exceeding, in excess of, beyond, further than, farther than, longer than',
  atLeast:
    'at least, atleast, no less than, no fewer than, not less than, not fewer than, minimum of, not below, not under',
  below:
    'below, under, less than, less then, fewer than, fewer then, lower than, smaller than, closer than, shorter than, beneath',
  atMost: 'at most, atmost, up to, no more than, not more than, within, not above, not over',
  equals: 'exactly, equal to',
}
const BEHIND: Partial<Record<Bound, string>> = {
  atLeast: 'or more, or above, or over, +',
  atMost: 'or less, or fewer, or below',
}

/** An adjective is of a topic of this name: alone, its comparative, which sets a bound, and its superlative. */
export type Adjective = { name: string; side: Side }
/** Words that are usual for these names. The catalogue of a dataset may have others for its own. */
const USUAL: Readonly<Record<string, Record<Side, readonly string[]>>> = {
  slope: { above: ['steep', 'hilly'], below: ['flat'] },
  elevation: { above: ['high', 'elevated', 'high lying'], below: ['low', 'low lying'] },
  population: { above: ['populous', 'populated', 'crowded'], below: [] },
  'population density': { above: ['dense', 'densely populated'], below: ['sparse', 'sparsely populated'] },
}

/** "Steep", "steeper", "steepest"; "populous", "most populous"; "least populous" is of the other side. */
export function cuesOfAdjectives(
  name: string,
  words: Readonly<Record<Side, readonly string[]>>,
): [text: string, cue: Cue][] {
  return (['above', 'below'] as const).flatMap((side) =>
    words[side].flatMap((word): [string, Cue][] => {
      const [more, most] = degreesOf(word)
      const other = side === 'above' ? 'below' : 'above'
      return [
        [word, { kind: 'adjective', name, side }],
        [more, { kind: 'more-than', name, side }],
        ...[...new Set([most, `most ${word}`])].map((text): [string, Cue] => [text, { kind: 'most-of', name, side }]),
        [`least ${word}`, { kind: 'most-of', name, side: other }],
      ]
    }),
  )
}
const SHORT = 6
function degreesOf(word: string): [more: string, most: string] {
  const [first = '', ...rest] = word.split(' ')
  if (first.length > SHORT || /(ed|ous|ing|al)$/.test(first)) return [`more ${word}`, `most ${word}`]
  const stem = first
    .replace(/(?<=[^aeiou])y$/, 'i')
    .replace(/(?<=[^aeiou][aeiou])([bdgnpt])$/, '$1$1')
    .replace(/e$/, '')
  return [[`${stem}er`, ...rest].join(' '), [`${stem}est`, ...rest].join(' ')]
}

/** They ask for nothing: the figure is the same without them. */
const FREE = `is are was were be been being am do does did there here it its this these it its that those they them their he she
 his her me my we us our you your i im ive id can shall please kindly pls plz hello hi dear sir madam good morning
 afternoon evening greetings regards ok thanks thank sorry live lives living lived reside resides residing located situated lie
 lies lying stand stands standing found exist exists tell give show find let see get selected chosen given asked need know want
 like also too just really altogether who whom people's whose any some all both now still already today currently present away whole
 entire as so then back kept held used whether through round got s about else estimate estimates estimated figure figures value values data
 say roughly approximately approx`

export type Cue =
  | { kind: CueName }
  | { kind: 'bound' | 'boundBehind'; bound: Bound }
  | ({ kind: 'adjective' | 'more-than' | 'most-of' } & Adjective)

export const isArticle = (word: string): boolean => /^(the|an?)$/.test(word)

export type Cues = ReadonlyMap<string, readonly Cue[]>
export const CUES = new Map<string, Cue[]>()
function add(list: string, cue: Cue) {
  for (const text of list.split(', ')) {
    const words = text === '+' ? [text] : plainWordsOf(text)
    const phrase = words.filter((word) => !isArticle(word)).join(' ')
    if (phrase !== '') CUES.set(phrase, [...(CUES.get(phrase) ?? []), cue])
  }
}
for (const [kind, list] of Object.entries(WORDS)) add(list, { kind: kind as CueName })
// A misspelled "how mny" is no one word.
for (const phrase of ['how many', 'how much', 'number of']) CUES.set(phrase, [{ kind: 'count' }])
for (const [bound, list] of Object.entries(BOUNDS)) add(list, { kind: 'bound', bound: bound as Bound })
for (const [bound, list] of Object.entries(BEHIND)) add(list, { kind: 'boundBehind', bound: bound as Bound })
for (const [name, words] of Object.entries(USUAL))
  for (const [text, cue] of cuesOfAdjectives(name, words)) add(text, cue)
const isFree = new Set(FREE.split(/\s+/))
export const WORDS_OF_LANGUAGE: ReadonlySet<string> = new Set([...CUES.keys()].flatMap((phrase) => phrase.split(' ')))
const LONGEST = 8

/** Other words for the levels of the index. An answer says which level it read. */
const LEVELS: readonly (readonly [words: RegExp, level: UnitLevel])[] = [
  [/^(province|region)s?$/, 'state'],
  [/^(districts?|count(y|ies)|municipalit(y|ies)|communes?)$/, 'lga'],
  [/^parish(es)?$/, 'ward'],
]
export const levelCalled = (word: string): UnitLevel | undefined => LEVELS.find(([words]) => words.test(word))?.[1]

export const isFreeWord = (word: string): boolean => isFree.has(word) || isArticle(word)
export const isWordOfLanguage = (word: string): boolean =>
  isFreeWord(word) || WORDS_OF_LANGUAGE.has(word) || levelCalled(word) !== undefined
export const cueKinds = (word: string): readonly string[] => (CUES.get(word) ?? []).map(({ kind }) => kind)
/** `lga=district`: what people call the country, its states, LGAs and wards. The name of the country is no subject. */
export function cuesOfPlaces(words: readonly (readonly [level: string, word: string])[]): Cues {
  const phrases = words.flatMap(([level, word]) =>
    [word, manyOf(word)].map((text) => [plainWordsOf(text).join(' '), level] as const),
  )
  return new Map(phrases.map(([text, level]) => [text, [{ kind: (level === 'country' ? 'other' : level) as CueName }]]))
}

/** The phrases that begin at a place. `cues`: those of the language, or of a catalogue. */
export const cuesAt = (words: readonly string[], at: number, cues: Cues = CUES): { cue: Cue; length: number }[] =>
  Array.from({ length: Math.min(LONGEST, words.length - at) }, (_, i) => i + 1).flatMap((length) =>
    (cues.get(words.slice(at, at + length).join(' ')) ?? []).map((cue) => ({ cue, length })),
  )
