/** Tests that the doctor names each way to break a database, and that its statements fix it. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { projectFolder } from '../../src/core/db/statement.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { breaks } from './breaks/all.js'
import { namesBreaks, patientWithStatistics } from './patient.js'

const names = CHECKS.map(({ name }) => name)
const aboutServers = CHECKS.filter(({ only }) => only === 'server').map(({ name }) => name)

describe('the doctor, on a broken database,', function () {
  this.timeout(120_000)
  const patient = patientWithStatistics()

  namesBreaks(patient, breaks)

  it('is a check for each file of sql/doctor, each broken in some test', () => {
    const files = readdirSync(new URL('sql/doctor/', projectFolder)).map((file) => basename(file, '.sql'))
    assert.deepEqual(
      CHECKS.filter(({ name, text }) => text === undefined && name !== 'schema')
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
