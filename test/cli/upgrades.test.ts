/** Tests what `migrate` says and does with databases that older releases, or people, have left. */
import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { frames } from '../support/cli.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { undoMigrations } from './undo-migrations.js'

describe('migrate', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let admin: Database
  before(async () => {
    database = await newDatabase('datasets')
    admin = connect(database.adminTarget, { connections: 1 })
    await migrate()
  })
  after(async () => {
    await admin.close()
    await database.drop()
  })

  const run = (words: string[]) => frames(words, { DATABASE_URL: urlOf(database.ownerTarget) })
  async function migrate(): Promise<string> {
    const { status, out, err } = await run(['migrate'])
    assert.equal(status, 0, err)
    return out
  }
  const may = async (right: string) => {
    const [row] = await admin.rows<{ may: boolean }>(
      `select has_table_privilege('frames_service', 'frame', $1::text) as may`,
      [right],
    )
    return row?.may
  }

  it('has nothing to do where it put nothing right', async () => {
    assert.equal(await migrate(), 'Nothing to do.\n')
  })

  it('says what it put right', async () => {
    await admin.work(`drop view analyst.ward; revoke select on frame from frames_service; drop function credits_left_today(text, text);
      delete from pg_statistic where starelid = 'frame'::regclass`)
    assert.equal(
      await migrate(),
      'Put right: view analyst.ward, function credits_left_today(text,text), rights of frames_service (1), statistics of frame.\n',
    )
    assert.deepEqual([await may('select'), await migrate()], [true, 'Nothing to do.\n'])
  })

  it('takes back rights that are not needed, once the release before has ended', async () => {
    await admin.work(`grant insert on frame to frames_service;
      create or replace function ledger_clock() returns timestamptz language sql volatile return now()`)
    assert.match(
      await migrate(),
      /function ledger_clock\(\)\.\nSome rights are not needed any more\. .*run "migrate" again/,
    )
    assert.equal(await may('insert'), true)
    assert.match(await migrate(), /^Put right: rights of frames_service \(1\)\.\n$/)
    assert.equal(await may('insert'), false)
  })

  it('replaces a function that had other parameters or another result', async () => {
    await admin.work(`drop function credits_left_today(text, text);
      create function credits_left_today(org text, person text) returns int language sql return 0;
      create function credits_left_today(org text) returns int language sql return 0;
      alter function credits_left_today(text, text) owner to frames_owner; alter function credits_left_today(text) owner to frames_owner`)
    assert.match(
      await migrate(),
      /^Put right: function credits_left_today\(text,text\), function credits_left_today\(text\)/,
    )
    const left = await admin.rows<{ result: string }>(
      `select pg_get_function_result(oid) as result from pg_proc where proname = 'credits_left_today'`,
      [],
    )
    assert.deepEqual(
      left.map(({ result }) => result),
      ['bigint'],
    )
  })

  it('is not stopped by a view of somebody else in schema analyst, and lets nobody read it', async () => {
    await admin.work('create view analyst.secrets as select key_id, secret_hash from api_key')
    try {
      assert.equal(await migrate(), 'Nothing to do.\n')
      const [row] = await admin.rows<{ may: boolean }>(
        `select has_table_privilege('frames_analyst', 'analyst.secrets', 'select') as may`,
        [],
      )
      assert.equal(row?.may, false)
    } finally {
      await admin.work('drop view analyst.secrets')
    }
  })

  it('names the features without distances where it brings these, and the command that measures them', async () => {
    await admin.work(undoMigrations('020'))
    const [, command = ''] =
      /^Done: 020_distances.*\n(?:Put right: .*\n)?The distances of frames to lyr_clinics, lyr_.* are not measured yet\. Measure each: npm run -s frames -- (datasets measure lyr_clinics)\n/.exec(
        await migrate(),
      ) ?? []
    const measured = await run(command.split(' '))
    assert.equal(measured.out, 'lyr_clinics_distance has the distances to lyr_clinics.\n', measured.err)
    const looked = await run([
      'doctor',
      '--only',
      'distances_kept',
      '--only',
      'dataset_items',
      '--only',
      'analyst_views',
    ])
    assert.equal(looked.status, 0, looked.out)
    assert.match((await run(['datasets', 'measure', 'lyr_population'])).err, /^lyr_population is a baseline: distances/)
  })

  it('refuses a database of a release before 1.0.0 with what to do, as serve and the doctor do', async () => {
    await admin.work(`insert into migration (name, run_on) values ('011_dataset_version', now())`)
    try {
      const sentence =
        /A release before 1\.0\.0 made this database \(migration 011_dataset_version\), and no "migrate" brings it up\.\s+(?:-- )?Make a new database, run "npm run -s frames -- migrate" there/
      for (const words of [['migrate'], ['serve'], ['orgs', 'list'], ['doctor']]) {
        const { status, out, err } = await run(words)
        assert.equal(status, 1)
        assert.match(out + err, sentence, words.join(' '))
      }
    } finally {
      await admin.work(`delete from migration where name = '011_dataset_version'`)
    }
  })
})
