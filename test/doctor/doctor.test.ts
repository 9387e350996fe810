import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from '../../src/db/connect.js'
import { expectedObjects } from '../../src/db/schema.js'
import { projectFolder, sqlText } from '../../src/db/statement.js'
import { CHECKS } from '../../src/doctor/checks.js'
import { examine, nodeFindings } from '../../src/doctor/examine.js'
import { frames } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { found, patientWithStatistics } from './patient.js'

const names = CHECKS.map(({ name }) => name)
/** Advice about the server, which is that of the tests. */
const advised = ['settings', 'statement_statistics']

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
    assert.deepEqual(report.sampled, ['baseline_totals', 'feature_totals'])
  })

  it('says so to people too, with its progress where it looks at all frames', async () => {
    const { status, out, err } = await frames(['doctor', '--thorough'], { DATABASE_URL: urlOf(patient.target) })
    assert.equal(status, 0, err)
    assert.match(out, /All is well: \d+ checks, \d pieces of advice\.\n$/)
    assert.match(err, /s {2}frames that share land\n/)
  })

  it('looks at nothing else while a database was never migrated', async () => {
    await patient.pasteAsAdmin('alter table migration rename to migration_elsewhere')
    const { status, report } = await patient.doctor()
    await patient.pasteAsAdmin('alter table migration_elsewhere rename to migration')
    assert.equal(status, 1)
    assert.deepEqual(
      report.findings.map(({ check, fix }) => [check, fix]),
      [['versions', 'npm run -s frames -- migrate']],
    )
    assert.deepEqual(report.checked, ['node', 'versions'])
    assert.equal(report.unchecked.length, CHECKS.length - 1)
    assert.equal(report.unchecked[0]?.why, 'The findings of "versions" have to be fixed first.')
  })

  it('says that a check met what it cannot look at, instead of passing over it', async () => {
    await patient.pasteAsAdmin('alter table frame_run rename to frame_run_elsewhere')
    const [finding] = await found(patient, 'frame_runs')
    await patient.pasteAsAdmin('alter table frame_run_elsewhere rename to frame_run')
    assert.equal(finding?.severity, 'wrong')
    assert.match(finding.what, /^The check failed: relation "frame_run" does not exist\.$/)
  })

  it('does not look without an index that would make it take hours, and says so', async () => {
    await patient.paste('drop index frame_geom_idx')
    const { report } = await patient.doctor()
    const [finding] = report.findings.filter(({ check }) => !advised.includes(check))
    await patient.paste(finding?.fix ?? '')
    assert.equal(finding?.check, 'indexes_missing')
    const why = 'It needs frame_geom_idx, which cannot be used.'
    for (const check of ['frames_overlap', 'frames_scattered', 'features_joined']) {
      assert.ok(
        report.unchecked.some((each) => each.check === check && each.why === why),
        check,
      )
    }
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

  it('names the command that makes a broken grid anew, which does', async () => {
    await patient.pasteAsAdmin('delete from frame where frame_id = 324378022')
    const [finding] = await found(patient, 'frames_missing')
    const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
    const line = finding?.fix.replace(/^npm run -s frames --/, `'${process.execPath}' '${program}'`) ?? ''
    const { PATH } = process.env
    await promisify(execFile)('sh', ['-c', line], {
      cwd: fileURLToPath(new URL('fixtures/', projectFolder)),
      env: { PATH, DATABASE_URL: urlOf(patient.ownerTarget) },
    })
    assert.deepEqual(await found(patient, 'frames_missing'), [])
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
    const expected = expectedObjects().filter(({ kind }) => !['table', 'column', 'view'].includes(kind))
    assert.ok(expected.length > 60, String(expected.length))
    for (const { kind, name, relation } of expected) {
      if (kind === 'trigger') await patient.paste(`drop trigger ${name} on ${relation}`)
      else if (kind === 'index') await patient.paste(`drop index if exists ${name}`)
      else await patient.paste(`alter table ${relation} drop constraint if exists ${name} cascade`)
    }
    const checks = CHECKS.filter(({ name }) => /^(indexes|constraints|triggers)_missing$/.test(name))
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
      const [finding] = await found(patient, 'postgis')
      assert.match(finding?.what ?? '', /^The functions of PostGIS are not those of its library: .*need upgrade/)
      assert.equal(finding?.fix, '-- A superuser runs this:\nselect postgis_extensions_upgrade();')
      await admin.work(finding.fix)
    } finally {
      await admin.close()
    }
    assert.deepEqual(await found(patient, 'postgis'), [])
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
})
