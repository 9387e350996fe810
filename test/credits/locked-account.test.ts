import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { connect } from '../../src/core/db/connect.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { until } from '../support/until.js'
import { ask, bearer, errorOf, mint, service, startService } from '../support/service.js'

const PRICE = 2

describe('while the account of an organisation is locked', () => {
  it('paid calls of other organisations are answered, and its own get 500 and cost nothing', async () => {
    const { db, database } = service()
    const payer = async () => {
      const { secret, orgId } = await mint(db)
      await credit(db, orgId, 100)
      await license(db.run, 'lyr_population', orgId, PRICE)
      return { secret, orgId }
    }
    const locked = await payer()
    const others = await Promise.all(Array.from({ length: 20 }, payer))
    const running = await startService(database)
    const admin = connect(database.adminTarget, { connections: 1 })
    const paid = (secret: string) => ask(`${running.url}/v1/frames/data?ids=${ids[0]}`, { headers: bearer(secret) })
    try {
      let [isLocked, release] = [() => {}, () => {}]
      const taken = new Promise<void>((done) => (isLocked = done))
      const released = new Promise<void>((done) => (release = done))
      const lock = admin.transaction(async (run) => {
        await run('select from account where org_id = $1::text for update', [locked.orgId])
        isLocked()
        await released
      })
      await taken
      const own = Array.from({ length: 4 }, () => paid(locked.secret))
      const first = Promise.race(own)
      const answers = await Promise.all(others.map(({ secret }) => paid(secret)))
      assert.deepEqual(
        answers.map(({ status }) => status).filter((status) => status !== 200),
        [],
      )
      assert.equal((await first).status, 500)
      release()
      const refused = (await Promise.all(own)).filter(({ status }) => status !== 200)
      for (const answer of refused) assert.deepEqual([answer.status, errorOf(answer).code], [500, 'internal'])
      await lock
      assert.equal((await paid(locked.secret)).status, 200)
      const answered = own.length - refused.length + 1
      // A charge that committed after its call failed is given back a moment later.
      await until(async () => (await balanceOf(db, locked.orgId)) === 100 - answered * PRICE)
      for (const { orgId } of others) assert.equal(await balanceOf(db, orgId), 100 - PRICE)
    } finally {
      await running.stop()
      await admin.close()
    }
  })
})
