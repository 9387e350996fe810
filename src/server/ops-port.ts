/** The operators' port: probes and metrics, without a key, for no caller of the API. */
import { createServer, type ServerResponse } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { errorJson } from '../api/http/send-error.js'
import type { Web } from '../app/shell/web.js'
import { ApiError, methodNotAllowed, notFound } from '../core/errors.js'
import type { Health } from './health.js'
import { listen } from './listen.js'
import type { Services } from '../services.js'

export type OpsListener = { port: number; close: () => Promise<void> }

type OpsAnswer = { status?: number; type?: string; text: string; headers?: Record<string, string> }
const OPS_JSON_TYPE = 'application/json; charset=utf-8'

/** `any`: where the port is taken, any free one takes its place. */
export type OpsAddress = { host: string; port: number; otherwise: 'any' | 'fail' }

type Watched = { services: Pick<Services, 'metrics' | 'redisState'>; web: Pick<Web, 'countSessions'> | undefined }

export async function serveOps(
  { services: { metrics, redisState }, web }: Watched,
  health: Health,
  { host, port, otherwise }: OpsAddress,
): Promise<OpsListener> {
  const { registry } = metrics
  // These metrics describe the process: only the Services that listens collects them.
  collectDefaultMetrics({ register: registry })
  const paths: Record<string, () => Promise<OpsAnswer>> = {
    '/livez': async () => ({ text: JSON.stringify({ data: { alive: true } }) }),
    '/readyz': async () => {
      const found = await health.readiness()
      if ('unready' in found) throw new ApiError(503, 'not_ready', found.unready)
      return { text: JSON.stringify({ data: { ready: true, ...found, redis: redisState() } }) }
    },
    '/metrics': async () => {
      // These gauges are asked for only when somebody reads them.
      const generation = await health.generation()
      metrics.set('frames_dependency_up', { dependency: 'database' }, generation === undefined ? 0 : 1)
      if (generation !== undefined) metrics.set('frames_index_generation', {}, Number(generation))
      const sessions = await web?.countSessions()
      if (sessions !== undefined) metrics.set('frames_sessions', {}, sessions)
      return { type: registry.contentType, text: spellNaN(await registry.metrics()) }
    },
  }
  const server = createServer({ headersTimeout: 3000, requestTimeout: 5000 }, (req, res) => {
    const path = (req.url ?? '').replace(/\?.*/, '')
    const answer = Object.hasOwn(paths, path) ? paths[path] : undefined
    const reply = async (): Promise<OpsAnswer> => {
      if (!answer) throw notFound(`There is nothing at ${path.slice(0, 100)}.`)
      if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(req.method ?? '', 'GET, HEAD')
      return await answer()
    }
    void reply()
      .catch(errorAnswer)
      .then((answered) => writeAnswer(res, answered))
  })
  server.maxConnections = 200
  const bound = await listen(server, host, port, 'OPS_PORT').catch((error: Error) => {
    if (otherwise === 'fail') throw error
    return listen(server, host, 0, 'OPS_PORT')
  })
  return {
    port: bound,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function errorAnswer(thrown: unknown): OpsAnswer {
  const error = thrown instanceof ApiError ? thrown : new ApiError(500, 'internal', 'The metrics could not be read.')
  return { status: error.status, text: errorJson(error), headers: error.headers }
}

function writeAnswer(res: ServerResponse, { status = 200, type = OPS_JSON_TYPE, text, headers = {} }: OpsAnswer): void {
  res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers }).end(text)
}

/**
 * Fault: prom-client writes a value that is not a number as Nan; the text format asks for NaN. Steps: scrape twice in a
 *   row, so that the lag of the event loop has no sample.
 * Link: open-telemetry/opentelemetry-js#3465 (the same fault elsewhere; prom-client's lib/util.js has no issue for it)
 * Gain: scrapers that follow the format to the letter read every line.
 * Delete it when: prom-client writes NaN.
 */
const spellNaN = (metrics: string): string => metrics.replace(/ Nan$/gm, ' NaN')
