import assert from 'node:assert/strict'
import postgres from 'postgres'
import { connect, type Target } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import type { Finding } from '../../src/core/doctor/examine.js'
import { frames } from '../support/cli.js'
import { makeRoles, urlOf } from '../support/database.js'
import { copyPostgres, type PostgresServer } from '../support/postgres-server.js'
import { service } from '../support/service.js'
import { found, foundAnew, patientWithStatistics, untilFound } from './patient.js'

describe('the doctor, on a server', function () {
  this.timeout(120_000)
  const patient = patientWithStatistics('frames')

  it('keeps the libraries that are loaded already when it advises pg_stat_statements', async () => {
    const text = sqlText('doctor/statement_statistics')
    const asked = async (target: Target, changed: [from: string, to: string][]) => {
      const db = connect(target, { connections: 1 })
      const sent = changed.reduce((all, [from, to]) => {
        assert.ok(all.includes(from), from)
        return all.replace(from, to)
      }, text)
      const [row] = await db.rows<{ fix: string }>(sent, []).finally(() => db.close())
      return row?.fix
    }
    const library = "(select setting from pg_settings where name = 'shared_preload_libraries')"
    const where = "(select source from pg_settings where name = 'shared_preload_libraries')"
    const notLoaded: [string, string] = ["name = 'pg_stat_statements.max'", "name = 'nothing'"]
    const admin = patient.adminTarget
    assert.equal(await asked(admin, []), 'create extension pg_stat_statements;', 'it is loaded on this server')
    assert.match((await asked(patient.ownerTarget, [])) ?? '', /^-- A superuser does this:\ncreate extension/)
    const made = await asked(admin, [
      notLoaded,
      [library, "'auto_explain, pg_prewarm'::text"],
      [where, "'default'::text"],
    ])
    assert.equal(
      made,
      "alter system set shared_preload_libraries = 'auto_explain', 'pg_prewarm', 'pg_stat_statements';\n-- start PostgreSQL again, then\ncreate extension pg_stat_statements;",
    )
    // In one text, PostgreSQL would look for one library of that long name, and not start.
    await patient.pasteAsAdmin(made?.split('\n')[0] ?? '')
    const db = connect(admin, { connections: 1 })
    const [written] = await db.rows<{ setting: string }>(
      `select setting from pg_file_settings where name = 'shared_preload_libraries'`,
      [],
    )
    await db.close()
    await patient.pasteAsAdmin('alter system reset shared_preload_libraries')
    assert.equal(written?.setting, 'auto_explain, pg_prewarm, pg_stat_statements')
    assert.match(
      (await asked(patient.ownerTarget, [notLoaded])) ?? '',
      /^-- A superuser does this:\n-- Add pg_stat_statements to what "show shared_preload_libraries" lists/,
    )
    assert.match(
      (await asked(admin, [
        ["pg_available_extensions where name = 'pg_stat_statements'", 'pg_available_extensions where false'],
      ])) ?? '',
      /^-- Install the package .* on the server first\.$/,
    )
    await patient.pasteAsAdmin('create extension pg_stat_statements')
    assert.deepEqual(await found(patient, 'statement_statistics'), [])
    await patient.pasteAsAdmin('drop extension pg_stat_statements')
  })

  it('says that a server is a replica, where nothing can be written', async () => {
    // Other tests change this server meanwhile, and the replay of their changes may end the sessions of readers.
    const replica = await copyPostgres(patient.server as PostgresServer, 'replica', '-1')
    try {
      const { status, report } = await patient.doctor([], replica.url('patient', 'frames_owner'))
      assert.equal(status, 1)
      const finding = report.findings.find(({ check }) => check === 'read_only')
      assert.match(finding?.what ?? '', /^This server is in recovery: it is a replica/)
      assert.deepEqual(report.unchecked, [])
    } finally {
      await replica.stop()
    }
  })

  it('names what holds back vacuum: sessions left in a transaction, prepared ones, and slots', async () => {
    const text = sqlText('doctor/vacuum_held_back').replaceAll("interval '10 minutes'", "interval '0 minutes'")
    const look = async (target: Target) => {
      const db = connect(target, { connections: 1 })
      return await db.rows<{ severity: string; what: string; fix: string }>(text, []).finally(() => db.close())
    }
    assert.deepEqual(await found(patient, 'vacuum_held_back'), [])
    const admin = postgres(urlOf(patient.adminTarget), { max: 1 })
    await admin.unsafe('begin')
    await admin.unsafe('select from frame limit 1')
    const [hidden] = await look(patient.ownerTarget)
    assert.equal(hidden?.severity, 'unchecked')
    assert.match(
      hidden.what,
      /^Sessions of postgres are in a transaction and not shown to this role: "grant pg_read_all_stats"/,
    )
    const [idle] = await look(patient.adminTarget)
    assert.match(idle?.what ?? '', /^Session \d+ of postgres has been idle in a transaction since 2/)
    assert.match(idle?.fix ?? '', /^select pg_terminate_backend\(\d+\);$/)
    await patient.pasteAsAdmin(idle?.fix ?? '')
    await admin.end().catch(() => {})

    await patient.pasteAsAdmin(
      `begin;\ninsert into feature_frame values (900007, 1, 1);\nprepare transaction 'left behind'`,
    )
    const [prepared] = await look(patient.adminTarget)
    assert.match(prepared?.what ?? '', /^Transaction 'left behind' of postgres has been prepared since /)
    await patient.pasteAsAdmin(prepared?.fix ?? '')

    await patient.pasteAsAdmin(`select pg_create_physical_replication_slot('gone', true)`)
    const [slot] = await found(patient, 'vacuum_held_back')
    assert.equal(slot?.what, 'Replication slot gone is not in use and keeps the log from being removed.')
    assert.match(slot.fix, /a superuser runs this:\nselect pg_drop_replication_slot\('gone'\);$/)
    await patient.pasteAsAdmin(slot.fix)
    assert.equal((await look(patient.adminTarget)).length, 0)
  })

  it('names tables whose rows nobody freezes', async () => {
    const text = sqlText('doctor/freeze_age').replace('1.5 * due', '-1')
    const [row] = await patient.db.rows<{ severity: string; what: string; fix: string }>(text, [])
    assert.equal(row?.severity, 'advice')
    assert.match(
      row.what,
      /^The oldest rows of \w+ are \d+ transactions old, autovacuum freezes them after 200000000\.$/,
    )
    await patient.paste(row.fix)
  })

  it('names collations that the operating system has changed', async () => {
    await patient.pasteAsAdmin(
      `create index frame_by_sound on frame (state collate "und-x-icu");\nupdate pg_collation set collversion = '1' where collname = 'und-x-icu'`,
    )
    const [finding] = await found(patient, 'collations')
    assert.equal(finding?.severity, 'wrong')
    assert.match(finding.what, /^Collation pg_catalog\."und-x-icu" was of version 1, the server has \d+/)
    await patient.pasteAsAdmin(finding.fix)
    assert.deepEqual(await found(patient, 'collations'), [])
    await patient.pasteAsAdmin('drop index frame_by_sound')

    await patient.pasteAsAdmin(
      `create database sorted template template0 locale_provider icu icu_locale 'en' locale 'C.UTF-8';\nupdate pg_database set datcollversion = '1' where datname = 'sorted'`,
    )
    const url = patient.server?.url('sorted') ?? ''
    const db = connect(url, { connections: 1 })
    try {
      const look = () => db.rows<{ what: string; fix: string }>(sqlText('doctor/collations'), [])
      const [row] = await look()
      assert.match(row?.what ?? '', /^Database sorted was sorted by version 1 of its collation, the server has \d+/)
      for (const step of (row?.fix ?? '').split(';\n')) await db.work(step)
      assert.equal((await look()).length, 0)
    } finally {
      await db.close()
      await patient.pasteAsAdmin('drop database sorted')
    }
  })

  it('names an index that "concurrently" failed to make, and is content once it is dropped', async () => {
    await assert.rejects(
      patient.db.work('create unique index concurrently frame_by_ward on frame (ward)'),
      /could not create unique index/,
    )
    const [finding] = await found(patient, 'schema')
    assert.equal(finding?.severity, 'wrong')
    assert.equal(finding?.fix, 'drop index concurrently frame_by_ward;')
    await patient.paste(finding.fix)
    assert.deepEqual(await found(patient, 'schema'), [])
  })

  it('leads from a bare database to one that is served from', async () => {
    await patient.pasteAsAdmin('create database bare')
    const bare = patient.server?.url('bare') ?? ''
    const first = await patient.doctor([], bare)
    assert.deepEqual(
      first.report.findings.map(({ fix }) => fix),
      ['create extension postgis;', '-- In a shell:\nnpm run -s frames -- migrate'],
    )
    const asOwner = await patient.doctor([], bare.replace('postgres@', 'frames_owner@'))
    assert.equal(asOwner.report.findings[0]?.fix, '-- A superuser runs this:\ncreate extension postgis;')
    const db = connect(bare, { connections: 1 })
    await db.work('create extension postgis')
    await db.close()
    assert.equal((await frames(['migrate'], { DATABASE_URL: bare })).status, 0)
    const second = await patient.doctor([], bare)
    const wrong = second.report.findings.filter(({ severity }) => severity === 'wrong')
    assert.deepEqual(
      wrong.map(({ check }) => check),
      ['strangers'],
    )
    makeRoles(bare)
    const third = await patient.doctor([], bare)
    assert.equal(third.status, 0, JSON.stringify(third.report))
  })

  const settings: [name: string, value: string, severity: string, says: RegExp][] = [
    ['full_page_writes', 'off', 'wrong', /^full_page_writes is off: a crash can destroy the database\.$/],
    ['synchronous_commit', 'off', 'wrong', /^synchronous_commit is off: a crash can undo charges that were made\.$/],
    ['autovacuum', 'off', 'wrong', /^autovacuum is off/],
    ['track_counts', 'off', 'wrong', /^track_counts is off/],
    ['random_page_cost', '4', 'advice', /^random_page_cost is 4/],
    ['effective_cache_size', '64MB', 'advice', /^effective_cache_size is 8192: less than shared_buffers/],
    ['work_mem', '1MB', 'advice', /^work_mem is 1024: boxes and questions sort/],
    ['track_io_timing', 'off', 'advice', /^track_io_timing is off/],
    ['enable_indexscan', 'off', 'wrong', /^enable_indexscan is off: the planner may not use the indexes/],
    ['enable_bitmapscan', 'off', 'wrong', /^enable_bitmapscan is off/],
    ['enable_hashjoin', 'off', 'advice', /^enable_hashjoin is off/],
    ['default_transaction_read_only', 'on', 'wrong', /^default_transaction_read_only is on: no charge can be written/],
    ['search_path', 'elsewhere', 'wrong', /^search_path is elsewhere: a table is not found/],
  ]
  it('names each setting that is wrong, and is content once that is fixed', async () => {
    const set = settings.map(([name, value]) => `alter system set ${name} = '${value}';\n`)
    await patient.pasteAsAdmin(`${set.join('')}select pg_reload_conf()`)
    const among = (findings: Finding[]) => settings.map(([, , , says]) => findings.find(({ what }) => says.test(what)))
    const named = among(await untilFound(patient, 'settings', (findings) => !among(findings).includes(undefined)))
    for (const [at, [name, , severity]] of settings.entries()) assert.equal(named[at]?.severity, severity, name)
    await patient.pasteAsAdmin(named.map((finding) => finding?.fix ?? '').join('\n'))
    const isContent = (findings: Finding[]) => among(findings).every((finding) => finding === undefined)
    const after = await untilFound(patient, 'settings', isContent)
    assert.ok(isContent(after), JSON.stringify(after))
  })

  it('fixes a setting where it was made, for the database or for the role, also one that keeps it from writing', async () => {
    for (const [where, setting] of [
      ['database patient', 'default_transaction_read_only = on'],
      ['role frames_owner', 'default_transaction_read_only = on'],
      ['role frames_owner in database patient', 'synchronous_commit = off'],
    ] as const) {
      const [name = ''] = setting.split(' ')
      await patient.pasteAsAdmin(`alter ${where} set ${setting}`)
      const [finding] = await foundAnew(patient, 'settings')
      assert.match(finding?.what ?? '', new RegExp(`^${name} is o`))
      assert.ok(finding)
      assert.ok(finding.fix.endsWith(`alter ${where} reset ${name};`), finding.fix)
      const isOfOwner = where === 'database patient'
      assert.equal(finding.fix.includes('-- The owner of the database, or a superuser, runs this:\n'), isOfOwner)
      await patient.pasteAsAdmin(finding.fix)
      const after = await foundAnew(patient, 'settings')
      assert.ok(after.every(({ severity }) => severity === 'advice'))
    }
  })

  it('names a server that a crash can destroy, that is too small, or that refuses connections', async () => {
    const unsafe = await foundAnew(patient, 'settings', service().database.ownerTarget)
    assert.ok(unsafe.some(({ what }) => what === 'fsync is off: a crash can destroy the database.'))
    const text = sqlText('doctor/settings').replace('256 * 1024 * 1024', '1e12')
    const rows = await patient.db.rows<{ what: string; fix: string }>(text, [1000])
    assert.ok(rows.some(({ what }) => what.startsWith('shared_buffers is ')))
    const refusing = rows.find(({ what }) => what.startsWith('max_connections is 100: one process'))
    // The server of this test has it on its command line, which ALTER SYSTEM cannot overrule.
    assert.equal(
      refusing?.fix,
      '-- It is set on the command line of the server (-c): set max_connections to 1020 there, and start PostgreSQL again.',
    )
  })

  it('names sessions that do not have what the program asks for', async () => {
    const overruled = `${urlOf(patient.ownerTarget)}?plan_cache_mode=auto&jit=on`
    const findings = await foundAnew(patient, 'sessions', overruled)
    assert.deepEqual(
      findings.map(({ severity, fix }) => [severity, fix]),
      [
        ['advice', 'alter role frames_owner set jit = off;'],
        ['advice', 'alter role frames_owner set plan_cache_mode = force_generic_plan;'],
      ],
    )
    for (const { fix } of findings) await patient.pasteAsAdmin(fix)
    // A pooler passes no settings on; neither does this connection.
    const bare = postgres(urlOf(patient.ownerTarget), { max: 1 })
    assert.deepEqual([...(await bare.unsafe(sqlText('doctor/sessions')))], [])
    await bare.end()
  })

  it('says who can run what its own role cannot', async () => {
    await patient.pasteAsAdmin(`alter system set work_mem = '1MB';\nselect pg_reload_conf()`)
    const isNamed = (findings: Finding[]) => findings.some(({ what }) => what.startsWith('work_mem'))
    const asOwner = await untilFound(patient, 'settings', isNamed)
    const asAdmin = await foundAnew(patient, 'settings', patient.adminTarget)
    const fixOf = (findings: Finding[]) => findings.find(({ what }) => what.startsWith('work_mem'))?.fix ?? ''
    assert.match(fixOf(asOwner), /^-- A superuser runs this; .*\nalter system set work_mem = '8MB';/)
    assert.match(fixOf(asAdmin), /^alter system set work_mem = '8MB';/)
    await patient.pasteAsAdmin(fixOf(asAdmin))
    await untilFound(patient, 'settings', (findings) => !isNamed(findings))
    const unsafe = await foundAnew(patient, 'settings', service().database.ownerTarget)
    const fsync = unsafe.find(({ what }) => what.startsWith('fsync'))?.fix
    assert.equal(
      fsync,
      '-- It is set on the command line of the server (-c): set fsync to on there, and start PostgreSQL again.',
    )
  })
})
