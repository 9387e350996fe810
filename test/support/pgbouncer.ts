/** Starts PgBouncer in front of a PostgreSQL of the tests, in a temporary folder and on a free port. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { endsWithTests } from './children.js'
import { freePort, userIds } from './postgres-server.js'
import { newFolder } from './temporary.js'
import { until } from './until.js'

export type Pgbouncer = {
  /** The URL of the same database, by way of PgBouncer. */
  urlOf: (url: string) => string
  kill: () => Promise<void>
  start: () => Promise<void>
  stop: () => Promise<void>
}

type Options = {
  mode: 'transaction' | 'session'
  /** Versions from 1.21 on can keep prepared statements in transaction mode. */
  keepsPrepared?: boolean
  /** The settings of a session that PgBouncer drops; it refuses a session that has others. */
  ignored?: string
}

/** A role needs these where a pooler drops the settings of a session: docs/deploy.md says so. */
export const ROLE_SETTINGS = { plan_cache_mode: 'force_generic_plan', jit: 'off', lock_timeout: '2s' }

/** PGBOUNCER names another version than the one on the path. */
const PROGRAM = process.env['PGBOUNCER'] ?? 'pgbouncer'

/** Version 1.21 brought the setting, and older versions refuse to start with it. */
export function canKeepPrepared(): boolean {
  const { stdout } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' })
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

const USERS = ['postgres', 'frames_owner', 'frames_service', 'frames_console', 'frames_analyst']

/** docs/deploy.md names the settings that are ignored. */
export async function startPgbouncer(
  postgresPort: number,
  { mode, keepsPrepared = false, ignored = 'plan_cache_mode,jit,lock_timeout,statement_timeout' }: Options,
): Promise<Pgbouncer> {
  const folder = newFolder('pgbouncer')
  const port = await freePort()
  const [config, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: mode,
    default_pool_size: 20,
    server_login_retry: 1,
    ignore_startup_parameters: ignored,
    ...(canKeepPrepared() && { max_prepared_statements: keepsPrepared ? 200 : 0 }),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(users, USERS.map((user) => `"${user}" ""\n`).join(''))
  writeFileSync(
    config,
    ['[databases]', `* = host=127.0.0.1 port=${postgresPort}`, '[pgbouncer]', ...lines, ''].join('\n'),
  )
  // PgBouncer refuses to run as root.
  const owner = process.getuid?.() === 0 ? userIds('postgres') : undefined
  if (owner) for (const path of [folder, config, users]) chownSync(path, owner.uid, owner.gid)
  let child: ChildProcess | undefined
  const start = async () => {
    const started = spawn(PROGRAM, ['-q', config], { ...owner, cwd: folder, stdio: 'ignore' })
    child = started
    endsWithTests(started)
    const ended = () => `PgBouncer did not start, ${started.exitCode},`
    await until(() => started.exitCode !== null || listens(port), { ms: 5000, everyMs: 25, why: ended })
    if (started.exitCode !== null) throw new Error(ended())
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child?.once('exit', done))
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return { urlOf: (url) => url.replace(/:\d+\//, `:${port}/`), kill, start, stop: kill }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true))
    socket.on('error', () => done(false)).on('connect', () => socket.destroy())
  })
