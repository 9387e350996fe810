/**
 * Makes datasets over the fixture's frames: of two owners, open, licensed, and licensed per query. They are in a template
 * database, which has its World in a table.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mintKey } from '../../src/core/access/keys.js'
import { license } from '../../src/core/access/licences.js'
import { createOrganisation, type Plan } from '../../src/core/access/organisations.js'
import type { Database } from '../../src/core/db/connect.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { newFolder } from './temporary.js'

export type Minted = { secret: string; keyId: string; orgId: string }

/** These frames lie side by side, each 0.01 degrees east of the one before. */
export const ids = Array.from({ length: 10 }, (_, i) => String(324378020 + i))
/** The western edge of each frame; the southern edge of all is at 0.1. */
const west = (i: number) => 0.2 + i / 100

export type World = {
  owner: string
  reader: string
  outsider: string
  /** One key of each organisation; it may do everything. */
  ownerKey: Minted
  readerKey: Minted
  outsiderKey: Minted
}

/** Needs a database that has the frames of the fixture. */
export async function makeWorld(db: Database): Promise<void> {
  const organisation = async (name: string, plan: Plan = 'trial') => (await createOrganisation(db, name, plan)).orgId
  const key = (org: string): Promise<Minted> =>
    mintKey(db.run, {
      org,
      name: 'tests',
      preset: 'full-read',
      capabilities: undefined,
      datasets: undefined,
      days: 365,
    })
  const owner = await organisation('Tests, owner', 'scale')
  const reader = await organisation('Tests, reader')
  const outsider = await organisation('Tests, outsider')
  const folder = newFolder('world')
  const written = (layerId: string, lines: readonly string[]) => {
    const path = join(folder, `${layerId}.csv`)
    writeFileSync(path, lines.join('\n'))
    return path
  }
  const baseline = async (layerId: string, of: string[], org = owner) => {
    const rows = of.map((id) => `${id},${layerId} on ${id}`)
    const file = written(layerId, ['id,told', ...rows])
    await importBaseline(db, file, { layerId, orgId: org, name: `Name of ${layerId}`, category: 'Tests' }, () => {})
  }
  const points = async (layerId: string, places: [lon: number, lat: number][], org = owner) => {
    const rows = places.map(([lon, lat], i) => `${i + 1},${lon.toFixed(6)},${lat.toFixed(6)}`)
    const file = written(layerId, ['id,lon,lat', ...rows])
    const entry = { layerId, orgId: org, name: `Name of ${layerId}`, category: 'Tests', hasDistances: false }
    await importFeatures(db, file, entry, () => {})
  }
  const many = (count: number, i: number) =>
    Array.from({ length: count }, (_, n): [number, number] => [west(i) + 0.001 + n * 0.00002, 0.105])

  await baseline('lyr_open', ids)
  await baseline('lyr_some', ids.slice(0, 3))
  await baseline('lyr_licensed', ids)
  await baseline('lyr_private', ids)
  await baseline('lyr_query_a', ids.slice(0, 5))
  await baseline('lyr_query_b', ids.slice(3, 8))
  await baseline('lyr_theirs', ids, outsider)
  await points('lyr_points', [...many(2, 0), [west(1), 0.105], [west(2), 0.11]])
  await points('lyr_query_points', many(3, 4))
  await points('lyr_200', many(200, 5))
  await points('lyr_201', [...many(150, 5), ...many(51, 6), ...many(1, 7)])

  for (const open of ['lyr_open', 'lyr_some', 'lyr_points', 'lyr_200', 'lyr_201']) {
    await license(db.run, open, 'everyone', undefined)
  }
  await license(db.run, 'lyr_licensed', reader, undefined)
  await license(db.run, 'lyr_query_a', reader, 2)
  await license(db.run, 'lyr_query_b', reader, 3)
  await license(db.run, 'lyr_query_points', reader, 4)
  const world: World = {
    owner,
    reader,
    outsider,
    ownerKey: await key(owner),
    readerKey: await key(reader),
    outsiderKey: await key(outsider),
  }
  await db.work(`create schema made_for_tests; create table made_for_tests.world (made text)`)
  await db.rows('insert into made_for_tests.world values ($1::text)', [JSON.stringify(world)])
}

export async function worldIn(db: Database): Promise<World> {
  const [row] = await db.rows<{ made: string }>('select made from made_for_tests.world', [])
  if (!row) throw new Error('This database is no copy of template "world".')
  return JSON.parse(row.made) as World
}
