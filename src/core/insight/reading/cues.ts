/** Words and phrases of the language that say what to do with a topic. They name no topic themselves. */

export type Statistic =
  | 'max'
  | 'min'
  | 'mean'
  | 'median'
  | 'mode'
  | 'sum'
  | 'range'
  | 'change'
  | 'trend'
  | 'share'
  | 'per_km2'
export type Bound = 'above' | 'atLeast' | 'below' | 'atMost' | 'between' | 'equal'
/** `end` says which end of its topic an adjective means; `form` is that of "steep", "steeper", "steepest", "empty" or "inhabited". */
type Adjective = { names: string; end: 'high' | 'low'; form: 'base' | 'more' | 'most' | 'none' | 'any' }
type Plain =
  | 'rank'
  | 'count'
  | 'which'
  | 'where'
  | 'none'
  | 'not'
  | 'any'
  | 'names'
  | 'extent'
  | 'per'
  | 'each'
  | 'ratio'
  | 'and'
  | 'or'
  | 'of'
  | 'in'
  | 'by'
  | 'from'
  | 'link'
  | 'do'
  | 'top'
  | 'bottom'
  | 'near'
  | 'compare'
  | 'profile'
  | 'why'
  | 'frames'
  | 'ground'
  | 'size'
  | 'last year'
  | 'this year'
  | 'leave out'
  | 'only'
  | 'how'
export type Cue =
  | { [Name in Plain]: { cue: Name } }[Plain]
  | { cue: 'statistic'; statistic: Statistic }
  | { cue: 'bound'; bound: Bound }
  | { cue: 'adjective'; adjective: Adjective }
  | { cue: 'distance'; form: 'base' | 'most'; side: 'high' | 'low' }
  | { cue: 'unit'; figure: 'state' | 'lga' | 'ward' | undefined }
  | { cue: 'measure'; units: string }
  | { cue: 'number'; number: string }

const PLAIN: Record<Plain, string> = {
  rank: 'rank, ranks, ranking, ranked, sort, sorted, order by, ordered by, in order of, league table',
  count:
    'how many, how much, how plenty, nombre de, nombre d, number of, numbers of, no of, nos of, count of, count, amount of, quantity of, nawa, melo, combien, hw many, how mny, howmany, tally',
  which: 'which, what, whats, wey, wetin, quel, quelle',
  where: 'where, wheres, whereabouts',
  none: 'no, neither, nor, without, none, lack, lacks, lacking, zero, not any, not a, not a single, do not have, does not have, dont have, doesnt have, have not, devoid of, free of, no single',
  not: 'not, isnt, arent, non, never, outside, outside of, dont live, do not live, doesnt live, arent living, not living, dont reside, do not reside, dont stay, dont dey',
  any: 'have, has, having, with, contain, contains, containing',
  names: 'name, names, names of, name of, named, called, list, list of',
  extent:
    'length, lengths, how long, km of, kilometres of, kilometers of, metres of, how many km, how many kilometres, how many kilometers, how much length, mileage, hectares of, how many hectares, how many hectares of',
  per: 'per, for each, for every, to each, to every, each have, a head of',
  each: 'each, every',
  ratio: 'ratio, ratio of',
  and: 'and, plus, as well as, along with, also, then, et',
  or: 'or',
  of: 'of, de, du, des',
  in: 'in, on, at, within, inside, across, around, for, over, throughout, along, dans',
  by: 'by, broken down by, grouped by, split by, according to',
  from: 'from, since',
  link: 'that, who, whose, are, is, be, was, were, classed as, classified as, being',
  do: 'do, does, did, can, could, will, would, dey',
  top: 'top, first, highest ranked',
  bottom: 'bottom',
  near: 'near, nearest to, close by to, next to, beside, along, within reach of, in reach of, adjacent to, distance from, distance between, distance of',
  compare:
    'compare, compares, compared, comparing, comparison, versus, vs, against, side by side, differ, differs, differences between, relative to',
  profile:
    'should i know, should we know, overview, picture, full picture, rundown, snapshot, background, what is here, whats here, what is there, whats there, summary, summarise, summarize, profile, describe, description, tell me about, tell me more, tell me everything, everything, all you know, what data, what information, what do you know, report, brief me, what can you tell, characteristics, in general, facts',
  why: 'why, when, whose, should, recommend, advise, predict, forecast',
  frames:
    'frame, frames, cell, cells, square, squares, grid, grids, grid cell, grid cells, grid square, grid squares, tile, tiles, areas, place, places, location, locations, site, sites, spot, spots, point, points, side, part, parts, box, boxes, block, blocks',
  ground: 'land, ground, terrain, territory, landscape, surface',
  size: 'size, how big, how large, extent, area, surface area, land area, total area, hectares, acreage, acres, big, how wide, superficie',
  'last year': 'last year, last years, a year ago, previous year, the year before',
  'this year':
    'this year, this years, now, today, currently, at present, most recent, most up to date, most current, latest, newest, recent',
  'leave out':
    'except, except for, excluding, exclude, apart from, other than, besides, setting aside, leaving aside, leave out, leaving out, ignore, ignoring, never mind, forget, forget about, dont care about, do not care about, not care about, dont need, do not need, dont want, do not want, not interested in, rather than, instead of, but not, no need for, skip, aside from, not counting, disregard, disregarding',
  only: 'only, just, but, tell, tell me, show, show me, give, give me, instead, i want, i need',
  how: 'how',
}

const STATISTICS: Record<Statistic, string> = {
  max: 'most, largest, biggest, greatest, maximum, max, longest, peak, more than any other, plenty',
  min: 'least, smallest, fewest, minimum, min, shortest, littlest, lightest, tiniest, slightest',
  mean: 'average, avg, mean, typical, typically, on average, usual, usually, averages, averaged, per frame, per cell, per square, per grid, per grid cell, per tile, in each frame, in each cell, in every frame, moyenne, moyen',
  median: 'median, middle value, medians',
  mode: 'most common, commonest, most frequent, most widespread, most usual, main, mainly, mostly, dominant, predominant, predominantly, largely, prevailing, majority, chiefly, primarily, principal',
  sum: 'total, sum, altogether, overall, in all, in total, combined, together, totals, totale, sum total, grand total, aggregate, cumulative',
  range:
    'range, spread, difference between the highest and the lowest, difference between highest and lowest, difference between the lowest and the highest, highest minus lowest, variation',
  change:
    'growth, grow, grown, grew, change, changed, changes, increase, increased, decline, declined, decrease, decreased, difference, difference between, growth rate',
  trend: 'going up, going down, growing, rising, falling, increasing, decreasing, shrinking, declining, up or down',
  share:
    'share, share of, percent, percentage, per cent, percentage of, percent of, proportion, proportion of, fraction, fraction of, how much of, what part of, %, pct',
  per_km2:
    'density, densities, per km2, per km, per sq km, per sqkm, per square kilometre, per square kilometer, per square km, per square kilometres, a square kilometre, for each km2, per unit area, to the square kilometre',
}

const BOUNDS: Record<Bound, string> = {
  above:
    'above, over, more than, greater than, higher than, larger than, bigger than, exceeding, exceed, exceeds, in excess of, upwards of, beyond, steeper than, >, longer than, taller than',
  atLeast:
    'at least, atleast, or more, no less than, no fewer than, minimum of, from at least, or above, or higher, or greater, or over, not below, not under, not less than, not fewer than, not lower than, no lower than',
  below: 'below, under, less than, fewer than, lower than, smaller than, beneath, flatter than, shorter than',
  atMost:
    'at most, atmost, up to, within, no more than, not more than, maximum of, or less, or fewer, or below, or lower, or under, not above, not over, not higher than, not greater than, not exceeding, no higher than, no greater than',
  between: 'between, ranging from, in the range of',
  equal: 'exactly, precisely, equal to',
}

/** Each adjective means a topic that has one of the names, where the question names none itself. */
const ADJECTIVES: readonly [
  names: string,
  end: 'high' | 'low',
  base: string,
  more: string,
  most: string,
  none?: string,
  any?: string,
][] = [
  [
    'slope,steepness',
    'high',
    'steep, hilly, sloping, sloped, hilliness, rugged, mountainous',
    'steeper, hillier',
    'steepest, hilliest',
  ],
  [
    'building density',
    'high',
    'built up, densely built, densely built up, dense built, heavily built, tightly built, closely built, densely packed with buildings',
    'more densely built, more built up',
    'most densely built, most built up, most heavily built, most tightly built',
  ],
  ['slope,steepness', 'low', 'flat, level, flatness, gentle', 'flatter, gentler', 'flattest, gentlest'],
  ['elevation,altitude,height', 'high', 'high, elevated, tall', 'higher', 'highest, tallest'],
  ['elevation,altitude,height', 'low', 'low, low lying, lowlying', 'lower', 'lowest, lowest lying'],
  [
    'population,people',
    'high',
    'populous, populated, crowded, busy, dense, densely, heavily, congested',
    'busier, denser',
    'busiest, densest',
    '',
    'inhabited, peopled, occupied',
  ],
  [
    'population,people',
    'low',
    'sparse, sparsely, thinly, quiet',
    'emptier, sparser',
    'emptiest, sparsest, quietest',
    'uninhabited, unpopulated, empty, deserted, unoccupied',
  ],
]

const UNITS: readonly [figure: 'state' | 'lga' | 'ward' | undefined, words: string][] = [
  ['state', 'state, states'],
  [
    'lga',
    'lga, lgas, local government, local government area, local government areas, local governments, government area, government areas',
  ],
  ['ward', 'ward, wards'],
  [
    undefined,
    'zone, zones, region, regions, district, districts, province, provinces, council, councils, council area, county, counties, neighbourhood, neighborhood, neighbourhoods, neighborhoods, community, communities, country, nation, locality, national, nationwide, countrywide, regional, statewide',
  ],
]

const MEASURES: readonly [units: string, words: string][] = [
  ['m', 'm, metre, metres, meter, meters, mtr, mtrs'],
  ['minutes', 'minute, minutes, mins'],
  ['hours', 'hour, hours, hr, hrs'],
  ['degrees', 'degree, degrees, deg'],
  ['km', 'km, kms, kilometre, kilometres, kilometer, kilometers'],
  ['km2', 'km2, sq km, sqkm, square kilometre, square kilometres, square kilometer, square kilometers, square km'],
  ['ft', 'ft, feet, foot, miles, mile, yards'],
]

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const MORE_NUMBERS: readonly [word: string, number: string][] = [
  ['twenty', '20'],
  ['thirty', '30'],
  ['fifty', '50'],
  ['hundred', '100'],
  ['a hundred', '100'],
  ['one hundred', '100'],
  ['two hundred', '200'],
  ['three hundred', '300'],
  ['five hundred', '500'],
  ['thousand', '1000'],
  ['a thousand', '1000'],
  ['one thousand', '1000'],
  ['two thousand', '2000'],
  ['five thousand', '5000'],
  ['ten thousand', '10000'],
]

function cueTable(): ReadonlyMap<string, Cue> {
  const table = new Map<string, Cue>()
  const add = (list: string, cue: Cue) => {
    for (const phrase of list.split(',')) if (phrase !== '') table.set(phrase.trim(), cue)
  }
  for (const [cue, list] of Object.entries(PLAIN)) add(list, { cue } as Cue)
  for (const [bound, list] of Object.entries(BOUNDS)) add(list, { cue: 'bound', bound: bound as Bound })
  for (const [statistic, list] of Object.entries(STATISTICS))
    add(list, { cue: 'statistic', statistic: statistic as Statistic })
  for (const [names, end, ...forms] of ADJECTIVES)
    forms.forEach((list, i) =>
      add(list ?? '', {
        cue: 'adjective',
        adjective: { names, end, form: (['base', 'more', 'most', 'none', 'any'] as const)[i] ?? 'base' },
      }),
    )
  add('far, how far, distant, remote, distance', { cue: 'distance', form: 'base', side: 'high' })
  add('farthest, furthest, farther, further, most remote, remotest', { cue: 'distance', form: 'most', side: 'high' })
  add('close', { cue: 'distance', form: 'base', side: 'low' })
  add('closest, nearest, nearer, closer', { cue: 'distance', form: 'most', side: 'low' })
  for (const [figure, list] of UNITS) add(list, { cue: 'unit', figure })
  for (const [units, list] of MEASURES) add(list, { cue: 'measure', units })
  NUMBERS.forEach((word, number) => add(word, { cue: 'number', number: String(number) }))
  for (const [word, number] of MORE_NUMBERS) add(word, { cue: 'number', number })
  return table
}

const CUES = cueTable()
const LONGEST = 8

/** Returns the longest cue that begins at a place among the words, and how many words it has. */
export function cueAt(words: readonly string[], start: number): { cue: Cue; length: number } | undefined {
  for (let length = Math.min(LONGEST, words.length - start); length > 0; length--) {
    const cue = CUES.get(words.slice(start, start + length).join(' '))
    if (cue) return { cue, length }
  }
  return undefined
}

/** Every single word of a cue. */
export const CUE_WORDS: ReadonlySet<string> = new Set([...CUES.keys()].flatMap((phrase) => phrase.split(' ')))
