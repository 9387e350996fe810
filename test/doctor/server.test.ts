import assert from 'node:assert/strict'
import postgres from 'postgres'
import { connect, type Target } from '../../src/core/db/connect.js'
import { PRIMARY_CONNECTIONS } from '../../src/core/db/pool-sizes.js'
import { sqlText } from '../../src/core/db/statement.js'
import type { FindingRow } from '../../src/core/doctor/check.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { rowsOf } from '../../src/core/doctor/examine.js'
import { frames } from '../support/cli.js'
import { makeRoles, newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { doctor, runStatements } from './patient.js'

describe('the doctor, on a server', function () {
  this.timeout(60_000)
  let database: TestDatabase
  before(async () => (database = await newDatabase()))
  after(() => database.drop())

  const asAdmin = (statements: string) => runStatements(database.adminTarget, statements)

  /** Runs a check in a new session, which has the current settings. */
  async function foundAnew(name: string, args: unknown[], target = database.ownerTarget): Promise<FindingRow[]> {
    const check = CHECKS.find((each) => each.name === name)
    assert.ok(check)
    const db = connect(target, { connections: 1 })
    return await rowsOf(db, check, args).finally(() => db.close())
  }
  const settingsOf = (target?: Target) => foundAnew('settings', [PRIMARY_CONNECTIONS.withApp], target)

  it('says that a server is a replica, where nothing can be written', async () => {
    const text = sqlText('doctor/read_only').replace('where pg_is', 'where not pg_is')
    const [row] = await database.db.rows<FindingRow>(text, [])
    assert.match(row?.what ?? '', /^This server is in recovery: it is a replica/)
  })

  it('leads from a bare database to one that is served from', async () => {
    await asAdmin('create database bare')
    const bare = Object.assign(new URL(urlOf(database.adminTarget)), { pathname: '/bare' }).href
    const first = await doctor(bare)
    assert.deepEqual(
      first.report.findings.map(({ fix }) => fix),
      ['create extension postgis;', '-- In a shell:\nnpm run -s frames -- migrate'],
    )
    const asOwner = await doctor(bare.replace('postgres@', 'frames_owner@'))
    assert.equal(asOwner.report.findings[0]?.fix, '-- A superuser runs this:\ncreate extension postgis;')
    await runStatements(bare, 'create extension postgis')
    assert.equal((await frames(['migrate'], { DATABASE_URL: bare })).status, 0)
    // The server of the tests is not safe from crashes, on purpose.
    const second = await doctor(bare, ['--skip', 'settings'])
    assert.deepEqual(
      second.report.findings.map(({ check }) => check),
      ['strangers', 'strangers'],
    )
    makeRoles(bare)
    const third = await doctor(bare, ['--only', 'schema', '--only', 'strangers', '--only', 'roles'])
    await asAdmin('drop database bare')
    assert.deepEqual([third.status, third.report.findings], [0, []])
  })

  const settings: [name: string, value: string, better: string, severity: string, says: string][] = [
    ['fsync', 'off', 'on', 'wrong', 'a crash can destroy the database.'],
    ['full_page_writes', 'off', 'on', 'wrong', 'a crash can destroy the database.'],
    ['synchronous_commit', 'off', 'on', 'wrong', 'a crash can undo charges that were made.'],
    ['autovacuum', 'off', 'on', 'wrong', 'statistics and the space of dead rows are looked after by nobody.'],
    ['track_counts', 'off', 'on', 'wrong', 'statistics and the space of dead rows are looked after by nobody.'],
    [
      'max_connections',
      '20',
      '37',
      'wrong',
      'one process of the service opens 17 connections, some are kept for superusers.',
    ],
    ['random_page_cost', '4', '1.1', 'advice', 'right for turning disks; on SSDs it keeps the planner from indexes.'],
    ['enable_indexscan', 'off', 'on', 'wrong', 'the planner may not use the indexes that calls are answered from.'],
    ['enable_bitmapscan', 'off', 'on', 'wrong', 'the planner may not use the indexes that calls are answered from.'],
    ['default_transaction_read_only', 'on', 'off', 'wrong', 'no charge can be written, and no question counted.'],
    ['search_path', 'elsewhere', '"$user", public', 'wrong', 'a table is not found, or another of its name is.'],
  ]
  it('names each setting that is wrong, and sets it right in the file of the server', async () => {
    const values = settings.map(([name, value]) => `when '${name}' then '${value}'`).join(' ')
    const text = sqlText('doctor/settings').replace(
      'from pg_settings',
      `from (select name, case name ${values} else reset_val end as reset_val, boot_val, 'default' as source, context
      from pg_settings) as wrongly_set`,
    )
    const admin = connect(database.adminTarget, { connections: 1 })
    try {
      const rows = await admin.rows<FindingRow>(text, [17])
      const expected = settings.map(([name, value, , severity, says]) => `${severity} ${name} is ${value}: ${says}`)
      assert.deepEqual(rows.map(({ severity, what }) => `${severity} ${what}`).sort(), expected.sort())
      await asAdmin(rows.map(({ fix }) => fix).join('\n'))
      const written = await admin.rows<{ name: string; setting: string }>(
        `select name, setting from pg_file_settings where sourcefile like '%/postgresql.auto.conf'`,
        [],
      )
      assert.deepEqual(
        new Map(written.map(({ name, setting }) => [name, setting])),
        new Map(settings.map(([name, , better]) => [name, better])),
      )
    } finally {
      await asAdmin('alter system reset all; select pg_reload_conf()')
      await admin.close()
    }
  })

  it('fixes a setting where it was made, for the database or for the role, also one that keeps it from writing', async () => {
    const name = new URL(urlOf(database.adminTarget)).pathname.slice(1)
    for (const [where, setting] of [
      [`database ${name}`, 'default_transaction_read_only = on'],
      ['role frames_owner', 'default_transaction_read_only = on'],
      [`role frames_owner in database ${name}`, 'synchronous_commit = off'],
    ] as const) {
      const [changed = ''] = setting.split(' ')
      const find = async () => (await settingsOf()).find(({ what }) => what.startsWith(`${changed} is o`))
      await asAdmin(`alter ${where} set ${setting}`)
      const fix = (await find())?.fix ?? ''
      await asAdmin(fix === '' ? `alter ${where} reset ${changed}` : fix)
      assert.ok(fix.endsWith(`alter ${where} reset ${changed};`), fix)
      const isOfOwner = where.startsWith('database')
      assert.equal(fix.includes('-- The owner of the database, or a superuser, runs this:\n'), isOfOwner)
      assert.equal(await find(), undefined)
    }
  })

  it('says where a setting is made that no statement can change', async () => {
    const rows = await foundAnew('settings', [1000])
    const fixes = ['fsync is off: ', 'max_connections is 100: '].map(
      (begin) => rows.find(({ what }) => what.startsWith(begin))?.fix,
    )
    const line = (setting: string) =>
      `-- It is set on the command line of the server (-c): set ${setting} there, and start PostgreSQL again.`
    assert.deepEqual(fixes, [line('fsync to on'), line('max_connections to 1020')])
  })

  it('says who can run what its own role cannot', async () => {
    const fixOf = async (target: Target) =>
      (await settingsOf(target)).find(({ what }) => what.startsWith('random_page_cost is 4: '))?.fix ?? ''
    assert.match(
      await fixOf(database.ownerTarget),
      /^-- A superuser runs this; .*\nalter system set random_page_cost = '1\.1';/,
    )
    assert.match(await fixOf(database.adminTarget), /^alter system set random_page_cost = '1\.1';/)
  })

  it('names sessions that do not have what the program asks for', async () => {
    const overruled = `${urlOf(database.ownerTarget)}?plan_cache_mode=auto&jit=on`
    const rows = await foundAnew('sessions', [], overruled)
    assert.deepEqual(
      rows.map(({ severity, fix }) => [severity, fix]),
      [
        ['advice', 'alter role frames_owner set jit = off;'],
        ['advice', 'alter role frames_owner set plan_cache_mode = force_generic_plan;'],
      ],
    )
    await asAdmin(rows.map(({ fix }) => fix).join('\n'))
    // A pooler passes no settings on; neither does this connection.
    const bare = postgres(urlOf(database.ownerTarget), { max: 1 })
    const after = [...(await bare.unsafe(sqlText('doctor/sessions')))]
    await bare.end()
    await asAdmin('alter role frames_owner reset jit; alter role frames_owner reset plan_cache_mode')
    assert.deepEqual(after, [])
  })
})
