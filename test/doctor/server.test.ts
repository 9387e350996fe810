import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { connect, type Target } from '../../src/db/connect.js'
import { sqlText } from '../../src/db/statement.js'
import type { Finding } from '../../src/doctor/examine.js'
import { frames } from '../support/cli.js'
import { makeRoles, onPostgres, urlOf } from '../support/database.js'
import { copyPostgres, type PostgresServer } from '../support/postgres-server.js'
import { service } from '../support/service.js'
import { found, newPatient, type Patient } from './patient.js'

/** In a session of its own, which has what was set just now. */
async function foundAnew(patient: Patient, check: string, target: Target = patient.ownerTarget): Promise<Finding[]> {
  const db = connect(target, { connections: 1 })
  try {
    return await found(patient, check, db)
  } finally {
    await db.close()
  }
}

/** PostgreSQL takes a new setting up when it comes to it. */
async function untilFound(patient: Patient, check: string, is: (findings: Finding[]) => boolean): Promise<Finding[]> {
  for (let tries = 0; ; tries += 1) {
    const findings = await foundAnew(patient, check)
    if (is(findings) || tries === 100) return findings
    await sleep(50)
  }
}

/** frames_service makes no temporary functions, and gives out no numbers. */
const NOT_FOR_THE_SERVICE = [
  {
    check: 'functions_changed',
    why: 'This role may not look: permission denied to create temporary tables in database "patient".',
  },
  { check: 'sequences', why: 'This role may not read the sequences; their owner may.' },
]

if (onPostgres) {
  describe('the doctor, on a server', function () {
    this.timeout(120_000)
    let patient: Patient
    before(async () => {
      patient = await newPatient()
      for (const { fix } of await found(patient, 'statistics')) await patient.paste(fix)
    })
    after(() => patient.drop())

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
      [
        'default_transaction_read_only',
        'on',
        'wrong',
        /^default_transaction_read_only is on: no charge can be written/,
      ],
      ['search_path', 'elsewhere', 'wrong', /^search_path is elsewhere: a table is not found/],
    ]
    for (const [name, value, severity, says] of settings) {
      it(`names ${name} = ${value}, and is content once that is fixed`, async () => {
        const isNamed = (findings: Finding[]) => findings.some(({ what }) => says.test(what))
        await patient.pasteAsAdmin(`alter system set ${name} = '${value}';\nselect pg_reload_conf()`)
        const findings = await untilFound(patient, 'settings', isNamed)
        const finding = findings.find(({ what }) => says.test(what))
        assert.equal(finding?.severity, severity, JSON.stringify(findings))
        await patient.pasteAsAdmin(finding?.fix ?? '')
        const after = await untilFound(patient, 'settings', (each) => !isNamed(each))
        assert.ok(!isNamed(after), JSON.stringify(after))
      })
    }

    it('fixes a setting where it was made: for the database, or for the role', async () => {
      for (const where of ['database patient', 'role frames_owner', 'role frames_owner in database patient']) {
        await patient.pasteAsAdmin(`alter ${where} set synchronous_commit = off`)
        const [finding] = await foundAnew(patient, 'settings')
        const who = where === 'database patient' ? '-- The owner of the database, or a superuser, runs this:\n' : ''
        assert.equal(finding?.fix, `${who}alter ${where} reset synchronous_commit;`)
        await patient.pasteAsAdmin(finding?.fix ?? '')
        const after = await foundAnew(patient, 'settings')
        assert.deepEqual(
          after.filter(({ severity }) => severity === 'wrong'),
          [],
        )
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
      // As through a pooler, which passes no settings on.
      const bare = postgres(urlOf(patient.ownerTarget), { max: 1 })
      assert.deepEqual([...(await bare.unsafe(sqlText('doctor/sessions')))], [])
      await bare.end()
    })

    it('fixes what keeps its own session from writing, where that was set', async () => {
      for (const where of ['database patient', 'role frames_owner']) {
        await patient.pasteAsAdmin(`alter ${where} set default_transaction_read_only = on`)
        const [finding] = await foundAnew(patient, 'settings')
        assert.match(finding?.what ?? '', /^default_transaction_read_only is on/)
        await patient.pasteAsAdmin(finding?.fix ?? '')
        const after = await foundAnew(patient, 'settings')
        assert.ok(after.every(({ severity }) => severity === 'advice'))
      }
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
      const replica = await copyPostgres(patient.server as PostgresServer, 'replica')
      try {
        const { status, report } = await patient.doctor([], replica.url('patient', 'frames_owner'))
        assert.equal(status, 1)
        const finding = report.findings.find(({ check }) => check === 'read_only')
        assert.match(finding?.what ?? '', /^This server is in recovery: it is a replica/)
        assert.deepEqual(
          report.unchecked.map(({ check }) => check),
          ['functions_changed'],
        )
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

    const roles: [check: string, what: string, by: string, severity: string, says: RegExp][] = [
      [
        'service_role',
        'that may make databases',
        'alter role frames_service createdb',
        'advice',
        /may do more than serve: createdb\.$/,
      ],
      [
        'service_role',
        'that has the rights of another',
        'grant frames_owner to frames_service',
        'advice',
        /is a member of frames_owner\.$/,
      ],
      [
        'service_role',
        'that owns a table',
        'alter table licence owner to frames_service',
        'advice',
        /^frames_service owns licence/,
      ],
      [
        'service_role',
        'whose charges a crash can undo',
        'alter role frames_service set synchronous_commit = off',
        'wrong',
        /has synchronous_commit off/,
      ],
      [
        'service_role',
        'whose statements never end',
        'alter role frames_service reset statement_timeout',
        'advice',
        /^frames_service has no statement_timeout/,
      ],
      [
        'service_role',
        'whose transactions never end',
        'alter role frames_service set idle_in_transaction_session_timeout = 0',
        'advice',
        /has no idle_in_transaction_session_timeout/,
      ],
      [
        'service_role',
        'that may not log in',
        'alter role frames_service nologin',
        'wrong',
        /^frames_service may not log in: the service cannot start\.$/,
      ],
      [
        'service_role',
        'whose password is past its time',
        "alter role frames_service valid until '2020-01-01'",
        'wrong',
        /^frames_service may log in until 2020-01-01 .* only, which is past/,
      ],
      [
        'service_role',
        'that may not connect',
        'revoke connect on database patient from frames_service',
        'wrong',
        /^frames_service may not connect to database patient\.$/,
      ],
      [
        'service_role',
        'that may open too few connections',
        'alter role frames_service connection limit 3',
        'wrong',
        /^frames_service may open 3 connections, one process opens \d+/,
      ],
      [
        'service_role',
        'whose database takes too few connections',
        'alter database patient connection limit 5',
        'wrong',
        /^Database patient takes 5 connections/,
      ],
      [
        'service_role',
        'that looks for its tables elsewhere',
        'alter role frames_service in database patient set search_path = elsewhere, public',
        'wrong',
        /^frames_service has search_path elsewhere, public: a table is not found/,
      ],
      [
        'service_role',
        'whose statements end too soon',
        "alter role frames_service set statement_timeout = '50ms'",
        'wrong',
        /^frames_service has statement_timeout 50ms: statements are ended/,
      ],
      [
        'service_role',
        'that reads only',
        "alter role frames_service set default_transaction_read_only = 'true'",
        'wrong',
        /^frames_service reads only/,
      ],
      [
        'service_role',
        'that plans without indexes',
        "alter role frames_service set enable_indexscan = '0'",
        'wrong',
        /^frames_service has enable_indexscan off/,
      ],
      [
        'analyst_grants',
        'where analysts may read keys',
        'grant select on api_key to frames_analyst',
        'wrong',
        /^frames_analyst may select api_key\.$/,
      ],
      [
        'analyst_grants',
        'where analysts may read a column of accounts',
        'grant select (balance) on account to frames_analyst',
        'wrong',
        /^frames_analyst may select account\.$/,
      ],
      [
        'analyst_grants',
        'where everyone may read organisations',
        'grant select on organisation to public',
        'wrong',
        /^frames_analyst may select organisation, as everyone may\.$/,
      ],
      [
        'analyst_grants',
        'where analysts may change styles',
        'grant update on layer_styles to frames_analyst',
        'wrong',
        /^frames_analyst may update layer_styles\.$/,
      ],
      [
        'analyst_grants',
        'where analysts are members of others',
        'grant frames_owner to frames_analyst',
        'wrong',
        /^frames_analyst is a member of frames_owner, and may do what that may\.$/,
      ],
      [
        'analyst_grants',
        'where analysts may do everything',
        'alter role frames_analyst superuser',
        'wrong',
        /^frames_analyst is a superuser/,
      ],
      [
        'analyst_grants',
        'where analysts read tables to come',
        'alter default privileges for role frames_owner in schema public grant select on tables to frames_analyst',
        'wrong',
        /^Tables made from now on are readable by frames_analyst\.$/,
      ],
      [
        'strangers',
        'where strangers may connect',
        'grant connect on database patient to public',
        'wrong',
        /^Every role of this server may connect in database patient\.$/,
      ],
      [
        'service_grants',
        'that may not read a table',
        'revoke select on api_key from frames_service',
        'wrong',
        /^frames_service lacks SELECT on api_key\.$/,
      ],
      [
        'service_grants',
        'that may not charge',
        'revoke update (balance) on account from frames_service',
        'wrong',
        /^frames_service lacks UPDATE \(balance\) on account\.$/,
      ],
      [
        'service_grants',
        'that may not enter the schema',
        'revoke usage on schema public from frames_service, public',
        'wrong',
        /^frames_service lacks USAGE on schema public\.$/,
      ],
      [
        'service_grants',
        'that may rewrite the ledger',
        'grant update, delete on credit_entry to frames_service',
        'wrong',
        /^frames_service may delete credit_entry, which it has no need of\.$/,
      ],
      [
        'service_grants',
        'that may change a column of keys',
        'grant update (expires_at) on api_key to frames_service',
        'wrong',
        /^frames_service may update api_key \(expires_at\)/,
      ],
      [
        'service_grants',
        'that may do what everyone may',
        'grant truncate on frame to public',
        'wrong',
        /^frames_service may truncate frame/,
      ],
    ]
    for (const [check, what, by, severity, says] of roles) {
      it(`names a database or a role of the service ${what}, and is content once that is fixed`, async () => {
        assert.deepEqual(await found(patient, check), [])
        await patient.pasteAsAdmin(by)
        const findings = await found(patient, check)
        const finding = findings.find((each) => says.test(each.what))
        assert.equal(finding?.severity, severity, JSON.stringify(findings))
        for (const { fix } of findings) {
          if (check === 'strangers') makeRoles(urlOf(patient.adminTarget))
          else await patient.pasteAsAdmin(fix)
        }
        assert.deepEqual(await found(patient, check), [])
      })
    }

    it('looks at nearly all there is as frames_service too, and says what it may not look at', async () => {
      const { status, report } = await patient.doctor([], patient.target)
      assert.equal(status, 0, JSON.stringify(report))
      assert.deepEqual(report.unchecked, NOT_FOR_THE_SERVICE)
    })

    it('says what its role may not look at', async () => {
      await patient.pasteAsAdmin('revoke select on licence from frames_service')
      const { status, report } = await patient.doctor([], patient.target)
      assert.equal(status, 1)
      assert.deepEqual(report.unchecked, [
        ...NOT_FOR_THE_SERVICE,
        { check: 'organisations_missing', why: 'This role may not look: permission denied for table licence.' },
      ])
      assert.ok(!report.checked.includes('organisations_missing'))
      const lacking = report.findings.find(({ check }) => check === 'service_grants')
      assert.equal(lacking?.fix, "-- frames_owner runs this:\nselect service_may('frames_service');")
      await patient.paste(lacking.fix)
      assert.equal((await patient.doctor([], patient.target)).status, 0)
    })

    it('is content with a table of others in schema public, which the service is not given', async () => {
      await patient.pasteAsAdmin('create table notes_of_others (note text)')
      await patient.db.work(`select service_may('frames_service')`)
      const { status, report } = await patient.doctor()
      const [given] = await patient.db.rows<{ read: boolean }>(
        `select has_table_privilege('frames_service', 'notes_of_others', 'select') as read`,
        [],
      )
      await patient.pasteAsAdmin('drop table notes_of_others')
      assert.equal(status, 0)
      assert.deepEqual(
        report.findings.filter(({ check }) => check === 'service_grants'),
        [],
      )
      assert.equal(given?.read, false)
    })

    it('says that there is no role of the service to look at', async () => {
      await patient.pasteAsAdmin('alter role frames_service rename to frames_elsewhere')
      const { status, report } = await patient.doctor()
      await patient.pasteAsAdmin('alter role frames_elsewhere rename to frames_service')
      assert.equal(status, 0)
      assert.deepEqual(
        report.unchecked.map(({ check, why }) => [check, why]),
        ['service_role', 'service_grants'].map((check) => [
          check,
          'There is no role frames_service; migrations/roles.sql makes it.',
        ]),
      )
    })

    it('names an index that "concurrently" failed to make, and is content once it is dropped', async () => {
      await assert.rejects(
        patient.db.work('create unique index concurrently frame_by_ward on frame (ward)'),
        /could not create unique index/,
      )
      const [finding] = await found(patient, 'indexes_invalid')
      assert.equal(finding?.severity, 'wrong')
      assert.equal(finding?.fix, 'drop index concurrently frame_by_ward;')
      await patient.paste(finding.fix)
      assert.deepEqual(await found(patient, 'indexes_invalid'), [])
    })

    it('leads from a bare database to one that is served from', async () => {
      await patient.pasteAsAdmin('create database bare')
      const bare = patient.server?.url('bare') ?? ''
      const first = await patient.doctor([], bare)
      assert.deepEqual(
        first.report.findings.map(({ fix }) => fix),
        ['create extension postgis;', 'npm run -s frames -- migrate'],
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
  })
}
