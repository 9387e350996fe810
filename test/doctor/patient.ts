/**
 * A database for the doctor: the fixture with its datasets, embedded or on a server of its own, whose settings a test
 * may change.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { execFileSync } from 'node:child_process'
import { connect, type Database, type Target } from '../../src/db/connect.js'
import { CHECKS } from '../../src/doctor/checks.js'
import { examine, type Finding, type Report } from '../../src/doctor/examine.js'
import { frames, type Ran } from '../support/cli.js'
import { makeRoles, newDatabase, onPostgres, urlOf } from '../support/database.js'
import { startPostgres, type PostgresServer } from '../support/postgres-server.js'

export type Patient = {
  target: Target
  ownerTarget: Target
  adminTarget: Target
  db: Database
  server: PostgresServer | undefined
  /** Each statement by itself, as psql sends what is pasted; as the owner of the tables. */
  paste: (statements: string) => Promise<void>
  pasteAsAdmin: (statements: string) => Promise<void>
  /** Runs the doctor on the command line. */
  doctor: (words?: string[], target?: Target) => Promise<Ran & { report: Report }>
  drop: () => Promise<void>
}

export async function newPatient(): Promise<Patient> {
  const original = await newDatabase('datasets')
  if (!onPostgres) return patientOf(original, undefined, original.drop)
  // Safe from crashes, as the doctor wants it and as the server of the other tests is not.
  const server = await startPostgres({ fsync: 'on' })
  const url = server.url('patient')
  makeRoles(server.url('postgres'))
  restore(urlOf(original.adminTarget), server.url('postgres'), url)
  await original.drop()
  const targets = {
    target: server.url('patient', 'frames_service'),
    ownerTarget: server.url('patient', 'frames_owner'),
    adminTarget: url,
  }
  return patientOf(targets, server, () => server.stop())
}

/** Before the tests of a suite, makes a patient and gathers the statistics of its tables. */
export function patientWithStatistics(): Patient {
  const patient = {} as Patient
  before(async () => {
    Object.assign(patient, await newPatient())
    for (const { fix } of await found(patient, 'statistics')) await patient.paste(fix)
  })
  after(() => patient.drop())
  return patient
}

function restore(from: string, maintenance: string, to: string): void {
  const dump = execFileSync('pg_dump', ['-d', from], { maxBuffer: 1 << 28 })
  execFileSync('psql', ['-X', '-q', '-d', maintenance, '-c', 'create database patient'])
  execFileSync('psql', ['-X', '-q', '-d', to, '-v', 'ON_ERROR_STOP=1'], {
    input: dump,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  makeRoles(to)
}

function patientOf(
  targets: Pick<Patient, 'target' | 'ownerTarget' | 'adminTarget'>,
  server: PostgresServer | undefined,
  drop: () => Promise<void>,
): Patient {
  const db = connect(targets.ownerTarget, { connections: 2, deadlineMs: 120_000 })
  return {
    ...targets,
    db,
    server,
    paste: (statements) => paste(targets.ownerTarget, statements),
    pasteAsAdmin: (statements) => paste(targets.adminTarget, statements),
    doctor: async (words = [], target = targets.ownerTarget) => {
      const env: Record<string, string> =
        typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }
      const ran = await frames(['doctor', '--json', ...words], env)
      assert.notEqual(ran.out, '', ran.err)
      return { ...ran, report: JSON.parse(ran.out) as Report }
    },
    drop: async () => {
      await db.close()
      await drop()
    },
  }
}

async function paste(target: Target, statements: string): Promise<void> {
  const db = connect(target, { connections: 1, deadlineMs: 120_000 })
  try {
    for (const [statement] of statements.matchAll(/(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g)) {
      if (statement.replace(/^--.*$/gm, '').trim() !== '') await db.work(statement)
    }
  } finally {
    await db.close()
  }
}

/** Puts each statement on lines of its own, as `paste` takes them. */
export const linesOf = (statements: string) => statements.replaceAll(/;\s*/g, ';\n')

/** The findings of one check, which must not be left out. */
export async function found(patient: Patient, name: string, db = patient.db): Promise<Finding[]> {
  const checks = CHECKS.filter((check) => check.name === name)
  assert.equal(checks.length, 1, `there is no check ${name}`)
  const { findings, unchecked } = await examine(db, {
    isEmbedded: patient.server === undefined,
    isThorough: true,
    checks,
  })
  assert.deepEqual(unchecked, [])
  return findings
}

/** The findings of one check in a new session, which has the settings of this moment. */
export async function foundAnew(
  patient: Patient,
  check: string,
  target: Target = patient.ownerTarget,
): Promise<Finding[]> {
  const db = connect(target, { connections: 1 })
  try {
    return await found(patient, check, db)
  } finally {
    await db.close()
  }
}

/** The findings as soon as they are right: PostgreSQL reads changed settings after a moment. */
export async function untilFound(
  patient: Patient,
  check: string,
  is: (findings: Finding[]) => boolean,
): Promise<Finding[]> {
  for (let tries = 0; ; tries += 1) {
    const findings = await foundAnew(patient, check)
    if (is(findings) || tries === 100) return findings
    await sleep(50)
  }
}
