/** Draws places, boxes and ids from the index, the same for pgbench and for the service. */
import { createOrganisation } from '../../src/core/access/organisations.js'
import { PRESETS, type Preset } from '../../src/core/access/capabilities.js'
import { hashSecret, newSecret } from '../../src/core/access/secret.js'
import type { Database } from '../../src/core/db/connect.js'
import { pageOf } from '../../src/core/db/page.js'
import * as statements from '../../src/core/db/statements.js'
import { randomNumbers } from '../support/random-numbers.js'

export type Corner = { lon: number; lat: number }
export type BoxAsked = { minLon: number; minLat: number; maxLon: number; maxLat: number }

/** Degrees of a cell. */
const CELL = 0.01
/** Frames a side of the squares that points are drawn from. */
const SQUARE = 10

const degrees = (value: number) => Number(value.toFixed(7))

/** The south-west corner of the cell of a frame id. */
const cornerOf = (id: number): Corner => ({
  lon: degrees((id % 36_000) / 100 - 180),
  lat: degrees(Math.floor(id / 36_000) / 100 - 90),
})

/** Squares of 10 by 10 whole frames: every point in them has a frame. */
export async function wholeSquares(db: Database, wanted: number): Promise<Corner[]> {
  const rows = await db.rows<{ id: string }>(
    `with picked as (select frame_id from frame order by hashint8extended(frame_id, 1) limit 4000)
    select frame_id::text as id from picked
    where (
      select count(*) = 100 and sum(ST_Area(frame.geom)) > 0.0099999
      from generate_series(0, 9) as row, generate_series(0, 9) as col
      join frame on true
      where frame.frame_id = picked.frame_id + row * 36000 + col
    )
    limit $1::int`,
    [wanted],
  )
  if (rows.length === 0) throw new Error('The index has no square of whole frames.')
  return rows.map(({ id }) => cornerOf(Number(id)))
}

export function pointsIn(squares: readonly Corner[], wanted: number): Corner[] {
  const next = randomNumbers(7)
  return Array.from({ length: wanted }, (_, i) => {
    const { lon, lat } = squares[i % squares.length] ?? { lon: 0, lat: 0 }
    return { lon: degrees(lon + next() * CELL * SQUARE), lat: degrees(lat + next() * CELL * SQUARE) }
  })
}

/** 70 by 71 cells: 4,970 frames where the land is whole. The fullest of those tried. */
export async function boxesOf5000(db: Database, wanted: number): Promise<{ boxes: BoxAsked[]; frames: number }> {
  const rows = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame order by hashint8extended(frame_id, 2) limit $1::int',
    [wanted * 4],
  )
  const tried: { box: BoxAsked; frames: number }[] = []
  for (const { id } of rows) {
    const { lon, lat } = cornerOf(Number(id))
    const box = {
      minLon: degrees(lon + 0.002),
      minLat: degrees(lat + 0.002),
      maxLon: degrees(lon + 0.698),
      maxLat: degrees(lat + 0.708),
    }
    const { features } = await pageOf(statements.framesInBox, db, box.minLon, box.minLat, box.maxLon, box.maxLat, 5000)
    tried.push({ box, frames: (JSON.parse(`[${features.toString()}]`) as unknown[]).length })
  }
  const best = tried.sort((a, b) => b.frames - a.frames).slice(0, wanted)
  const frames = Math.round(best.reduce((sum, each) => sum + each.frames, 0) / best.length)
  return { boxes: best.map(({ box }) => box), frames }
}

/** Frames from all over the country, `each` at a time. */
export async function idLists(db: Database, lists: number, each: number): Promise<string[][]> {
  const rows = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame order by hashint8extended(frame_id, 3) limit $1::int',
    [lists * each],
  )
  const ids = rows.map(({ id }) => id)
  return Array.from({ length: lists }, (_, i) => ids.slice(i * each, (i + 1) * each)).filter((list) => list.length > 0)
}

export type Pages = { state: string; frames: number; first: string; last: string }

/** The largest state, and what its first and last full pages come after. */
export async function pagesOfLargest(db: Database): Promise<Pages> {
  const [largest] = (await statements.states(db)).sort((a, b) => b.frames - a.frames)
  if (!largest) throw new Error('The index has no states.')
  const [last] = await db.rows<{ after: string }>(
    'select frame_id::text as after from frame where state = $1::text order by frame_id desc offset 5001 limit 1',
    [largest.state],
  )
  return { state: largest.state, frames: largest.frames, first: '-1', last: last?.after ?? '-1' }
}

export type Keys = { orgId: string; secrets: string[] }

/** Many keys of a few organisations, entered as minting enters them. */
export async function mintKeys(db: Database, preset: Preset, wanted: number): Promise<Keys> {
  const { orgId } = await createOrganisation(db, `bench ${preset} ${wanted} ${newSecret().slice(-4)}`, 'scale')
  const secrets = Array.from({ length: wanted }, newSecret)
  await db.rows(
    `insert into api_key (key_id, org_id, secret_hash, last_four, name, capabilities, created_at, expires_at)
    select 'key_' || left(hex, 12), $1::text, decode(hex, 'hex'), '0000', 'bench', $3::text[], clock_timestamp(), clock_timestamp() + '30 days'
    from unnest($2::text[]) as hex`,
    [orgId, secrets.map((secret) => hashSecret(secret).toString('hex')), [...PRESETS[preset]]],
  )
  return { orgId, secrets }
}
