/** The service under test: real HTTP over the embedded database, or over PostgreSQL with TEST_DATABASE=postgres. */
import { fileURLToPath } from 'node:url'
import type { Preset } from '../../src/access/capabilities.js'
import { mintKey } from '../../src/access/keys.js'
import { createOrganisation } from '../../src/access/organisations.js'
import { randomText } from '../../src/access/secret.js'
import { createApp } from '../../src/app.js'
import type { Database } from '../../src/db/connect.js'
import { projectFolder } from '../../src/db/statement.js'
import { serve, type Running } from '../../src/http/server.js'
import { build } from '../../src/load/build.js'
import { closeServices, openServices, type Services } from '../../src/services.js'
import { newDatabase, type TestDatabase } from './database.js'

export type Service = { url: string; host: string; port: number; db: Database; database: TestDatabase; secret: string }
export type Answer = { status: number; headers: Headers; text: string; body: unknown }

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, projectFolder))

let running: (Service & { stop: () => Promise<void> }) | undefined

/** The one service that the tests which only read share. */
export function service(): Service {
  if (!running) throw new Error('The service is started by the root hook in hooks.ts.')
  return running
}

export async function startShared(): Promise<void> {
  const database = await newDatabase()
  const { db } = database
  await build(db, { outline: fixture('outline.geojson'), wards: fixture('wards.json') }, () => {})
  const started = await startService(database)
  running = started
}

export async function stopShared(): Promise<void> {
  await running?.stop()
  await running?.database.drop()
  running = undefined
}

export async function startService(database: TestDatabase): Promise<Service & { stop: () => Promise<void> }> {
  const services: Services = openServices({ logLevel: 'silent' }, database.target)
  const server: Running = await serve(createApp(services), '127.0.0.1', 0)
  const stop = async () => {
    server.server.closeAllConnections()
    await new Promise((done) => server.server.close(done))
    await closeServices(services)
  }
  const { port } = server
  const secret = await mintFor(database, 'full-read')
  return { url: `http://127.0.0.1:${port}`, host: '127.0.0.1', port, db: database.db, database, secret, stop }
}

/** A key of an organisation of its own. */
async function mintFor({ db }: TestDatabase, preset: Preset): Promise<string> {
  const { orgId } = await createOrganisation(db.writes(), `Tests ${randomText(6)}`, 'trial')
  const wanted = { org: orgId, name: 'tests', preset, capabilities: undefined, datasets: undefined, days: 30 }
  return (await mintKey(db.writes(), wanted)).secret
}

/** Asks with a key that may do everything, unless the headers bring another. */
export const get = (path: string, headers: Record<string, string> = {}) => request('GET', path, headers)

export async function request(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const key = { authorization: `Bearer ${service().secret}` }
  const response = await fetch(service().url + path, {
    method,
    headers: { ...key, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
