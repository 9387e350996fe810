/**
 * Changes accounts at random, many at a time, and prints one line of JSON for each change: how it ended.
 * ledger-faults.test.ts starts it with DATABASE, OWNER, SEED, CHANGES and ORGS in the environment. It sends some changes
 * again under their request ids: that must change nothing.
 */
import { chargeCall } from '../../src/core/credits/charging.js'
import type { DatasetRow } from '../../src/core/db/rows.js'
import { openRefunds } from '../../src/core/credits/refunds.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { connect } from '../../src/core/db/connect.js'
import { isLostWrite } from '../../src/core/db/driver/lost-write.js'
import { seeded } from './seeded.js'

const { DATABASE = '', OWNER = '', SEED = '', CHANGES = '', ORGS = '', CLOSE_MS = '5000' } = process.env
const random = seeded(Number(SEED))
const orgs = ORGS.split(',')
const db = connect(DATABASE, { connections: 4, deadlineMs: 10_000 })
/** Adds credits as the owner: the service may not. */
const owner = connect(OWNER, { connections: 1, transactions: 2, deadlineMs: 10_000 })
const refunds = openRefunds(db, {
  onFailure: ({ requestId }, reason) => process.stderr.write(`${requestId} was not refunded: ${reason}\n`),
})
const ledger = { db, refunds }
process.on('uncaughtException', (error) => {
  if (!isLostWrite(error)) throw error
  db.reconnect()
  owner.reconnect()
})

const layers = [1, 2, 3, 5].map((price): DatasetRow => {
  const layerId = `lyr_price_${price}`
  return {
    layerId,
    name: layerId,
    category: 'Tests',
    kind: 'frames',
    orgId: 'another',
    version: '1',
    vintage: null,
    distanceTo: null,
    price,
  }
})
/** The share of the changes that are sent again. */
const AGAIN = 0.2

const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T

async function change(number: number): Promise<void> {
  const orgId = pick(orgs)
  const requestId = `${SEED}-${number}`
  const say = (outcome: object) => process.stdout.write(`${JSON.stringify({ requestId, orgId, ...outcome })}\n`)
  const isAgain = random() < AGAIN
  if (random() < 0.2) {
    const credits = 1 + Math.floor(random() * 20)
    const add = () => topUp(owner, orgId, credits, requestId)
    const adding = isAgain ? Promise.any([add(), add()]) : add()
    await adding.then(
      () => say({ did: 'top_up', credits }),
      () => say({ did: 'unknown', credits }),
    )
    return
  }
  const asked = layers.filter(() => random() < 0.5)
  const pay = () => chargeCall(ledger, { caller: { orgId, keyId: 'key_worker' }, requestId }, asked)
  try {
    const { charged } = await pay()
    const again = isAgain && charged.length > 0 ? await pay() : { charged }
    const isSame = again.charged.toSorted().join() === charged.toSorted().join()
    say({ did: isSame ? 'charge' : 'differs', charged })
  } catch {
    say({ did: 'failed' })
  }
}

let next = 0
const lane = async () => {
  while (next < Number(CHANGES)) await change((next += 1))
}
await Promise.all(Array.from({ length: 8 }, lane))
await refunds.close(Number(CLOSE_MS))
await Promise.all([db.close(), owner.close()])
// As main.ts does: after a restart of the server, a client may keep the process alive for ever.
process.exit()
