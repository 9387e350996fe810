/** Imports features: points, lines or polygons. The work is in sql/import/. */
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'
import { exactNumber, exactText } from '../../core/exact-json.js'
import { replaceDataset, type DatasetEntry, type ImportedDataset, type DatasetKind } from './datasets.js'
import {
  exactValue,
  geometryText,
  inPlace,
  isMembers,
  type Members,
  quote,
  ShapeRefusal,
  type ShapeType,
} from './geojson-shape.js'
import { sendFeatures } from './feature-file.js'
import type { JsonValue } from './json-values.js'
import type { Progress } from './progress.js'

type FeatureKind = Exclude<DatasetKind, 'frames'>
const typesOfKind: Record<FeatureKind, ShapeType[]> = {
  points: ['Point', 'MultiPoint'],
  lines: ['LineString', 'MultiLineString'],
  polygons: ['Polygon', 'MultiPolygon'],
}
const allTypes = Object.values(typesOfKind).flat()
const kindOf = (type: unknown) =>
  (Object.keys(typesOfKind) as FeatureKind[]).find((kind) => typesOfKind[kind].includes(type as ShapeType)) ?? 'points'

export async function importFeatures(
  db: Database,
  file: string,
  { hasDistances = true, ...entry }: DatasetEntry & { hasDistances?: boolean },
  progress: Progress,
): Promise<ImportedDataset> {
  const imported = await replaceDataset(db, entry, progress, {
    load: async () => ({ kind: await addFeatures(db, file, progress), attributes: [] }),
    faults: 'import/features_faults',
    put: ['import/features_put', 'import/features_join'],
    hasDistances,
  })
  const [row] = await db.rows<{ outside: number }>(sqlText('import/features_outside'), [entry.layerId])
  return { ...imported, outside: row?.outside ?? 0 }
}

async function addFeatures(db: Database, file: string, progress: Progress): Promise<FeatureKind> {
  let kind: FeatureKind = 'points'
  const rowOf = (value: JsonValue) => {
    const feature = featureSource(value, value.number === 1 ? undefined : kind)
    kind = feature.kind
    return feature
  }
  await sendFeatures(db, file, { statement: 'import/features_add', rowOf, progress, noun: 'features' })
  return kind
}

function featureSource(value: JsonValue, first: FeatureKind | undefined) {
  const { value: feature, line, number } = value
  return inPlace(value, 'feature', () => {
    if (!isMembers(feature) || feature['type'] !== 'Feature')
      throw new ShapeRefusal(`a Feature is needed, and ${quote(feature)} came`)
    const properties = feature['properties'] ?? {}
    if (!isMembers(properties))
      throw new ShapeRefusal(`properties has to be an object or null, and ${quote(properties)} came`)
    if (JSON.stringify(properties).includes('\\u0000'))
      throw new ShapeRefusal('a NUL character is not accepted in properties')
    const geometry = geometryText(feature['geometry'], allTypes)
    const kind = kindOf((feature['geometry'] as { type: unknown }).type)
    if (first && kind !== first)
      throw new ShapeRefusal(`a dataset is of one kind: the first are ${first}, here are ${kind}`)
    const exact = exactValue(value) as Members
    const kept = (exact['properties'] ?? {}) as Members
    return {
      number,
      line,
      id: featureId(exact['id'] ?? kept['id'], number),
      kind,
      geometry,
      properties: exactText(kept),
    }
  })
}

/** The place in the file is the id of a feature without one. */
function featureId(id: unknown, number: number): string {
  if (id === undefined || id === null) return String(number)
  const digits = exactNumber(id)
  if (digits !== undefined) return digits
  if (typeof id === 'string' && id.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(id)) return id
  throw new ShapeRefusal(`id has to be a number or a text, and ${quote(id)} came`)
}
