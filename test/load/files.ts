/** The loading tests share these: files that last as long as the tests, small grids, and the hash of an index. */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import { ask as askOf } from '../support/service.js'
import { newFolder } from '../support/temporary.js'

export type Folder = { write: (name: string, content: string | Buffer) => string; remove: () => void }

/** The folder ends with the test run; `remove` removes it earlier. */
export function temporaryFolder(): Folder {
  const folder = newFolder('files')
  return {
    write: (name, content) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const quiet = () => {}

/** Hundredths of a degree as degrees, without the noise that adding up leaves behind. */
const degrees = (hundredths: number) => Math.round(hundredths * 1e5) / 1e7

/** A rectangle with its corners given in hundredths of a degree, counterclockwise. */
export function rectangle(west: number, south: number, east: number, north: number) {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return { type: 'Polygon', coordinates: [corners.map((corner) => corner.map(degrees))] }
}

export const feature = <Geometry>(id: unknown, geometry: Geometry, properties: object = {}) => ({
  type: 'Feature',
  id,
  geometry,
  properties,
})

/** A FeatureCollection with a feature a line: feature n stands on line n + 1. */
export const collection = (features: readonly unknown[], members: object = {}) =>
  `{"type":"FeatureCollection",${JSON.stringify(members).slice(1, -1)}${
    Object.keys(members).length > 0 ? ',' : ''
  }"features":[\n${features.map((each) => JSON.stringify(each)).join(',\n')}\n]}\n`

/** All that is served, as one hash: frames with their geometry to the last bit, units, runs. */
export async function fingerprint(db: Database): Promise<string> {
  const [row] = await db.rows<{ hash: string }>(
    `select md5(
      (select string_agg(frame::text, '|' order by frame_id) from frame)
      || coalesce((select string_agg(state::text, '|' order by state.state) from state), '')
      || coalesce((select string_agg(lga::text, '|' order by lga.state, lga.lga) from lga), '')
      || coalesce((select string_agg(ward::text, '|' order by ward.state, ward.lga, ward.ward) from ward), '')
      || (select string_agg(frame_run::text, '|' order by first_id) from frame_run)) as hash`,
    [],
  )
  return row?.hash ?? ''
}

/** Describes the served index, and says whether schema staging is there. A load that fails changes nothing of it. */
export async function stateOf(db: Database) {
  const [row] = await db.rows<{ generation: string; source: string; staging: boolean }>(
    `select generation::text as generation, source, to_regnamespace('staging') is not null as staging from index_generation`,
    [],
  )
  return { ...row, index: await fingerprint(db) }
}

/** One number from one row. */
export async function number(db: Database, text: string): Promise<number> {
  const [row] = await db.rows<{ n: number }>(text, [])
  assert.ok(row, 'no row came')
  return row.n
}

/** A GET with the service's own key, whichever service it is. */
export async function ask(
  service: { url: string; secret: string },
  path: string,
  headers: Record<string, string> = {},
) {
  const answer = await askOf(service.url + path, { headers: { Authorization: `Bearer ${service.secret}`, ...headers } })
  return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: answer.text }
}

type Ring = number[][]

const byText = (one: unknown[], other: unknown[]) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

/** A geometry with each ring begun at its lowest corner: PostGIS versions begin them at different ones. */
export function fromLowest(geometry: { type: string; coordinates: unknown }) {
  const turned = (ring: Ring): Ring => {
    const corners = ring.slice(1)
    const texts = corners.map(String)
    const at = texts.indexOf([...texts].sort()[0] ?? '')
    const open = [...corners.slice(at), ...corners.slice(0, at)]
    return [...open, ...open.slice(0, 1)]
  }
  const sorted = (rings: Ring[]) => [...rings.slice(0, 1).map(turned), ...rings.slice(1).map(turned).sort(byText)]
  const { type, coordinates } = geometry
  if (type === 'Polygon') return { type, coordinates: sorted(coordinates as Ring[]) }
  return { type, coordinates: (coordinates as Ring[][]).map(sorted).sort(byText) }
}
