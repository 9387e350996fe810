/** `frames serve --workers N`: the primary process. It starts the workers, which serve, and has the operators' port. */
import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { addressOf } from '../../core/origin.js'
import type { Config } from '../../server/config.js'
import { listen } from '../../server/listen.js'
import { listenForOps } from '../../server/ops-port.js'
import { addUp, openPool, openTotals, type MetricTotals, type WorkerPool } from '../../server/workers/pool.js'
import type { Output } from './command.js'
import { NOTHING_TO_TRY, WEB_OFF, welcome } from './demo.js'
import { firstSignal, WHOLE_STOP_MS } from './stop.js'

/** A worker that takes this much longer than it may is killed. */
const WORKER_LATE_MS = 1000

export async function serveWithWorkers(config: Config, size: number, output: Output): Promise<void> {
  refuseSeveral(config, size)
  cluster.setupPrimary({ serialization: 'advanced' })
  const port = config.port === 0 ? await freePort(config.host) : config.port
  const totals = openTotals()
  const { registry, exits } = primaryMetrics(() => pool.serving().length)
  const pool = openPool({
    size,
    env: { PORT: String(port) },
    stopMs: config.drainMs + WHOLE_STOP_MS + WORKER_LATE_MS,
    onEvent: output.progress,
    onEnded: (why, metrics) => {
      exits.inc({ why })
      totals.keep(metrics)
    },
  })
  const warnings = await pool.start()
  const state = { isStopping: false }
  const readiness = async () =>
    state.isStopping ? { unready: 'This process is stopping.' } : await poolReadiness(pool)
  const ops = await listenForOps(
    { readiness, metrics: () => metricsOf(pool, totals, registry) },
    { host: config.host, ...config.ops },
  )
  process.on('SIGHUP', () => void pool.restart())
  const addresses = { url: addressOf(config.host, port), opsUrl: addressOf(config.host, ops.port) }
  if (!config.web) output.progress(WEB_OFF)
  for (const warning of warnings) output.progress(`Warning: ${warning}`)
  output.progress(welcome(addresses, undefined, { keys: undefined, toTry: NOTHING_TO_TRY }))
  if (output.json) output.result({ ...addresses, keys: [] }, '')

  await firstSignal(output, () => {
    pool.cut()
    return 'the open requests are cut'
  })
  state.isStopping = true
  const cut = await pool.stop()
  if (cut > 0) output.progress(`${cut} open requests were cut`)
  await ops.close()
}

function refuseSeveral({ databaseUrl, redisUrl }: Config, size: number): void {
  if (databaseUrl === undefined)
    throw new Error(
      `--workers ${size} needs DATABASE_URL: the embedded database serves one process. Start it without --workers.`,
    )
  if (redisUrl === undefined)
    throw new Error(
      `--workers ${size} needs REDIS_URL: without Redis each worker keeps buckets of its own, so callers get up to ${size} times their limits.`,
    )
}

/** Workers that ask for port 0 get one that changes when all of them have ended. */
async function freePort(host: string): Promise<number> {
  const server = createServer()
  const port = await listen(server, host, 0, 'PORT')
  await new Promise((done) => server.close(done))
  return port
}

function primaryMetrics(count: () => number) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const exits = new Counter({
    name: 'frames_worker_exits_total',
    help: 'Workers that have ended',
    labelNames: ['why'],
    registers: [registry],
  })
  // An alert on the increase would miss the first one of a counter that begins at 1.
  for (const why of ['died', 'stopped']) exits.inc({ why }, 0)
  const collect = function (this: Gauge) {
    this.set(count())
  }
  const workers = new Gauge({ name: 'frames_workers', help: 'Workers that serve', registers: [registry], collect })
  return { registry, exits, workers }
}

/** The service is ready while one worker is. */
async function poolReadiness(pool: WorkerPool): Promise<{ unready: string } | Record<string, unknown>> {
  const answers = await Promise.all(pool.serving().map((member) => member.ask('readiness')))
  const ready = answers.filter((answer) => answer && !('unready' in answer))
  const [first] = ready
  if (first) return { ...first, workers: ready.length }
  const [unready] = answers.flatMap((answer) => (answer && 'unready' in answer ? [answer.unready] : []))
  return { unready: unready ?? 'No worker answers.' }
}

async function metricsOf(pool: WorkerPool, totals: MetricTotals, own: Registry): Promise<Registry> {
  // A worker that ends meanwhile is one of these members, and counts once.
  const asked = pool.all().map((member) => member.ask('metrics'))
  const parts = await Promise.all([totals.ended(), own.getMetricsAsJSON(), ...asked])
  return addUp(parts.filter((part) => part !== undefined))
}
