/**
 * A database for the doctor: embedded, with the fixture; or on a server of its own, whose roles a test may change, with a
 * part of the frames of the fixture and its datasets.
 */
import assert from 'node:assert/strict'
import { connect, type Database, type Target } from '../../src/core/db/connect.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { examine, type Finding, type Report } from '../../src/core/doctor/examine.js'
import { frames, settingsFor, type Ran } from '../support/cli.js'
import { newDatabase, onPostgres } from '../support/database.js'
import { fillWithPart } from '../support/part-of-fixture.js'
import { startOnCopy } from '../support/postgres-server.js'
import { templateName, templates } from '../support/templates.js'
import type { Break } from './breaks/break.js'

export type Patient = {
  target: Target
  ownerTarget: Target
  adminTarget: Target
  db: Database
  /** Each statement by itself, as psql sends what is pasted; as the owner of the tables. */
  paste: (statements: string) => Promise<void>
  pasteAsAdmin: (statements: string) => Promise<void>
  /** Runs the doctor on the command line. */
  doctor: (words?: string[], target?: Target) => ReturnType<typeof doctor>
  drop: () => Promise<void>
}

/** Before the tests of a suite, makes a patient and gathers the statistics of its tables. */
export function patientWithStatistics(): Patient {
  const patient = {} as Patient
  before(async () => {
    Object.assign(patient, await newPatient())
    for (const { fix } of await found(patient.db, 'statistics')) await patient.paste(fix)
  })
  after(() => patient.drop())
  return patient
}

async function newPatient(): Promise<Patient> {
  if (!onPostgres) {
    const database = await newDatabase('datasets')
    return patientOf(database, database.drop)
  }
  // Safe from crashes, as the doctor wants it and as the server of the other tests is not. To start the workers of a
  // statement takes longer than they save on so few frames.
  const server = await startOnCopy(await templates(), { fsync: 'on', max_parallel_workers_per_gather: '0' })
  const admin = connect(server.url('postgres'), { connections: 1 })
  await admin.work(`alter database ${templateName('empty')} rename to patient`)
  await admin.close()
  const targets = {
    target: server.url('patient', 'frames_service'),
    ownerTarget: server.url('patient', 'frames_owner'),
    adminTarget: server.url('patient'),
  }
  const patient = patientOf(targets, () => server.stop())
  await fillWithPart(patient.db)
  return patient
}

function patientOf(
  targets: Pick<Patient, 'target' | 'ownerTarget' | 'adminTarget'>,
  drop: () => Promise<void>,
): Patient {
  const db = connect(targets.ownerTarget, { connections: 2, deadlineMs: 120_000 })
  return {
    ...targets,
    db,
    paste: (statements) => runStatements(targets.ownerTarget, statements),
    pasteAsAdmin: (statements) => runStatements(targets.adminTarget, statements),
    doctor: (words = [], target = targets.ownerTarget) => doctor(target, words),
    drop: async () => {
      await db.close()
      await drop()
    },
  }
}

/** Runs the doctor on the command line. */
export async function doctor(target: Target, words: string[] = []): Promise<Ran & { report: Report }> {
  const ran = await frames(['doctor', '--json', ...words], settingsFor(target))
  assert.notEqual(ran.out, '', ran.err)
  return { ...ran, report: JSON.parse(ran.out) as Report }
}

export async function runStatements(target: Target, statements: string): Promise<void> {
  if (statements === '') return
  const db = connect(target, { connections: 1, deadlineMs: 120_000 })
  try {
    for (const [statement] of statements.matchAll(/(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g)) {
      if (statement.replace(/^--.*$/gm, '').trim() !== '') await db.work(statement)
    }
  } finally {
    await db.close()
  }
}

/** These report each fault by itself. */
const SEPARATE = ['schema', 'roles', 'migrations', 'versions_left', 'ledger']

/**
 * Declares tests that carry out each break. A round has at most one break of each subject, and of each check unless the
 * check reports each fault by itself, since the doctor takes as long for all checks as for a few. Breaks that are taken
 * back have rounds of their own, and those that disturb other checks a test of their own.
 */
export function namesBreaks(patient: Patient, breaks: readonly Break[], title = (what: string) => what): void {
  const disturb = (one: Break, other: Break) =>
    one.isAlone === true ||
    other.isAlone === true ||
    (one.undo === undefined) !== (other.undo === undefined) ||
    (one.check === other.check && !SEPARATE.includes(one.check)) ||
    (one.subject !== undefined && one.subject === other.subject)
  const rounds: Break[][] = []
  for (const one of breaks) {
    const round = rounds.find((each) => !each.some((other) => disturb(one, other)))
    if (round) round.push(one)
    else rounds.push([one])
  }
  for (const round of rounds) {
    const [first] = round
    const others = round.length === 1 ? '' : ` and ${round.length - 1} other faults at once`
    it(`names ${title(first?.what ?? '')}${others}, and is content once all is fixed`, () => holdsRound(patient, round))
  }
}

/** Breaks the database, looks for each finding, and fixes all of it for the next round, whatever was found. */
async function holdsRound(patient: Patient, round: readonly Break[]): Promise<void> {
  const named = [...new Set(round.map(({ check }) => check))]
  await patient.pasteAsAdmin(round.map(({ by }) => by).join(';\n'))
  const findings = await foundOf(patient.db, named)
  const isNamed = ({ check, severity, says, fix = /(?:)/ }: Break) =>
    findings.some((one) => one.check === check && one.severity === severity && says.test(one.what) && fix.test(one.fix))
  const missed = round.filter((one) => !isNamed(one))
  await patient.pasteAsAdmin(round.flatMap(({ undo }) => undo ?? []).join(';\n'))
  const asAdmin = new Set(round.filter((one) => one.asAdmin).map(({ check }) => check))
  let left = round.some(({ undo }) => undo !== undefined) ? await foundOf(patient.db, named) : findings
  // One fix may leave work for another check: statistics of an index that was made anew.
  for (let turn = 0; turn < 3 && left.length > 0; turn += 1) {
    const fixesOf = (isOfAdmin: boolean) =>
      left.filter(({ check }) => asAdmin.has(check) === isOfAdmin).map(({ fix }) => fix)
    await patient.pasteAsAdmin(fixesOf(true).join('\n'))
    await patient.paste(fixesOf(false).join('\n'))
    left = await foundOf(patient.db, named)
  }
  const instead = missed.map(({ what, check }) => [what, findings.filter((one) => one.check === check)])
  assert.deepEqual([instead, left], [[], []])
}

/** Returns the findings of some checks of the doctor. */
export async function reportOf(db: Database, named: readonly string[]): Promise<Report> {
  const checks = CHECKS.filter(({ name }) => named.includes(name))
  assert.equal(checks.length, new Set(named).size, `a check is missing among ${named.join()}`)
  return await examine(db, { isEmbedded: !onPostgres, isThorough: true, checks })
}

/** The findings of some checks, which must not be left out. */
async function foundOf(db: Database, named: readonly string[]): Promise<Finding[]> {
  const { findings, unchecked } = await reportOf(db, named)
  assert.deepEqual(unchecked, [])
  for (const { what, fix } of findings)
    assert.ok(fix.trim() !== '' && !/^(?:--[^\n]*\n)*null$/.test(fix), `${what} ${fix}`)
  return findings
}

export const found = (db: Database, name: string) => foundOf(db, [name])
