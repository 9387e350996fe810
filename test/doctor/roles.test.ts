import assert from 'node:assert/strict'
import { makeRoles, onPostgres, urlOf } from '../support/database.js'
import { consoleBreaks } from './breaks/console.js'
import { roleBreaks } from './breaks/roles.js'
import { found, patientWithStatistics } from './patient.js'

/** frames_service makes no temporary functions, and gives out no numbers. */
const NOT_FOR_THE_SERVICE = [
  {
    check: 'functions_changed',
    why: 'This role may not look: permission denied to create temporary tables in database "patient".',
  },
  { check: 'sequences', why: 'This role may not read the sequences; their owner may.' },
]
const PEOPLE = [
  { check: 'events_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'people_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'owners_missing', why: 'This role may not look: permission denied for table membership.' },
  { check: 'sign_ins_ended', why: 'This role may not look: permission denied for table session.' },
]

if (onPostgres) {
  describe('the doctor, on roles', function () {
    this.timeout(120_000)
    const patient = patientWithStatistics()

    for (const [check, what, by, severity, says] of [...roleBreaks, ...consoleBreaks]) {
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
      assert.deepEqual(report.unchecked, [...NOT_FOR_THE_SERVICE, ...PEOPLE])
    })

    it('says what its role may not look at', async () => {
      await patient.pasteAsAdmin('revoke select on licence from frames_service')
      const { status, report } = await patient.doctor([], patient.target)
      assert.equal(status, 1)
      assert.deepEqual(report.unchecked, [
        ...NOT_FOR_THE_SERVICE,
        { check: 'organisations_missing', why: 'This role may not look: permission denied for table licence.' },
        ...PEOPLE,
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
  })
}
