/** Opens what a process that serves needs, checks it, listens until it is told to stop, and closes all of it. */
import { unknownOrganisations } from '../../core/access/index.js'
import { warmUpTiles } from '../../app/tiles/warm-up.js'
import type { Config } from '../../server/config.js'
import { type Embedded, isLostWrite, sqlText, type Target, wasLate, whatIsMissing } from '../../core/db/index.js'
import { byDeadline, CALL_MS, deadlineIn } from '../../core/deadline.js'
import { addressOf, linkAddress, originOf } from '../../core/origin.js'
import { type Health, healthOf } from '../../server/health.js'
import { type Running, serve } from '../../server/http-server.js'
import { serveOps } from '../../server/ops-port.js'
import { openSite, type Site } from '../../server/site.js'
import type { Services } from '../../services.js'
import { atCommandLine } from './actor.js'
import type { Output } from './command.js'
import { makeDemoLink, mintDemo, NOTHING_TO_TRY, WEB_OFF, welcome, whatToTry } from './demo.js'
import { closeUntil, serveUntilStopped } from './stop.js'

export async function serveUntilTold(config: Config, output: Output, embedded: Embedded | undefined): Promise<void> {
  const target: Target = config.databaseUrl ?? embedded?.target ?? ''
  try {
    const { site, running, health } = await startServing(config, target)
    const { services } = site
    if (config.publicUrl) embedded?.keepAddress(config.publicUrl(running.port))
    const ops = await serveOps(site, health, { host: config.host, ...config.ops })
    const { link, keys } = embedded ? await makeDemo(services, config, running.port) : {}
    const at = (port: number) => addressOf(config.host, port)
    const addresses = { url: at(running.port), opsUrl: at(ops.port), ...(link === undefined ? {} : { link }) }
    if (!site.web) output.progress(WEB_OFF)
    const warnings = await optionalCheck(services, 'what could be better', startWarnings(config, site))
    for (const warning of warnings ?? []) output.progress(`Warning: ${warning}`)
    const toTry = (await optionalCheck(services, 'which calls to try', whatToTry(services.primary))) ?? NOTHING_TO_TRY
    output.progress(welcome(addresses, embedded, { keys, toTry }))
    // A database that is closed meanwhile refuses it.
    if (embedded) void warmUpTiles(services.primary).catch(() => undefined)
    if (output.json) output.result({ ...addresses, keys: keys ?? [] }, '')
    const { drainMs } = config
    const until = await serveUntilStopped(running, { drainMs, onDrain: health.drain, output })
    await closeUntil(until, (ms) => Promise.all([ops.close(), health.close(), site.close(ms)]))
  } finally {
    await embedded?.close()
  }
}

/** The link that signs in, where the web app is on, and the keys of the first start. */
async function makeDemo({ primary }: Services, { web }: Config, port: number) {
  const db = atCommandLine(primary)
  const token = web && (await makeDemoLink(db))
  return { keys: await mintDemo(db), link: token && linkAddress(originOf(web.publicUrl(port)), token) }
}

type Serving = { site: Site; running: Running; health: Health }

async function startServing(config: Config, target: Target): Promise<Serving> {
  const site = await openChecked(config, target)
  surviveLostSockets(site)
  const { services } = site
  const { countDropped: onDrop, watchUnreadBytes } = services.metrics
  const { host, port, drainMs } = config
  const running = await serve(site.app, host, port, { drainMs, onDrop, watchUnreadBytes })
  return { site, running, health: healthOf(services.hosts.target, services.replicas.isStandingIn) }
}

async function openChecked(config: Config, target: Target): Promise<Site> {
  const site = openSite(config, target)
  const { services } = site
  try {
    await services.replicas.findPrimary()
    const missing = await whatIsMissing(services.primary)
    if (missing) throw new Error(missing)
    await services.replicas.check()
    await checkWeb(site)
    return site
  } catch (error) {
    await site.close()
    throw unreachable(error) ?? error
  }
}

/** A check that only helps ends no start: where it fails or its answer is late, the log says what nobody looked at. */
async function optionalCheck<Answer>(
  { log }: Pick<Services, 'log'>,
  what: string,
  check: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await byDeadline(check, deadlineIn(CALL_MS))
  } catch (error) {
    log.warn({ reason: (error as Error).message }, `not checked at the start: ${what}`)
    return undefined
  }
}

/** A page would fail where the role of the app is missing or lacks its rights. */
async function checkWeb({ services: { log }, web }: Site): Promise<void> {
  await web?.check().catch((error: { code?: string; message?: string }) => {
    const reason = error.message ?? error.code
    if (wasLate(error)) return log.warn({ reason }, 'not checked at the start: the rights of CONSOLE_DATABASE_URL')
    throw new Error(
      `The web app cannot read the database of CONSOLE_DATABASE_URL (${reason}). Role frames_console is needed: run migrations/roles.sql, then "frames migrate". PUBLIC_URL=off starts without the app.`,
    )
  })
}

/** The driver says ECONNREFUSED. This message names the setting; the address in it holds no password. */
function unreachable(error: unknown): Error | undefined {
  const { code, message } = error as { code?: string; message?: string }
  if (!code || !/^(ECONN|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_|ENOENT|08|28|3D000)/.test(code))
    return undefined
  return new Error(`The database of DATABASE_URL cannot be reached: ${message ?? code}.`)
}

/** A process whose only fault is a lost connection to the database goes on. */
function surviveLostSockets({ services: { primary, replicas, log }, web }: Site): void {
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

/** Names what the service can do without, but its operator would want to know. */
async function startWarnings(config: Config, { services, web }: Site): Promise<string[]> {
  const { web: settings, publicUrl, port, trustedHeader } = config
  if (!settings || !web) return []
  const { fault } = await web.basemap
  const warnings = fault === undefined ? [] : [fault]
  // The service itself speaks no TLS.
  if (publicUrl?.(port).protocol === 'https:' && !trustedHeader)
    warnings.push(
      'PUBLIC_URL is https, so a proxy is in front, and CLIENT_ADDRESS_HEADER names no header: all visitors who sign in share one bucket (BUCKET_ADDRESS), and events have no address.',
    )
  if (settings.databaseUrl !== undefined) {
    const [role] = await web.db.rows<{ role: string; isOwner: boolean }>(sqlText('inspect/owner'), [])
    if (role?.isOwner)
      warnings.push(
        `CONSOLE_DATABASE_URL signs in as ${role.role}, which may do more than the role frames_console: a fault of the app could change every table.`,
      )
  }
  const named = settings.openId?.roleClaim?.grants.map(({ orgId }) => orgId) ?? []
  const unknown = await unknownOrganisations(services.primary.run, named)
  if (unknown.length > 0) warnings.push(`OIDC_ROLES names organisations that nobody has: ${unknown.join(', ')}.`)
  return warnings
}
