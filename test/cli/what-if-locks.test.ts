import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { tryIndexes } from '../../src/api/inspect/what-if.js'
import { frames, settingsFor, startFrames } from '../support/cli.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { until } from '../support/until.js'
import { sample } from '../support/sample.js'
import { mint } from '../support/service.js'

const point = 'GET /v1/frames/at?lat=0.105&lon=0.205'

describe('frames explain with other indexes, beside other sessions', function () {
  this.timeout(180_000)
  let database: TestDatabase
  let env: Record<string, string>
  let admin: postgres.Sql
  before(async () => {
    database = await newDatabase('datasets')
    env = settingsFor(database.ownerTarget)
    admin = postgres(urlOf(database.adminTarget), { max: 6, onnotice: () => {} })
    // An index by this function takes as long to build as its first row sleeps.
    await database.db.work(
      `create function slowly(bigint) returns bigint language plpgsql immutable as
       $$begin perform pg_sleep(60); return $1; end$$`,
    )
  })
  after(async () => {
    await admin.end()
    await database.drop()
  })

  /** The sessions that have or want a table, and the modes in which they do. */
  const locksOf = async (table: string) =>
    await admin<{ pid: number; mode: string }[]>`
      select pid, mode from pg_locks where relation = ${table}::regclass and pid <> pg_backend_pid()`

  /** A session gives its locks back before it removes its files, and ends after that. */
  const haveEnded = (sessions: readonly { pid: number }[]) => {
    const pids = sessions.map(({ pid }) => pid)
    return until(async () => (await admin`select from pg_stat_activity where pid = any(${pids})`).length === 0)
  }

  const remains = async () => ({
    indexes: await admin`select to_json(pg_index)::text as row from pg_index order by indexrelid`,
    prepared: await admin`select * from pg_prepared_xacts`,
    // Files of the database that belong to no table and no index.
    files: await admin`
      select file from pg_database
      cross join lateral pg_ls_dir('base/' || pg_database.oid) as file
      where datname = current_database() and file ~ '^\\d+'
        and substring(file from '^\\d+')::oid not in (select pg_relation_filenode(oid) from pg_class where pg_relation_filenode(oid) is not null)
        -- PostgreSQL keeps an emptied file until its next checkpoint
        and (pg_stat_file('base/' || pg_database.oid || '/' || file, true)).size > 0`,
  })

  it('leaves nothing after kill -9, at whatever moment it comes', async () => {
    const before = await remains()
    const words = [
      'using gist (geom)',
      'using spgist (geom)',
      'using brin (geom)',
      '(state) include (geojson)',
    ].flatMap((definition) => ['--with', `create index on frame ${definition}`])
    for (let turn = 0; turn < sample(1, 8); turn += 1) {
      const { child, ended } = startFrames(['explain', point, ...words, '--without', 'frame_geom_idx'], env)
      let isOver = false
      void ended.then(() => (isOver = true))
      await until(
        async () => isOver || (await locksOf('frame')).some(({ mode }) => /^(Share|AccessExclusive)Lock$/.test(mode)),
      )
      const sessions = await locksOf('frame')
      await sleep(Math.random() * 300)
      child.kill('SIGKILL')
      await ended
      await haveEnded(sessions)
      assert.deepEqual(await remains(), before)
    }
  })

  it('gives its locks back within seconds where it is killed during a long build', async () => {
    const before = await remains()
    const { child, ended } = startFrames(['explain', point, '--with', 'create index on frame (slowly(frame_id))'], env)
    await until(async () => (await locksOf('frame')).some(({ mode }) => mode === 'ShareLock'))
    // Readers go on meanwhile.
    await admin`set lock_timeout = '1s'`
    assert.equal((await admin`select frame_id from frame limit 1`).length, 1)
    const sessions = await locksOf('frame')
    child.kill('SIGKILL')
    await ended
    await haveEnded(sessions)
    assert.deepEqual(await remains(), before)
  })

  const isLocked = (table: string) =>
    `Other sessions have had ${table} locked for 5 s. Nothing was changed; try again later.\n`
  const isKept = 'Another session has had a table of this call locked for 5 s. Nothing was changed; try again later.\n'
  const lgas = 'GET /v1/lgas?state=marembe'
  const wards = 'GET /v1/wards?state=marembe'

  it('leaves a table alone that others have locked, and says so; readers get the table meanwhile', async () => {
    await Promise.all(
      (
        [
          ['row exclusive', 'frame', isLocked('frame'), [point, '--with', 'create index on frame (zone)']],
          ['access share', 'lga', isLocked('lga'), [lgas, '--without', 'lga_pkey']],
          ['access exclusive', 'ward', isKept, [wards, '--with', 'create index on ward (frames)']],
          ['access exclusive', 'state', isKept, ['GET /v1/states']],
        ] as const
      ).map(([mode, table, message, words]) =>
        admin.begin(async (sql) => {
          await sql.unsafe(`lock table ${table} in ${mode} mode`)
          const run = frames(['explain', ...words], env)
          // A reader gets the table between two tries.
          for (let i = 0; i < 10 && !mode.endsWith('s exclusive'); i += 1) {
            await admin`select count(*) from (select from ${admin(table)} limit 5) as few`
            await sleep(50)
          }
          const { status, err } = await run
          assert.deepEqual([status, err], [1, message])
        }),
      ),
    )
  })

  it('ends after three seconds where calls may write to the table', async () => {
    await mint(database.db)
    const meanwhile =
      'Calls wait for organisation meanwhile, so all may take 3 s, and it takes longer. Try it on a copy of the database.'
    const words = ['--with', 'create index on organisation (slowly(length(name)))']
    const { status, err } = await frames(['explain', point, ...words], env)
    assert.deepEqual([status, err], [1, `${meanwhile}\n`])
  })

  it('stops a statement that takes long without its index, and shows the plan that it has', async () => {
    await database.db.work(
      `create table crowd (n bigint);
       create index crowd_idx on crowd (n);
       create function sleeps_without_index() returns bigint language plpgsql as
       $$begin
         if to_regclass('crowd_idx') is null then perform pg_sleep(60); end if;
         return 1;
       end$$`,
    )
    const text = 'select n as n from crowd where n = sleeps_without_index()'
    await database.db.work('insert into crowd values (1)')
    const step = { name: 'crowd', file: 'sql/crowd.sql', text, args: [] }
    const { after } = await tryIndexes(database.db, [step], { added: [], removed: ['crowd_idx'] })
    assert.equal(after[0]?.measured, undefined)
    assert.deepEqual(after[0]?.sentences, [
      'The statement was stopped: it may take 3 s at most. This is its plan, not measured.',
    ])
    await database.db.work('drop table crowd; drop function sleeps_without_index')
  })

  it('is for the owner of the table alone', async () => {
    const { status, err } = await frames(['explain', point, '--without', 'frame_geom_idx'], {
      DATABASE_URL: urlOf(database.target),
    })
    assert.equal(status, 1)
    assert.match(err, /^frames_owner owns frame, and only an owner tries indexes/)
  })

  it('says where PostgreSQL does not read an index yet, since rows were updated meanwhile', async () => {
    await database.db.work('create table updated (id int, n int); insert into updated values (1, 1)')
    await admin.begin('isolation level repeatable read', async (sql) => {
      await sql`select * from organisation`
      await database.db.work('update updated set n = 2')
      const { out } = await frames(['explain', point, '--with', 'create index on updated (n)'], env)
      assert.match(out, /\n=> PostgreSQL does not read it yet: rows of updated were updated a short while ago\./)
    })
    await database.db.work('drop table updated')
  })
})
