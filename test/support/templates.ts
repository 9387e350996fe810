/**
 * Makes template databases. That takes half a minute; to copy one takes a moment. They stay in node_modules/.cache
 * until the program, its SQL or the fixture changes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { connect, type Target } from '../../src/core/db/connect.js'
import { startEmbedded } from '../../src/core/db/embedded/embedded.js'
import { migrate } from '../../src/core/db/migrate.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { build } from '../../src/tools/load/build.js'
import { loadFixtureData } from '../../src/tools/load/fixture.js'
import { once } from './once.js'
import { startPostgres } from './postgres-server.js'
import { newFolder } from './temporary.js'
import { makeWorld } from './world.js'

export const onPostgres = process.env['TEST_DATABASE'] === 'postgres'

/** A template is migrated and empty; or has the frames of the fixture; or has its datasets, too; or those of world.ts. */
export type Filling = 'empty' | 'frames' | 'datasets' | 'world'
/** Each is made of a copy of another one, which comes before it. */
const FILLINGS: readonly (readonly [filling: Filling, of: Filling | undefined])[] = [
  ['empty', undefined],
  ['frames', 'empty'],
  ['datasets', 'frames'],
  ['world', 'frames'],
]
/** So many sets of templates stay: a run that is under way may still copy the older ones. */
const KEPT = 4

/**
 * Returns the folder of the templates. On the embedded database it has a data directory for each filling; on PostgreSQL
 * it is the data directory of a server, which has a database for each. The other processes of the run get the folder by
 * the environment.
 */
export const templates = once(async (): Promise<string> => (process.env['TEST_TEMPLATES'] ??= await cached()))

export const templateName = (filling: Filling) => `template_${filling}`

const path = (name: string) => fileURLToPath(new URL(name, projectFolder))

async function cached(): Promise<string> {
  const kind = onPostgres ? 'postgres' : 'embedded'
  const cache = path('node_modules/.cache/test-databases')
  const folder = join(cache, `${kind}-${sourcesHash()}`)
  if (existsSync(folder)) {
    // The oldest are removed: these are in use.
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  console.log(`Making the template databases; the next run finds them in ${folder}.`)
  const made = await (onPostgres ? makeOnPostgres() : makeEmbedded())
  mkdirSync(cache, { recursive: true })
  const copy = `${folder}.${process.pid}`
  execFileSync('cp', ['-a', made, copy])
  rmSync(made, { recursive: true })
  // Two runs that start at once both make templates. The folder of the first run stays.
  if (existsSync(folder)) rmSync(copy, { recursive: true })
  else renameSync(copy, folder)
  removeOld(cache, kind)
  return folder
}

/** The hash of all files that the content of the templates depends on: this file, what it imports, and data. */
function sourcesHash(): string {
  const hash = createHash('sha256').update(readFileSync(path('package.json')))
  const files = imported(fileURLToPath(import.meta.url))
  for (const folder of ['migrations', 'sql', 'fixtures'])
    for (const entry of readdirSync(path(folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.name.endsWith('.md')) files.add(join(entry.parentPath, entry.name))
  for (const file of [...files].sort()) hash.update(file.slice(path('.').length)).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Adds a compiled file and all files of the project that it imports. */
function imported(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known
  known.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g))
    imported(join(dirname(file), name), known)
  return known
}

function removeOld(cache: string, kind: string): void {
  const age = (name: string) => statSync(join(cache, name)).mtimeMs
  const known = readdirSync(cache).filter((name) => new RegExp(`^${kind}-\\w+$`).test(name))
  const old = known.sort((one, other) => age(other) - age(one)).slice(KEPT)
  for (const name of old) rmSync(join(cache, name), { recursive: true, force: true })
}

async function makeEmbedded(): Promise<string> {
  const folder = newFolder('templates')
  for (const [filling, of] of FILLINGS) {
    const dataDir = join(folder, filling)
    if (of !== undefined) cpSync(join(folder, of), dataDir, { recursive: true })
    const embedded = await startEmbedded(dataDir, (error) => {
      throw error
    })
    await addFilling(embedded.target, filling)
    await embedded.close()
  }
  return folder
}

async function makeOnPostgres(): Promise<string> {
  const server = await startPostgres()
  const admin = postgres(server.url('postgres'), { max: 1 })
  for (const [filling, of] of FILLINGS) {
    const name = templateName(filling)
    await admin.unsafe(`create database ${name} template ${of ? templateName(of) : 'template1'}`)
    makeRoles(server.url(name))
    await addFilling(server.url(name, 'frames_owner'), filling)
  }
  await admin.end()
  await server.halt()
  return server.data
}

async function addFilling(target: Target, filling: Filling): Promise<void> {
  if (filling === 'empty') return void (await migrate(target))
  const db = connect(target, { connections: 4, deadlineMs: 120_000 })
  try {
    const sources = { outline: path('fixtures/outline.geojson'), wards: path('fixtures/wards.json') }
    if (filling === 'frames') await build(db, sources, () => {})
    else if (filling === 'world') await makeWorld(db)
    else await loadFixtureData(db, () => {})
  } finally {
    await db.close()
  }
}

/** Makes the roles as the DBA does, with the documented script. */
export const makeRoles = (url: string, passwords?: Record<string, string>): void =>
  runScript(url, 'migrations/roles.sql', [], passwords)

export function runScript(url: string, script: string, words: string[], passwords: Record<string, string> = {}): void {
  execFileSync('psql', ['-X', '-d', url, ...words, '-f', path(script)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...passwords },
  })
}
