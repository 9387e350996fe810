import assert from 'node:assert/strict'
import { Agent, request, type IncomingMessage } from 'node:http'
import { createApp } from '../../src/api/app.js'
import { closeUntil } from '../../src/tools/cli/stop.js'
import { serve } from '../../src/server/http-server.js'
import { openServices } from '../../src/services.js'
import { startServe } from '../support/cli.js'
import { onPostgres, urlOf } from '../support/database.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { startProxy } from '../support/proxy.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, service } from '../support/service.js'

describe('a process that was told to stop', () => {
  it('answers on open and new connections for a while, tells each to close, and ends though one is idle', async () => {
    const size = { burst: 9, perMinute: 9 }
    const buckets = { key: size, organisation: size, insight: size }
    const reads = { readDatabaseUrls: [], readLagMaxMs: 0, authorityGraceMs: 0 }
    const settings = { logLevel: 'silent', redisUrl: undefined, buckets, wording: undefined, ...reads } as const
    const services = openServices(settings, service().database.target)
    const running = await serve(createApp(services), '127.0.0.1', 0, { drainMs: 400 })
    const agents = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
    const [open, idle, late] = agents
    const call = (agent: Agent | undefined) => get(running.port, agent)
    try {
      for (const agent of [open, idle]) assert.deepEqual(await call(agent), [401, 'keep-alive'])
      const closed = running.close()
      assert.deepEqual(await call(open), [401, 'close'])
      assert.deepEqual(await call(late), [401, 'close'])
      await closed
      await assert.rejects(call(late), { code: 'ECONNREFUSED' })
    } finally {
      for (const agent of agents) agent.destroy()
      running.cut()
      await services.close()
    }
  })
})

if (onPostgres) {
  it('a process that ends while the database hangs says which refunds are left, in the time that it has', async () => {
    const { database } = service()
    const url = new URL(urlOf(database.target))
    const proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    const lines: string[] = []
    const reads = { readDatabaseUrls: [], readLagMaxMs: 0, authorityGraceMs: 0 }
    const settings = { logLevel: 'error', redisUrl: undefined, wording: undefined, ...reads } as const
    const size = { burst: 9, perMinute: 9 }
    const buckets = { key: size, organisation: size, insight: size }
    const services = openServices({ ...settings, buckets }, url.href, { logTo: { write: (line) => lines.push(line) } })
    try {
      await services.primary.rows('select 1', [])
      proxy.hang()
      const caller = await mint(service().db)
      services.ledger.refunds.add({ caller, requestId: 'the call', part: 'charge' })
      const from = performance.now()
      await closeUntil(from + 400, services.close)
      assert.ok(performance.now() - from < 4000)
      assert.match(lines.join(''), /"requestId":"the call".*"reason":"the process ended"/)
    } finally {
      await proxy.close()
    }
  })

  describe('a process that is told to stop a second time', () => {
    const signals = [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const
    for (const [signal, expected] of signals.slice(0, sample(1, 2))) {
      it(`by ${signal} ends at once though the database hangs, with status ${expected}`, async () => {
        const url = new URL(urlOf(service().database.target))
        const proxy = await startProxy(Number(url.port))
        url.port = String(proxy.port)
        const { secret } = await mint(service().db)
        const started = await startServe({ DATABASE_URL: url.href })
        assert.match(started.stderr(), /The web app is off: docs\/settings\.md says how PUBLIC_URL switches it on\./)
        try {
          proxy.hang()
          const answer = ask(`${started.url}/v1/states`, { headers: bearer(secret) }).then(
            ({ status }) => status,
            () => 0,
          )
          await until(async () => sampleOf(await scrape(started.opsUrl), 'frames_http_requests_in_flight') === 1)
          started.child.kill('SIGTERM')
          await until(async () => started.stderr().includes('stopping'))
          started.child.kill(signal)
          const { status, err, out } = await started.ended
          assert.equal(status, expected)
          assert.equal(await answer, 0)
          assert.match(err, new RegExp(`ended by a second ${signal}: 1 open requests were cut`))
          // The log also has the line of the request that was cut.
          assert.match(out, /"path":"\/v1\/states".*"status":499/)
        } finally {
          started.child.kill('SIGKILL')
          await proxy.close()
        }
      })
    }
  })
}

/** Returns the status and the Connection header. */
function get(port: number, agent: Agent | undefined): Promise<[number | undefined, string | undefined]> {
  return new Promise((done, failed) => {
    const sent = request({ port, host: '127.0.0.1', path: '/v1/states', agent }, (answer: IncomingMessage) => {
      answer.resume()
      answer.once('end', () => done([answer.statusCode, answer.headers.connection]))
    })
    sent.once('error', failed)
    sent.end()
  })
}
