import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { revokeKey } from '../../src/core/access/keys.js'
import { connect } from '../../src/core/db/connect.js'
import { hostOf, isNewerPrimary, onAnyServer, onPrimaryOnly, urlOfEachHost } from '../../src/core/db/hosts.js'
import { frames } from '../support/cli.js'
import { freePort } from '../support/postgres-server.js'
import { startProxy } from '../support/proxy.js'
import { startPair, untilInUse, type Pair } from '../support/replica.js'
import { until } from '../support/until.js'
import { ask, bearer, mint, startService } from '../support/service.js'
import { whereReplicaLags } from './lag.js'

describe('the hosts of DATABASE_URL', () => {
  it('each host has a URL; connections of calls are for a primary, and those of probes for any server', () => {
    const urls = urlOfEachHost('postgres://a:b@one:1, two:2/d?target_session_attrs=read-write&x=1')
    assert.deepEqual(urls.map(hostOf), ['one:1', 'two:2'])
    assert.deepEqual(urls.map(onPrimaryOnly), urls)
    assert.deepEqual(urls.map(onAnyServer), ['postgres://a:b@one:1/d?x=1', 'postgres://a:b@two:2/d?x=1'])
    assert.equal(onPrimaryOnly('postgres://one/d'), 'postgres://one/d?target_session_attrs=primary')
    assert.equal(onPrimaryOnly('postgres://one/d?x=1'), 'postgres://one/d?x=1&target_session_attrs=primary')
  })

  it('the primary is the one with the highest timeline of the same cluster', () => {
    const first = { identity: 'a', timeline: 2 }
    assert.equal(isNewerPrimary(first, undefined), true)
    assert.equal(isNewerPrimary({ identity: 'a', timeline: 3 }, first), true)
    for (const found of [
      { identity: 'a', timeline: null },
      { identity: 'a', timeline: 1 },
      { identity: 'a', timeline: 2 },
      { identity: 'b', timeline: 9 },
    ])
      assert.equal(isNewerPrimary(found, first), false)
    assert.equal(isNewerPrimary({ identity: 'a', timeline: null }, undefined), false)
  })
})

describe('a server that closes each connection without a word', () => {
  it('fails the statement as lost, and does not let it wait for its deadline', async () => {
    const server = createServer((socket) => socket.end())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const db = connect(`postgres://a@127.0.0.1:${(server.address() as AddressInfo).port}/b`, { deadlineMs: 60_000 })
    await assert.rejects(db.rows('select 1', []), { code: 'ECONNRESET' })
    await db.close()
    server.close()
  })
})

describe('a service that knows two hosts', function () {
  this.timeout(120_000)
  let pair: Pair

  before(async () => (pair = await startPair()))
  after(() => pair.stop())

  const urlOfBoth = (...ports: number[]) =>
    `postgres://frames_service@${ports.map((port) => `127.0.0.1:${port}`).join()}/template_datasets`

  it('finds the primary behind a host that hangs, behind one that is away, and behind a replica', async () => {
    const hanging = await startProxy(pair.replica.port)
    hanging.hang()
    const { secret } = await mint(pair.db)
    for (const port of [hanging.port, await freePort(), pair.replica.port]) {
      const target = urlOfBoth(port, pair.primary.port)
      const service = await startService({ ...pair.database, target })
      assert.equal((await ask(`${service.url}/v1/states`, { headers: bearer(secret) })).status, 200)
      await service.stop()
    }
    await hanging.close()
  })

  it('judges no host of READ_DATABASE_URL at the start where the answer of the primary is late', async () => {
    const way = await startProxy(pair.primary.port)
    const target = `postgres://frames_service@127.0.0.1:${way.port}/template_datasets`
    const readDatabaseUrls = [pair.readUrl(pair.primary.port), pair.readUrl()]
    const service = await startService(
      { ...pair.database, target },
      { readDatabaseUrls, probes: { everyMs: 60_000, deadlineMs: 500 } },
    )
    try {
      for (const isLate of [true, false]) {
        if (isLate) way.hang()
        else way.wake()
        await service.replicas.check()
        assert.deepEqual([service.replicas.isPrimaryAway(), service.replicas.states()[0]?.inUse], [isLate, false])
      }
    } finally {
      await service.stop()
      await way.close()
    }
  })

  it('within the grace, a read that waits for a primary that hangs goes on from the replica', async () => {
    const way = await startProxy(pair.primary.port)
    const target = `postgres://frames_service@127.0.0.1:${way.port}/template_datasets`
    const probes = { everyMs: 50, deadlineMs: 500 }
    const graced = { readDatabaseUrls: [pair.readUrl()], authorityGraceMs: 60_000, probes }
    const service = await startService({ ...pair.database, target }, graced)
    try {
      const { secret } = await mint(pair.db)
      await pair.caughtUp()
      await untilInUse(service.replicas)
      way.hang()
      // A read that waited for its deadline would get 500.
      assert.equal((await ask(`${service.url}/v1/states`, { headers: bearer(secret) })).status, 200)
    } finally {
      await way.close()
      await service.stop()
    }
  })

  describe('and a replica that lags', () => whereReplicaLags(() => pair))

  // This test is the last: afterwards the two servers are no pair.
  describe('after a promotion', () => {
    it('leaves an old primary that goes on beside the new one, and never goes back to it', async () => {
      const service = await startService({ ...pair.database, target: urlOfBoth(pair.primary.port, pair.replica.port) })
      const promoted = connect(pair.replica.url('template_datasets', 'frames_owner'), { deadlineMs: 30_000 })
      try {
        const { secret, keyId } = await mint(pair.db)
        const status = async () => (await ask(`${service.url}/v1/states`, { headers: bearer(secret) })).status
        assert.equal(await status(), 200)
        await pair.caughtUp()
        const admin = connect(pair.replica.url('template_datasets'))
        await admin.rows('select pg_promote()', [])
        await admin.close()
        await revokeKey(promoted.run, keyId)
        await until(async () => (await status()) === 401)
        // The old primary still accepts the key.
        for (let call = 0; call < 60; call += 1) assert.equal(await status(), 401)

        const DATABASE_URL = urlOfBoth(pair.primary.port, pair.replica.port).replace('frames_service', 'frames_owner')
        const { status: ended, err } = await frames(['orgs', 'create', '--name', 'Later', '--plan', 'trial'], {
          DATABASE_URL,
        })
        assert.equal(ended, 0, err)
        const later = `select from organisation where name = 'Later'`
        assert.deepEqual([(await promoted.rows(later, [])).length, (await pair.db.rows(later, [])).length], [1, 0])
      } finally {
        await promoted.close()
        await service.stop()
      }
    })
  })
})
