import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { roleBreaks } from './breaks/roles.js'
import { found, namesBreaks, patientWithStatistics, reportOf } from './patient.js'

/** frames_service gives out no numbers. */
const NOT_FOR_THE_SERVICE = [{ check: 'sequences', why: 'This role may not read the sequences; their owner may.' }]
const PEOPLE = [
  { check: 'events_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'people_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'owners_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'sign_ins_ended', why: 'This role may not look: permission denied for table session.' },
]

describe('the doctor, on roles', function () {
  this.timeout(120_000)
  const patient = patientWithStatistics()

  namesBreaks(
    patient,
    roleBreaks.map((one) => ({ ...one, asAdmin: true })),
    (what) => `a database or a role of the service ${what}`,
  )

  it('looks at nearly all there is as frames_service too, and says what it may not look at', async () => {
    const { status, report } = await patient.doctor([], patient.target)
    assert.equal(status, 0, JSON.stringify(report))
    assert.deepEqual(report.unchecked, [...NOT_FOR_THE_SERVICE, ...PEOPLE])
  })

  it('says what its role may not look at', async () => {
    const asService = connect(patient.target, { connections: 1 })
    const looked = () => reportOf(patient, ['schema', 'organisations_missing'], asService)
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

  it('is content with a table of others in schema public, which the service is not given', async () => {
    await patient.pasteAsAdmin('create table notes_of_others (note text)')
    await patient.db.work(`select service_may('frames_service')`)
    const findings = await found(patient, 'schema')
    const [given] = await patient.db.rows<{ read: boolean }>(
      `select has_table_privilege('frames_service', 'notes_of_others', 'select') as read`,
      [],
    )
    await patient.pasteAsAdmin('drop table notes_of_others')
    assert.deepEqual(findings, [])
    assert.equal(given?.read, false)
  })

  it('says that there is no role of the service to look at', async () => {
    await patient.pasteAsAdmin('alter role frames_service rename to frames_elsewhere')
    const { ok, unchecked } = await reportOf(patient, ['schema', 'roles'])
    await patient.pasteAsAdmin('alter role frames_elsewhere rename to frames_service')
    assert.equal(ok, true)
    assert.deepEqual(unchecked, [
      { check: 'roles', why: 'There is no role frames_service; migrations/roles.sql makes it.' },
    ])
  })
})
