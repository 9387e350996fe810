/** A worker of `frames serve --workers`: it serves on the port that all workers share, as the primary process tells it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics } from 'prom-client'
import type { Config } from '../../server/config.js'
import { readinessOf, refreshGauges } from '../../server/ops-port.js'
import {
  answerQuestions,
  outliveThePrimary,
  stopOrders,
  tellPrimary,
  type StopOrders,
} from '../../server/workers/worker.js'
import { optionalCheck, startServing, startWarnings, tooFewConnections } from './serve-start.js'
import { closeUntil, closeWithin, LAST_LINES_MS, STOP_MS, WHOLE_STOP_MS } from './stop.js'

/** A failure at the start is left to the primary process to print. */
export async function serveAsWorker(config: Config, workers: number): Promise<void> {
  const orders = stopOrders()
  try {
    await serveByOrders(config, workers, orders)
  } catch (error) {
    await tellPrimary({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}

async function serveByOrders(config: Config, workers: number, orders: StopOrders): Promise<void> {
  const { site, running, health } = await startServing(config, config.databaseUrl ?? '', true)
  const { services } = site
  const { registry } = services.metrics
  collectDefaultMetrics({ register: registry })
  outliveThePrimary()
  const metrics = async () => {
    await refreshGauges(site, health)
    return await registry.getMetricsAsJSON()
  }
  answerQuestions({ alive: () => true, readiness: () => readinessOf(services, health), metrics })
  const warnings = Promise.all([startWarnings(config, site), tooFewConnections(site, workers)])
  const found = await optionalCheck(services, 'what could be better', warnings)
  await tellPrimary({ kind: 'serving', warnings: found?.flat() ?? [] })

  await orders.stop
  const until = performance.now() + config.drainMs + WHOLE_STOP_MS
  health.drain()
  const cut = await closeWithin(running, config.drainMs + STOP_MS, orders.cut)
  await tellPrimary({ kind: 'ending', metrics: await registry.getMetricsAsJSON(), cut })
  const closed = closeUntil(until, (ms) => Promise.all([health.close(), site.close(ms)]))
  await Promise.race([closed, orders.cut.then(() => sleep(LAST_LINES_MS))])
}
