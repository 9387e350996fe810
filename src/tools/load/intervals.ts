/** Reads how sure the values of a baseline are: the bounds of a value, or draws of the model that made it. */
import { isFigureNumber } from '../../core/decimal.js'
import { didYouMean } from '../../core/nearest.js'
import type { Attribute } from './catalogue.js'
import { ValueRefusal } from './faults.js'

/** Fewer draws have no 2.5 % on either side: see draws_interval.sql. */
const DRAWS_MIN = 39
const DRAWS_MAX = 1000

export type IntervalRow = { attribute: string; lower: string | null; upper: string | null; draws: string | null }

export type IntervalReader = ReturnType<typeof intervalReader>

type Places = { name: string; value: number; lower: number; upper: number; draws: number }

export function intervalReader(columns: readonly string[], entries: readonly Attribute[]) {
  const places = entries
    .filter(({ name, lower, draws }) => columns.includes(name) && (lower ?? draws) !== undefined)
    .map((entry) => columnPlaces(entry, columns))
  const counts = new Map<string, { count: number; line: number }>()
  return {
    /** Columns of draws are no attributes: the rows that callers get do not have them. */
    isOfDraws: (column: string) => places.some(({ draws }) => columns[draws] === column),
    read: (cells: readonly string[], line: number) =>
      places.flatMap((place) => intervalRows(place, cells, { line, counts })),
  }
}

function columnPlaces({ name, lower, upper, draws }: Attribute, columns: readonly string[]): Places {
  const placeOf = (column: string | undefined): number => {
    const place = column === undefined ? -1 : columns.indexOf(column)
    if (column !== undefined && place === -1)
      throw new ValueRefusal(
        `${name} has its ${column === draws ? 'draws' : 'bounds'} in ${column}, which is no column: ${columns.join(', ')} are.${didYouMean(column, columns)}`,
      )
    return place
  }
  return { name, value: columns.indexOf(name), lower: placeOf(lower), upper: placeOf(upper), draws: placeOf(draws) }
}

type Seen = { line: number; counts: Map<string, { count: number; line: number }> }

function intervalRows({ name, ...places }: Places, cells: readonly string[], { line, counts }: Seen): IntervalRow[] {
  const cellAt = (place: number) => (cells[place] ?? '').trim()
  const [value, lower, upper] = [cellAt(places.value), cellAt(places.lower), cellAt(places.upper)]
  const isOfDraws = places.draws !== -1
  const draws = isOfDraws ? drawsIn(cellAt(places.draws)) : []
  const isNumber = isFigureNumber(value)
  if (!isNumber && (draws.length > 0 || lower !== '' || upper !== ''))
    throw new ValueRefusal(
      `${name} has ${isOfDraws ? 'draws' : 'bounds'} here, but its value is ${value === '' ? 'blank' : 'no number'}.`,
    )
  if (!isNumber) return []
  if (!isOfDraws) {
    if (!isFigureNumber(lower) || !isFigureNumber(upper))
      throw new ValueRefusal(
        `${name} needs a lower and an upper bound beside its value, "${lower}" and "${upper}" came.`,
      )
    if (Number(lower) > Number(upper))
      throw new ValueRefusal(`the lower bound of ${name}, ${lower}, is above the upper one, ${upper}.`)
    return [{ attribute: name, lower, upper, draws: null }]
  }
  const first = counts.get(name) ?? { count: draws.length, line }
  counts.set(name, first)
  if (draws.length < DRAWS_MIN || draws.length > DRAWS_MAX)
    throw new ValueRefusal(`${DRAWS_MIN} to ${DRAWS_MAX} draws of ${name} are accepted, ${draws.length} came.`)
  if (draws.length !== first.count)
    throw new ValueRefusal(
      `${first.count} draws of ${name} are needed, as on line ${first.line}, ${draws.length} came.`,
    )
  const odd = draws.find((draw) => !isFigureNumber(draw))
  if (odd !== undefined) throw new ValueRefusal(`draws of ${name} are numbers, "${odd.slice(0, 40)}" came.`)
  return [{ attribute: name, lower: null, upper: null, draws: `{${draws.join(',')}}` }]
}

/** Takes "[1, 2, 3]", "{1,2,3}" and "1 2 3". A semicolon is refused, since it may separate numbers with decimal commas. */
const drawsIn = (text: string): string[] =>
  text
    .replace(/^[[{]|[\]}]$/g, '')
    .split(/[\s,]+/)
    .filter((draw) => draw !== '')
