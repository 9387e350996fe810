/** frames serve in one process, over DATABASE_URL's database or the embedded one. */
import type { Config } from '../../server/config.js'
import type { Target } from '../../core/db/connect.js'
import type { Embedded } from '../../core/db/embedded/embedded.js'
import { serveOps } from '../../server/ops-port.js'
import type { Services } from '../../services.js'
import { addressOf, linkAddress, originOf } from '../../core/origin.js'
import { warmUpTiles } from '../../app/tiles/warm-up.js'
import type { Output } from './command.js'
import { makeDemoLink, mintDemo, NOTHING_TO_TRY, WEB_OFF, welcome, whatToTry } from './demo.js'
import { atCommandLine } from './actor.js'
import { optionalCheck, startServing, startWarnings } from './serve-start.js'
import { closeUntil, serveUntilStopped } from './stop.js'

export async function serveAlone(config: Config, output: Output, embedded: Embedded | undefined): Promise<void> {
  const target: Target = config.databaseUrl ?? embedded?.target ?? ''
  try {
    const { site, running, health } = await startServing(config, target, false)
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
