/** The service under test: real HTTP over the embedded database, or over PostgreSQL with TEST_DATABASE=postgres. */
import { fileURLToPath } from 'node:url'
import { createApp } from '../../src/app.js'
import type { Database } from '../../src/db/connect.js'
import { projectFolder } from '../../src/db/statement.js'
import { serve, type Running } from '../../src/http/server.js'
import { build } from '../../src/load/build.js'
import { closeServices, openServices, type Services } from '../../src/services.js'
import { newDatabase, type TestDatabase } from './database.js'

export type Service = { url: string; host: string; port: number; db: Database; database: TestDatabase }
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
  return { url: `http://127.0.0.1:${port}`, host: '127.0.0.1', port, db: database.db, database, stop }
}

export const get = (path: string, headers: Record<string, string> = {}) => request('GET', path, headers)

export async function request(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const response = await fetch(service().url + path, {
    method,
    headers,
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
