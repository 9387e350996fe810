/**
 * Changes accounts at random, many at a time, and says on standard output how each change ended: one line of JSON a change.
 * Started by ledger-faults.test.ts with DATABASE, SEED, CHANGES and ORGS in the environment.
 */
import { chargeFor } from '../../src/credits/charging.js'
import { topUp } from '../../src/credits/ledger.js'
import { connect, isUnheardLoss } from '../../src/db/connect.js'
import type { DatasetRow } from '../../src/db/statements.js'
import { seeded } from './seeded.js'

const { DATABASE = '', SEED = '', CHANGES = '', ORGS = '' } = process.env
const random = seeded(Number(SEED))
const orgs = ORGS.split(',')
const db = connect(DATABASE, { connections: 4, deadlineMs: 10_000 })
process.on('uncaughtException', (error) => {
  if (!isUnheardLoss(error)) throw error
  db.reconnect()
})

const layers = [1, 2, 3, 5].map((price): DatasetRow => {
  const layerId = `lyr_price_${price}`
  return { layerId, name: layerId, category: 'Tests', kind: 'frames', orgId: 'another', version: '1', price }
})
const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T

async function change(number: number): Promise<void> {
  const orgId = pick(orgs)
  const requestId = `${SEED}-${number}`
  const say = (outcome: object) => process.stdout.write(`${JSON.stringify({ requestId, orgId, ...outcome })}\n`)
  if (random() < 0.2) {
    const credits = 1 + Math.floor(random() * 20)
    await topUp(db, orgId, credits, requestId).then(
      () => say({ did: 'top_up', credits }),
      () => say({ did: 'unknown' }),
    )
    return
  }
  const asked = layers.filter(() => random() < 0.5)
  await chargeFor(db, { orgId, keyId: 'key_worker' }, requestId, asked).then(
    ({ charged }) => say({ did: 'charge', charged }),
    () => say({ did: 'failed' }),
  )
}

let next = 0
const lane = async () => {
  while (next < Number(CHANGES)) await change((next += 1))
}
await Promise.all(Array.from({ length: 8 }, lane))
// What failed is given back in the background.
await new Promise((done) => setTimeout(done, 1500))
await db.close()
