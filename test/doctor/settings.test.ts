import assert from 'node:assert/strict'
import postgres from 'postgres'
import { sqlText } from '../../src/core/db/statement.js'
import type { Finding } from '../../src/core/doctor/examine.js'
import { urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { foundAnew, patientWithStatistics, untilFound } from './patient.js'

describe('the doctor, on the settings of a server', function () {
  this.timeout(120_000)
  const patient = patientWithStatistics()

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
  /** Without indexes or hash joins the doctor itself is slow: each such setting is set alone, all others at once. */
  const alone = settings.filter(([name]) => name.startsWith('enable_'))
  const groups = [settings.filter((setting) => !alone.includes(setting)), ...alone.map((setting) => [setting])]
  for (const group of groups)
    it(`names ${group.map(([name, value]) => `${name} = ${value}`).join(', ')}, and is content once that is fixed`, async () => {
      const set = group.map(([name, value]) => `alter system set ${name} = '${value}';\n`)
      await patient.pasteAsAdmin(`${set.join('')}select pg_reload_conf()`)
      const among = (findings: Finding[]) => group.map(([, , , says]) => findings.find(({ what }) => says.test(what)))
      const named = among(await untilFound(patient, 'settings', (findings) => !among(findings).includes(undefined)))
      for (const [at, [name, , severity]] of group.entries()) assert.equal(named[at]?.severity, severity, name)
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
