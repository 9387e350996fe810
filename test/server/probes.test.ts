import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { projectFolder } from '../../src/core/db/statement.js'
import { readConfig } from '../../src/server/config.js'
import { serve } from '../../src/server/http-server.js'
import { healthOf } from '../../src/server/health.js'
import { serveOps } from '../../src/server/ops-port.js'
import { openMetrics } from '../../src/metrics.js'
import { createApp } from '../../src/api/app.js'
import { openServices } from '../../src/services.js'
import { freePort } from '../support/postgres-server.js'
import { ask, bearer, errorOf, get, service, startService } from '../support/service.js'

const READY = { data: { ready: true, database: 'up', redis: 'not configured' } }

describe('the operators’ port', () => {
  it('says that the process is alive and ready, and serves nothing else but metrics', async () => {
    const running = await startService(service().database, { ops: true })
    try {
      const { opsUrl } = running
      assert.deepEqual((await ask(`${opsUrl}/livez`)).body, { data: { alive: true } })
      const ready = await ask(`${opsUrl}/readyz`)
      assert.deepEqual(ready.body, READY)
      assert.deepEqual([ready.status, ready.headers.get('cache-control')], [200, 'no-store'])
      assert.ok(readFileSync(new URL('docs/deploy.md', projectFolder), 'utf8').includes(`\n${ready.text}\n`))
      assert.match((await ask(`${opsUrl}/metrics`)).headers.get('content-type') ?? '', /^text\/plain/)
      for (const path of ['/', '/v1/states', '/readyz/x', '/constructor']) {
        const none = await ask(opsUrl + path)
        assert.deepEqual([none.status, errorOf(none).code], [404, 'not_found'])
      }
      const posted = await ask(`${opsUrl}/readyz`, { method: 'POST' })
      assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
      assert.equal((await ask(`${opsUrl}/readyz`, { method: 'HEAD' })).status, 200)
    } finally {
      await running.stop()
    }
  })

  it('is not the callers’ port, which has no probes', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) assert.equal((await get(path)).status, 404)
  })

  it('is alive and not ready while the database is away, and says so', async () => {
    const nowhere = `postgres://frames:secret@127.0.0.1:${await freePort()}/frames`
    const running = await startService({ ...service().database, target: nowhere }, { ops: true })
    try {
      assert.equal((await ask(`${running.opsUrl}/livez`)).status, 200)
      const ready = await ask(`${running.opsUrl}/readyz`)
      assert.equal(ready.status, 503)
      assert.deepEqual(errorOf(ready), { code: 'not_ready', message: 'The database does not answer: ECONNREFUSED.' })
      const { status, text } = await ask(`${running.opsUrl}/metrics`)
      assert.equal(status, 200)
      assert.match(text, /^frames_dependency_up\{dependency="database"\} 0$/m)
    } finally {
      await running.stop()
    }
  })

  it('says after a second that it is not ready, where the database hangs', async () => {
    const deaf = createServer()
    await new Promise<void>((done) => deaf.listen(0, '127.0.0.1', done))
    const { port } = deaf.address() as AddressInfo
    const health = healthOf(`postgres://frames@127.0.0.1:${port}/frames`)
    try {
      assert.deepEqual(await health.readiness(), { unready: 'The database does not answer within 1 s.' })
    } finally {
      await health.close()
      deaf.close()
    }
  })

  it('is not ready while a migration is pending, and names it', async () => {
    const { db } = service().database
    const running = await startService(service().database, { ops: true })
    try {
      await db.work("update migration set name = 'away' where name = '004_credits'")
      const ready = await ask(`${running.opsUrl}/readyz`)
      assert.equal(ready.status, 503)
      assert.match(errorOf(ready).message, /^Migrations are pending: 004_credits\./)
    } finally {
      await db.work("update migration set name = '004_credits' where name = 'away'")
      assert.deepEqual((await ask(`${running.opsUrl}/readyz`)).body, READY)
      await running.stop()
    }
  })

  it('is ready while the queue of queries is full', async () => {
    const running = await startService(service().database, { ops: true, queries: { queueMax: 0 } })
    try {
      const call = await ask(`${running.url}/v1/states`, { headers: bearer(running.secret) })
      assert.equal(call.status, 500)
      assert.deepEqual((await ask(`${running.opsUrl}/readyz`)).body, READY)
    } finally {
      await running.stop()
    }
  })

  it('is refused in a sentence if OPS_PORT names one that is taken; without OPS_PORT, any free port is used', async () => {
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    const { port } = taken.address() as AddressInfo
    const at = { host: '127.0.0.1', port }
    const health = healthOf(service().database.target)
    const open = (otherwise: 'any' | 'fail') =>
      serveOps({ services: { metrics: openMetrics(), redisState: () => 'not configured' }, web: undefined }, health, {
        ...at,
        otherwise,
      })
    try {
      assert.deepEqual(readConfig({}).ops, { port: 3001, otherwise: 'any' })
      assert.deepEqual(readConfig({ OPS_PORT: '3001' }).ops, { port: 3001, otherwise: 'fail' })
      const sentence = `Port ${port} of 127.0.0.1 is taken by another program. Set OPS_PORT to another, or to 0 for any free one.`
      await assert.rejects(open('fail'), { message: sentence })
      const elsewhere = await open('any')
      assert.notEqual(elsewhere.port, port)
      await elsewhere.close()
    } finally {
      await health.close()
      taken.close()
    }
  })
})

describe('the callers’ port', () => {
  it('is refused in a sentence if it is taken', async () => {
    const size = { burst: 9, perMinute: 9 }
    const buckets = { key: size, organisation: size, insight: size }
    const reads = { readDatabaseUrls: [], readLagMaxMs: 0, authorityGraceMs: 0 }
    const settings = { logLevel: 'silent', redisUrl: undefined, buckets, wording: undefined, ...reads } as const
    const services = openServices(settings, service().database.target)
    try {
      await assert.rejects(serve(createApp(services), '127.0.0.1', service().port), /is taken .* Set PORT to another/)
    } finally {
      await services.close()
    }
  })
})
