/** Gives tests a database with datasets, and organisations that may read them. */
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import type { Database } from '../../src/core/db/connect.js'
import { newDatabase } from './database.js'
import { once } from './once.js'
import { mint, newOrganisation } from './service.js'
import { worldIn, type Minted } from './world.js'

export { ids, type World } from './world.js'

/** A database with the datasets of world.ts that the test files of a process share: each adds organisations of its own. */
export const sharedWorld = once(async () => {
  const database = await newDatabase('world')
  return { database, world: await worldIn(database.db) }
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
