/** What the columns say of the rows of a table: one statement for each batch of rows. */
import type { Reader } from '../db/index.js'
import { rowsEnriched } from '../db/statements.js'
import type { Column, FigureColumn } from './columns.js'
import type { TableRow } from './rows.js'

/** `values`: a text for each column, null where there is none. `reason`: why the row has no place. */
export type Told = { values: (string | null)[]; reason: string }

/** Answers in the order of the rows. */
export async function toldOf(reader: Reader, rows: readonly TableRow[], columns: readonly Column[]): Promise<Told[]> {
  const places = rows.map(({ place }) => place)
  const ofUnits = places.some((place) => 'unit' in place)
  const { sources, read } = sourcesOf(columns, ofUnits)
  const listOf = <Item>(has: boolean, item: (place: Place) => Item | null) => (has ? listed(places.map(item)) : [])
  const ofPoints = places.some((place) => 'lon' in place)
  const unitAt = (level: number) => listOf(ofUnits, (place) => ('unit' in place ? (place.unit[level] ?? null) : null))
  const found = await rowsEnriched(
    reader,
    listOf(ofPoints, (place) => ('lon' in place ? place.lon : null)),
    listOf(ofPoints, (place) => ('lon' in place ? place.lat : null)),
    listOf(!ofPoints && !ofUnits, (place) => ('id' in place ? place.id : null)),
    unitAt(0),
    unitAt(1),
    unitAt(2),
    sources.map(({ dataset }) => dataset.layerId),
    listed(sources.map(({ name }) => name)),
    listed(sources.map(({ level }) => level)),
  )
  const none = columns.map(() => null)
  const told = places.map((place): Told => ({ values: none, reason: reasonOf(place) }))
  for (const row of found) {
    const parts = row.told === null ? [] : (JSON.parse(row.told) as Part[])
    told[row.place - 1] = { values: read.map((one) => one(row, parts)), reason: '' }
  }
  return told
}

type Place = TableRow['place']
type Row = Awaited<ReturnType<typeof rowsEnriched>>[number]
/** The record of a baseline, or one value. */
type Part = Record<string, string> | string | null
type Source = Omit<FigureColumn, 'name' | 'text'> & { name: string | null }

/** On a frame, the columns of a baseline come from one record. `read` has a function for each column. */
function sourcesOf(columns: readonly Column[], ofUnits: boolean) {
  const sources: Source[] = []
  const read = columns.map((column): ((row: Row, parts: readonly Part[]) => string | null) => {
    if ('ofFrame' in column) return (row) => row[column.ofFrame]
    const { dataset, level, name } = column
    const isRecord = dataset.kind === 'frames' && level === null && !ofUnits
    const before = sources.findIndex((one) => isRecord && one.dataset === dataset && one.name === null)
    const at = before === -1 ? sources.push({ dataset, level, name: isRecord ? null : name }) - 1 : before
    // As for totals, a dataset with a price is read on frames alone.
    if (ofUnits && dataset.price !== null) return () => null
    return (_row, parts) => {
      const part = parts[at] ?? null
      if (typeof part !== 'object' || part === null) return part
      return Object.hasOwn(part, name) ? (part[name] ?? null) : null
    }
  })
  return { sources, read }
}

/** The types of statements know no null inside of an array. */
const listed = <Item>(items: (Item | null)[]) => items as Item[]

function reasonOf(place: Place): string {
  if ('reason' in place) return place.reason
  if ('lon' in place) return 'No frame contains this point.'
  return 'id' in place ? 'The index has no such frame.' : 'There is no such unit.'
}
