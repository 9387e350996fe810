/** frames serve: starts the API on its port, over DATABASE_URL's database or the embedded one. */
import { createApp } from '../app.js'
import type { Config } from '../config.js'
import { connect, type Target } from '../db/connect.js'
import { isLostWrite } from '../db/driver/lost-write.js'
import { embeddedExists, startEmbedded, type Embedded } from '../db/embedded/embedded.js'
import { migrate, whatIsMissing } from '../db/migrate.js'
import { indexGeneration } from '../db/statements.js'
import { waitAtMost } from '../deadline.js'
import { refuseTaken } from '../server/listen.js'
import { serve } from '../server/http-server.js'
import { loadFixture } from '../load/fixture.js'
import { healthOf } from '../server/health.js'
import { serveOps } from '../server/ops-port.js'
import { openServices, type Services } from '../services.js'
import { warmUpTiles } from '../web/tiles/warm-up.js'
import { linkAddress, placeOf } from '../web/origin.js'
import { atCommandLine } from './actor.js'
import { addressOf, makeDemoLink, mintDemo, linesToTry, type DemoKey } from './demo.js'
import { startWarnings } from './start-warnings.js'
import { commandForm, type Output, type Command } from './command.js'
import { serveUntilStopped } from './stop.js'

const serveForm = commandForm({
  description:
    'Answers calls on HOST:PORT (127.0.0.1:3000), and probes on OPS_PORT (3001), until it is told to stop. Its settings are in the environment: docs/settings.md lists them. With --json, prints the addresses and the new keys once it listens.',
  run: async (config, _args, output) => {
    refuseHalfWeb(config)
    await refuseTakenPorts(config)
    const embedded = config.databaseUrl ? undefined : await startWithFixture(config, output)
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
      if (config.publicUrl) embedded?.keepAddress(config.publicUrl(running.port))
      const health = healthOf(target, services.replicas.isStandingIn)
      const ops = await serveOps(services, health, { host: config.host, ...config.ops })
      const { link, keys } = embedded ? await makeDemo(services, config, running.port) : {}
      const at = (port: number) => addressOf(config.host, port)
      const addresses = { url: at(running.port), opsUrl: at(ops.port), ...(link === undefined ? {} : { link }) }
      if (!services.web) output.progress(WEB_OFF)
      for (const warning of await startWarnings(config, services)) output.progress(`Warning: ${warning}`)
      output.progress(welcome(addresses, embedded, keys))
      // A database that is closed meanwhile refuses it.
      if (embedded) void warmUpTiles(services.primary).catch(() => undefined)
      if (output.json) output.result({ ...addresses, keys: keys ?? [] }, '')
      const cut = await serveUntilStopped(running, { drainMs, onDrain: health.drain, output })
      const closing = Promise.all([ops.close(), health.close(), services.close()])
      // A dependency that kept requests open would keep its own connections open too.
      await (cut > 0 ? waitAtMost(HURRIED_CLOSE_MS, closing) : closing)
    } finally {
      await embedded?.close()
    }
  },
})

/** Commands need the address alone. Served without its own role, the app would have the rights of the API's. */
function refuseHalfWeb({ publicUrl, web }: Config): void {
  if (publicUrl && !web)
    throw new Error(
      'PUBLIC_URL needs CONSOLE_DATABASE_URL beside it: the same database, as the role frames_console. PUBLIC_URL=off starts without the app.',
    )
}

const WEB_OFF = 'The web app is off: docs/settings.md says how PUBLIC_URL switches it on.'

/** How long connections may take to close after requests were cut. */
const HURRIED_CLOSE_MS = 1000

export const serveCommand: Command = { summary: 'answer calls until it is told to stop', forms: [serveForm] }

/** Making a database takes seconds: a port that is taken is reported before. */
async function refuseTakenPorts({ host, port, ops }: Config): Promise<void> {
  if (port !== 0 && port === ops.port && ops.otherwise === 'fail') {
    throw new Error(`PORT and OPS_PORT are both ${port}; two different ports are needed, or 0 for any free one.`)
  }
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
    await checkWeb(services)
    return services
  } catch (error) {
    await services.close()
    throw unreachable(error) ?? error
  }
}

/** A page would fail where the role of the app is missing or lacks its rights. */
async function checkWeb({ web }: Services): Promise<void> {
  await web?.check().catch((error: { code?: string; message?: string }) => {
    throw new Error(
      `The web app cannot read the database of CONSOLE_DATABASE_URL (${error.message ?? error.code}). Role frames_console is needed: run migrations/roles.sql, then "frames migrate". PUBLIC_URL=off starts without the app.`,
    )
  })
}

/** The driver says ECONNREFUSED. This message names the setting; the address in it holds no password. */
function unreachable(error: unknown): Error | undefined {
  const { code, message } = error as { code?: string; message?: string }
  if (!code || !/^(ECONN|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_|ENOENT|28|3D000)/.test(code))
    return undefined
  return new Error(`The database of DATABASE_URL cannot be reached: ${message ?? code}.`)
}

async function startWithFixture(config: Config, output: Output): Promise<Embedded> {
  const isNew = !embeddedExists(config.dataDir)
  output.progress(
    isNew
      ? `making the embedded database in ${config.dataDir} (about 20 seconds, once)`
      : `opening the embedded database in ${config.dataDir}`,
  )
  const embedded = await startEmbedded(config.dataDir, (error) => {
    throw error
  })
  try {
    for (const name of await migrate(embedded.target)) output.progress(`migrated: ${name}`)
    await loadFirstIndex(embedded, output)
    return embedded
  } catch (error) {
    await embedded.close()
    throw error
  }
}

/** Loads the fixture into a new database. An index that somebody built or imported stays. */
async function loadFirstIndex({ target }: Embedded, output: Output): Promise<void> {
  const db = connect(target, { connections: 1, deadlineMs: 86_400_000 })
  try {
    const [index] = await indexGeneration(db)
    if (Number(index?.generation) <= 1) await loadFixture(db, output.progress)
  } finally {
    await db.close()
  }
}

/** A process whose only fault is a lost connection to the database goes on. */
function surviveLostSockets({ primary, replicas, web, log }: Services): void {
  process.on('uncaughtException', (error) => {
    if (!isLostWrite(error)) {
      log.fatal({ fault: error.stack }, 'uncaught')
      process.exit(1)
    }
    log.warn('the database went away where no query waited for it; connecting anew')
    primary.reconnect()
    replicas.reconnect()
    web?.reconnect()
  })
}

/** The link that signs in, where the web app is on, and the keys of the first start. */
async function makeDemo({ primary }: Services, { web }: Config, port: number) {
  const db = atCommandLine(primary)
  const token = web && (await makeDemoLink(db))
  return { keys: await mintDemo(db), link: token && linkAddress(placeOf(web.publicUrl(port)), token) }
}

type Addresses = { url: string; opsUrl: string; link?: string }

function welcome(
  { url, opsUrl, link }: Addresses,
  embedded: Embedded | undefined,
  keys: DemoKey[] | undefined,
): string {
  const lines = [
    ...(link === undefined ? [] : [`Open ${link}`, '  (it signs you in once, within 15 minutes)']),
    `Listening on ${url}`,
    `Documentation of the calls: ${url}/v1/docs`,
    `Probes and metrics on ${opsUrl}: /livez, /readyz, /metrics`,
  ]
  lines.push(...linesToTry(url, keys))
  if (embedded) {
    const { host, port, user, database } = embedded.target
    lines.push('', 'Look into the database:', `  psql -h '${host}' -p ${port} -U ${user} ${database}`)
  }
  return lines.join('\n')
}
