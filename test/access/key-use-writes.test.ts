import assert from 'node:assert/strict'
import { type CountedCall, openKeyUse } from '../../src/core/access/key-use.js'
import type { CountEvent } from '../../src/core/counts.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import type { TestDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'
import { mint, service } from '../support/service.js'
import { callsOf, useOf } from './use-rows.js'

const counted = (keyId: string, more: Partial<CountedCall> = {}): CountedCall => ({
  keyId,
  call: '/v1/frames/at',
  outcome: 'ok',
  bucket: '',
  requestId: 'request',
  ...more,
})

describe('the use of a key', () => {
  let database: TestDatabase
  /** The counters connect as the service does. */
  let db: Database
  before(async () => {
    database = service().database
    db = connect(database.target)
  })
  after(() => db.close())

  const counter = (options: Partial<Parameters<typeof openKeyUse>[1]> = {}, on: Pick<Database, 'run'> = db) => {
    const events: CountEvent[] = []
    const use = openKeyUse(on, { everyMs: 3_600_000, onEvent: (event) => events.push(event), ...options })
    return { use, events }
  }

  it('is counted for the day on which the call ended, UTC', async () => {
    const key = await mint(database.db)
    let now = Date.parse('2026-03-01T23:59:59.999Z')
    const { use } = counter({ now: () => now })
    use.count(counted(key.keyId))
    now += 1
    use.count(counted(key.keyId))
    use.count(counted(key.keyId))
    await use.write()
    assert.deepEqual(
      (await useOf(database.db, key.keyId)).map(({ day, calls }) => [day, calls]),
      [
        ['2026-03-01', 1],
        ['2026-03-02', 2],
      ],
    )
  })

  it('keeps the later of two instants and the request id of the last refusal', async () => {
    const key = await mint(database.db)
    const late = counter({ now: () => Date.parse('2026-03-01T12:00:00Z') }).use
    const early = counter({ now: () => Date.parse('2026-03-01T11:00:00Z') }).use
    late.count(counted(key.keyId, { outcome: 'invalid', requestId: 'one' }))
    await late.write()
    early.count(counted(key.keyId, { outcome: 'invalid', requestId: 'two' }))
    await early.write()
    assert.deepEqual(
      (await useOf(database.db, key.keyId)).map(({ calls, last }) => [calls, last]),
      [[2, 'two']],
    )
    const [seen] = await database.db.rows<{ at: Date }>('select seen_at as at from key_seen where key_id = $1::text', [
      key.keyId,
    ])
    assert.equal(seen?.at.toISOString(), '2026-03-01T12:00:00.000Z')
  })

  it('leaves out keys that were deleted before the counts were written', async () => {
    const [gone, key] = [await mint(database.db), await mint(database.db)]
    const { use, events } = counter()
    for (const { keyId } of [gone, key]) use.count(counted(keyId))
    await database.db.rows('delete from api_key where key_id = $1::text', [gone.keyId])
    await use.write()
    assert.equal(await callsOf(database.db, gone.keyId), 0)
    assert.equal(await callsOf(database.db, key.keyId), 1)
    assert.deepEqual(events, [{ kind: 'written', times: 2 }])
    assert.equal(use.waiting(), 0)
  })

  it('is exact where several processes write the same keys at once, in any order', async () => {
    const { orgId: org } = await mint(database.db)
    const keys = await Promise.all(Array.from({ length: 20 }, () => mint(database.db, { org })))
    const counters = Array.from({ length: 4 }, () => counter())
    const rounds = sample(5, 50)
    for (let round = 0; round < rounds; round += 1) {
      for (const [i, { use }] of counters.entries()) {
        for (const { keyId } of i % 2 === 0 ? keys : keys.toReversed()) use.count(counted(keyId))
      }
      await Promise.all(counters.map(({ use }) => use.write()))
    }
    const wrong = counters.flatMap(({ events }) => events.filter(({ kind }) => kind !== 'written'))
    assert.deepEqual(wrong, [])
    for (const { keyId } of keys) assert.equal(await callsOf(database.db, keyId), 4 * rounds)
  })

  describe('while the primary fails', () => {
    const lost = () => Promise.reject(Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' }))

    it('is kept, and written once when it is back', async () => {
      const key = await mint(database.db)
      let isAway = true
      const run: Database['run'] = (query) => (isAway ? lost() : db.run(query))
      const { use, events } = counter({}, { run })
      for (const calls of [1, 2, 3]) {
        use.count(counted(key.keyId))
        await use.write()
        assert.equal(await callsOf(database.db, key.keyId), 0, `after ${calls}`)
      }
      isAway = false
      use.count(counted(key.keyId))
      await use.write()
      assert.equal(await callsOf(database.db, key.keyId), 4)
      const kinds = events.map(({ kind }) => kind)
      assert.deepEqual(kinds.slice(0, 4), ['failed', 'failed', 'failed', 'written'])
      assert.equal(use.waiting(), 0)
    })

    it('is counted once, whichever of its statements fails', async () => {
      const key = await mint(database.db)
      for (const failing of [1, 2, 3]) {
        let sent = 0
        const run: Database['run'] = (query) => ((sent += 1) === failing ? lost() : db.run(query))
        const { use } = counter({}, { run })
        use.count(counted(key.keyId, { outcome: `fails_${failing}` }))
        await use.write()
        await use.write()
        assert.equal(use.waiting(), 0)
      }
      assert.deepEqual(
        (await useOf(database.db, key.keyId)).map(({ outcome, calls }) => [outcome, calls]),
        [1, 2, 3].map((failing) => [`fails_${failing}`, 1]),
      )
    })

    it('takes a bounded memory, and says how many calls it left out', async () => {
      const key = await mint(database.db)
      const { use, events } = counter({ rowsMax: 3 }, { run: lost })
      for (let i = 0; i < 5; i += 1) use.count(counted(key.keyId, { call: `/v1/${i}` }))
      await use.write()
      use.count(counted(key.keyId, { call: '/v1/5' }))
      assert.equal(use.waiting(), 3)
      const dropped = events.filter(({ kind }) => kind === 'dropped').length
      assert.equal(dropped, 3)
      await use.close(1000)
      assert.deepEqual(events.at(-1), { kind: 'dropped', times: 3 })
    })

    it('does not keep a process that stops', async () => {
      const key = await mint(database.db)
      const silent: Database['run'] = () => new Promise(() => {})
      const { use, events } = counter({}, { run: silent })
      use.count(counted(key.keyId))
      await use.close(200)
      assert.deepEqual(events, [{ kind: 'dropped', times: 1 }])
    })
  })
})
