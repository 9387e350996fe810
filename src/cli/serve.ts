/** frames serve: the API on its port, over DATABASE_URL's database or the embedded one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from '../app.js'
import type { Config } from '../config.js'
import { connect, isUnheardLoss, type Target } from '../db/connect.js'
import { embeddedExists, startEmbedded, type Embedded } from '../db/embedded.js'
import { migrate, whatIsMissing } from '../db/migrate.js'
import { projectFolder } from '../db/statement.js'
import { indexGeneration } from '../db/statements.js'
import { serve, type Running } from '../http/server.js'
import { build } from '../load/build.js'
import { loadFixtureData } from '../load/fixture-data.js'
import { healthOf } from '../ops/health.js'
import { serveOps } from '../ops/listener.js'
import { openServices, type Services } from '../services.js'
import { mintDemo, type DemoKey } from './demo.js'
import { readWords, type Command, type Out } from './command.js'

export const serveCommand: Command = {
  usage: '',
  does: 'answer calls until it is told to stop',
  run: async (config, words, out) => {
    readWords(words, [], [])
    const embedded = config.databaseUrl ? undefined : await startWithFixture(config, out)
    const target: Target = config.databaseUrl ?? embedded?.target ?? ''
    try {
      const services = await openChecked(config, target)
      surviveLostSockets(services)
      const { drainMs } = config
      const { dropped } = services.metrics
      const running = await serve(createApp(services), config.host, config.port, { drainMs, dropped })
      const health = healthOf(target, services.replicas.standsIn)
      const ops = await serveOps(services, health, { host: config.host, ...config.ops })
      const demo = embedded ? await mintDemo(services.db) : undefined
      const at = (port: number) => `http://${hostInUrl(config.host)}:${port}`
      out.progress(welcome(at(running.port), at(ops.port), embedded, demo))
      await toldToStop()
      out.progress('stopping: open requests are answered first; told again, they are cut')
      health.drain()
      const cut = await closedInTime(running, drainMs + STOP_MS)
      if (cut > 0) out.progress(`${cut} open requests were cut`)
      await Promise.all([ops.close(), health.close(), cut > 0 ? inHurry(services.close()) : services.close()])
    } finally {
      await embedded?.close()
    }
  },
}

async function openChecked(config: Config, target: Target): Promise<Services> {
  const services = openServices(config, target)
  try {
    const missing = await whatIsMissing(services.db)
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
    await loadFixture(embedded, out)
    return embedded
  } catch (error) {
    await embedded.close()
    throw error
  }
}

/** An index that was never made is made from the fixture; another that was put in its place is left alone. */
async function loadFixture({ target }: Embedded, out: Out): Promise<void> {
  const db = connect(target, { connections: 1, deadlineMs: 86_400_000 })
  try {
    const [index] = await indexGeneration(db)
    const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, projectFolder))
    if (index?.generation === '0') {
      await build(db, { outline: fixture('outline.geojson'), wards: fixture('wards.json') }, out.progress)
    }
    // A first start that was cut short is taken up again.
    if (Number(index?.generation) <= 1) await loadFixtureData(db, out.progress)
  } finally {
    await db.close()
  }
}

function surviveLostSockets({ db, replicas, log }: Services): void {
  process.on('uncaughtException', (error) => {
    if (!isUnheardLoss(error)) {
      log.fatal({ fault: error.stack }, 'uncaught')
      process.exit(1)
    }
    log.warn('the database went away where no query waited for it; connecting anew')
    db.reconnect()
    replicas.reconnect()
  })
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

function welcome(url: string, ops: string, embedded: Embedded | undefined, demo: DemoKey[] | undefined): string {
  const lines = [`Listening on ${url}`, `Probes and metrics on ${ops}: /livez, /readyz, /metrics`]
  if (demo) {
    lines.push('', 'Keys of the organisation "demo", valid for a year and shown this once:')
    lines.push(...demo.map(({ preset, secret }) => `  ${preset.padEnd(10)} ${secret}`))
  }
  lines.push(
    '',
    'Try it:',
    `  export KEY=${demo?.at(-1)?.secret ?? 'svc_sk_...'}`,
    `  curl -H "Authorization: Bearer $KEY" '${url}/v1/frames/at?lat=0.105&lon=0.205'`,
    `  curl -H "Authorization: Bearer $KEY" '${url}/v1/frames?bbox=0.2,0.1,0.22,0.12'`,
    `  curl -H "Authorization: Bearer $KEY" '${url}/v1/states'`,
    `  curl -H "Authorization: Bearer $KEY" '${url}/v1/frames/data?ids=324378020'`,
  )
  if (!demo) lines.push('', 'Another key:', `  npm run -s frames -- keys mint ${MINT_WORDS}`)
  if (embedded) {
    const { host, port, user, database } = embedded.target
    lines.push('', 'Look into the database:', `  psql -h '${host}' -p ${port} -U ${user} ${database}`)
  }
  return lines.join('\n')
}

/** How long open requests may take to end, once told to stop. */
const STOP_MS = 10_000

const MINT_WORDS = '--org demo --name "who holds it" --preset full-read --expires 30d'

/** Answers with how many requests were cut, at the second signal or at the limit. */
async function closedInTime(running: Running, ms: number): Promise<number> {
  let unanswered = 0
  const cut = () => (unanswered += running.cut())
  const timer = setTimeout(cut, ms)
  void toldToStop().then(cut)
  await running.close()
  clearTimeout(timer)
  return unanswered
}

/** What hangs is not waited for twice. */
const inHurry = (closing: Promise<void>) => Promise.race([closing, sleep(1000)])

function toldToStop(): Promise<void> {
  return new Promise((done) => {
    process.once('SIGTERM', () => done())
    process.once('SIGINT', () => done())
  })
}
