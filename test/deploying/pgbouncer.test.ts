import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { connect } from '../../src/core/db/connect.js'
import { frames, startServe } from '../support/cli.js'
import { page } from '../docs/curls.js'
import { newDatabase, postgresServer, urlOf, type TestDatabase } from '../support/database.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { everyRead } from '../support/every-call.js'
import { canKeepPrepared, ROLE_SETTINGS, startPgbouncer, type Pgbouncer } from '../support/pgbouncer.js'
import { until } from '../support/until.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, startService } from '../support/service.js'

const ROOMY = '900000/900000'
const roomy = { BUCKET_KEY: ROOMY, BUCKET_ORGANISATION: ROOMY, BUCKET_INSIGHT: ROOMY }

describe('by way of PgBouncer', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let pooled: Pgbouncer
  let url: string

  before(async () => {
    database = await newDatabase('datasets')
    await giveSettings()
    pooled = await startPgbouncer((await postgresServer()).port, { mode: 'transaction' })
    url = pooled.urlOf(urlOf(database.target))
  })
  after(async () => {
    await pooled.stop()
    await database.drop()
  })

  /** A role has its settings in this database alone: other tests use the role, too. */
  async function giveSettings(): Promise<void> {
    const name = new URL(urlOf(database.target)).pathname.slice(1)
    const admin = connect(database.adminTarget)
    for (const [setting, value] of Object.entries(ROLE_SETTINGS))
      await admin.work(`alter role frames_service in database ${name} set ${setting} = '${value}'`)
    await admin.close()
  }

  /** A wave has so many reads that each connection has statements of several callers under way. */
  async function readAndChargeThrough(pooledUrl: string): Promise<void> {
    const { secret, orgId } = await mint(database.db)
    const direct = await startService(database)
    const serve = await startServe({ DATABASE_URL: pooledUrl, ...roomy })
    try {
      const read = (of: { url: string }, path: string) => ask(of.url + path, { headers: bearer(secret) })
      const right = new Map<string, string>()
      for (const path of everyRead) right.set(path, (await read(direct, path)).text)
      const wave = Array.from({ length: 4 }, () => everyRead).flat()
      for (let waves = 0; waves < sample(1, 5); waves += 1)
        await Promise.all(
          wave.map(async (path) => {
            const answer = await read(serve, path)
            assert.deepEqual([answer.status, answer.text], [200, right.get(path)], path)
          }),
        )
      await license(database.db.run, 'lyr_population', orgId, 2)
      await credit(database.db, orgId, 100)
      const paid = `/v1/frames/data?ids=${ids[0]}`
      const answers = await Promise.all(Array.from({ length: 60 }, () => read(serve, paid)))
      const charged = answers.filter(({ body }) => (body as { data: { charged: string[] } }).data.charged.length > 0)
      assert.deepEqual([charged.length, await balanceOf(database.db, orgId)], [50, 0])
      await (await postgresServer()).restart()
      await until(async () => (await read(serve, '/v1/states')).status === 200)
      assert.equal(serve.child.exitCode, null)
    } finally {
      await direct.stop()
      serve.child.kill('SIGKILL')
      await serve.ended
    }
  }

  it('the page of operators has the settings for its roles', () => {
    const text = page('docs/deploy.md')
    for (const [setting, value] of Object.entries(ROLE_SETTINGS))
      for (const role of ['frames_service', 'frames_console'])
        assert.ok(text.includes(`alter role ${role} set ${setting} = '${value}';`), setting)
  })

  it('every read under load, every charge and a restart of PostgreSQL go right with prepare=false', async () => {
    await readAndChargeThrough(`${url}?prepare=false`)
  })

  // PgBouncer keeps them from 1.21 on; Debian 12 has an older one, and PGBOUNCER can name another.
  if (canKeepPrepared())
    it('they go right with the prepared statements that PgBouncer keeps', async () => {
      const keeping = await startPgbouncer((await postgresServer()).port, { mode: 'transaction', keepsPrepared: true })
      try {
        await readAndChargeThrough(keeping.urlOf(urlOf(database.target)))
      } finally {
        await keeping.stop()
      }
    })

  it('a build goes right, and leaves no lock behind; "migrate" alone needs PostgreSQL itself', async () => {
    const DATABASE_URL = `${pooled.urlOf(urlOf(database.ownerTarget))}?prepare=false`
    const build = ['build', '--outline', 'fixtures/outline.geojson', '--wards', 'fixtures/wards.json']
    const builds = await Promise.all([build, build].map((command) => frames(command, { DATABASE_URL })))
    const [built, refusedOne] = builds.toSorted((one, other) => (one.status ?? 0) - (other.status ?? 0))
    assert.deepEqual([built?.status, refusedOne?.status], [0, 1])
    assert.match(refusedOne?.err ?? '', /Another build or import is under way on this database/)
    const refused = await frames(['migrate'], { DATABASE_URL })
    assert.equal(refused.status, 1, refused.out)
    assert.match(refused.err, /needs a session of its own. Take the address of PostgreSQL itself/)
    const locks = await database.db.rows<object>(
      `select from pg_locks join pg_database on pg_database.oid = database
       where locktype = 'advisory' and datname = current_database()`,
      [],
    )
    assert.equal(locks.length, 0)
    const only = ['analyst_views', 'staging_left'].flatMap((name) => ['--only', name])
    const doctor = await frames(['doctor', '--json', ...only], { DATABASE_URL })
    assert.deepEqual((JSON.parse(doctor.out) as { unchecked: object[] }).unchecked, [])
  })

  it('session mode needs the settings alone', async () => {
    const session = await startPgbouncer((await postgresServer()).port, { mode: 'session' })
    const serve = await startServe({ DATABASE_URL: session.urlOf(urlOf(database.target)), ...roomy })
    serve.child.kill('SIGTERM')
    assert.equal((await serve.ended).status, 0)
    await session.stop()
  })
})
