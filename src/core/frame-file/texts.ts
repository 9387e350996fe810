/** Writes frames as texts: GeoJSON, a feature a line, and CSV. A number stands as it is stored, so that no digit changes. */
import { csvCell } from '../csv.js'
import { geometryBounds, type Geometry } from '../geometry.js'
import { UNIT_COLUMNS } from '../unit-fields.js'
import { FRAME_COLUMNS, keyOf, storedValue, type FileItem, type TableForm } from './columns.js'

type Frames = AsyncIterable<FileItem> | Iterable<FileItem>

export async function* featureLines(frames: Frames, table: TableForm): AsyncGenerator<string> {
  for await (const frame of frames) yield `${featureText(frame, table)}\n`
}

export async function* collectionTexts(frames: Frames, table: TableForm): AsyncGenerator<string> {
  let before = '{"type":"FeatureCollection","features":[\n'
  for await (const frame of frames) {
    yield before + featureText(frame, table)
    before = ',\n'
  }
  yield '\n]}\n'
}

/**
 * `id` is a text as in the API. `frame_id` is a whole number as in the views and in the other formats. What is not
 * recorded is left out.
 */
function featureText({ id, geometry, units, values }: FileItem, { columns }: TableForm): string {
  const members = [member('frame_id', id)]
  for (const [name, value] of Object.entries(units)) members.push(member(name, JSON.stringify(value)))
  for (const column of columns) {
    const value = storedValue(values, column)
    if (value !== '') members.push(member(column.name, column.type === 'text' ? JSON.stringify(value) : value))
  }
  const shape = JSON.stringify({ type: 'Feature', id, geometry })
  return `${shape.slice(0, -1)},"properties":{${members.join(',')}}}`
}

const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`

export async function* csvLines(frames: Frames, table: TableForm): AsyncGenerator<string> {
  yield csvHead(table)
  for await (const frame of frames) yield csvLine(frame, table)
}

/** A feature has its shape alone: an import makes properties of the other columns. */
function csvHead({ hasFeatures = false, units, guards, columns }: TableForm): string {
  const names = columns.map(({ name }) => csvCell(name, { guards }))
  return `${[...(hasFeatures ? [keyOf({ hasFeatures }), 'wkt'] : FRAME_COLUMNS), ...(units ? UNIT_COLUMNS : []), ...names].join(',')}\n`
}

function csvLine({ id, geometry, units, values }: FileItem, table: TableForm): string {
  const names = table.units ? UNIT_COLUMNS.map((unit) => units[unit] ?? '') : []
  const stored = table.columns.map((column) => storedValue(values, column))
  const texts = [wkt(geometry), ...names, ...stored].map((text) => csvCell(text, table))
  if (table.hasFeatures) return `${[csvCell(id, table), ...texts].join(',')}\n`
  const [west, south, east, north] = geometryBounds(geometry)
  const numbers = [west, south, east, north, middle(west, east), middle(south, north)]
  return `${[id, ...numbers, ...texts].join(',')}\n`
}

/** The API gives seven decimals, too. */
const middle = (one: number, other: number) => Number(((one + other) / 2).toFixed(7))

function wkt({ type, coordinates }: Geometry): string {
  const text = listText(coordinates as unknown[])
  return `${type.toUpperCase()}${type === 'Point' ? `(${text})` : text}`
}

const listText = (list: unknown[]): string =>
  Array.isArray(list[0]) ? `(${list.map((each) => listText(each as unknown[])).join(',')})` : list.join(' ')
