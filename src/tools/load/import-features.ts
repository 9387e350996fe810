/** Imports features: points, lines or polygons. The work is in sql/import/. */
import { type Database, sqlText } from '../../core/db/index.js'
import { isFileNumber } from '../../core/decimal.js'
import { exactNumber, exactText } from '../../core/exact-json.js'
import { FEATURE_KEY } from '../../core/frame-file/index.js'
import { type Attribute, refuseOtherProperties } from './catalogue.js'
import { type DatasetEntry, type DatasetKind, type ImportedDataset, replaceDataset } from './datasets.js'
import { inFile, ValueRefusal } from './faults.js'
import {
  exactValue,
  geometryText,
  isMembers,
  type Members,
  propertiesOf,
  quote,
  refuseLongName,
  type ShapeType,
} from './geojson-shape.js'
import { featureFile, sendFeatures } from './feature-file.js'
import type { JsonValue } from '../../core/text-file/index.js'
import type { Progress } from './progress.js'
import { type ValueNotes, valueNotes } from './value-notes.js'

type FeatureKind = Exclude<DatasetKind, 'frames'>
const typesOfKind: Record<FeatureKind, ShapeType[]> = {
  points: ['Point', 'MultiPoint'],
  lines: ['LineString', 'MultiLineString'],
  polygons: ['Polygon', 'MultiPolygon'],
}
const allTypes = Object.values(typesOfKind).flat()
const kindOf = (type: unknown) =>
  (Object.keys(typesOfKind) as FeatureKind[]).find((kind) => typesOfKind[kind].includes(type as ShapeType)) ?? 'points'

export type FeaturesEntry = DatasetEntry & { hasDistances?: boolean; catalogue?: readonly Attribute[] }

export async function importFeatures(
  db: Database,
  file: string,
  { hasDistances = true, catalogue = [], ...entry }: FeaturesEntry,
  progress: Progress,
): Promise<ImportedDataset> {
  const properties: Properties = new Map()
  const said = Object.fromEntries(catalogue.map((each) => [each.name, each]))
  const replaced = replaceDataset(db, { ...entry, properties: said }, progress, {
    load: async () => ({ kind: await addFeatures(db, file, progress, properties), attributes: [] }),
    faults: 'import/features_faults',
    put: () => [['import/features_put'], ['import/features_join']],
    hasDistances,
    report: async (run) => {
      const found = await run<Pick<Attribute, 'name' | 'type'>>(sqlText('attributes_of_datasets'), [[entry.layerId]])
      refuseOtherProperties(catalogue, found)
      const [row] = await run<{ outside: number }>(sqlText('import/features_outside'), [entry.layerId])
      const notes = [...properties].flatMap(([name, { recorded, texts, others }]) => {
        const dressed = others.dressed(texts, recorded)
        const all = dressed === undefined ? others.long() : [...others.long(), `${dressed}.`]
        return all.map((note) => `${name}: ${note}`)
      })
      return { notes, outside: row?.outside ?? 0 }
    },
  })
  return await inFile(file, replaced)
}

type Properties = Map<string, { recorded: number; texts: number; others: ValueNotes }>

/** A file may have a name of its own for each value. */
const NAMES_NOTED = 1000

async function addFeatures(
  db: Database,
  file: string,
  progress: Progress,
  properties: Properties,
): Promise<FeatureKind> {
  let kind: FeatureKind = 'points'
  const rowOf = (value: JsonValue) => {
    const { values, ...feature } = featureSource(value, value.number === 1 ? undefined : kind)
    kind = feature.kind
    for (const [name, each] of values) addValue(properties, name, each)
    return feature
  }
  await sendFeatures(db, 'import/features_add', featureFile(file, rowOf, { progress }))
  return kind
}

function addValue(properties: Properties, name: string, value: unknown): void {
  const text = typeof value === 'string' ? value.trim() : value === null ? '' : JSON.stringify(value)
  const known = properties.get(name) ?? { recorded: 0, texts: 0, others: valueNotes() }
  if (text === '' || (known.recorded === 0 && properties.size >= NAMES_NOTED)) return
  properties.set(name, known)
  known.recorded += 1
  if (isFileNumber(text)) return
  known.texts += 1
  known.others.add(text)
}

/** `first` is the kind of the features before. */
export function featureSource(value: JsonValue, first: FeatureKind | undefined) {
  const { value: feature, line, number } = value
  if (!isMembers(feature) || feature['type'] !== 'Feature')
    throw new ValueRefusal(`a Feature is needed, and ${quote(feature)} came`)
  const properties = propertiesOf(feature)
  if (JSON.stringify(properties).includes('\\u0000'))
    throw new ValueRefusal('a NUL character is not accepted in properties')
  for (const name of Object.keys(properties)) refuseLongName('the name of a property', name)
  const geometry = geometryText(feature['geometry'], allTypes)
  const kind = kindOf((feature['geometry'] as { type: unknown }).type)
  if (first && kind !== first)
    throw new ValueRefusal(`a dataset is of one kind: the first are ${first}, here are ${kind}`)
  const exact = exactValue(value) as Members
  const kept = (exact['properties'] ?? {}) as Members
  // A file of this service has the id in a column.
  const { [FEATURE_KEY]: key, ...others } = kept
  const id = exact['id'] ?? kept['id']
  const isKeyed = (id ?? null) === null && (key ?? null) !== null
  return {
    number,
    line,
    id: featureId(id ?? key, number),
    kind,
    geometry,
    properties: exactText(isKeyed ? others : kept),
    values: Object.entries(properties),
  }
}

/** The place in the file is the id of a feature without one. */
function featureId(id: unknown, number: number): string {
  if (id === undefined || id === null) return String(number)
  const digits = exactNumber(id)
  if (digits !== undefined) return digits
  if (typeof id === 'string' && id.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(id)) return id
  throw new ValueRefusal(`id has to be a number or a text, and ${quote(id)} came`)
}
