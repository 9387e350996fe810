/** Makes databases for tests, each a copy of a template: embedded, or on the PostgreSQL of the test process. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { connect, type Database, type Target } from '../../src/db/connect.js'
import { startEmbedded } from '../../src/db/embedded/embedded.js'
import { migrate } from '../../src/db/migrate.js'
import { makeGrid } from './grid.js'
import { once } from './once.js'
import { ROLE_SETTINGS, startPgbouncer } from './pgbouncer.js'
import { startOnCopy, type PostgresServer } from './postgres-server.js'
import { makeRoles, onPostgres, templateName, templates, type Filling } from './templates.js'
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

/** Declares a suite whose rules are the same on the embedded database, which takes several times as long for them. */
export function describeOnPostgres(title: string, suite: (this: Mocha.Suite) => void): void {
  if (onPostgres) describe(title, suite)
}

const patient = { connections: 4, deadlineMs: 120_000 }

/** Starts the PostgreSQL of this test process at the first call. */
export const postgresServer = once(async () => startOnCopy(await templates()))

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
  const server = await postgresServer()
  const admin = postgres(server.url('postgres'), { max: 1, onnotice: () => {} })
  return await createdOn(server, admin, `template ${templateName(filling)}`)
}

/** Creates a database with options, such as a locale, on PostgreSQL only. */
export async function databaseWith(options: string, state: 'migrated' | 'bare' = 'migrated'): Promise<TestDatabase> {
  const server = await postgresServer()
  const admin = postgres(server.url('postgres'), { max: 1, onnotice: () => {} })
  const database = await createdOn(server, admin, options)
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

async function createdOn(server: PostgresServer, admin: postgres.Sql, options: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${(made += 1)}`
  await admin.unsafe(`create database ${name} ${options}`)
  makeRoles(server.url(name))
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

/** Analysts connect here: on PostgreSQL as frames_analyst; the embedded database has one user for all. */
export const analystTarget = ({ adminTarget }: TestDatabase): Target =>
  typeof adminTarget === 'string' ? adminTarget.replace('//postgres@', '//frames_analyst@') : adminTarget
