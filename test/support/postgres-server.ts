/** Starts PostgreSQL servers for tests, each in a temporary folder and on a free port. */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endsWithTests } from './children.js'
import { newFolder } from './temporary.js'
import { until } from './until.js'

const run = promisify(execFile)

export type PostgresServer = {
  port: number
  /** The data directory. */
  data: string
  url: (database: string, user?: string) => string
  pid: () => number
  /** Stops it at once, which cuts open queries, and starts it again on the same port. */
  restart: () => Promise<void>
  halt: () => Promise<void>
  start: () => Promise<void>
  stop: () => Promise<void>
}

const urlAt =
  (port: number) =>
  (database: string, user = 'postgres') =>
    `postgres://${user}@127.0.0.1:${port}/${database}`

export const startPostgres = (settings: Record<string, string> = {}): Promise<PostgresServer> =>
  startOn(settings, (data) => [
    program('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
  ])

/** Starts a server on a copy of a data directory whose own server has stopped. */
export const startOnCopy = (data: string, settings: Record<string, string> = {}): Promise<PostgresServer> =>
  startOn(settings, (copy) => ['cp', ['-a', data, copy]])

/** A server that another process started, and stops. */
export function serverOfOthers(port: number): PostgresServer {
  const refuse = () => Promise.reject(new Error('Another process stops this server.'))
  return { port, data: '', url: urlAt(port), pid: () => 0, restart: refuse, halt: refuse, start: refuse, stop: refuse }
}

/** Starts a server with the same databases: an independent one, or a replica, whose replay hardly waits for readers. */
export const copyPostgres = (of: PostgresServer, way: 'own' | 'replica'): Promise<PostgresServer> =>
  startOn(way === 'own' ? {} : { max_standby_streaming_delay: '100ms' }, (data) => {
    const words = ['-D', data, '-h', '127.0.0.1', '-p', String(of.port), '-U', 'postgres', '-c', 'fast', '--no-sync']
    return [program('pg_basebackup'), way === 'replica' ? [...words, '-R'] : words]
  })

async function startOn(
  settings: Record<string, string>,
  make: (data: string) => [program: string, words: string[]],
): Promise<PostgresServer> {
  const folder = newFolder('postgres')
  const owner = process.getuid?.() === 0 ? userIds('postgres') : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const as = owner ?? {}
  const data = join(folder, 'data')
  const [command, words] = make(data)
  // Only root may copy what belongs to user postgres; a copy made by root keeps its owner. The service of this process
  // answers meanwhile.
  await run(command, words, { ...(command === 'cp' ? {} : as), cwd: folder })
  const port = await freePort()
  const shared_preload_libraries = 'pg_stat_statements'
  const options = {
    fsync: 'off',
    shared_buffers: '256MB',
    max_connections: '100',
    shared_preload_libraries,
    ...settings,
  }
  const settingWords = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const start = async () => {
    const child = spawn(program('postgres'), ['-D', data, '-p', String(port), '-k', folder, ...settingWords], {
      ...as,
      cwd: folder,
      stdio: 'ignore',
    })
    // PostgreSQL stops at once at this signal, with all its processes.
    endsWithTests(child, 'SIGQUIT')
    await ready(port, folder, child)
    return child
  }
  let child = await start()
  const end = async () => {
    if (child.exitCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    if (child.pid !== undefined) process.kill(child.pid, 'SIGINT')
    await ended
  }
  return {
    port,
    data,
    url: urlAt(port),
    pid: () => child.pid ?? 0,
    restart: async () => {
      await end()
      child = await start()
    },
    halt: end,
    start: async () => {
      child = await start()
    },
    stop: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function program(name: string): string {
  const versions = existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    : []
  const found = versions.map((version) => `/usr/lib/postgresql/${version}/bin/${name}`).find(existsSync)
  return found ?? name
}

async function ready(port: number, folder: string, child: ChildProcess): Promise<void> {
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: exit status ${child.exitCode}.`)
    return await run(program('pg_isready'), ['-h', folder, '-p', String(port)]).catch(() => undefined)
  }
  await until(answers, { ms: 20_000, everyMs: 100, why: () => 'PostgreSQL did not answer' })
}

export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => done(port))
    })
  })
}

/** PostgreSQL refuses to run as root. */
export function userIds(name: string): { uid: number; gid: number } {
  const id = (what: string) => Number(execFileSync('id', [what, name]).toString())
  return { uid: id('-u'), gid: id('-g') }
}
