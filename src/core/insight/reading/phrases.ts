/** The words of the language that the reading knows. They name no topic: those words are names of the catalogue. */

/** Articles, auxiliaries, pronouns and greetings. They ask for nothing, so nothing needs to account for them. */
const IGNORED = `a an the this that these those here there it its they them their he she his her i im ive id me my we us our you
  your is are was were be been being am can could may might shall would please kindly thanks thank pls plz sorry hello hi dear
  sir madam good morning afternoon evening greetings regards ok also too just really any some all both yes live lives living
  lived reside resides residing located situated stand stands standing found exist exists lie lies lying want need know like tell show give
  find let see get selected chosen given asked estimate estimates estimated figure figures value values data
  now today currently present away whole entire to about as so then whose whether into through throughout across round got s`

/** Phrases of each kind. The longest phrase at a place is meant. */
const PHRASES = {
  count: '#count, count, tally',
  amount: 'by #count',
  which: 'which, what, whats',
  who: 'who, whom',
  where: 'where, wheres, whereabouts',
  how: 'how',
  do: 'do, does, did, has there been, have there been',
  frames:
    'frame, frames, cell, cells, square, squares, grid, grid cell, grid cells, grid square, grid squares, tile, tiles, ' +
    'areas, place, places, location, locations, site, sites, spot, spots, point, points',
  state: 'state, states',
  lga: 'lga, lgas, local government, local governments, local government area, local government areas',
  ward: 'ward, wards',
  unit:
    'zone, zones, region, regions, district, districts, province, provinces, county, counties, council, councils, ' +
    'community, communities, neighbourhood, neighborhood, neighbourhoods',
  // Frames are a part of it.
  country: 'country, countries, nation, nationwide, national, nationally, countrywide',
  ground: 'ground, land, terrain',
  'last year': 'last year, last years, a year ago, previous year',
  // These set one thing apart from another: no operation has them.
  relation:
    'near, nearest, closest, farthest, furthest, far, distance, before, after, until, than, other, second, third, ' +
    'last, next, previous, will, why, when, same, each other, could be, could live, may be, may live, might be, might live',
  size: 'area, size, how big, how large, surface area, land area, total area, extent, acreage',
  with: 'with, has, have, having, contain, contains, containing, hold, holds, holding',
  without:
    'without, no, neither, nor, none, zero, lack, lacks, lacking, do not have, does not have, dont have, doesnt have, not have, ' +
    'have no, has no, with no, not any, that dont have, devoid of, free of, without a single, without any, not a single',
  not: 'not, isnt, arent, dont, doesnt, didnt, wasnt, werent, never, non, outside, outside of, are not, is not',
  except:
    'except, except for, excluding, exclude, excludes, leaving out, leave out, apart from, aside from, other than, ignoring, ' +
    'not counting, not including, with the exception of, all but, everywhere but, everywhere except, anywhere but, ' +
    'anywhere except, anywhere outside, everywhere outside, anything but',
  only: 'only',
  names: 'name, names, names of, name of, named, called, list, list of',
  extent:
    'length, lengths, how long, total length, #count km of, #count kilometres of, #count km, #count kilometres, #count hectares of, hectares of',
  per: 'per, for each, for every, to each, to every, a head of',
  head: 'per capita, per head',
  each: 'each, every',
  by: 'by, broken down by, grouped by, split by, according to',
  ratio: 'ratio, ratio of',
  of: 'of',
  in: 'in, on, at, for, around, across, inside, throughout',
  from: 'from, since',
  and: 'and, plus, as well as, along with, but',
  or: 'or',
  top: 'top, first',
  bottom: 'bottom',
  rank:
    'rank, ranking, ranked, sort, sorted, order, in order, in order of, ordered, order by, in descending order, ' +
    'from the largest to the smallest, from largest to smallest, from the biggest to the smallest, ' +
    'from the highest to the lowest, from highest to lowest, from the most to the least, from most to least',
  compare: 'compare, compared, comparing, comparison, versus, vs, against, side by side',
  profile:
    'profile, overview, summary, summarise, summarize, describe, description, report, everything, tell me about, ' +
    'tell us about, know about, info on, info about, information on, information about',
  max: 'most, largest, biggest, greatest, maximum, max, highest, longest',
  min: 'least, smallest, fewest, minimum, min, lowest, shortest',
  'per-frame': 'per frame, per cell, per square, per grid cell, in each frame, for each frame',
  more: 'more, fewer',
  mean: 'average, avg, mean, on average, averages',
  median: 'median',
  mode: 'most common, commonest, most frequent, most widespread, main, mainly, mostly, dominant, predominant, majority',
  sum: 'total, sum, altogether, overall, in all, in total, combined, together, totals, sum total, grand total',
  range:
    'range, spread, difference between the highest and the lowest, difference between highest and lowest, ' +
    'difference between the lowest and the highest',
  interval:
    'interval, intervals, confidence interval, confidence intervals, credible interval, confidence limits, margin of error, ' +
    'error margin, uncertainty, uncertain, how uncertain, how sure, how certain, how accurate, how reliable, how precise, ' +
    'bounds, lower and upper bound, lower and upper bounds, upper and lower bound, upper and lower bounds, ' +
    'lower and upper limit, lower and upper limits, between which bounds, between what bounds, between which limits, ' +
    'between which numbers, between which values, between what values, within which bounds, interval for, interval of',
  change:
    'growth, grow, grown, grew, change, changed, changes, increase, increased, decline, declined, decrease, decreased, ' +
    'difference, growth rate, change in percent',
  trend:
    'growing, rising, falling, increasing, decreasing, shrinking, declining, going up, going down, going up or down',
  share:
    'share, share of, percent, percentage, per cent, percentage of, percent of, proportion, proportion of, fraction, fraction of, %',
  half: 'half, one half',
  density: 'density, densities, per km2, per sq km, per square kilometre, per square kilometer, a square kilometre',
} as const

const BOUND_PHRASES = {
  above:
    'above, over, beyond, further than, farther than, more than, greater than, higher than, larger than, exceeding, exceed, in excess of',
  atLeast: 'at least, atleast, or more, +, no less than, no fewer than, not less than, not below, or above',
  below: 'below, under, less than, fewer than, lower than, smaller than, beneath',
  atMost: 'at most, atmost, up to, within, no more than, not more than, or less, or fewer, or below, not above',
  between: 'between, in the band of, in the band, in bands of, in the bands',
  equal: 'exactly, equal to',
} as const
export type Bound = keyof typeof BOUND_PHRASES

/** These units stand beside numbers. */
const MEASURE_PHRASES = [
  ['m', 'm, metre, metres, meter, meters'],
  ['minutes', 'minute, minutes, mins'],
  ['hours', 'hour, hours'],
  ['degrees', 'degree, degrees'],
  ['km', 'km, kilometre, kilometres, kilometer, kilometers'],
  ['km2', 'km2, sq km, square kilometre, square kilometres, square kilometer, square kilometers, hectares, acres'],
  ['ft', 'ft, feet'],
  ['miles', 'mile, miles'],
] as const

/** An adjective means a topic that has this name. `base` needs "how", "most" or "least" beside it. */
const ADJECTIVES: readonly [name: string, side: 'max' | 'min', base: string, most: string][] = [
  ['slope', 'max', 'steep, hilly', 'steepest, hilliest'],
  ['slope', 'min', 'flat', 'flattest'],
  ['elevation', 'max', 'high, elevated', ''],
  ['elevation', 'min', 'low', ''],
  ['population', 'max', 'populous, populated, crowded', 'busiest'],
  ['population density', 'max', 'dense, densely populated', 'densest'],
  ['population density', 'min', 'sparsely populated', 'sparsest'],
  ['building density', 'max', 'built up, densely built', ''],
]

type Plain = keyof typeof PHRASES
export type Cue =
  | { [Name in Plain]: { cue: Name } }[Plain]
  | { cue: 'bound'; bound: Bound }
  | { cue: 'measure'; units: string }
  | { cue: 'adjective'; name: string; side: 'max' | 'min'; isMost: boolean }

function cueTable(): ReadonlyMap<string, Cue> {
  const table = new Map<string, Cue>()
  const add = (list: string, cue: Cue) => {
    for (const phrase of list.split(', ')) if (phrase !== '' && !table.has(phrase)) table.set(phrase, cue)
  }
  for (const [cue, list] of Object.entries(PHRASES)) add(list, { cue } as Cue)
  for (const [bound, list] of Object.entries(BOUND_PHRASES)) add(list, { cue: 'bound', bound: bound as Bound })
  for (const [units, list] of MEASURE_PHRASES) add(list, { cue: 'measure', units })
  for (const [name, side, base, most] of ADJECTIVES) {
    add(base, { cue: 'adjective', name, side, isMost: false })
    add(most, { cue: 'adjective', name, side, isMost: true })
  }
  return table
}

const CUES = cueTable()
const PHRASE_LONGEST = 9
const ignored: ReadonlySet<string> = new Set(IGNORED.split(/\s+/))

export const isIgnored = (word: string): boolean => ignored.has(word)

/** Returns the longest phrase that begins at a place among the words, and how many words it has. */
export function cueAt(words: readonly string[], start: number): { cue: Cue; length: number } | undefined {
  for (let length = Math.min(PHRASE_LONGEST, words.length - start); length > 0; length--) {
    const cue = CUES.get(words.slice(start, start + length).join(' '))
    if (cue) return { cue, length }
  }
  return undefined
}

export const CUE_WORDS: ReadonlySet<string> = new Set([...CUES.keys()].flatMap((phrase) => phrase.split(' ')))
