import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { connect, type Target } from '../../src/db/connect.js'
import { sqlText } from '../../src/db/statement.js'
import type { Finding } from '../../src/doctor/examine.js'
import { frames } from '../support/cli.js'
import { onPostgres, urlOf } from '../support/database.js'
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

if (onPostgres) {
  describe('the doctor, on a server', function () {
    this.timeout(120_000)
    let patient: Patient
    before(async () => {
      patient = await newPatient()
      for (const { mend } of await found(patient, 'statistics')) await patient.paste(mend)
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
    ]
    for (const [name, value, severity, says] of settings) {
      it(`names ${name} = ${value}, and is content once that is mended`, async () => {
        const isNamed = (findings: Finding[]) => findings.some(({ what }) => says.test(what))
        await patient.pasteAsAdmin(`alter system set ${name} = '${value}';\nselect pg_reload_conf()`)
        const findings = await untilFound(patient, 'settings', isNamed)
        const finding = findings.find(({ what }) => says.test(what))
        assert.equal(finding?.severity, severity, JSON.stringify(findings))
        await patient.pasteAsAdmin(finding?.mend ?? '')
        const after = await untilFound(patient, 'settings', (each) => !isNamed(each))
        assert.ok(!isNamed(after), JSON.stringify(after))
      })
    }

    it('mends a setting where it was made: for the database, or for the role', async () => {
      for (const where of ['database patient', 'role frames_owner', 'role frames_owner in database patient']) {
        await patient.pasteAsAdmin(`alter ${where} set synchronous_commit = off`)
        const [finding] = await foundAnew(patient, 'settings')
        assert.equal(finding?.mend, `alter ${where} reset synchronous_commit;`)
        await patient.pasteAsAdmin(finding?.mend ?? '')
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
      const rows = await patient.db.rows<{ what: string; mend: string }>(text, [1000])
      assert.ok(rows.some(({ what }) => what.startsWith('shared_buffers is ')))
      const refusing = rows.find(({ what }) => what.startsWith('max_connections is 100: one process'))
      assert.match(refusing?.mend ?? '', /^alter system set max_connections = '1020';\n-- and start PostgreSQL again$/)
    })

    it('names sessions that do not have what the program asks for', async () => {
      const overruled = `${urlOf(patient.ownerTarget)}?plan_cache_mode=auto&jit=on`
      const findings = await foundAnew(patient, 'sessions', overruled)
      assert.deepEqual(
        findings.map(({ severity, mend }) => [severity, mend]),
        [
          ['advice', 'alter role frames_owner set jit = off;'],
          ['advice', 'alter role frames_owner set plan_cache_mode = force_generic_plan;'],
        ],
      )
      for (const { mend } of findings) await patient.pasteAsAdmin(mend)
      // As through a pooler, which passes no settings on.
      const bare = postgres(urlOf(patient.ownerTarget), { max: 1 })
      assert.deepEqual([...(await bare.unsafe(sqlText('doctor/sessions')))], [])
      await bare.end()
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
      it(`names a role of the service ${what}, and is content once that is mended`, async () => {
        assert.deepEqual(await found(patient, check), [])
        await patient.pasteAsAdmin(by)
        const findings = await found(patient, check)
        const finding = findings.find((each) => says.test(each.what))
        assert.equal(finding?.severity, severity, JSON.stringify(findings))
        for (const { mend } of findings) await patient.pasteAsAdmin(mend)
        assert.deepEqual(await found(patient, check), [])
      })
    }

    it('looks at all there is as frames_service too', async () => {
      const { status, report } = await patient.doctor([], patient.target)
      assert.deepEqual([status, report.unchecked], [0, []], JSON.stringify(report))
    })

    it('says what its role may not look at', async () => {
      await patient.pasteAsAdmin('revoke select on licence from frames_service')
      const { status, report } = await patient.doctor([], patient.target)
      assert.equal(status, 1)
      assert.deepEqual(report.unchecked, [
        { check: 'organisations_missing', why: 'This role may not look: permission denied for table licence.' },
      ])
      assert.ok(!report.checked.includes('organisations_missing'))
      const lacking = report.findings.find(({ check }) => check === 'service_grants')
      await patient.paste(lacking?.mend ?? '')
      assert.equal((await patient.doctor([], patient.target)).status, 0)
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
      assert.equal(finding?.mend, 'drop index concurrently frame_by_ward;')
      await patient.paste(finding.mend)
      assert.deepEqual(await found(patient, 'indexes_invalid'), [])
    })

    it('leads from a bare database to one that is served from', async () => {
      await patient.pasteAsAdmin('create database bare')
      const bare = patient.server?.url('bare') ?? ''
      const first = await patient.doctor([], bare)
      assert.deepEqual(
        first.report.findings.map(({ mend }) => mend),
        ['create extension postgis;', 'npm run -s frames -- migrate'],
      )
      const db = connect(bare, { connections: 1 })
      await db.work('create extension postgis')
      await db.close()
      assert.equal((await frames(['migrate'], { DATABASE_URL: bare })).status, 0)
      const second = await patient.doctor([], bare)
      assert.equal(second.status, 0, JSON.stringify(second.report))
    })
  })
}
