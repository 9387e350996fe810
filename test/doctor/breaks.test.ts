/** Tests that the doctor names each way to break a database, and that its statements fix it. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { projectFolder } from '../../src/db/statement.js'
import { CHECKS } from '../../src/doctor/checks.js'
import { onPostgres } from '../support/database.js'
import { breaks } from './breaks/all.js'
import { found, linesOf, patientWithStatistics } from './patient.js'

const names = CHECKS.map(({ name }) => name)
const aboutServers = CHECKS.filter(({ only }) => only === 'server').map(({ name }) => name)

describe('the doctor, on a broken database,', function () {
  this.timeout(120_000)
  const patient = patientWithStatistics()
  // A database restored from a dump has no visibility maps.
  before(async () => {
    for (const { fix } of await found(patient, 'visibility')) await patient.paste(fix)
  })

  // The embedded database takes three times as long: there, each check finds the first of its faults.
  const tried = onPostgres
    ? breaks
    : breaks.filter(({ check }, i) => breaks.findIndex((one) => one.check === check) === i)
  for (const { what, check, severity, by, says, fix, undo, asAdmin } of tried) {
    it(`names ${what}, and is content once that is fixed`, async () => {
      assert.deepEqual(await found(patient, check), [], 'before')
      await patient.pasteAsAdmin(linesOf(by))
      const findings = await found(patient, check)
      const finding = findings.find((each) => says.test(each.what))
      assert.ok(finding, JSON.stringify(findings))
      assert.equal(finding.severity, severity)
      if (fix) assert.match(finding.fix, fix)
      if (undo) await patient.pasteAsAdmin(linesOf(undo))
      else for (const each of findings) await (asAdmin ? patient.pasteAsAdmin : patient.paste)(each.fix)
      assert.deepEqual(await found(patient, check), [], 'after')
    })
  }

  it('is a check for each file of sql/doctor, each broken in some test', () => {
    const files = readdirSync(new URL('sql/doctor/', projectFolder)).map((file) => basename(file, '.sql'))
    assert.deepEqual(
      CHECKS.filter(({ text, compares }) => text === undefined && compares === undefined)
        .map(({ name }) => name)
        .sort(),
      files.sort((a, b) => a.localeCompare(b)),
    )
    const elsewhere = [...aboutServers, 'postgis']
    assert.deepEqual(
      names.filter((name) => !elsewhere.includes(name) && !breaks.some(({ check }) => check === name)),
      [],
    )
  })
})
