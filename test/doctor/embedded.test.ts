import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from '../../src/core/db/statement.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { frames } from '../support/cli.js'
import { breaks } from './breaks/all.js'
import { namesBreaks, patientWithStatistics } from './patient.js'

const names = CHECKS.map(({ name }) => name)
const aboutServers = CHECKS.filter(({ only }) => only === 'server').map(({ name }) => name)
/** A break of each kind: of a function, an index, frames, datasets, the ledger. */
const tried = ['a function that is missing', 'an index that is missing']
const triedChecks = ['frame_runs', 'features_joined', 'ledger']

describe('the doctor, on the embedded database,', function () {
  this.timeout(120_000)
  const patient = patientWithStatistics()

  it('finds nothing wrong with a new one, and says what it did not look at', async () => {
    const { status, err, report } = await patient.doctor()
    assert.deepEqual([status, err, report.ok, report.findings], [0, '', true, []])
    assert.deepEqual(
      report.unchecked.map(({ check }) => check),
      aboutServers,
    )
    assert.deepEqual(report.checked, ['node', ...names.filter((name) => !aboutServers.includes(name))])
    assert.deepEqual(report.sampled, ['arrays_kept', 'baseline_totals', 'intervals_kept', 'feature_totals'])
  })

  namesBreaks(patient, [
    ...tried.flatMap((name) => breaks.flat().find(({ what }) => what === name) ?? []),
    ...triedChecks.flatMap((name) => breaks.flat().find(({ check }) => check === name) ?? []),
  ])
})

describe('the doctor', () => {
  it('makes no database where there is none', async () => {
    const folder = join(tmpdir(), `frames-nowhere-${process.pid}`)
    const ran = await frames(['doctor'], { DATA_DIR: folder })
    assert.deepEqual([ran.status, ran.out], [1, ''])
    assert.match(ran.err, /^There is no database in .*"npm start" makes one; or set DATABASE_URL\.\n$/)
    assert.equal(existsSync(folder), false)
  })

  it('is described check by check in the page for DBAs', () => {
    const page = readFileSync(new URL('migrations/README.md', projectFolder), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, looksAt]) => ({ name, looksAt }))
    const described = rows.filter(({ name = '' }) => names.includes(name))
    assert.deepEqual(
      described,
      CHECKS.map(({ name, looksAt }) => ({ name, looksAt })),
    )
  })
})
