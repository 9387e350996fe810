/** Starts the service under test, and calls it over HTTP. */
import { Agent } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { fileURLToPath } from 'node:url'
import supertest from 'supertest'
import { mintKey, type NewKey } from '../../src/core/access/keys.js'
import { createOrganisation, type Plan } from '../../src/core/access/organisations.js'
import { randomText } from '../../src/core/access/secret.js'
import type { Config } from '../../src/server/config.js'
import {
  connect,
  type Database,
  type DatabaseOptions,
  type MovingTarget,
  type Target,
} from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { deadlineIn } from '../../src/core/deadline.js'
import type { TrustedHeader } from '../../src/core/client-address.js'
import { serve, type Running, type ServerOptions } from '../../src/server/http-server.js'
import type { BucketSizes } from '../../src/core/limits/buckets.js'
import { healthOf } from '../../src/server/health.js'
import { serveOps } from '../../src/server/ops-port.js'
import { openSite } from '../../src/server/site.js'
import type { Services } from '../../src/services.js'
import type { Operators } from '../../src/app/shell/settings.js'
import type { OpenIdSettings } from '../../src/app/openid/settings.js'
import { brokenFaults, complain, describedAt, faultsOf, holdToDescription, type Received } from './description.js'
import { faultLog } from './faults.js'
import { newDatabase, onPostgres, type TestDatabase } from './database.js'
import { once } from './once.js'
import { redisServer } from './redis-server.js'
import type { Minted } from './world.js'

export type Service = { url: string; host: string; port: number; db: Database; database: TestDatabase; secret: string }
export type Answer = Received

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, projectFolder))

let shared: Service | undefined

/**
 * Returns the service of this test process, with the web app. Tests add organisations to its database, and change
 * nothing else there.
 */
export function service(): Service {
  if (!shared) throw new Error('The root hook of hooks.ts starts the service; --require dist/test/support/hooks.js.')
  return shared
}

/** Starts that service at the first call; it ends with the process. */
export const startShared = once(async (): Promise<void> => {
  const database = await newDatabase('datasets')
  const redisUrl = onPostgres ? (await redisServer()).url : undefined
  shared = await startService(database, { redisUrl, publicUrl: 'listening' })
})

/** Buckets so large that only tests about buckets empty one. */
const size = { burst: 900_000, perMinute: 900_000 }
const roomy: BucketSizes = { key: size, organisation: size, insight: size }

type Settings = {
  redisUrl?: string | undefined
  buckets?: BucketSizes
  trustedHeader?: TrustedHeader
  corsOrigins?: string[]
  /** Whether the keys to test with are accepted. */
  testKeys?: boolean
  /** Gets each statement before the service sends it, and its database. The statement waits for a returned promise. */
  watch?: (text: string, target: Target) => unknown
  /** The replicas for reads. */
  readDatabaseUrls?: string[]
  readLagMaxMs?: number
  authorityGraceMs?: number
  /** Gets each line that the service logs. */
  logged?: (line: string) => void
  /** The address of the wording engine. */
  wordingUrl?: string | undefined
  /** The clock of the breaker of the wording engine. */
  clock?: () => number
  /** The deadline of each call. */
  callMs?: number
  /** The replicas are probed again and again. */
  probes?: { everyMs: number; deadlineMs: number }
  /** The clock of the buckets in the process, in microseconds. */
  bucketClock?: () => number
  /** How often counts of calls are written. By default they are written when the service stops. */
  writeUseEveryMs?: number
  /** Opens the operators' port as well. */
  ops?: boolean
  /** Switches the web app on: at this address, whose PORT is that of the server, or at `listening`, the server's own. */
  publicUrl?: string
  /** The OpenID provider of the web app. */
  openId?: OpenIdSettings | undefined
  /** The organisations whose Owners and Admins see the health of the service; by default none. */
  operators?: Operators | undefined
  /** The base map of the web app. */
  basemapFile?: string | undefined
  http?: Partial<ServerOptions>
  queries?: Partial<DatabaseOptions>
  /** How long reads are retried while the primary is away. */
  retryMs?: number
}

export async function startService(
  database: TestDatabase,
  {
    redisUrl,
    buckets = roomy,
    trustedHeader,
    corsOrigins = [],
    testKeys = false,
    watch,
    logged,
    wordingUrl,
    clock,
    bucketClock,
    callMs,
    probes = { everyMs: 100, deadlineMs: 2000 },
    readDatabaseUrls = [],
    readLagMaxMs = 30_000,
    authorityGraceMs = 0,
    writeUseEveryMs = 3_600_000,
    ops = false,
    publicUrl,
    openId,
    operators: organisations,
    basemapFile,
    http = {},
    queries = {},
    retryMs,
  }: Settings = {},
): Promise<
  Service &
    Pick<Services, 'replicas' | 'readerForRequest' | 'keyUse' | 'unknownWords'> & {
      opsUrl: string
      stop: () => Promise<void>
    }
> {
  const watched = (target: MovingTarget, options?: Partial<DatabaseOptions>): Database => {
    const isRetried = options?.retryMs !== undefined && retryMs !== undefined
    const db = connect(target, { ...options, ...(isRetried && { retryMs }), ...queries })
    const rows: Database['rows'] = (text, ...asked) => {
      const held = watch?.(text, typeof target === 'function' ? target() : target)
      return held instanceof Promise ? held.then(() => db.rows(text, ...asked)) : db.rows(text, ...asked)
    }
    // A charge fails at the deadline of `queries`, though its call has a later one.
    const write: Database['write'] = (place, query, bounds) =>
      db.write(
        place,
        query,
        queries.deadlineMs === undefined ? bounds : { ...bounds, deadline: deadlineIn(queries.deadlineMs) },
      )
    return { ...db, rows, write }
  }
  const wording =
    wordingUrl === undefined ? undefined : { apiKey: 'test-key', baseUrl: wordingUrl, model: 'claude-test' }
  const settings = {
    logLevel: logged ? 'info' : 'error',
    redisUrl,
    buckets,
    trustedHeader,
    corsOrigins,
    testKeys,
    wording,
    readDatabaseUrls,
    readLagMaxMs,
    authorityGraceMs,
    web:
      publicUrl === undefined
        ? undefined
        : webAt(publicUrl, database, { openId, operators: organisations, basemapFile }),
  } as const
  const site = openSite(settings, database.target, {
    connect: watched,
    logTo: logged ? { write: logged } : faultLog,
    clock,
    bucketClock,
    callMs,
    writeUseEveryMs,
    probes,
  })
  const { services } = site
  await services.replicas.findPrimary()
  await services.replicas.check()
  const server: Running = await serve(site.app, '127.0.0.1', 0, {
    onDrop: services.metrics.countDropped,
    watchUnreadBytes: services.metrics.watchUnreadBytes,
    ...http,
  })
  const health = healthOf(services.hosts.target, services.replicas.isStandingIn)
  const operators = ops ? await serveOps(site, health, { host: '127.0.0.1', port: 0, otherwise: 'fail' }) : undefined
  const { port } = server
  const forgetAddress = describedAt(`http://127.0.0.1:${port}`)
  const stop = async () => {
    server.server.closeAllConnections()
    await new Promise((done) => server.server.close(done))
    forgetAddress()
    await operators?.close()
    await Promise.all([health.close(), site.close()])
  }
  const { secret } = await mint(database.db)
  const at = (given: number | undefined) => `http://127.0.0.1:${given}`
  return {
    url: at(port),
    opsUrl: at(operators?.port),
    host: '127.0.0.1',
    port,
    db: database.db,
    database,
    secret,
    replicas: services.replicas,
    readerForRequest: services.readerForRequest,
    keyUse: services.keyUse,
    unknownWords: services.unknownWords,
    stop,
  }
}

const webAt = (
  publicUrl: string,
  { consoleTarget }: TestDatabase,
  { openId, operators = [], basemapFile }: Pick<Settings, 'openId' | 'operators' | 'basemapFile'>,
): Config['web'] => ({
  basemapFile,
  openId,
  operators,
  publicUrl: (port) =>
    new URL(publicUrl === 'listening' ? `http://127.0.0.1:${port}` : publicUrl.replace('PORT', String(port))),
  databaseUrl: typeof consoleTarget === 'string' ? consoleTarget : undefined,
})

export type { Minted } from './world.js'

export const newOrganisation = async (db: Database, plan: Plan = 'trial'): Promise<string> =>
  (await createOrganisation(db, `Tests ${randomText(8)}`, plan)).orgId

/** Mints a key. By default it may do everything, and has an organisation of its own. */
export async function mint(
  db: Database,
  wanted: Partial<Omit<NewKey, 'days' | 'until'>> & { days?: number } = {},
): Promise<Minted> {
  return await mintKey(db.run, {
    org: wanted.org ?? (await newOrganisation(db)),
    name: 'tests',
    preset: wanted.capabilities ? undefined : 'full-read',
    capabilities: undefined,
    datasets: undefined,
    days: 30,
    ...wanted,
  })
}

type Ask = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array; signal?: AbortSignal }

/** superagent opens a connection for each call unless it is given an agent. */
const keepAlive = new Agent({ keepAlive: true })

/** Calls the API by supertest. An answer that openapi.yaml does not allow fails the test. */
export async function ask(url: string, { method = 'GET', headers = {}, body, signal }: Ask = {}): Promise<Answer> {
  // superagent sends no Accept-Encoding with HEAD by itself, and would read JSON and write it again.
  const call = new supertest.Test(url, method, '').agent(keepAlive).set('Accept-Encoding', 'gzip, deflate').set(headers)
  call.buffer(true).parse(readText)
  if (body !== undefined) call.serialize((bytes: unknown) => bytes as string).send(Buffer.from(body))
  signal?.addEventListener('abort', () => void call.abort())
  const response = await call
  const pairs = Object.entries(response.headers as Record<string, string | string[]>)
  const came = new Headers(
    pairs.flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])),
  )
  const answer = received(response.status, came, typeof response.body === 'string' ? response.body : '')
  holdToDescription(method, url, answer)
  return answer
}

function readText(response: supertest.Response, done: (error: Error | null, text: string) => void): void {
  const pieces: Buffer[] = []
  response.on('data', (piece: Buffer) => pieces.push(piece))
  response.on('end', () => done(null, Buffer.concat(pieces).toString()))
}

const received = (status: number, headers: Headers, text: string): Answer => ({
  status,
  headers,
  text,
  body: text === '' ? undefined : parsed(text),
})

/** Sends bytes as they are, and returns all that comes back until the server hangs up. */
export async function askRaw({ host, port }: Service, bytes: string): Promise<string> {
  const text = await new Promise<string>((done, failed) => {
    const socket = connectSocket(port, host, () => socket.write(bytes))
    let came = ''
    socket.setTimeout(20_000, () => socket.destroy(new Error('the server did not hang up')))
    socket.on('data', (data) => (came += data.toString()))
    socket.on('close', () => done(came))
    socket.on('error', (error: NodeJS.ErrnoException) => error.code !== 'ECONNRESET' && failed(error))
  })
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.replace(/:.*/, ''), line.replace(/^[^:]*: /, '')]),
  )
  const answer = received(Number(status.split(' ')[1]), headers, body)
  const [, method = '', path = ''] = /^([A-Z]+) (?:http:\/\/[^/ ]*)?(\S+) HTTP\/1\.[01]\r\n/.exec(bytes) ?? []
  // The server may refuse as broken HTTP what looks like a call.
  const faults = path === '' ? ['not a call'] : faultsOf(method, path, answer)
  if (faults.length > 0) complain(bytes, answer, brokenFaults(answer))
  return text
}

/** Calls the service of this process with a key that may do everything, unless the headers bring another. */
export const get = (path: string, headers: Record<string, string> = {}) => request('GET', path, headers)

export const request = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  ask(service().url + path, {
    method,
    headers: { authorization: `Bearer ${service().secret}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

export const errorOf = (answer: Answer) => (answer.body as { error: { code: string; message: string } }).error

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
