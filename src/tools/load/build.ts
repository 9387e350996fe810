/** Builds the frame index from an outline and a file of wards. Each step of the work is a file of sql/build/. */
import { basename } from 'node:path'
import { type Database, sqlText } from '../../core/db/index.js'
import { exactNumber } from '../../core/exact-json.js'
import { UNIT_NAME_MOST, ValueRefusal } from './faults.js'
import { areaText, exactValue, geometryText, isMembers, type Members, quote, refuseLongName } from './geojson-shape.js'
import { featureFile, sendFeatures } from './feature-file.js'
import { FileFault, type JsonValue } from '../../core/text-file/index.js'
import { replaceIndex, type ServedIndex } from './new-index.js'
import type { Progress } from './progress.js'
import { UNIT_FIELDS, type UnitFields } from '../../core/unit-fields.js'
import { COORDINATE_NAMES } from './coordinates.js'

export type BuildSummary = {
  frames: number
  cutAtBoundary: number
  inSeveralParts: number
  states: number
  lgas: number
  wards: number
  wardRows: number
  withoutStateOrLga: number
  repeatedNames: number
  untidyNames: number
  atTheSamePlace: number
  outsideTheOutline: number
  wardsTooSmallForAFrame: number
  tookNearestWard: number
  /** Sentences about geometries of the outline that are not valid. */
  outlineFaults: string[]
  overlaps: Overlap[]
}
/** A ward whose area holds middles of frames that other wards hold too; it has those that it keeps. */
export type Overlap = { ward: string; middles: number; kept: number; hasNoFrame: boolean }

type BuildFiles = { outline: string; wards: string }

export const buildSource = ({ outline, wards }: BuildFiles) => `built from ${basename(outline)} and ${basename(wards)}`

export async function build(
  db: Database,
  files: BuildFiles,
  progress: Progress,
  isDryRun = false,
): Promise<BuildSummary & ServedIndex> {
  const load = async () => {
    progress('reading the outline')
    const outlineFaults = await addOutline(db, files.outline)
    progress('reading the wards')
    const untidyNames = await addWards(db, files.wards, progress)
    progress('cutting the country into tiles')
    await db.work(sqlText('build/tile'))
    progress('making the cells, cut at the outline')
    await db.work(sqlText('build/cell'))
    progress('giving each ward its land')
    for (const step of ['ward_area', 'ward_area_index', 'statistics']) await db.work(sqlText(`build/${step}`))
    progress('giving each frame its ward')
    for (const step of ['cell_odd', 'frame_add']) await db.work(sqlText(`build/${step}`))
    return async () => ({ ...(await countBuild(db)), untidyNames, outlineFaults })
  }
  return await replaceIndex(db, progress, { source: buildSource(files), load, isDryRun })
}

async function addOutline(db: Database, file: string): Promise<string[]> {
  const faults: string[] = []
  const areas = featureFile(file, (value) => ({ ...value, area: areaText(value) }))
  for await (const { area, number, line } of areas) {
    const [row] = await db.rows<{ fault: string | null }>(sqlText('build/outline_add'), [area])
    if (row?.fault) faults.push(`feature ${number} (line ${line}): ${row.fault}`)
  }
  return faults
}

/** Returns the number of names that had line breaks or needless blanks in them. */
async function addWards(db: Database, file: string, progress: Progress): Promise<number> {
  let untidy = 0
  let named = 0
  let members: string[] = []
  const rowOf = (value: JsonValue) => {
    const row = wardSource(value)
    untidy += [row.state, row.lga, row.ward].filter(isUntidy).length
    named += row.state !== null && row.lga !== null ? 1 : 0
    if (members.length === 0) members = Object.keys(membersOf(value.value as Members))
    return row
  }
  await sendFeatures(db, 'build/wards_add', featureFile(file, rowOf, { noun: 'ward', progress }))
  if (named === 0)
    throw new FileFault(
      `${file}: no ward names its state and its LGA. Columns State, LGA and Ward are needed; there are ${members.join(', ')}.`,
      1,
    )
  return untidy
}

const isUntidy = (name: string | null) => name !== null && /^\s|\s$|\s\s|[^\S ]/.test(name)

type BuildCounts = Omit<BuildSummary, 'untidyNames' | 'outlineFaults'>

async function countBuild(db: Database): Promise<BuildCounts> {
  const [row] = await db.rows<Omit<BuildCounts, 'overlaps'>>(sqlText('build/summary'), [])
  if (!row) throw new Error('The summary of the build came back empty.')
  const overlaps = Array.from(await db.rows<Overlap>(sqlText('build/overlaps'), []))
  // A ward inside others holds middles of frames: it is not too small.
  const inside = overlaps.filter(({ hasNoFrame }) => hasNoFrame).length
  return { ...row, overlaps, wardsTooSmallForAFrame: row.wardsTooSmallForAFrame - inside }
}

/** `geometry` is GeoJSON text. */
type WardSource = { number: number; geometry: string } & UnitFields

export function wardSource(row: JsonValue): WardSource {
  const { value: ward, number } = row
  if (!isMembers(ward)) throw new ValueRefusal(`an object is needed, and ${quote(ward)} came`)
  const named = (each: Members) =>
    new Map(Object.entries(membersOf(each)).map(([name, member]) => [columnName(name), member]))
  const exact = named(exactValue(row) as Members)
  const units = UNIT_FIELDS.map((field) => [field, unitNameOf(field, exact.get(columnName(field)))])
  const geometry = isFeature(ward) ? ward['geometry'] : wardPoint(named(ward))
  return {
    number,
    ...(Object.fromEntries(units) as UnitFields),
    geometry: geometryText(geometry, ['Point', 'Polygon', 'MultiPolygon']),
  }
}

const isFeature = (value: Members) => value['type'] === 'Feature'
/** A feature has its members in `properties`, and a plain row has them itself. */
const membersOf = (value: Members) => (isFeature(value) ? ((value['properties'] ?? {}) as Members) : value)

/** State, STATE and state are one name, and so are state_code, stateCode and StateCode. */
const columnName = (name: string) => name.toLowerCase().replaceAll('_', '')

function unitNameOf(field: string, member: unknown): string | null {
  const text = exactNumber(member) ?? member
  if (typeof text !== 'string') return null
  // PostgreSQL holds neither a NUL nor half a surrogate pair.
  if (/[\0\p{Cs}]/u.test(text)) throw new ValueRefusal(`${field} has to be plain text, and ${quote(member)} came`)
  refuseLongName(field, text, UNIT_NAME_MOST)
  return text
}

function wardPoint(members: Map<string, unknown>): object {
  const [lon, lat] = [COORDINATE_NAMES.lon, COORDINATE_NAMES.lat].map((names): unknown =>
    names.map((name) => members.get(name)).find((member) => member !== undefined),
  )
  if (typeof lat === 'number' && typeof lon === 'number' && Math.abs(lat) <= 90 && Math.abs(lon) <= 180)
    return { type: 'Point', coordinates: [lon, lat] }
  throw new ValueRefusal(
    `Latitude from -90 to 90 and Longitude from -180 to 180 are needed; ${quote(lat)} and ${quote(lon)} came`,
  )
}
