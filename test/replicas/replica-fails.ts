import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { frames, startServe } from '../support/cli.js'
import { postgresServer, urlOf } from '../support/database.js'
import { ids } from '../support/datasets.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { freePort } from '../support/postgres-server.js'
import { untilInUse } from '../support/replica.js'
import { until } from '../support/until.js'
import { ask, bearer, mint, startService } from '../support/service.js'
import { untilReadFromReplica, type ServedPair } from './served-pair.js'

export function whenReplicaFails(served: ServedPair): void {
  const get = (path: string, secret = served.service.secret) =>
    ask(served.service.url + path, { headers: bearer(secret) })

  const inUse = async () =>
    sampleOf(await scrape(served.service.opsUrl), `frames_replica_in_use{replica="127.0.0.1:${served.proxy.port}"}`)

  // A busy machine may answer a probe too late, and then the replica is out of use for a moment.
  beforeEach(() => untilInUse(served.service.replicas))

  it('a call whose replica is lost midway goes on from the primary, and has no tag', async () => {
    const { text } = await get('/v1/states')
    served.sent = []
    served.onSent = (name) => name === 'states' && served.proxy.cutAll()
    const answer = await get('/v1/states')
    served.onSent = () => {}
    assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [200, text, null])
    assert.deepEqual(
      served.sent.filter(([name]) => name === 'states').map(([, port]) => port),
      [served.proxy.port, served.pair.primary.port],
    )
    await untilReadFromReplica(served)
  })

  it('a statement that the replay of a switch ends is retried on the primary', async () => {
    const isThere = `select pg_is_in_recovery() as there, case when pg_is_in_recovery() then pg_sleep(9)::text end as slept
      from frame limit 1`
    const call = served.service.readerForRequest()
    const replica = call.source?.()
    const reading = call.rows<{ there: boolean }>(isThere, [])
    const onReplica = connect(served.pair.replica.url('template_datasets'))
    try {
      await until(async () => {
        const of = `select from pg_locks where relation = 'frame'::regclass and mode = 'AccessShareLock'`
        return (await onReplica.rows(of, [])).length > 0
      })
      // staging_switch takes this lock too: the replica waits a moment for its readers, then ends their statements.
      await served.pair.db.transaction((run) => run('lock table frame in access exclusive mode', []))
      assert.deepEqual([(await reading)[0]?.there, call.source?.() === replica], [false, false])
    } finally {
      await onReplica.close()
    }
    await untilReadFromReplica(served)
  })

  it('a statement that fails for a reason of its own is not retried elsewhere', async () => {
    served.sent = []
    await assert.rejects(
      served.service.readerForRequest().rows('-- wrong: no table.\nselect from nowhere', []),
      /nowhere/,
    )
    assert.deepEqual(
      served.sent.filter(([name]) => name === 'wrong').map(([, port]) => port),
      [served.proxy.port],
    )
  })

  it('a replica that hangs goes out of use, and the primary answers the calls that waited for it', async () => {
    const hasty = await startService(served.pair.database, {
      watch: served.watch,
      readDatabaseUrls: [served.pair.readUrl(served.proxy.port)],
      probes: { everyMs: 50, deadlineMs: 500 },
    })
    const callHasty = async (path: string) =>
      (await ask(hasty.url + path, { headers: bearer(served.service.secret) })).status
    try {
      await untilInUse(hasty.replicas)
      served.proxy.hang()
      const answers = await Promise.all([callHasty('/v1/states'), callHasty(`/v1/frames?ids=${ids[0]}`)])
      assert.deepEqual(answers, [200, 200])
      await untilInUse(hasty.replicas, false)
      served.proxy.wake()
      await untilInUse(hasty.replicas)
    } finally {
      served.proxy.wake()
      await hasty.stop()
    }
    await untilReadFromReplica(served)
  })

  it('a replica that is stopped goes out of use, and comes back into use without a restart of the service', async () => {
    served.lines.length = 0
    await served.pair.replica.halt()
    assert.equal(await served.readFrom(), 'primary')
    assert.equal(await served.readFrom('records_of_baselines', `/v1/frames/data?ids=${ids[0]}`), 'primary')
    assert.equal(await inUse(), 0)
    assert.equal(served.lines.filter((line) => line.includes('the replica is not in use for reads')).length, 1)
    await served.pair.replica.start()
    await untilReadFromReplica(served)
    assert.equal(await inUse(), 1)
    assert.equal(await served.readFrom(), 'replica')
    assert.equal(served.lines.filter((line) => line.includes('the replica is in use for reads')).length, 1)
  })

  it('a replica that is further behind than allowed is out of use until it has caught up', async () => {
    const strict = await startService(served.pair.database, {
      readDatabaseUrls: [served.pair.readUrl()],
      readLagMaxMs: 1000,
    })
    try {
      await untilInUse(strict.replicas)
      await served.pair.whilePaused(async () => {
        await mint(served.pair.db)
        await untilInUse(strict.replicas, false)
        assert.match(strict.replicas.states()[0]?.reason ?? '', /more than 1 s behind/)
      })
      await untilInUse(strict.replicas)
    } finally {
      await strict.stop()
    }
  })

  describe('serve', () => {
    const env = () => ({ DATABASE_URL: urlOf(served.pair.database.target), PORT: '0', OPS_PORT: '0' })

    it('refuses a server that is no replica of its database, and does not show the password', async () => {
      const refused: [url: string, sentence: RegExp][] = [
        [(await postgresServer()).url('postgres', 'postgres:hidden'), /it is no replica: it takes writes of its own/],
        [served.pair.replica.url('postgres', 'postgres:hidden'), /it is not a replica of the database of DATABASE_URL/],
        [served.pair.replica.url('nowhere', 'postgres:hidden'), /"nowhere" does not exist/],
      ]
      const tryServing = async ([url, sentence]: (typeof refused)[number]) => {
        const ran = await frames(['serve'], { ...env(), LOG_LEVEL: 'silent', READ_DATABASE_URL: url })
        assert.equal(ran.status, 1)
        assert.match(ran.err, sentence)
        assert.match(ran.err, /^READ_DATABASE_URL, 127\.0\.0\.1:\d+: /m)
        assert.doesNotMatch(ran.err, /hidden/)
      }
      await Promise.all(refused.map(tryServing))
      const alone = await frames(['serve'], { READ_DATABASE_URL: served.pair.readUrl() })
      assert.match(alone.err, /READ_DATABASE_URL needs DATABASE_URL/)
    })

    it('starts if one replica is away, and uses the others', async () => {
      const url = served.pair.readUrl().replace(/@([^/]+)/, `@127.0.0.1:${await freePort()},$1`)
      const started = await startServe({ ...env(), READ_DATABASE_URL: url })
      try {
        const answer = await ask(`${started.url}/v1/states`, { headers: bearer(served.service.secret) })
        assert.equal(answer.status, 200)
        await until(() => /"inUse":true/.test(started.stdout()))
        assert.match(started.stdout(), /"inUse":false,"reason":"[^"]*ECONNREFUSED/)
      } finally {
        started.child.kill('SIGTERM')
        await started.ended
      }
    })
  })
}
