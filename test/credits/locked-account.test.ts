import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { ask, bearer, errorOf, mint, service, startService } from '../support/service.js'

const PRICE = 2

describe('while the account of an organisation is locked', () => {
  let running: Awaited<ReturnType<typeof startService>>
  let admin: Database
  before(async () => {
    const { database } = service()
    running = await startService(database, { ops: true })
    admin = connect(database.adminTarget, { connections: 1 })
  })
  after(async () => {
    await running.stop()
    await admin.close()
  })

  const payer = async () => {
    const { db } = service()
    const { secret, orgId } = await mint(db)
    await credit(db, orgId, 100)
    await license(db.run, 'lyr_population', orgId, PRICE)
    return { secret, orgId }
  }
  const paid = (secret: string, options: Parameters<typeof ask>[1] = {}) =>
    ask(`${running.url}/v1/frames/data?ids=${ids[0]}`, { ...options, headers: bearer(secret) })

  /** Returns what ends the lock, and waits until it has ended. */
  async function lockAccount(orgId: string): Promise<() => Promise<void>> {
    let [isLocked, release] = [() => {}, () => {}]
    const taken = new Promise<void>((done) => (isLocked = done))
    const released = new Promise<void>((done) => (release = done))
    const lock = admin.transaction(async (run) => {
      await run('select from account where org_id = $1::text for update', [orgId])
      isLocked()
      await released
    })
    await taken
    return async () => {
      release()
      await lock
    }
  }

  it('paid calls of other organisations are answered, and its own get 500 and cost nothing', async () => {
    const { db } = service()
    const locked = await payer()
    const others = await Promise.all(Array.from({ length: 20 }, payer))
    const unlock = await lockAccount(locked.orgId)
    const own = Array.from({ length: 4 }, () => paid(locked.secret))
    const first = Promise.race(own)
    const answers = await Promise.all(others.map(({ secret }) => paid(secret)))
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status !== 200),
      [],
    )
    assert.equal((await first).status, 500)
    await unlock()
    const refused = (await Promise.all(own)).filter(({ status }) => status !== 200)
    for (const answer of refused) assert.deepEqual([answer.status, errorOf(answer).code], [500, 'internal'])
    assert.equal((await paid(locked.secret)).status, 200)
    const answered = own.length - refused.length + 1
    // A charge that committed after its call failed is given back a moment later.
    await until(async () => (await balanceOf(db, locked.orgId)) === 100 - answered * PRICE)
    for (const { orgId } of others) assert.equal(await balanceOf(db, orgId), 100 - PRICE)
  })

  it('a client may hang up: what the call is charged after that is given back', async () => {
    const { db } = service()
    const { secret, orgId } = await payer()
    const unlock = await lockAccount(orgId)
    const leaving = new AbortController()
    const left = assert.rejects(paid(secret, { signal: leaving.signal }))
    const isCharging = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%call_charge%'`
    await until(async () => (await admin.rows(isCharging, [])).length > 0)
    leaving.abort()
    await left
    await until(async () => sampleOf(await scrape(running.opsUrl), 'frames_http_requests_in_flight') === 0)
    await unlock()
    const entries = `select string_agg(kind, ', ' order by entry_id) as kinds from credit_entry
      where org_id = $1::text and kind <> 'top_up'`
    const isGivenBack = async () => (await db.rows<{ kinds: string }>(entries, [orgId]))[0]?.kinds === 'dataset, refund'
    await until(isGivenBack, { ms: 30_000, why: () => 'The charge was not given back' })
    assert.equal(await balanceOf(db, orgId), 100)
  })
})
