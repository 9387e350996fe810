/** Imports a grid of your own as the frame index. The work is in sql/import/. */
import { basename } from 'node:path'
import { type Database, sqlText } from '../../core/db/index.js'
import { exactNumber } from '../../core/exact-json.js'
import { FRAME_ID_MAX, isFrameId } from '../../core/frame-id.js'
import { UNIT_FIELDS, type UnitField, type UnitFields } from '../../core/unit-fields.js'
import { inFile, refuseStagedFaults, UNIT_NAME_MOST, ValueRefusal } from './faults.js'
import { featureFile, sendFeatures } from './feature-file.js'
import {
  exactValue,
  geometryText,
  isMembers,
  type Members,
  propertiesOf,
  quote,
  refuseCrs,
  refuseLongName,
} from './geojson-shape.js'
import type { JsonValue } from '../../core/text-file/index.js'
import { replaceIndex, type ServedIndex } from './new-index.js'
import type { Progress } from './progress.js'

export async function importFrames(
  db: Database,
  file: string,
  progress: Progress,
  isDryRun = false,
): Promise<{ frames: number } & ServedIndex> {
  const load = async () => {
    const rows = featureFile(file, frameFeature, { progress })
    const frames = await sendFeatures(db, 'import/frames_add', rows)
    progress('checking shapes and ids')
    await refuseStagedFaults(db, 'import/frames_faults')
    progress('making frames of them')
    await db.work(sqlText('import/frames_put'))
    progress('looking for frames that share land')
    await db.rows(sqlText('staging/index'), ['frame'])
    await refuseStagedFaults(db, 'import/frames_overlapping')
    return async () => ({ frames })
  }
  return await inFile(file, replaceIndex(db, progress, { source: `imported from ${basename(file)}`, load, isDryRun }))
}

/** A frame as its file has it. `geometry` is GeoJSON text. */
export type FrameSource = { line: number; number: number; id: string; geometry: string } & UnitFields

const fieldOfName = new Map<string, UnitField>(UNIT_FIELDS.map((field) => [field.toLowerCase(), field]))

export function frameFeature(value: JsonValue): FrameSource {
  const { line, number } = value
  const { geometry: shape } = frameMembers(value.value)
  const feature = exactValue(value) as Members
  const properties = propertiesOf(feature)
  const id = frameIdOf(feature, properties)
  const geometry = geometryText(shape, ['Polygon', 'MultiPolygon'])
  return { line, number, id, geometry, ...unitsOf(feature, properties) }
}

/** A GeoJSON Feature, or a frame as this API answers it: no type, and a geometry beside its id. */
function frameMembers(value: unknown): Members {
  if (!isMembers(value)) throw new ValueRefusal(`a Feature is needed, and ${quote(value)} came`)
  const isFrame = value['type'] === undefined && value['id'] !== undefined && value['geometry'] !== undefined
  if (value['type'] !== 'Feature' && !isFrame) {
    const came = value['type'] === undefined ? 'no type' : `type ${quote(value['type'])}`
    throw new ValueRefusal(`an object of type "Feature" is needed, or a frame with id and geometry, and ${came} came`)
  }
  refuseCrs(value['crs'])
  return value
}

function frameIdOf(feature: Members, properties: Members): string {
  const id = feature['id'] ?? properties['id'] ?? properties['frame_id']
  if (id === undefined || id === null) {
    throw new ValueRefusal('an id is needed, as id, properties.id or properties.frame_id, and none came')
  }
  const digits = exactNumber(id)
  const text = digits?.replace(/\.0+$/, '') ?? id
  if (typeof text !== 'string' || !isFrameId(text)) {
    const needed = `id has to be a whole number from 0 to ${FRAME_ID_MAX} without leading zeros`
    throw new ValueRefusal(`${needed}, and ${digits ?? quote(id)} came`)
  }
  return text
}

/** Each unit comes from the first of three places that has it, in any spelling of its name. */
function unitsOf(feature: Members, properties: Members): UnitFields {
  const units = Object.fromEntries(UNIT_FIELDS.map((field) => [field, null])) as UnitFields
  for (const place of [feature['admin'], properties['admin'], properties]) {
    if (!isMembers(place)) continue
    for (const [name, value] of Object.entries(place)) {
      const field = fieldOfName.get(name.replaceAll('_', '').toLowerCase())
      if (field) units[field] ??= unitText(name, value)
    }
  }
  if (units.lga !== null && units.state === null)
    throw new ValueRefusal(`lga needs a state beside it, and ${quote(units.lga)} came alone`)
  if (units.state !== null && units.lga === null)
    throw new ValueRefusal(`state needs an lga beside it, and ${quote(units.state)} came alone`)
  if (units.ward !== null && units.lga === null)
    throw new ValueRefusal(`ward needs an lga beside it, and ${quote(units.ward)} came alone`)
  return units
}

function unitText(name: string, value: unknown): string | null {
  if (value === null) return null
  const given = exactNumber(value) ?? value
  if (typeof given !== 'string') {
    throw new ValueRefusal(`${name} has to be a string, a number or null, and ${quote(value)} came`)
  }
  const text = given.trim()
  // PostgreSQL holds neither a NUL nor half a surrogate pair; the other control characters are in no name.
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw new ValueRefusal(`${name} has to be plain text, and ${quote(value)} came`)
  refuseLongName(name, text, UNIT_NAME_MOST)
  return text === '' ? null : text
}
