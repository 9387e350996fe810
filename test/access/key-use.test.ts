import assert from 'node:assert/strict'
import { connect as dial } from 'node:net'
import { requestsRise, risen, sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { ask, bearer, mint, service, startService } from '../support/service.js'
import { callsOf, useOf } from './use-rows.js'

const at = '/v1/frames/at?lat=0.105&lon=0.205'

/** test/server/records.test.ts has what is counted of calls that are answered. */
describe('the service', () => {
  type Running = Awaited<ReturnType<typeof startService>>
  async function on(settings: Parameters<typeof startService>[1], work: (running: Running) => Promise<void>) {
    const running = await startService(service().database, { ops: true, ...settings })
    await work(running).finally(running.stop)
  }

  it('counts a call whose client hung up, in its metrics too, with those that are open meanwhile', () =>
    on({}, async (running) => {
      const key = await mint(running.db, { capabilities: ['ask.query'] })
      const inFlight = async () => sampleOf(await scrape(running.opsUrl), 'frames_http_requests_in_flight')
      // A client that is gone before its key is known is counted for no key.
      await until(async () => {
        const rises = await risen(running.opsUrl, async () => {
          const client = dial(running.port, running.host)
          client.write(`POST /v1/frames/insight HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.secret}\r\n`)
          client.write('Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{')
          await until(async () => (await inFlight()) === 1)
          client.resetAndDestroy()
        })
        assert.deepEqual(rises, requestsRise('/v1/frames/insight', 499))
        await running.keyUse.write()
        return (await useOf(running.db, key.keyId)).length === 1
      })
      const [row] = await useOf(running.db, key.keyId)
      assert.deepEqual([row?.call, row?.outcome], ['/v1/frames/insight', 'hung_up'])
    }))

  it('writes its counts when it stops', async () => {
    const key = await mint(service().db)
    await on({}, async ({ url }) => {
      for (let i = 0; i < 4; i += 1) await ask(url + at, { headers: bearer(key.secret) })
      assert.equal(await callsOf(service().db, key.keyId), 0)
    })
    assert.equal(await callsOf(service().db, key.keyId), 4)
  })

  it('writes its counts again and again while calls come', () =>
    on({ writeUseEveryMs: 50 }, async ({ url, db, opsUrl }) => {
      const key = await mint(db)
      for (const calls of [1, 2, 3]) {
        await ask(url + at, { headers: bearer(key.secret) })
        await until(async () => (await callsOf(db, key.keyId)) === calls)
      }
      await until(async () => sampleOf(await scrape(opsUrl), 'frames_use_waiting_rows') === 0)
      assert.equal(sampleOf(await scrape(opsUrl), 'frames_use_written_total'), 3)
    }))
})
