import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { connect } from '../../src/core/db/connect.js'
import { expectedObjects } from '../../src/core/db/release.js'
import { projectFolder, sqlText } from '../../src/core/db/statement.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { examine, nodeFindings } from '../../src/core/doctor/examine.js'
import { frames } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { breaks } from './breaks/all.js'
import { roleBreaks } from './breaks/roles.js'
import { found, namesBreaks, patientWithStatistics, reportOf } from './patient.js'

const names = CHECKS.map(({ name }) => name)
const aboutServers = CHECKS.filter(({ only }) => only === 'server').map(({ name }) => name)
/** Advice about the server, which is that of the tests. */
const advised = ['settings']

/** frames_service gives out no numbers. */
const NOT_FOR_THE_SERVICE = [{ check: 'sequences', why: 'This role may not read the sequences; their owner may.' }]
const PEOPLE = [
  { check: 'entries_missing', why: 'This role may not look: permission denied for table key_event.' },
  { check: 'events_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'keys_undone', why: 'This role may not look: permission denied for table key_event.' },
  { check: 'people_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'owners_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'sign_ins_ended', why: 'This role may not look: permission denied for table session.' },
]

describe('the doctor', function () {
  this.timeout(120_000)
  const patient = patientWithStatistics()

  it('finds nothing wrong with a new database, says what it looked at, and ends with status 0', async () => {
    const { status, err, report } = await patient.doctor()
    assert.deepEqual([status, err, report.ok], [0, '', true], JSON.stringify(report.findings))
    const said = new Set(report.findings.map(({ check, severity }) => `${severity} ${check}`))
    assert.deepEqual(
      [...said],
      advised.map((check) => `advice ${check}`),
    )
    assert.deepEqual(report.unchecked, [])
    assert.deepEqual(report.checked, ['node', ...names])
  })

  it('looks at nearly all there is as frames_service too, and says what it may not look at', async () => {
    const { status, report } = await patient.doctor([], patient.target)
    assert.equal(status, 0, JSON.stringify(report))
    assert.deepEqual(report.unchecked, [...NOT_FOR_THE_SERVICE, ...PEOPLE])
  })

  it('finds nothing wrong as frames_analyst, and does not say that all is well where that role may not look', async () => {
    const target = urlOf(patient.target).replace('frames_service', 'frames_analyst')
    const { report } = await patient.doctor([], target)
    assert.deepEqual(
      report.findings.filter(({ severity }) => severity === 'wrong'),
      [],
    )
    assert.ok(report.unchecked.length > 25 && report.unchecked.every(({ why }) => why.startsWith('This role may not')))
    const { status, out } = await frames(['doctor', '--only', 'ledger'], { DATABASE_URL: target })
    assert.equal(status, 0)
    assert.match(
      out,
      /ledger: This role may not look: .*\n\nThe checks that were made found nothing wrong: 1 check, 1 not made,/,
    )
  })

  it('says so to people too, with its progress where it looks at all frames', async () => {
    const { status, out, err } = await frames(['doctor', '--thorough'], { DATABASE_URL: urlOf(patient.ownerTarget) })
    assert.equal(status, 0, err)
    assert.match(out, /All is well: \d+ checks, 1 piece of advice\.\n$/)
    assert.match(err, /s {2}frames that share land\n/)
  })

  it('makes every check where the search path of its role leads elsewhere, and names that alone', async () => {
    await patient.pasteAsAdmin('alter role frames_owner set search_path = elsewhere')
    const { report } = await patient.doctor()
    const wrong = report.findings.filter(({ severity }) => severity === 'wrong')
    await patient.pasteAsAdmin(wrong[0]?.fix ?? '')
    assert.deepEqual(
      wrong.map(({ what }) => what),
      ['search_path is elsewhere: a table is not found, or another of its name is.'],
    )
    assert.deepEqual(report.unchecked, [])
  })

  it('ends where the database takes no more connections, instead of naming a fault for each check', async () => {
    await patient.pasteAsAdmin('alter role frames_owner connection limit 0')
    const { status, out, err } = await frames(['doctor'], { DATABASE_URL: urlOf(patient.ownerTarget) })
    await patient.pasteAsAdmin('alter role frames_owner connection limit -1')
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /too many connections for role "frames_owner"/)
  })

  it('leaves schema staging to a build or an import that is under way', async () => {
    await patient.db.work('select staging_open()')
    const checks = CHECKS.filter(({ name }) => name === 'staging_left')
    const look = () => examine(patient.db, { isEmbedded: false, checks })
    const during = await patient.db.alone('Busy.', look)
    const after = await look()
    await patient.db.work('select staging_close()')
    assert.deepEqual(during.findings, [])
    assert.deepEqual(during.unchecked, [{ check: 'staging_left', why: 'A build or an import is under way.' }])
    assert.equal(after.findings.length, 1)
  })

  it('knows all that the migrations make: dropped, it is all made again as it was', async () => {
    const made = async () => {
      const rows = await patient.db.rows<{ made: string }>(
        `select pg_get_indexdef(indexrelid) || coalesce(' -- ' || obj_description(indexrelid, 'pg_class'), '') as made
        from pg_index join pg_class on pg_class.oid = indexrelid
        where relnamespace = 'public'::regnamespace and indrelid not in ('spatial_ref_sys'::regclass, 'migration'::regclass)
        union all
        select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'c', 'f') and conrelid not in ('spatial_ref_sys'::regclass, 'migration'::regclass, 0)
        union all
        select pg_get_triggerdef(oid) || ' -- ' || obj_description(oid, 'pg_trigger') from pg_trigger where not tgisinternal
        order by made`,
        [],
      )
      return rows.map((row) => row.made)
    }
    const before = await made()
    const expected = expectedObjects().filter(({ kind }) => ['index', 'unique', 'constraint', 'trigger'].includes(kind))
    assert.ok(expected.length > 60, String(expected.length))
    const dropped = ({ kind, name, relation }: (typeof expected)[number]) => {
      if (kind === 'trigger') return `drop trigger ${name} on ${relation}`
      if (kind === 'index') return `drop index if exists ${name}`
      return `alter table ${relation} drop constraint if exists ${name} cascade`
    }
    await patient.paste(`begin;\n${expected.map(dropped).join(';\n')};\ncommit`)
    const checks = CHECKS.filter(({ name }) => name === 'schema')
    const { findings } = await examine(patient.db, { isEmbedded: false, checks })
    assert.equal(findings.length, expected.length)
    await patient.paste(findings.map(({ fix }) => fix).join('\n'))
    const after = await made()
    assert.deepEqual(
      after.filter((one) => !before.includes(one)),
      [],
    )
    assert.deepEqual(
      before.filter((one) => !after.includes(one)),
      [],
    )
  })

  it('finds functions of PostGIS that are not those of its library', async () => {
    const [kept] = await patient.db.rows<{ definition: string; installed: string }>(
      `select pg_get_functiondef('postgis_scripts_installed'::regproc) as definition, postgis_scripts_installed() as installed`,
      [],
    )
    assert.ok(kept)
    const admin = connect(patient.adminTarget, { connections: 1 })
    try {
      await admin.work(kept.definition.replace(kept.installed.split(' ')[0] ?? '', '3.3.0'))
      const [finding] = await found(patient.db, 'postgis')
      assert.match(finding?.what ?? '', /^The functions of PostGIS are not those of its library: .*need upgrade/)
      assert.equal(finding?.fix, '-- A superuser runs this:\nselect postgis_extensions_upgrade();')
      await admin.work(finding.fix)
    } finally {
      await admin.close()
    }
    assert.deepEqual(await found(patient.db, 'postgis'), [])
  })

  it('finds what is too old, whatever "old" is', async () => {
    const older: [name: string, from: string, to: string, says: RegExp][] = [
      ['versions', '< 150000', '< 990000', /^PostgreSQL is \d+.*, 15 is the oldest/],
      ['versions', '< array[3, 3]', '< array[9, 3]', /^PostGIS is 3\.\d+\.\d+, 3\.3 is the oldest/],
      ['postgis', '< array[3, 9]', '< array[9, 9]', /^GEOS is 3\.\d+\..*, 3\.9 is the oldest/],
    ]
    for (const [name, from, to, says] of older) {
      const text = sqlText(`doctor/${name}`)
      assert.ok(text.includes(from))
      const [row] = await patient.db.rows<{ severity: string; what: string }>(text.replace(from, to), [])
      assert.equal(row?.severity, 'wrong')
      assert.match(row.what, says)
    }
    assert.equal(nodeFindings('18.20.8')[0]?.what, 'Node is 18.20.8, 20.19 is the oldest that works.')
    assert.equal(nodeFindings('20.18.3').length, 1)
    assert.deepEqual([nodeFindings('20.19.0'), nodeFindings('22.1.0')], [[], []])
  })

  describe('of a broken database', () => {
    for (const some of breaks) namesBreaks(patient, some)

    it('is a check for each file of sql/doctor, each broken in some test', () => {
      const files = readdirSync(new URL('sql/doctor/', projectFolder)).map((file) => basename(file, '.sql'))
      assert.deepEqual(
        CHECKS.filter(({ text }) => text === undefined)
          .map(({ name }) => name)
          .sort(),
        files.sort((a, b) => a.localeCompare(b)),
      )
      const elsewhere = [...aboutServers, 'postgis', 'frames_scattered']
      assert.deepEqual(
        names.filter((name) => !elsewhere.includes(name) && !breaks.flat().some(({ check }) => check === name)),
        [],
      )
    })
  })

  describe('of roles', () => {
    namesBreaks(
      patient,
      roleBreaks.map((one) => ({ ...one, asAdmin: true })),
      (what) => `a database or a role of the service ${what}`,
    )

    it('says what its role may not look at', async () => {
      const asService = connect(patient.target, { connections: 1 })
      const looked = () => reportOf(asService, ['schema', 'organisations_missing'])
      await patient.pasteAsAdmin('revoke select on licence from frames_service')
      const { findings, checked, unchecked } = await looked()
      const why = 'This role may not look: permission denied for table licence.'
      assert.deepEqual(unchecked, [{ check: 'organisations_missing', why }])
      assert.ok(!checked.includes('organisations_missing'))
      assert.deepEqual(
        findings.map(({ fix }) => fix),
        ["-- frames_owner runs this:\nselect service_may('frames_service');"],
      )
      await patient.paste(findings[0]?.fix ?? '')
      const after = await looked()
      await asService.close()
      assert.deepEqual([after.findings, after.unchecked], [[], []])
    })

    it('says that there is no role of the service to look at', async () => {
      await patient.pasteAsAdmin('alter role frames_service rename to frames_elsewhere')
      const { ok, unchecked } = await reportOf(patient.db, ['schema', 'roles'])
      await patient.pasteAsAdmin('alter role frames_elsewhere rename to frames_service')
      assert.equal(ok, true)
      assert.deepEqual(unchecked, [
        { check: 'roles', why: 'There is no role frames_service; migrations/roles.sql makes it.' },
      ])
    })
  })
})
