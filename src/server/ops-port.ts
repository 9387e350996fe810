/** The operators' port: probes and metrics, without a key, and nothing that a caller of the API should see. */
import { createServer, type ServerResponse } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { ApiError, methodNotAllowed, notFound } from '../errors.js'
import { listen } from './listen.js'
import { errorJson } from '../http/error-json.js'
import type { Services } from '../services.js'
import type { Health } from './health.js'

export type OpsListener = { port: number; close: () => Promise<void> }

type Reply = { status?: number; type?: string; text: string }
const JSON_TYPE = 'application/json; charset=utf-8'

/** `otherwise`: any free port will do where `port` is taken. */
export async function serveOps(
  services: Pick<Services, 'metrics' | 'redisState'>,
  health: Health,
  { host, port, otherwise }: { host: string; port: number; otherwise: 'any' | 'fail' },
): Promise<OpsListener> {
  const { registry } = services.metrics
  // Of the process, and watched for as long as it lives: for the one that listens, not for every Services.
  collectDefaultMetrics({ register: registry })
  const paths: Record<string, () => Promise<Reply>> = {
    '/livez': async () => ({ text: JSON.stringify({ data: { alive: true } }) }),
    '/readyz': async () => {
      const found = await health.readiness()
      if ('unready' in found) throw new ApiError(503, 'not_ready', found.unready)
      return { text: JSON.stringify({ data: { ready: true, ...found, redis: services.redisState() } }) }
    },
    '/metrics': async () => {
      const generation = await health.generation()
      services.metrics.setUp('database', generation !== undefined)
      if (generation !== undefined) services.metrics.setGeneration(generation)
      // prom-client spells it in a way of its own, where there was nothing to measure between two scrapes.
      const text = (await registry.metrics()).replace(/ Nan$/gm, ' NaN')
      return { type: registry.contentType, text }
    },
  }
  const server = createServer({ headersTimeout: 3000, requestTimeout: 5000 }, (req, res) => {
    const path = (req.url ?? '').replace(/\?.*/, '')
    const answer = Object.hasOwn(paths, path) ? paths[path] : undefined
    const reply = async (): Promise<Reply> => {
      if (!answer) throw notFound(`There is nothing at ${path.slice(0, 100)}.`)
      if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(req.method ?? '', 'GET, HEAD')
      return await answer()
    }
    void reply()
      .catch(refusal)
      .then((made) => send(res, made))
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

function refusal(error: unknown): Reply & { headers?: Record<string, string> } {
  const told = error instanceof ApiError ? error : new ApiError(500, 'internal', 'The metrics could not be read.')
  return { status: told.status, text: errorJson(told), headers: told.headers }
}

function send(
  res: ServerResponse,
  { status = 200, type = JSON_TYPE, text, headers = {} }: Reply & { headers?: Record<string, string> },
): void {
  res.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers }).end(text)
}
