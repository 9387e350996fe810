/** Databases for tests: migrated and empty, embedded or on a PostgreSQL started for the run. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { connect, type Database, type Target } from '../../src/db/connect.js'
import { startEmbedded } from '../../src/db/embedded.js'
import { migrate } from '../../src/db/migrate.js'
import { postgresServer } from './postgres-server.js'

export type TestDatabase = { target: Target; db: Database; drop: () => Promise<void> }

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
  return { target: embedded.target, db, drop }
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
  await migrate(server.url(name))
  const db = connect(server.url(name), patient)
  const drop = async () => {
    await db.close()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  }
  return { target: server.url(name), db, drop }
}

export function forgetTemplate(): void {
  if (templateFolder) rmSync(templateFolder, { recursive: true, force: true })
  templateFolder = undefined
}
