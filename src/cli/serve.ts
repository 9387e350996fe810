/** frames serve: the API on its port, over DATABASE_URL's database or the embedded one. */
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../app.js'
import type { Config } from '../config.js'
import { connect, type Target } from '../db/connect.js'
import { isLostWrite } from '../db/driver/lost-write.js'
import { embeddedExists, startEmbedded, type Embedded } from '../db/embedded/embedded.js'
import { migrate, whatIsMissing } from '../db/migrate.js'
import { indexGeneration } from '../db/statements.js'
import { refuseTaken } from '../server/listen.js'
import { serve, type Running } from '../server/http-server.js'
import { loadFixture } from '../load/fixture.js'
import { healthOf } from '../server/health.js'
import { serveOps } from '../server/ops-port.js'
import { openServices, type Services } from '../services.js'
import { addressOf, mintDemo, toTry, type DemoKey } from './demo.js'
import { command, form, type Out } from './command.js'

const untilStopped = form({
  does: 'Answers calls on HOST:PORT (127.0.0.1:3000), and probes on OPS_PORT (3001), until it is told to stop. Its settings are in the environment: docs/settings.md lists them. With --json, prints the addresses and the new keys once it listens.',
  run: async (config, _given, out) => {
    await refuseTakenPorts(config)
    const embedded = config.databaseUrl ? undefined : await startWithFixture(config, out)
    const target: Target = config.databaseUrl ?? embedded?.target ?? ''
    try {
      const services = await openChecked(config, target)
      surviveLostSockets(services)
      const { drainMs } = config
      const { countDropped, watchUnreadBytes } = services.metrics
      const running = await serve(createApp(services), config.host, config.port, {
        drainMs,
        onDrop: countDropped,
        watchUnreadBytes,
      })
      const health = healthOf(target, services.replicas.isStandingIn)
      const ops = await serveOps(services, health, { host: config.host, ...config.ops })
      const demo = embedded ? await mintDemo(services.primary) : undefined
      const at = (port: number) => addressOf(config.host, port)
      out.progress(welcome(at(running.port), at(ops.port), embedded, demo))
      if (out.json) out.result({ url: at(running.port), opsUrl: at(ops.port), keys: demo ?? [] }, '')
      await toldToStop()
      void toldToStop().then((signal) => endAtOnce(signal, running, out))
      out.progress('stopping: open requests are answered first; told again, they are cut')
      health.drain()
      const cut = await closedInTime(running, drainMs + STOP_MS)
      if (cut > 0) out.progress(`${cut} open requests were cut`)
      const closing = Promise.all([ops.close(), health.close(), services.close()])
      await (cut > 0 ? inHurry(closing) : closing)
    } finally {
      await embedded?.close()
    }
  },
})

export const serveCommand = command('answer calls until it is told to stop', [untilStopped])

/** Said before seconds go into making a database; where OPS_PORT is not set, any port will do. */
async function refuseTakenPorts({ host, port, ops }: Config): Promise<void> {
  const wanted = [{ port, setting: 'PORT' }]
  if (ops.otherwise === 'fail') wanted.push({ port: ops.port, setting: 'OPS_PORT' })
  await refuseTaken(host, wanted)
}

async function openChecked(config: Config, target: Target): Promise<Services> {
  const services = openServices(config, target)
  try {
    const missing = await whatIsMissing(services.primary)
    if (missing) throw new Error(missing)
    await services.replicas.check()
    return services
  } catch (error) {
    await services.close()
    throw unreachable(error) ?? error
  }
}

/** The driver says ECONNREFUSED; a person wants to know what did not answer. The address holds no password. */
function unreachable(error: unknown): Error | undefined {
  const { code, message } = error as { code?: string; message?: string }
  if (!code || !/^(ECONN|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_|ENOENT|28|3D000)/.test(code))
    return undefined
  return new Error(`The database of DATABASE_URL cannot be reached: ${message ?? code}.`)
}

async function startWithFixture(config: Config, out: Out): Promise<Embedded> {
  const isNew = !embeddedExists(config.dataDir)
  out.progress(
    isNew
      ? `making the embedded database in ${config.dataDir} (about 20 seconds, once)`
      : `opening the embedded database in ${config.dataDir}`,
  )
  const embedded = await startEmbedded(config.dataDir, (error) => {
    throw error
  })
  try {
    for (const name of await migrate(embedded.target)) out.progress(`migrated: ${name}`)
    await loadFirstIndex(embedded, out)
    return embedded
  } catch (error) {
    await embedded.close()
    throw error
  }
}

/** An index that was never made is made from the fixture; another that was put in its place is left alone. */
async function loadFirstIndex({ target }: Embedded, out: Out): Promise<void> {
  const db = connect(target, { connections: 1, deadlineMs: 86_400_000 })
  try {
    const [index] = await indexGeneration(db)
    if (Number(index?.generation) <= 1) await loadFixture(db, out.progress)
  } finally {
    await db.close()
  }
}

function surviveLostSockets({ primary, replicas, log }: Services): void {
  process.on('uncaughtException', (error) => {
    if (!isLostWrite(error)) {
      log.fatal({ fault: error.stack }, 'uncaught')
      process.exit(1)
    }
    log.warn('the database went away where no query waited for it; connecting anew')
    primary.reconnect()
    replicas.reconnect()
  })
}

function welcome(url: string, ops: string, embedded: Embedded | undefined, demo: DemoKey[] | undefined): string {
  const lines = [
    `Listening on ${url}`,
    `Documentation of the calls: ${url}/v1/docs`,
    `Probes and metrics on ${ops}: /livez, /readyz, /metrics`,
  ]
  lines.push(...toTry(url, demo))
  if (embedded) {
    const { host, port, user, database } = embedded.target
    lines.push('', 'Look into the database:', `  psql -h '${host}' -p ${port} -U ${user} ${database}`)
  }
  return lines.join('\n')
}

/** How long open requests may take to end, once told to stop. */
const STOP_MS = 10_000

/** Answers with how many requests were cut at the limit. */
async function closedInTime(running: Running, ms: number): Promise<number> {
  let unanswered = 0
  const timer = setTimeout(() => (unanswered = running.cut()), ms)
  await running.close()
  clearTimeout(timer)
  return unanswered
}

/** What hangs is not waited for twice. */
const inHurry = (closing: Promise<unknown>) => Promise.race([closing, sleep(1000)])

/** How long the lines about the requests that were cut may take to be written. */
const LAST_WORDS_MS = 200

/**
 * The second signal: nothing is closed in order any more, since a database that hangs takes five seconds to be closed. The
 * embedded database survives that as it survives kill -9. The status is that of a program which the signal ended.
 */
async function endAtOnce(signal: Signal, running: Running, out: Out): Promise<void> {
  process.exitCode = 128 + constants.signals[signal]
  out.progress(`ended by a second ${signal}: ${running.cut()} open requests were cut`)
  await sleep(LAST_WORDS_MS)
  process.exit()
}

type Signal = 'SIGTERM' | 'SIGINT'

function toldToStop(): Promise<Signal> {
  return new Promise((done) => {
    const told = (signal: NodeJS.Signals) => {
      process.off('SIGTERM', told).off('SIGINT', told)
      done(signal as Signal)
    }
    process.on('SIGTERM', told).on('SIGINT', told)
  })
}
