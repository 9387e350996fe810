import assert from 'node:assert/strict'
import { connect as dial } from 'node:net'
import type { TestDatabase } from '../support/database.js'
import { ids, sharedWorld } from '../support/datasets.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { ask, bearer, mint, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { callsOf, useOf } from './use-rows.js'

const at = '/v1/frames/at?lat=0.105&lon=0.205'

describe('the service', () => {
  const large = { burst: 900, perMinute: 1 }
  let database: TestDatabase
  let wording: WordingServer
  let service: Awaited<ReturnType<typeof startService>>
  before(async () => {
    ;({ database } = await sharedWorld())
    wording = await startWordingServer()
    const buckets = { key: { burst: 12, perMinute: 1 }, organisation: large, insight: { burst: 2, perMinute: 1 } }
    service = await startService(database, { wordingUrl: wording.url, ops: true, buckets })
  })
  after(async () => {
    await service.stop()
    await wording.close()
  })

  const get = (path: string, key: Minted, headers = {}) =>
    ask(service.url + path, { headers: { ...bearer(key.secret), ...headers } })
  const idOf = async (answer: ReturnType<typeof ask>) => (await answer).headers.get('x-request-id')
  const question = (key: Minted, body: unknown) =>
    ask(`${service.url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(key.secret), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const written = async () => {
    await until(async () => sampleOf(await scrape(service.opsUrl), 'frames_http_requests_in_flight') === 0)
    await service.keyUse.write()
  }

  it('counts each outcome of each call, and keeps the last request id of each refusal', async () => {
    const key = await mint(database.db)
    for (let i = 0; i < 3; i += 1) await get(at, key)
    const { headers } = await get('/v1/frames?ids=1', key)
    await get('/v1/frames?ids=1', key, { 'if-none-match': headers.get('etag') ?? '' })
    await get('/v1/frames/at?lat=x', key)
    const badPoint = await idOf(get('/v1/frames/at?lat=y', key))
    const noFrame = await idOf(get('/v1/frames/at?lat=80&lon=0', key))
    await question(key, { frameIds: [ids[0]] })
    await question(key, { frameIds: [ids[0]], format: 'figures' })
    const noQuestion = await idOf(question(key, { frameIds: [ids[0]] }))
    for (let i = 0; i < 3; i += 1) await get(at, key)
    const noCall = await idOf(get(at, key))
    await written()
    const day = new Date().toISOString().slice(0, 10)
    const row = (call: string, outcome: string, calls: number, last: string | null = null, bucket = '') => ({
      day,
      call,
      outcome,
      bucket,
      calls,
      last,
    })
    assert.deepEqual(await useOf(database.db, key.keyId), [
      row('/v1/frames', 'not_modified', 1),
      row('/v1/frames', 'ok', 1),
      row('/v1/frames/at', 'invalid_point', 2, badPoint),
      row('/v1/frames/at', 'not_found', 1, noFrame),
      row('/v1/frames/at', 'ok', 5),
      row('/v1/frames/at', 'rate_limited', 2, noCall, 'key'),
      row('/v1/frames/insight', 'ok', 1),
      row('/v1/frames/insight', 'rate_limited', 1, noQuestion, 'insight'),
      row('/v1/frames/insight', 'worded', 1),
    ])
    const [seen] = await database.db.rows<{ seen_at: Date }>('select seen_at from key_seen where key_id = $1::text', [
      key.keyId,
    ])
    assert.ok(seen && Date.now() - seen.seen_at.getTime() < 60_000)
  })

  it('counts a call without its capability, and one whose client hung up', async () => {
    const key = await mint(database.db, { capabilities: ['ask.query'] })
    const refused = await idOf(get(at, key))
    // A client that is gone before its key is known is counted for no key.
    await until(async () => {
      const client = dial(service.port, service.host)
      client.write(`POST /v1/frames/insight HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n`)
      client.write('Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{')
      await until(async () => sampleOf(await scrape(service.opsUrl), 'frames_http_requests_in_flight') === 1)
      client.resetAndDestroy()
      await written()
      return (await useOf(database.db, key.keyId)).length === 2
    })
    const rows = await useOf(database.db, key.keyId)
    assert.deepEqual(
      rows.map(({ call, outcome, last }) => [call, outcome, last === refused]),
      [
        ['/v1/frames/at', 'insufficient_scope', true],
        ['/v1/frames/insight', 'hung_up', false],
      ],
    )
  })

  it('writes its counts when it stops', async () => {
    const other = await startService(database)
    const key = await mint(database.db)
    for (let i = 0; i < 4; i += 1) await ask(other.url + at, { headers: bearer(key.secret) })
    assert.equal(await callsOf(database.db, key.keyId), 0)
    await other.stop()
    assert.equal(await callsOf(database.db, key.keyId), 4)
  })

  it('writes its counts again and again while calls come', async () => {
    const other = await startService(database, { writeUseEveryMs: 50, ops: true })
    try {
      const key = await mint(database.db)
      for (const calls of [1, 2, 3]) {
        await ask(other.url + at, { headers: bearer(key.secret) })
        await until(async () => (await callsOf(database.db, key.keyId)) === calls)
      }
      await until(async () => sampleOf(await scrape(other.opsUrl), 'frames_use_waiting_rows') === 0)
      assert.equal(sampleOf(await scrape(other.opsUrl), 'frames_use_written_total'), 3)
    } finally {
      await other.stop()
    }
  })
})
