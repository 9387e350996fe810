/** Makes datasets over the fixture's frames: of two owners, open, licensed, and licensed per query. */
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import type { Database } from '../../src/core/db/connect.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { quiet, temporaryFolder } from '../load/files.js'
import { newDatabase } from './database.js'
import { once } from './once.js'
import { mint, newOrganisation, type Minted } from './service.js'

/** These frames lie side by side, each 0.01 degrees east of the one before. */
export const ids = Array.from({ length: 10 }, (_, i) => String(324378020 + i))
/** The western edge of each frame; the southern edge of all is at 0.1. */
const west = (i: number) => 0.2 + i / 100

const folder = temporaryFolder()

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
async function makeWorld(db: Database): Promise<World> {
  const owner = await newOrganisation(db, 'scale')
  const reader = await newOrganisation(db)
  const outsider = await newOrganisation(db)
  const baseline = async (layerId: string, of: string[], org = owner) => {
    const rows = of.map((id) => `${id},${layerId} on ${id}`)
    const file = folder.write(`${layerId}.csv`, ['id,told', ...rows].join('\n'))
    await importBaseline(db, file, { layerId, orgId: org, name: `Name of ${layerId}`, category: 'Tests' }, quiet)
  }
  const points = async (layerId: string, places: [lon: number, lat: number][], org = owner) => {
    const rows = places.map(([lon, lat], i) => `${i + 1},${lon.toFixed(6)},${lat.toFixed(6)}`)
    const file = folder.write(`${layerId}.csv`, ['id,lon,lat', ...rows].join('\n'))
    await importFeatures(db, file, { layerId, orgId: org, name: `Name of ${layerId}`, category: 'Tests' }, quiet)
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
  return {
    owner,
    reader,
    outsider,
    ownerKey: await mint(db, { org: owner }),
    readerKey: await mint(db, { org: reader }),
    outsiderKey: await mint(db, { org: outsider }),
  }
}

/** A database with these datasets that the test files of a process share: each adds organisations of its own. */
export const sharedWorld = once(async () => {
  const database = await newDatabase('frames')
  return { database, world: await makeWorld(database.db) }
})

let topUps = 0
export const credit = (db: Database, orgId: string, credits: number) =>
  topUp(db, orgId, credits, `test ${(topUps += 1)}`)

export async function balanceOf(db: Database, orgId: string): Promise<number> {
  const [row] = await db.rows<{ balance: string }>('select balance from account where org_id = $1::text', [orgId])
  return Number(row?.balance)
}

/** Makes an organisation that has the reader's licences and so many credits, and a key of it. */
export async function anotherReader(db: Database, credits: number): Promise<Minted> {
  const org = await newOrganisation(db)
  for (const [layer, price] of [
    ['lyr_query_a', 2],
    ['lyr_query_b', 3],
    ['lyr_query_points', 4],
  ] as const) {
    await license(db.run, layer, org, price)
  }
  if (credits > 0) await credit(db, org, credits)
  return await mint(db, { org })
}
