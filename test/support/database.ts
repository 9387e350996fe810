/** Databases for tests: migrated and empty, embedded or on a PostgreSQL started for the run. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { connect, type Database, type Target } from '../../src/db/connect.js'
import { startEmbedded } from '../../src/db/embedded/embedded.js'
import { migrate } from '../../src/db/migrate.js'
import { projectFolder } from '../../src/db/statement.js'
import { build } from '../../src/load/build.js'
import { loadFixtureData } from '../../src/load/fixture-data.js'
import { makeGrid } from './grid.js'
import { postgresServer, type PostgresServer } from './postgres-server.js'

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

/** Migrated and empty; with the frames of the fixture; with its datasets too; or, on PostgreSQL only, of a nation's size. */
export type Filling = 'empty' | 'frames' | 'datasets' | 'grid'

export const newDatabase = (filling: Filling = 'empty'): Promise<TestDatabase> =>
  onPostgres ? newOnPostgres(filling) : newEmbedded(filling)

/** Filling a database takes seconds, copying one a moment: the first of each kind is kept as it was when filled. */
const templates = new Map<Filling, Promise<string>>()

function templateOf(filling: Filling, make: () => Promise<string>): Promise<string> {
  const made = templates.get(filling) ?? make()
  templates.set(filling, made)
  return made
}

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, projectFolder))

async function fill(target: Target, filling: Filling): Promise<void> {
  await migrate(target)
  const db = connect(target, patient)
  try {
    if (filling === 'grid') await makeGrid(db)
    else if (filling !== 'empty') {
      await build(db, { outline: fixture('outline.geojson'), wards: fixture('wards.json') }, () => {})
    }
    if (filling === 'datasets') await loadFixtureData(db, () => {})
  } finally {
    await db.close()
  }
}

async function newEmbedded(filling: Filling): Promise<TestDatabase> {
  const template = await templateOf(filling, () => embeddedTemplate(filling))
  const folder = mkdtempSync(join(tmpdir(), 'frames-test-'))
  cpSync(join(template, 'postgres'), join(folder, 'postgres'), { recursive: true })
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
  return { target, ownerTarget: target, adminTarget: target, db, drop }
}

async function embeddedTemplate(filling: Filling): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'frames-template-'))
  const base = filling === 'empty' ? undefined : await templateOf('empty', () => embeddedTemplate('empty'))
  if (base) cpSync(join(base, 'postgres'), join(folder, 'postgres'), { recursive: true })
  const embedded = await startEmbedded(folder, (error) => {
    throw error
  })
  await fill(embedded.target, filling)
  await embedded.close()
  return folder
}

let made = 0

async function newOnPostgres(filling: Filling): Promise<TestDatabase> {
  const server = await postgresServer()
  const admin = postgres(server.url('postgres'), { max: 1, onnotice: () => {} })
  const template = await templateOf(filling, () => postgresTemplate(server, admin, filling))
  return await createdOn(server, admin, `template ${template}`)
}

/** On PostgreSQL only: created with options of its own, such as a locale; migrated unless it is to stay bare. */
export async function databaseWith(options: string, state: 'migrated' | 'bare' = 'migrated'): Promise<TestDatabase> {
  const server = await postgresServer()
  const admin = postgres(server.url('postgres'), { max: 1, onnotice: () => {} })
  const database = await createdOn(server, admin, options)
  if (state === 'migrated') await migrate(database.ownerTarget)
  return database
}

async function createdOn(server: PostgresServer, admin: postgres.Sql, options: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${(made += 1)}`
  await admin.unsafe(`create database ${name} ${options}`)
  makeRoles(server.url(name))
  const [target, ownerTarget] = [server.url(name, 'frames_service'), server.url(name, 'frames_owner')]
  const db = connect(ownerTarget, patient)
  const drop = async () => {
    await db.close()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  }
  return { target, ownerTarget, adminTarget: server.url(name), db, drop }
}

/** A server that is there already may have the template, too. */
async function postgresTemplate(server: PostgresServer, admin: postgres.Sql, filling: Filling): Promise<string> {
  const name = `template_${filling}`
  const [known] = await admin.unsafe(`select from pg_database where datname = '${name}'`)
  if (known) return name
  await admin.unsafe(`create database ${name}`)
  makeRoles(server.url(name))
  await fill(server.url(name, 'frames_owner'), filling)
  return name
}

/** Of a database on PostgreSQL. */
export function urlOf(target: Target): string {
  if (typeof target !== 'string') throw new Error('An embedded database has no URL.')
  return target
}

/** Who may look through schema analyst: on PostgreSQL as frames_analyst; the embedded database has one user for all. */
export const analystTarget = ({ adminTarget }: TestDatabase): Target =>
  typeof adminTarget === 'string' ? adminTarget.replace('//postgres@', '//frames_analyst@') : adminTarget

/** As the DBA does, by the script that the project documents. */
export function makeRoles(url: string, passwords: Record<string, string> = {}): void {
  const script = fileURLToPath(new URL('migrations/roles.sql', projectFolder))
  execFileSync('psql', ['-X', '-d', url, '-f', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...passwords },
  })
}

export async function forgetTemplates(): Promise<void> {
  if (!onPostgres) {
    for (const folder of await Promise.all(templates.values())) rmSync(folder, { recursive: true, force: true })
  }
  templates.clear()
}
