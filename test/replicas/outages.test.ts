import assert from 'node:assert/strict'
import { license } from '../../src/access/licences.js'
import { revokeKey } from '../../src/access/keys.js'
import { newSecret } from '../../src/access/secret.js'
import { connect } from '../../src/db/connect.js'
import { framesProcess, startServe } from '../support/cli.js'
import { onPostgres, urlOf } from '../support/database.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { postgresServer } from '../support/database.js'
import { freePort } from '../support/postgres-server.js'
import { startProxy, type Proxy } from '../support/proxy.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { startPair, until, untilInUse, type Pair } from '../support/replica.js'
import { startWordingServer } from '../support/wording-server.js'
import { ask, bearer, errorOf, mint, startService } from '../support/service.js'

type Running = Awaited<ReturnType<typeof startService>>

if (onPostgres) {
  describe('when a replica or its primary fails', function () {
    this.timeout(120_000)
    let pair: Pair
    let proxy: Proxy
    let service: Running
    let sent: [name: string, port: number][] = []
    let onSent = (_name: string) => {}
    const lines: string[] = []
    const watch = (text: string, target: unknown) => {
      const name = /^-- (\w+):/.exec(text)?.[1] ?? text
      sent.push([name, Number(new URL(String(target)).port)])
      onSent(name)
    }
    before(async () => {
      pair = await startPair()
      proxy = await startProxy(pair.replica.port)
      service = await startService(pair.database, {
        watch,
        logged: (line) => lines.push(line),
        readDatabaseUrls: [pair.readUrl(proxy.port)],
        ops: true,
      })
      await untilInUse(service.replicas)
    })
    after(async () => {
      await service.stop()
      await proxy.close()
      await pair.stop()
    })

    const get = (path: string, secret = service.secret) => ask(service.url + path, { headers: bearer(secret) })
    const inUse = async () =>
      sampleOf(await scrape(service.opsUrl), `frames_replica_in_use{replica="127.0.0.1:${proxy.port}"}`)
    /** Says to which server a statement of this call went. */
    async function readFrom(name = 'states', path = '/v1/states'): Promise<'primary' | 'replica'> {
      sent = []
      assert.equal((await get(path)).status, 200)
      const [, port] = sent.find((each) => each[0] === name) ?? []
      return port === proxy.port ? 'replica' : 'primary'
    }

    it('a call whose replica is lost midway goes on from the primary, and has no tag', async () => {
      const { text } = await get('/v1/states')
      sent = []
      onSent = (name) => name === 'states' && proxy.cutAll()
      const answer = await get('/v1/states')
      onSent = () => {}
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [200, text, null])
      assert.deepEqual(
        sent.filter(([name]) => name === 'states').map(([, port]) => port),
        [proxy.port, pair.primary.port],
      )
      await untilInUse(service.replicas)
      assert.equal(await readFrom(), 'replica')
    })

    it('a statement that the replay of a switch ends is retried on the primary', async () => {
      const isThere = `select pg_is_in_recovery() as there, case when pg_is_in_recovery() then pg_sleep(9)::text end as slept
        from frame limit 1`
      const call = service.readerForRequest()
      let moved = false
      call.moved = () => (moved = true)
      const reading = call.rows<{ there: boolean }>(isThere, [])
      const onReplica = connect(pair.replica.url('template_datasets'))
      try {
        await until(async () => {
          const of = `select from pg_locks where relation = 'frame'::regclass and mode = 'AccessShareLock'`
          return (await onReplica.rows(of, [])).length > 0
        })
        // staging_switch takes this lock too: the replica waits a moment for its readers, then ends their statements.
        await pair.db.transaction((run) => run('lock table frame in access exclusive mode', []))
        assert.deepEqual([(await reading)[0]?.there, moved], [false, true])
      } finally {
        await onReplica.close()
      }
      assert.equal(await readFrom(), 'replica')
    })

    it('a statement that fails for a reason of its own is not retried elsewhere', async () => {
      sent = []
      await assert.rejects(service.readerForRequest().rows('-- wrong: no table.\nselect from nowhere', []), /nowhere/)
      assert.deepEqual(
        sent.filter(([name]) => name === 'wrong').map(([, port]) => port),
        [proxy.port],
      )
    })

    it('a replica that hangs goes out of use, and the primary answers the calls that waited for it', async () => {
      proxy.hang()
      const answers = await Promise.all([get('/v1/states'), get(`/v1/frames?ids=${ids[0]}`)])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      assert.equal(await readFrom(), 'primary')
      proxy.wake()
      await untilInUse(service.replicas)
      assert.equal(await readFrom(), 'replica')
    })

    it('a replica that is stopped goes out of use, and comes back into use without a restart of the service', async () => {
      lines.length = 0
      await pair.replica.halt()
      assert.equal(await readFrom(), 'primary')
      assert.equal(await readFrom('records_of_baselines', `/v1/frames/data?ids=${ids[0]}`), 'primary')
      assert.equal(await inUse(), 0)
      assert.equal(lines.filter((line) => line.includes('the replica is not in use for reads')).length, 1)
      await pair.replica.start()
      await untilInUse(service.replicas)
      assert.equal(await inUse(), 1)
      assert.equal(await readFrom(), 'replica')
      assert.equal(lines.filter((line) => line.includes('the replica is in use for reads')).length, 1)
    })

    it('a replica that is further behind than allowed is out of use until it has caught up', async () => {
      const strict = await startService(pair.database, { readDatabaseUrls: [pair.readUrl()], readLagMaxMs: 1000 })
      try {
        await untilInUse(strict.replicas)
        await pair.whilePaused(async () => {
          await mint(pair.db)
          await untilInUse(strict.replicas, false)
          assert.match(strict.replicas.states()[0]?.reason ?? '', /more than 1 s behind/)
        })
        await untilInUse(strict.replicas)
      } finally {
        await strict.stop()
      }
    })

    it('without the primary every key gets a 500 and no charge, and all calls work again when it is back', async () => {
      const { secret, orgId } = await mint(pair.db)
      const revoked = await mint(pair.db)
      await credit(pair.db, orgId, 100)
      const [{ layerId } = { layerId: '' }] = await pair.db.rows<{ layerId: string }>(
        `select layer_id as "layerId" from baseline where frame_id = $1::bigint order by layer_id limit 1`,
        [ids[0]],
      )
      await license(pair.db.run, layerId, orgId, 2)
      const paid = `/v1/frames/data?ids=${ids[0]}`
      assert.deepEqual(((await get(paid, secret)).body as { data: { charged: string[] } }).data.charged, [layerId])
      // The replica has not replayed this when the primary goes away: the replica still accepts the key.
      await pair.caughtUp()
      await pair.pauseReplay()
      await revokeKey(pair.db.run, revoked.keyId)
      await pair.primary.halt()
      for (const path of ['/v1/states', paid, '/v1/frames/at?lat=0.105&lon=0.205']) {
        for (const known of [secret, revoked.secret, newSecret()]) {
          const answer = await get(path, known)
          assert.deepEqual([answer.status, errorOf(answer).code], [500, 'internal'])
          assert.equal(answer.headers.get('www-authenticate'), null)
        }
      }
      assert.equal((await ask(`${service.url}/v1/states`)).status, 401)
      assert.equal(errorOf(await get('/v1/states', `${secret}0`)).code, 'invalid_key')
      await pair.primary.start()
      await pair.resumeReplay()
      assert.equal((await get('/v1/states', revoked.secret)).status, 401)
      assert.equal(await balanceOf(pair.db, orgId), 98)
      assert.equal((await get(paid, secret)).status, 200)
      assert.equal(await balanceOf(pair.db, orgId), 96)
      await untilInUse(service.replicas)
      assert.equal(await readFrom(), 'replica')
    })

    it('within the grace a replica answers for the primary, but for priced data; after it, calls get a 500', async () => {
      const logged: string[] = []
      const patient = { readDatabaseUrls: [pair.readUrl()], authorityGraceMs: 600_000, ops: true }
      const [long, short] = [
        await startService(pair.database, { ...patient, logged: (line) => logged.push(line), watch }),
        await startService(pair.database, { ...patient, authorityGraceMs: 4000 }),
      ]
      const ready = async () => (await ask(`${long.opsUrl}/readyz`)).body as { data?: { database: string } }
      const states = async (of: Running, { secret }: { secret: string }) =>
        (await ask(`${of.url}/v1/states`, { headers: bearer(secret) })).status
      try {
        const [known, rich, narrow, revoked] = [
          await mint(pair.db),
          await mint(pair.db),
          await mint(pair.db, { capabilities: ['frame.read'], datasets: ['lyr_population'] }),
          await mint(pair.db),
        ]
        await credit(pair.db, rich.orgId, 10)
        await license(pair.db.run, 'lyr_population', rich.orgId, 2)
        await pair.caughtUp()
        for (const { replicas } of [long, short]) await untilInUse(replicas)
        await pair.pauseReplay()
        await revokeKey(pair.db.run, revoked.keyId)
        const late = await mint(pair.db)
        assert.equal(await states(long, revoked), 401)
        await pair.primary.halt()

        await until(async () => (await ready()).data?.database === 'a replica stands in')
        sent = []
        assert.equal(await states(long, known), 200)
        assert.deepEqual(
          new Set(sent.map(([, port]) => port).filter((port) => port !== pair.primary.port)),
          new Set([pair.replica.port]),
        )
        assert.ok(sent.some(([name]) => name === 'key_authority'))
        const data = (secret: string) => ask(`${long.url}/v1/frames/data?ids=${ids[0]}`, { headers: bearer(secret) })
        assert.deepEqual([(await data(known.secret)).status, (await data(rich.secret)).status], [200, 500])
        const seen = (await data(narrow.secret)).body as { data: { frames: { datasets: { layerId: string }[] }[] } }
        for (const { datasets } of seen.data.frames) {
          for (const { layerId } of datasets) assert.equal(layerId, 'lyr_population')
        }
        const asked = await ask(`${long.url}/v1/frames/insight`, {
          method: 'POST',
          headers: { ...bearer(narrow.secret), 'content-type': 'application/json' },
          body: JSON.stringify({ frameIds: [ids[0]] }),
        })
        assert.equal(errorOf(asked).code, 'insufficient_scope')
        for (const secret of [newSecret(), late.secret]) assert.equal(await states(long, { secret }), 401)
        // The replica has not replayed the revocation: an operator who grants a grace accepts this for its length.
        assert.equal(await states(long, revoked), 200)
        await until(async () => (await states(short, known)) === 500)
        assert.equal(await states(short, revoked), 500)
        assert.ok((sampleOf(await scrape(long.opsUrl), 'frames_database_stand_ins_total') ?? 0) > 0)

        await pair.primary.start()
        await until(async () => (await ready()).data?.database === 'up')
        await until(async () => (await states(long, revoked)) === 401)
        assert.equal(await states(long, late), 200)
        await pair.resumeReplay()
        assert.equal(await balanceOf(pair.db, rich.orgId), 10)
        for (const message of ['the primary is away', 'the primary is back']) {
          assert.equal(logged.filter((line) => line.includes(`"${message}"`)).length, 1, message)
        }
      } finally {
        await Promise.all([long.stop(), short.stop()])
      }
    })

    it('a wall clock that is set back does not begin the grace again', async () => {
      const graced = { readDatabaseUrls: [pair.readUrl()], authorityGraceMs: 3000 }
      const running = await startService(pair.database, graced)
      const { secret } = await mint(pair.db)
      const status = async () => (await ask(`${running.url}/v1/states`, { headers: bearer(secret) })).status
      const wallClock = Date.now
      try {
        await untilInUse(running.replicas)
        await pair.caughtUp()
        await pair.primary.halt()
        await until(async () => (await status()) === 500)
        Date.now = () => wallClock() - 3_600_000
        assert.equal(await status(), 500)
      } finally {
        Date.now = wallClock
        await pair.primary.start()
        await running.stop()
      }
      await untilInUse(service.replicas)
    })

    it('a question that was charged when the primary went away gets its figures, and a notice', async () => {
      const wording = await startWordingServer()
      const way = await startProxy(pair.primary.port)
      const target = `postgres://frames_service@127.0.0.1:${way.port}/template_datasets`
      let isOpen = true
      const cut = await startService(
        { ...pair.database, target },
        {
          wordingUrl: wording.url,
          readDatabaseUrls: [pair.readUrl()],
          // The service reads the table after the charge and before it asks for the allowance.
          watch: (text) => {
            if (isOpen && text.startsWith('-- records_of_baselines')) void way.close()
            if (text.startsWith('-- records_of_baselines')) isOpen = false
          },
        },
      )
      try {
        await untilInUse(cut.replicas)
        const { secret, orgId } = await mint(pair.db)
        await credit(pair.db, orgId, 10)
        await license(pair.db.run, 'lyr_population', orgId, 2)
        const { status, body } = await ask(`${cut.url}/v1/frames/insight`, {
          method: 'POST',
          headers: { ...bearer(secret), 'content-type': 'application/json' },
          body: JSON.stringify({ frameIds: [ids[0]], question: 'how many people live here' }),
        })
        const { data } = body as { data: { charged: string[]; facets: unknown[]; engine: string; notice: string } }
        assert.deepEqual([status, data.charged, data.engine], [200, ['lyr_population'], 'deterministic'])
        assert.ok(data.facets.length > 0)
        assert.match(data.notice, /wording is unavailable/)
        assert.equal(await balanceOf(pair.db, orgId), 8)
      } finally {
        await cut.stop()
        await wording.close()
      }
    })

    describe('serve', () => {
      const env = () => ({ DATABASE_URL: urlOf(pair.database.target) })

      it('refuses a server that is no replica of its database, and does not show the password', async () => {
        for (const [url, sentence] of [
          [(await postgresServer()).url('postgres', 'postgres:hidden'), /it is no replica: it takes writes of its own/],
          [pair.replica.url('postgres', 'postgres:hidden'), /it is not a replica of the database of DATABASE_URL/],
          [pair.replica.url('nowhere', 'postgres:hidden'), /"nowhere" does not exist/],
        ] as const) {
          const ran = await framesProcess(['serve'], { ...env(), READ_DATABASE_URL: url })
          assert.equal(ran.status, 1)
          assert.match(ran.err, sentence)
          assert.match(ran.err, /^READ_DATABASE_URL, 127\.0\.0\.1:\d+: /m)
          assert.doesNotMatch(ran.err, /hidden/)
        }
        const alone = await framesProcess(['serve'], { READ_DATABASE_URL: pair.readUrl() })
        assert.match(alone.err, /READ_DATABASE_URL needs DATABASE_URL/)
      })

      it('starts if one replica is away, and uses the others', async () => {
        const url = pair.readUrl().replace(/@([^/]+)/, `@127.0.0.1:${await freePort()},$1`)
        const started = await startServe({ ...env(), READ_DATABASE_URL: url })
        try {
          const answer = await ask(`${started.url}/v1/states`, { headers: bearer(service.secret) })
          assert.equal(answer.status, 200)
          await until(() => /"inUse":true/.test(started.stdout()))
          assert.match(started.stdout(), /"inUse":false,"reason":"[^"]*ECONNREFUSED/)
        } finally {
          started.child.kill('SIGTERM')
          await started.ended
        }
      })
    })

    // This test is the last: afterwards the two servers are no pair.
    describe('after a promotion', () => {
      it('the replica takes over without a restart of the service, if DATABASE_URL names both servers', async () => {
        const both = `postgres://frames_service@127.0.0.1:${pair.primary.port},127.0.0.1:${pair.replica.port}/template_datasets`
        const target = `${both}?target_session_attrs=read-write`
        const following = await startService({ ...pair.database, target }, { readDatabaseUrls: [pair.readUrl()] })
        const onReplica = connect(pair.replica.url('template_datasets'))
        try {
          const path = `${following.url}/v1/frames/data?ids=${ids[0]}`
          const { secret, orgId } = await mint(pair.db)
          await credit(pair.db, orgId, 10)
          await license(pair.db.run, 'lyr_population', orgId, 2)
          await untilInUse(following.replicas)
          assert.equal((await ask(path, { headers: bearer(secret) })).status, 200)
          await pair.caughtUp()
          await pair.primary.halt()
          assert.equal((await ask(path, { headers: bearer(secret) })).status, 500)
          await onReplica.rows('select pg_promote()', [])
          await until(async () => (await ask(path, { headers: bearer(secret) })).status === 200)
          assert.equal(await balanceOf(onReplica, orgId), 6)
          await untilInUse(following.replicas, false)
          assert.match(following.replicas.states()[0]?.reason ?? '', /it takes writes of its own/)
        } finally {
          await onReplica.close()
          await following.stop()
        }
      })
    })
  })
}
