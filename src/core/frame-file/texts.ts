/** Writes frames as texts: GeoJSON, a feature a line, and CSV. A number stands as it is stored, so that no digit changes. */
import { csvCell } from '../csv.js'
import { geometryBounds, type Geometry, polygonsOf, type Ring } from '../geometry.js'
import { UNIT_COLUMNS } from '../unit-fields.js'
import { FRAME_COLUMNS, storedValue, type FileFrame, type TableForm } from './columns.js'

type Frames = AsyncIterable<FileFrame> | Iterable<FileFrame>

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
function featureText({ id, geometry, units, values }: FileFrame, { columns }: TableForm): string {
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

function csvHead({ units, guards, columns }: TableForm): string {
  const names = columns.map(({ name }) => csvCell(name, { guards }))
  return `${[...FRAME_COLUMNS, ...(units ? UNIT_COLUMNS : []), ...names].join(',')}\n`
}

function csvLine({ id, geometry, units, values }: FileFrame, table: TableForm): string {
  const polygons = polygonsOf(geometry)
  const [west, south, east, north] = geometryBounds(geometry)
  const names = table.units ? UNIT_COLUMNS.map((unit) => units[unit] ?? '') : []
  const stored = table.columns.map((column) => storedValue(values, column))
  const texts = [wkt(geometry.type, polygons), ...names, ...stored].map((text) => csvCell(text, table))
  const numbers = [west, south, east, north, middle(west, east), middle(south, north)]
  return `${[id, ...numbers, ...texts].join(',')}\n`
}

/** The API gives seven decimals, too. */
const middle = (one: number, other: number) => Number(((one + other) / 2).toFixed(7))

function wkt(type: Geometry['type'], polygons: Ring[][]): string {
  const ring = (places: Ring) => `(${places.map((place) => place.join(' ')).join(',')})`
  const texts = polygons.map((rings) => `(${rings.map(ring).join(',')})`)
  return type === 'Polygon' ? `POLYGON${texts.join('')}` : `MULTIPOLYGON(${texts.join(',')})`
}
