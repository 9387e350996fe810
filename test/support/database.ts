/** Databases for tests: migrated and empty, embedded or on a PostgreSQL started for the run. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { connect, type Database, type Target } from '../../src/db/connect.js'
import { startEmbedded } from '../../src/db/embedded.js'
import { migrate } from '../../src/db/migrate.js'
import { projectFolder } from '../../src/db/statement.js'
import { postgresServer } from './postgres-server.js'

export type TestDatabase = {
  /** What the service connects to: on PostgreSQL as frames_service, which may do little. */
  target: Target
  /** What migrates, loads and mints: on PostgreSQL as frames_owner. */
  ownerTarget: Target
  /** Who may make roles: a superuser. */
  adminTarget: Target
  db: Database
  drop: () => Promise<void>
}

export const onPostgres = process.env['TEST_DATABASE'] === 'postgres'
const patient = { connections: 4, deadlineMs: 120_000 }

export const newDatabase = (): Promise<TestDatabase> => (onPostgres ? newOnPostgres() : newEmbedded())

let made = 0
let templateFolder: string | undefined

/** Making an embedded database takes ten seconds, copying one a moment: the first is kept as it was when migrated. */
async function newEmbedded(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'frames-test-'))
  if (templateFolder) cpSync(join(templateFolder, 'postgres'), join(folder, 'postgres'), { recursive: true })
  else await makeTemplate(folder)
  const embedded = await startEmbedded(folder, (error) => {
    throw error
  })
  const db = connect(embedded.target, patient)
  const drop = async () => {
    await db.close()
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { target: embedded.target, ownerTarget: embedded.target, adminTarget: embedded.target, db, drop }
}

async function makeTemplate(folder: string): Promise<void> {
  const embedded = await startEmbedded(folder, (error) => {
    throw error
  })
  await migrate(embedded.target)
  await embedded.close()
  templateFolder = mkdtempSync(join(tmpdir(), 'frames-template-'))
  cpSync(join(folder, 'postgres'), join(templateFolder, 'postgres'), { recursive: true })
}

async function newOnPostgres(): Promise<TestDatabase> {
  const server = await postgresServer()
  const admin = postgres(server.url('postgres'), { max: 1, onnotice: () => {} })
  const name = `test_${process.pid}_${(made += 1)}`
  await admin.unsafe(`create database ${name}`)
  makeRoles(server.url(name))
  const [target, ownerTarget] = [server.url(name, 'frames_service'), server.url(name, 'frames_owner')]
  await migrate(ownerTarget)
  const db = connect(ownerTarget, patient)
  const drop = async () => {
    await db.close()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  }
  return { target, ownerTarget, adminTarget: server.url(name), db, drop }
}

/** Of a database on PostgreSQL. */
export function urlOf(target: Target): string {
  if (typeof target !== 'string') throw new Error('An embedded database has no URL.')
  return target
}

/** As the DBA does, by the script that the project documents. */
export function makeRoles(url: string, passwords: Record<string, string> = {}): void {
  const script = fileURLToPath(new URL('migrations/roles.sql', projectFolder))
  execFileSync('psql', ['-X', '-d', url, '-f', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...passwords },
  })
}

export function forgetTemplate(): void {
  if (templateFolder) rmSync(templateFolder, { recursive: true, force: true })
  templateFolder = undefined
}
