/** Takes in features: GeoJSON, a GeoJSON text sequence, or CSV with lon and lat. The work is in sql/import/. */
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'
import { isFileNumber } from '../decimal.js'
import { valuesOf } from './build.js'
import { csvRows, type CsvRow } from './csv-rows.js'
import { takeIn, type DatasetMade, type DatasetWanted, type Kind } from './datasets.js'
import { geometryText, isMembers, parsed, Refusal, shown, within, type ShapeType } from './geojson-shape.js'
import { FileFault, type JsonValue } from './json-values.js'
import type { Progress } from './patiently.js'

type FeatureKind = Exclude<Kind, 'frames'>
type FeatureSource = {
  number: number
  line: number
  id: string
  kind: FeatureKind
  geometry: string
  properties: string
}

const BATCH_BYTES = 1 << 20
const types: Record<FeatureKind, ShapeType[]> = {
  points: ['Point', 'MultiPoint'],
  lines: ['LineString', 'MultiLineString'],
  polygons: ['Polygon', 'MultiPolygon'],
}
const allTypes = Object.values(types).flat()
const kindOf = (type: unknown) =>
  (Object.keys(types) as FeatureKind[]).find((kind) => types[kind].includes(type as ShapeType)) ?? 'points'

export const importFeatures = (
  db: Database,
  file: string,
  wanted: DatasetWanted,
  progress: Progress,
): Promise<DatasetMade> =>
  takeIn(db, wanted, progress, {
    load: async () => ({ kind: await addFeatures(db, file, progress), attributes: [] }),
    faults: 'import/features_faults',
    put: ['import/features_put', 'import/features_join'],
  })

/** Answers with the kind that all of them are. */
async function addFeatures(db: Database, file: string, progress: Progress): Promise<FeatureKind> {
  const text = sqlText('import/features_add')
  let taken = 0
  let bytes = 0
  let kind: FeatureKind | undefined
  let batch: FeatureSource[] = []
  const send = async () => {
    if (batch.length > 0) await db.rows(text, [JSON.stringify(batch)])
    batch = []
    bytes = 0
  }
  for await (const feature of /\.csv$/i.test(file) ? featuresOfCsv(file) : featuresOfJson(file)) {
    kind ??= feature.kind
    if (feature.kind !== kind) {
      const message = `a dataset is of one kind: the first are ${kind}, here are ${feature.kind}.`
      throw new FileFault(`feature ${feature.number} (line ${feature.line}): ${message}`, feature.line, feature.number)
    }
    batch.push(feature)
    bytes += feature.geometry.length + feature.properties.length
    taken += 1
    if (bytes >= BATCH_BYTES) await send()
    if (taken % 50_000 === 0) progress(`reading: ${taken} features`)
  }
  await send()
  if (kind === undefined) throw new FileFault(`${file}: there is no feature in it.`, 1)
  return kind
}

async function* featuresOfJson(file: string): AsyncGenerator<FeatureSource> {
  for await (const value of valuesOf(file)) yield featureOf(value)
}

function featureOf({ text, line, number }: JsonValue): FeatureSource {
  return within(`feature ${number} (line ${line})`, line, number, () => {
    const given = parsed(text)
    if (!isMembers(given) || given['type'] !== 'Feature')
      throw new Refusal(`a Feature is needed, and ${shown(given)} came`)
    const properties = given['properties'] ?? {}
    if (!isMembers(properties))
      throw new Refusal(`properties has to be an object or null, and ${shown(properties)} came`)
    const written = JSON.stringify(properties)
    if (written.includes('\\u0000')) throw new Refusal('a NUL character is not accepted in properties')
    const geometry = geometryText(given['geometry'], allTypes)
    const kind = kindOf((given['geometry'] as { type: unknown }).type)
    return { number, line, id: idOf(given['id'] ?? properties['id'], number), kind, geometry, properties: written }
  })
}

/** A feature that came without an id has its place in the file for one. */
function idOf(id: unknown, number: number): string {
  if (id === undefined || id === null) return String(number)
  if (typeof id === 'number' && Number.isFinite(id)) return String(id)
  if (typeof id === 'string' && id.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(id)) return id
  throw new Refusal(`id has to be a number or a text, and ${shown(id)} came`)
}

async function* featuresOfCsv(file: string): AsyncGenerator<FeatureSource> {
  const rows = csvRows(file)
  const head = (await rows.next()).value as CsvRow | undefined
  const names = head?.cells ?? []
  const place = (...spellings: string[]) => names.findIndex((name) => spellings.includes(name.trim().toLowerCase()))
  const [lon, lat, id] = [place('lon', 'lng', 'longitude'), place('lat', 'latitude'), place('id')]
  if (lon === -1 || lat === -1) {
    throw new FileFault(`line 1: columns named lon and lat are needed; ${names.join(', ') || 'none'} came.`, 1)
  }
  const others = names.map((name, i) => ({ name, i })).filter(({ i }) => i !== lon && i !== lat && i !== id)
  let number = 0
  for await (const { cells, line } of rows) {
    number += 1
    yield within(`line ${line}`, line, number, () => {
      if (cells.length !== names.length) throw new Refusal(`${names.length} values are needed, ${cells.length} came`)
      const coordinates = [degrees(cells[lon], names[lon]), degrees(cells[lat], names[lat])]
      const properties = Object.fromEntries(others.map(({ name, i }) => [name, cells[i]]))
      return {
        number,
        line,
        id: idOf(id === -1 ? undefined : cells[id], number),
        kind: 'points',
        geometry: geometryText({ type: 'Point', coordinates }, ['Point']),
        properties: JSON.stringify(properties),
      }
    })
  }
}

function degrees(cell = '', name = ''): number {
  if (isFileNumber(cell.trim())) return Number(cell)
  throw new Refusal(`${name}: a decimal number is needed, ${shown(cell)} came`)
}
