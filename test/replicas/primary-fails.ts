import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { revokeKey } from '../../src/core/access/keys.js'
import { newSecret } from '../../src/core/access/secret.js'
import { connect } from '../../src/core/db/connect.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { startProxy } from '../support/proxy.js'
import { untilInUse } from '../support/replica.js'
import { until } from '../support/until.js'
import { ask, bearer, errorOf, mint, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { untilReadFromReplica, type Running, type ServedPair } from './served-pair.js'

/** Its last test promotes the replica: afterwards the two servers are no pair. */
export function whenPrimaryFails(served: ServedPair): void {
  const get = (path: string, secret = served.service.secret) =>
    ask(served.service.url + path, { headers: bearer(secret) })

  it('without the primary every key gets a 500 and no charge, and all calls work again when it is back', async () => {
    const { secret, orgId } = await mint(served.pair.db)
    const revoked = await mint(served.pair.db)
    await credit(served.pair.db, orgId, 100)
    const [{ layerId } = { layerId: '' }] = await served.pair.db.rows<{ layerId: string }>(
      `select layer_id as "layerId" from baseline where frame_id = $1::bigint order by layer_id limit 1`,
      [ids[0]],
    )
    await license(served.pair.db.run, layerId, orgId, 2)
    const paid = `/v1/frames/data?ids=${ids[0]}`
    assert.deepEqual(((await get(paid, secret)).body as { data: { charged: string[] } }).data.charged, [layerId])
    // The replica has not replayed this when the primary goes away: the replica still accepts the key.
    await served.pair.caughtUp()
    await served.pair.pauseReplay()
    await revokeKey(served.pair.db.run, revoked.keyId)
    await served.pair.primary.halt()
    const keys = [secret, revoked.secret, newSecret()]
    const calls = ['/v1/states', paid, '/v1/frames/at?lat=0.105&lon=0.205'].flatMap((path) =>
      keys.map((known) => get(path, known)),
    )
    for (const answer of await Promise.all(calls)) {
      assert.deepEqual([answer.status, errorOf(answer).code], [500, 'internal'])
      assert.equal(answer.headers.get('www-authenticate'), null)
    }
    assert.equal((await ask(`${served.service.url}/v1/states`)).status, 401)
    assert.equal(errorOf(await get('/v1/states', `${secret}0`)).code, 'invalid_key')
    await served.pair.primary.start()
    await served.pair.resumeReplay()
    assert.equal((await get('/v1/states', revoked.secret)).status, 401)
    assert.equal(await balanceOf(served.pair.db, orgId), 98)
    assert.equal((await get(paid, secret)).status, 200)
    assert.equal(await balanceOf(served.pair.db, orgId), 96)
    await untilReadFromReplica(served)
  })

  it('within the grace a replica answers for the primary, but for priced data; after it, calls get a 500', async () => {
    const logged: string[] = []
    const patient = { readDatabaseUrls: [served.pair.readUrl()], authorityGraceMs: 600_000, ops: true, retryMs: 300 }
    const [long, short] = [
      await startService(served.pair.database, {
        ...patient,
        logged: (line) => logged.push(line),
        watch: served.watch,
      }),
      await startService(served.pair.database, { ...patient, authorityGraceMs: 4000 }),
    ]
    const ready = async () => (await ask(`${long.opsUrl}/readyz`)).body as { data?: { database: string } }
    const states = async (of: Running, { secret }: { secret: string }) =>
      (await ask(`${of.url}/v1/states`, { headers: bearer(secret) })).status
    try {
      const [known, rich, narrow, revoked] = [
        await mint(served.pair.db),
        await mint(served.pair.db),
        await mint(served.pair.db, { capabilities: ['frame.read'], datasets: ['lyr_population'] }),
        await mint(served.pair.db),
      ]
      await credit(served.pair.db, rich.orgId, 10)
      await license(served.pair.db.run, 'lyr_population', rich.orgId, 2)
      await served.pair.caughtUp()
      for (const { replicas } of [long, short]) await untilInUse(replicas)
      await served.pair.pauseReplay()
      await revokeKey(served.pair.db.run, revoked.keyId)
      const late = await mint(served.pair.db)
      assert.equal(await states(long, revoked), 401)
      await served.pair.primary.halt()

      await until(async () => (await ready()).data?.database === 'a replica stands in')
      served.sent = []
      assert.equal(await states(long, known), 200)
      // The probes of the other service go on meanwhile.
      const sent = served.sent.filter(([name]) => name !== 'server_state')
      assert.deepEqual(
        new Set(sent.map(([, port]) => port).filter((port) => port !== served.pair.primary.port)),
        new Set([served.pair.replica.port]),
      )
      assert.ok(served.sent.some(([name]) => name === 'key_authority'))
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

      await served.pair.primary.start()
      await until(async () => (await ready()).data?.database === 'up')
      await until(async () => (await states(long, revoked)) === 401)
      assert.equal(await states(long, late), 200)
      await served.pair.resumeReplay()
      assert.equal(await balanceOf(served.pair.db, rich.orgId), 10)
      for (const message of ['the primary is away', 'the primary is back']) {
        assert.equal(logged.filter((line) => line.includes(`"${message}"`)).length, 1, message)
      }
    } finally {
      await Promise.all([long.stop(), short.stop()])
    }
  })

  it('a wall clock that is set back does not begin the grace again', async () => {
    const graced = { readDatabaseUrls: [served.pair.readUrl()], authorityGraceMs: 3000, retryMs: 300 }
    const running = await startService(served.pair.database, graced)
    const { secret } = await mint(served.pair.db)
    const status = async () => (await ask(`${running.url}/v1/states`, { headers: bearer(secret) })).status
    const wallClock = Date.now
    try {
      await untilInUse(running.replicas)
      await served.pair.caughtUp()
      await served.pair.primary.halt()
      await until(async () => (await status()) === 500)
      Date.now = () => wallClock() - 3_600_000
      assert.equal(await status(), 500)
    } finally {
      Date.now = wallClock
      await served.pair.primary.start()
      await running.stop()
    }
    await untilInUse(served.service.replicas)
  })

  it('a question that was charged when the primary went away gets its figures, and a notice', async () => {
    const wording = await startWordingServer()
    const way = await startProxy(served.pair.primary.port)
    const target = `postgres://frames_service@127.0.0.1:${way.port}/template_datasets`
    let isOpen = true
    const cut = await startService(
      { ...served.pair.database, target },
      {
        wordingUrl: wording.url,
        callMs: 3000,
        retryMs: 300,
        readDatabaseUrls: [served.pair.readUrl()],
        // The service reads the table after the charge and before it asks for the allowance.
        watch: (text) => {
          if (isOpen && text.startsWith('-- records_of_baselines')) void way.close()
          if (text.startsWith('-- records_of_baselines')) isOpen = false
        },
      },
    )
    try {
      await untilInUse(cut.replicas)
      const { secret, orgId } = await mint(served.pair.db)
      await credit(served.pair.db, orgId, 10)
      await license(served.pair.db.run, 'lyr_population', orgId, 2)
      const { status, body } = await ask(`${cut.url}/v1/frames/insight`, {
        method: 'POST',
        headers: { ...bearer(secret), 'content-type': 'application/json' },
        body: JSON.stringify({ frameIds: [ids[0]], question: 'how many people live here' }),
      })
      const { data } = body as { data: { charged: string[]; facets: unknown[]; engine: string; notice: string } }
      assert.deepEqual([status, data.charged, data.engine], [200, ['lyr_population'], 'deterministic'])
      assert.ok(data.facets.length > 0)
      assert.match(data.notice, /wording is unavailable/)
      assert.equal(await balanceOf(served.pair.db, orgId), 8)
    } finally {
      await cut.stop()
      await wording.close()
    }
  })

  it('after a promotion the replica takes over without a restart of the service, and the log says how far it was behind, if DATABASE_URL names both servers', async () => {
    const both = `postgres://frames_service@127.0.0.1:${served.pair.primary.port},127.0.0.1:${served.pair.replica.port}/template_datasets`
    const target = `${both}?target_session_attrs=read-write`
    const logged: string[] = []
    const following = await startService(
      { ...served.pair.database, target },
      { readDatabaseUrls: [served.pair.readUrl()], retryMs: 300, logged: (line) => logged.push(line) },
    )
    const onReplica = connect(served.pair.replica.url('template_datasets'))
    try {
      const path = `${following.url}/v1/frames/data?ids=${ids[0]}`
      const { secret, orgId } = await mint(served.pair.db)
      await credit(served.pair.db, orgId, 10)
      await license(served.pair.db.run, 'lyr_population', orgId, 2)
      await untilInUse(following.replicas)
      assert.equal((await ask(path, { headers: bearer(secret) })).status, 200)
      await served.pair.caughtUp()
      await served.pair.pauseReplay()
      const host = new URL(served.pair.readUrl()).host
      // The primary goes on writing, and the replica does not replay it.
      const writing = await mint(served.pair.db)
      await until(async () => {
        await credit(served.pair.db, writing.orgId, 1)
        return (following.replicas.lastLags()[host] ?? 0) > 1
      })
      await served.pair.primary.halt()
      assert.equal((await ask(path, { headers: bearer(secret) })).status, 500)
      await onReplica.rows('select pg_promote()', [])
      await until(async () => (await ask(path, { headers: bearer(secret) })).status === 200)
      assert.equal(await balanceOf(onReplica, orgId), 6)
      await untilInUse(following.replicas, false)
      assert.match(following.replicas.states()[0]?.reason ?? '', /it takes writes of its own/)
      const lines = logged.map((line) => JSON.parse(line) as { msg: string; lagSeconds: unknown })
      const lagAt = (message: string) => lines.find(({ msg }) => msg === message)?.lagSeconds
      const away = (lagAt('the primary is away') as Record<string, number>)[host] ?? 0
      const moved = lagAt('another host is the primary now') as number
      // A replica that is promoted first replays all that it has received.
      assert.ok(away > 1 && moved >= 0 && moved <= away, `${away}, ${moved}`)
    } finally {
      await onReplica.close()
      await following.stop()
    }
  })
}
