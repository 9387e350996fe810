/** Reads a table of places: CSV, or a list of JSON objects. Each row names a frame, a point or a unit. */
import { isQueryNumber } from '../decimal.js'
import { invalidBody, shortened } from '../errors.js'
import { isFrameId } from '../frame-id.js'
import { LAT_MAX, LON_MAX } from '../parameters.js'
import { type CsvRow, FileFault, jsonValues, openCsv } from '../text-file/index.js'

/** A row that names no place has the reason. */
type RowPlace = { lon: number; lat: number } | { id: string } | { unit: (string | null)[] } | { reason: string }
/** The cells of a row of CSV as they came, or an object with its text. */
export type TableRow = { given: readonly string[] | JsonRow; place: RowPlace }
type JsonRow = { object: object; text: string }
/** `head`: the names of the columns that came; those of the first object. `batches` are of any size. */
export type Table = { head: string[]; batches: AsyncGenerator<TableRow[]> }

/** How the columns that name a place may be called, in any case. */
const CALLED = {
  frame: ['frame', 'frame_id', 'frameid'],
  lat: ['lat', 'latitude', 'y'],
  lon: ['lon', 'lng', 'long', 'longitude', 'x'],
  state: ['state'],
  lga: ['lga'],
  ward: ['ward'],
}
type Named = Partial<Record<keyof typeof CALLED, string>>

/** `named`: the columns that the caller names. Faults of the whole table are refused; those of a row are in its place. */
export async function openTable(source: AsyncIterable<Buffer>, isJson: boolean, named: Named): Promise<Table> {
  try {
    return isJson ? await jsonTable(source, named) : await csvTable(source, named)
  } catch (error) {
    throw bodyFault(error)
  }
}

const bodyFault = (error: unknown) => (error instanceof FileFault ? invalidBody(error.message) : error)

async function csvTable(source: AsyncIterable<Buffer>, named: Named): Promise<Table> {
  const { head, batches } = await openCsv(source)
  const names = head.cells
  const placeIn = placeReader(names, named)
  const read = ({ cells }: CsvRow): TableRow => {
    const place =
      cells.length === names.length
        ? placeIn((name) => cells[names.indexOf(name)])
        : { reason: `The row has ${cells.length} cells, and the table has ${names.length} columns.` }
    return { given: cells, place }
  }
  return { head: names, batches: withFaults(batches, read) }
}

async function jsonTable(source: AsyncIterable<Buffer>, named: Named): Promise<Table> {
  const batches = objectsOf(source)
  const begun = await batches.next()
  const [first] = begun.value ?? []
  if (!first) throw invalidBody('The body has no rows: a list of JSON objects is accepted.')
  const head = Object.keys(first.object)
  const placeIn = placeReader(head, named)
  const read = (given: JsonRow): TableRow => ({ given, place: placeIn((name) => cellOf(given, name)) })
  async function* all(): AsyncGenerator<JsonRow[]> {
    yield begun.value ?? []
    yield* batches
  }
  return { head, batches: withFaults(all(), read) }
}

/** The cell of an object, as a table of CSV would have it. */
export const cellOf = ({ object }: JsonRow, name: string): string => textOf((object as Record<string, unknown>)[name])

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value)

/** The escape for it in JSON. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/

/** Objects of a batch. */
const AT_ONCE = 1000

async function* objectsOf(source: AsyncIterable<Buffer>): AsyncGenerator<JsonRow[], undefined> {
  let batch: JsonRow[] = []
  for await (const item of jsonValues(source)) {
    if (item.kind !== 'value') throw invalidBody('The body is an object: a list of rows is accepted.')
    const { value: object, text = '' } = item
    if (typeof object !== 'object' || object === null || Array.isArray(object))
      throw invalidBody(`Row ${item.number} is no JSON object.`)
    if (NUL.test(text)) throw invalidBody(`Row ${item.number}: a NUL character is not accepted.`)
    batch.push({ object, text })
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
  return undefined
}

async function* withFaults<From>(
  batches: AsyncIterable<From[]>,
  read: (row: From) => TableRow,
): AsyncGenerator<TableRow[]> {
  try {
    for await (const batch of batches) yield batch.map(read)
  } catch (error) {
    throw bodyFault(error)
  }
}

type CellOf = (name: string) => string | undefined

/** Finds the columns that name a place. What the caller names goes first, then a frame, a point and a unit. */
function placeReader(head: readonly string[], named: Named): (cell: CellOf) => RowPlace {
  for (const [what, name] of Object.entries(named))
    if (!head.includes(name)) throw invalidBody(`${what}: the table has no column "${shortened(name)}".`)
  const isNamed = Object.keys(named).length > 0
  const at = (what: keyof typeof CALLED) =>
    isNamed ? named[what] : head.find((name) => CALLED[what].includes(name.trim().toLowerCase()))
  const [frame, lat, lon, state] = [at('frame'), at('lat'), at('lon'), at('state')]
  if (frame !== undefined) return (cell) => framePlace(cell(frame))
  if (lat !== undefined && lon !== undefined) return (cell) => pointPlace(cell(lat), cell(lon))
  if (state !== undefined) {
    const names = [state, at('lga'), at('ward')]
    return (cell) => unitPlace(names.map((name) => (name === undefined ? '' : (cell(name)?.trim() ?? ''))))
  }
  throw invalidBody('The table names no places: a column frame, columns lat and lon, or a column state are needed.')
}

const framePlace = (text = ''): RowPlace =>
  isFrameId(text.trim()) ? { id: text.trim() } : { reason: `frame: "${shortened(text)}" is no id of a frame.` }

function pointPlace(lat = '', lon = ''): RowPlace {
  for (const [name, text, most] of [
    ['lat', lat, LAT_MAX],
    ['lon', lon, LON_MAX],
  ] as const)
    if (!isQueryNumber(text.trim()) || Math.abs(Number(text)) > most)
      return { reason: `${name}: a decimal number from -${most} to ${most} is accepted, "${shortened(text)}" came.` }
  return { lat: Number(lat), lon: Number(lon) }
}

function unitPlace([state = '', lga = '', ward = '']: string[]): RowPlace {
  if (state === '') return { reason: 'state: the name of a state is needed.' }
  if (ward !== '' && lga === '') return { reason: 'lga: a ward needs its LGA beside it.' }
  return { unit: [state, lga || null, ward || null] }
}
