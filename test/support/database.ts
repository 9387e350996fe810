/** Makes databases for tests, each a copy of a template: embedded, or on the PostgreSQL of the test process. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { connect, type Database, type Target } from '../../src/core/db/connect.js'
import { startEmbedded } from '../../src/core/db/embedded/embedded.js'
import { migrate } from '../../src/core/db/migrate.js'
import { makeGrid } from './grid.js'
import { once } from './once.js'
import { ROLE_SETTINGS, startPgbouncer } from './pgbouncer.js'
import { serverOfOthers, startOnCopy, type PostgresServer } from './postgres-server.js'
import { makeRoles, onPostgres, runScript, templateName, templates, type Filling } from './templates.js'
import { newFolder } from './temporary.js'

export type TestDatabase = {
  /** The service connects here: on PostgreSQL as frames_service, which may do little. */
  target: Target
  /** The web app connects here: on PostgreSQL as frames_console. */
  consoleTarget: Target
  /** Commands migrate, load and mint here: on PostgreSQL as frames_owner. */
  ownerTarget: Target
  /** A superuser makes roles here. */
  adminTarget: Target
  db: Database
  drop: () => Promise<void>
}

export { makeRoles, onPostgres }

const patient = { connections: 4, deadlineMs: 120_000 }

/** Starts the PostgreSQL of this test process at the first call. The tests of a mutant share the server of their run. */
export const postgresServer = once(async () => {
  const port = process.env['TEST_POSTGRES_PORT']
  return port === undefined ? await startOnCopy(await templates()) : serverOfOthers(Number(port))
})

/** Copies a template; or generates a grid of a nation's size, on PostgreSQL only. */
export const newDatabase = (filling: Filling | 'grid' = 'empty'): Promise<TestDatabase> =>
  filling === 'grid' ? newGrid() : onPostgres ? newOnPostgres(filling) : newEmbedded(filling)

async function newGrid(): Promise<TestDatabase> {
  const database = await newOnPostgres('empty')
  await makeGrid(database.db)
  return database
}

async function newEmbedded(filling: Filling): Promise<TestDatabase> {
  const folder = newFolder('embedded')
  cpSync(join(await templates(), filling), folder, { recursive: true })
  const embedded = await startEmbedded(folder, (error) => {
    throw error
  })
  const { target } = embedded
  const db = connect(target, patient)
  const drop = async () => {
    await db.close()
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { target, consoleTarget: target, ownerTarget: target, adminTarget: target, db, drop }
}

let made = 0

async function newOnPostgres(filling: Filling): Promise<TestDatabase> {
  // PostgreSQL copies the files in 0.1 s of processor time. By default it writes each page to the WAL, which takes 0.5 s.
  const created = await createDatabase(`template ${templateName(filling)} strategy file_copy`)
  await created.admin.unsafe(grantsOn(created.name))
  const database = await opened(created)
  // A mutant of the database: its template is that of the unbroken program.
  const change = process.env['TEST_DATABASE_CHANGE']
  if (change !== undefined) await database.db.work(change)
  return database
}

/** A copy of a template has the grants of the template, but for those on the database itself. */
const grantsOn = (name: string) =>
  `revoke all on database ${name} from public;
  grant connect on database ${name} to frames_service, frames_console, frames_analyst;
  grant connect, create, temporary on database ${name} to frames_owner`

/** Creates a database with options, such as a locale, on PostgreSQL only. */
export async function databaseWith(options: string, state: 'migrated' | 'bare' = 'migrated'): Promise<TestDatabase> {
  const created = await createDatabase(options)
  makeRoles(created.server.url(created.name))
  const database = await opened(created)
  if (state === 'migrated') await migrate(database.ownerTarget)
  return database
}

/** By way of PgBouncer, TEST_POOLER=transaction prepares no statement, and TEST_POOLER=prepared prepares them. */
const throughPooler = process.env['TEST_POOLER']
const keepsPrepared = throughPooler === 'prepared'
const pooler = once(async () => startPgbouncer((await postgresServer()).port, { mode: 'transaction', keepsPrepared }))

async function poolerUrl(admin: postgres.Sql, url: string, database: string): Promise<string> {
  if (throughPooler === undefined) return url
  for (const [name, value] of Object.entries(ROLE_SETTINGS))
    await admin.unsafe(`alter role frames_service in database ${database} set ${name} = '${value}'`)
  return `${(await pooler()).urlOf(url)}${keepsPrepared ? '' : '?prepare=false'}`
}

type Created = { server: PostgresServer; admin: postgres.Sql; name: string }

async function createDatabase(options: string): Promise<Created> {
  const server = await postgresServer()
  const admin = postgres(server.url('postgres'), { max: 1, onnotice: () => {} })
  const name = `test_${process.pid}_${(made += 1)}`
  await admin.unsafe(`create database ${name} ${options}`)
  return { server, admin, name }
}

async function opened({ server, admin, name }: Created): Promise<TestDatabase> {
  const target = await poolerUrl(admin, server.url(name, 'frames_service'), name)
  const ownerTarget = server.url(name, 'frames_owner')
  const consoleTarget = server.url(name, 'frames_console')
  const db = connect(ownerTarget, patient)
  const drop = async () => {
    await db.close()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  }
  return { target, consoleTarget, ownerTarget, adminTarget: server.url(name), db, drop }
}

/** Returns the URL of a database on PostgreSQL. */
export function urlOf(target: Target): string {
  if (typeof target !== 'string') throw new Error('An embedded database has no URL.')
  return target
}

/** Makes the login of one analyst, on PostgreSQL only, and returns its URL. */
export function newLogin({ adminTarget }: TestDatabase, name: string): string {
  runScript(urlOf(adminTarget), 'migrations/login.sql', ['-v', `login=${name}`])
  return urlOf(adminTarget).replace('//postgres@', `//${name}@`)
}

/** Analysts connect here: on PostgreSQL as frames_analyst; the embedded database has one user for all. */
export const analystTarget = ({ adminTarget }: TestDatabase): Target =>
  typeof adminTarget === 'string' ? adminTarget.replace('//postgres@', '//frames_analyst@') : adminTarget
