/**
 * Numbers that are figures only behind some words of a text: a change, a bound of a condition, and a year of a label.
 * The source of a figure says which of its numbers these are.
 */
import { levelPlural, UNIT_LEVELS } from '../../place.js'
import { compareDecimals, trimDecimal } from '../../decimal.js'
import { type Source, type Test, WHOLE_FROM } from '../../figures/index.js'
import { type ReadNumber, readNumbers } from '../../numbers/index.js'

/** Without its source, nothing is known of a figure but its numbers. */
export type StatedFacet = { label: string; value: string; source?: StatedSource }
export type StatedSource = { statistic: string } & Partial<Pick<Source, 'where' | 'whole' | 'frames' | 'figure'>>

export type Stated = {
  value: string
  unit: string | undefined
  noun: string | undefined
  /** Stands before the number, and behind it. */
  before?: RegExp
  after?: RegExp
}

const UPPER = 'within|at most|up to|under|below|less than|fewer than|(?:no|not) (?:more|further|farther) than'
const LOWER =
  '(?<!no |not )(?:more|further|farther|greater) than|above|over|beyond|at least|exceed(?:s|ed|ing)?|no (?:less|fewer) than'
const LESS =
  /\b(?:fell|fall\w*|decreas\w*|declin\w*|dropp?\w*|shr[aiu]nk\w*|los[est]\w*|fewer|less|lower|down)\b[^.;!?]*$/i
const MORE = /\b(?:gr[eo]w\w*|increas\w*|r[io]se\w*|rising|gain\w*|add\w*|more|higher|up)\b[^.;!?]*$/i
/** "17,228 people more than in 2025" */
const MORE_BEHIND = /^(?: %)?(?: \p{L}+)? (?:more|higher)\b/u
const LESS_BEHIND = /^(?: %)?(?: \p{L}+)? (?:fewer|less|lower)\b/u
/** "400 pupils or more": a bound that is its own number. */
const BEHIND: Readonly<Record<string, RegExp>> = {
  atLeast: /^(?: \p{L}+)? (?:or|and) more\b/u,
  atMost: /^(?: \p{L}+)? (?:or|and) (?:less|fewer)\b/u,
}
const RATE = /\b(?:per|every|each) $/i
const ABOVE = new RegExp(`(?:\\b(?:${LOWER}|between|from)) $`, 'i')
const BELOW = new RegExp(`(?:\\b(?:${UPPER})|\\d and|\\d to) $`, 'i')
const YEAR = {
  unit: undefined,
  noun: 'year',
  before: /\b(?:in|of|for|from|to|by|since|until|during|between|and|year|the) $|\($/i,
  // "In 2026 villages" counts them.
  after: /^(?!,?\d|[- ]\p{L}+(?<!\b(?:was|is|has|this|its))s\b)/u,
}

const numbersIn = (text: string): ReadNumber[] => readNumbers(text).flatMap((each) => ('why' in each ? [] : [each]))

/** "An increase of 3,880 people, 2.3 % (from 168,290 people to 172,170 people)" ends with the two that it compares. */
export function numbersOfValue(value: string, source: StatedSource | undefined): Stated[] {
  // Values group their thousands: four digits alone are a year.
  const numbers = numbersIn(value).map((number) =>
    number.unit === undefined && /^(?:1[5-9]|20)\d\d$/.test(number.text)
      ? { ...number, noun: 'year', after: YEAR.after }
      : number,
  )
  // An average or a rate may be told in whole numbers.
  const how = source?.figure?.op ?? source?.figure?.of.how ?? source?.statistic
  if (how !== undefined && /^(?:mean|median|ratio|per|per_km2)$/.test(how))
    return numbers.flatMap((each) =>
      Number(each.value) >= WHOLE_FROM ? [each, { ...each, value: String(Math.round(Number(each.value))) }] : [each],
    )
  // "-362,556 people" is said as "362,556 people less".
  if (source?.figure?.op === 'difference' || source?.figure?.op === 'change')
    return numbers.flatMap((each) => (each.value.startsWith('-') ? [each, ...changed(each, false)] : [each]))
  if (source?.statistic !== 'change') return numbers
  const [from, to] = numbers.slice(-2)
  if (!from || !to) return numbers
  const isMore = compareDecimals(to.value, from.value) > 0
  return [from, to, ...numbers.slice(0, -2).flatMap((number) => changed(number, isMore))]
}

/** Words of an increase or of a decrease stand before the number, or behind it. */
function changed(number: Stated, isMore: boolean): Stated[] {
  const value = number.value.replace('-', '')
  const [before, after] = isMore ? [MORE, MORE_BEHIND] : [LESS, LESS_BEHIND]
  return [
    { ...number, value, before },
    { ...number, value, after },
  ]
}

type Bound = { value: string; before: RegExp; after?: RegExp | undefined; isMetres?: boolean }

function boundsOf(test: Test): Bound[] {
  if (test.test === 'any') return [{ value: '0', before: ABOVE }]
  if (test.test !== 'bounds') return []
  const { above, atLeast, below, atMost } = test
  const of = (value: string | undefined, before: RegExp, after?: RegExp) =>
    value === undefined ? [] : [{ value: trimDecimal(value), before, after }]
  return [
    ...of(above, ABOVE),
    ...of(atLeast, ABOVE, BEHIND['atLeast']),
    ...of(below, BELOW),
    ...of(atMost, BELOW, BEHIND['atMost']),
  ]
}

/** "Whose voltage is 132 kV": the number of another "is" is none of the condition. */
const EQUAL = /\b(?:whose|where) (?:(?! is ).)* is $|\bexactly $/i

const COMPARED: Readonly<Record<string, RegExp[]>> = {
  above: [ABOVE],
  atLeast: [ABOVE],
  below: [BELOW],
  atMost: [BELOW],
  equals: [EQUAL],
  metres: [ABOVE, BELOW],
}

/** The bounds of a figure of the algebra, at any depth. Distances are told in metres or in kilometres. */
function boundsOfFigure(figure: unknown): Bound[] {
  if (typeof figure !== 'object' || figure === null) return []
  return Object.entries(figure).flatMap(([key, value]): Bound[] => {
    if (typeof value === 'object') return boundsOfFigure(value)
    const number = Number(value)
    const own = key === 'metres' ? [{ value: String(number), isMetres: true }, { value: String(number / 1000) }] : []
    const values = own.length > 0 ? own : [{ value: trimDecimal(String(value)) }]
    return (COMPARED[key] ?? []).flatMap((before) => values.map((each) => ({ ...each, before, after: BEHIND[key] })))
  })
}

/** "On frames where the distance is at most 2 km", "wards above 100,000 people", "2026 estimate", "95 % interval". */
export function numbersOfLabel({ label, source }: StatedFacet): Stated[] {
  const { where = [], whole = [], statistic, figure } = source ?? {}
  const bounds = [...[...where, ...whole].flatMap(boundsOf), ...boundsOfFigure(figure)]
  const metres = bounds
    .filter(({ isMetres }) => isMetres)
    .map(({ value, before }) => ({ value, before, unit: 'm', noun: 'm' }))
  const stated = numbersIn(label).flatMap((number): Stated[] => [
    ...(/\bper $/.test(label.slice(0, number.at)) ? [{ ...number, before: RATE }] : []),
    ...(/^(?:19|20)\d\d$/.test(number.text) ? [{ ...YEAR, value: number.value }] : []),
    ...(statistic === 'interval' && number.unit === '%' ? [number] : []),
    ...bounds
      .filter(({ value }) => value === number.value)
      .flatMap(({ before, after }) => [{ ...number, before }, ...(after ? [{ ...number, after }] : [])]),
  ])
  return [...stated, ...metres]
}

const ORDER = /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)$/i
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
/** "Kirin Gate (162,584 people)" */
const ITEM = /([^,;()]+)(?: \([^()]*\))? \((?:between )?-?[\d][^()]*\)/g

/** "Central is third": the sentence names what has this place in a list that its label says is in order. */
export function isRankOf(word: string, sentence: string, facets: readonly StatedFacet[]): boolean {
  // "A third of the people" is a part.
  if (!ORDER.test(word) || new RegExp(`\\b(?:a|an|one|two|the) ${word}s? (?:of|part)\\b`, 'i').test(sentence))
    return false
  const place = ORDINALS.indexOf(word.toLowerCase())
  const text = sentence.toLowerCase()
  return facets.some(({ label, value }) => {
    if (!/\b(?:highest|lowest)\b/.test(label)) return false
    const alone = /\bnumber (\d+) from the\b/.exec(label)?.[1]
    if (alone !== undefined && Number(alone) !== place + 1) return false
    const name = [...value.matchAll(ITEM)][alone === undefined ? place : 0]?.[1]?.trim().toLowerCase()
    return name !== undefined && text.includes(name)
  })
}

/** "The three largest LGAs": so many does a list name that its label says is in order. */
export function isLengthOfList(value: string, after: string, facets: readonly StatedFacet[]): boolean {
  const listed = ['frames', 'largest', 'highest', 'lowest', 'smallest', ...UNIT_LEVELS.map(levelPlural)]
  // At most one word stands between the number and what it counts.
  const behind = [after, after.replace(/^ \p{L}+(?= )/u, '')]
  const isCount = behind.some((text) =>
    listed.some((word) => text.startsWith(` ${word}`) && !/^[\p{L}\p{N}_]/u.test(text.slice(1 + word.length))),
  )
  const isOfLength = ({ label, value: list }: StatedFacet) =>
    /\b(?:highest|lowest)\b/.test(label) && [...list.matchAll(ITEM)].length === Number(value)
  return isCount && facets.some(isOfLength)
}

export const isStated = (text: string, at: number, end: number, { before, after }: Stated): boolean =>
  (before === undefined || before.test(text.slice(Math.max(0, at - 80), at))) &&
  (after === undefined || after.test(text.slice(end, end + 40)))
