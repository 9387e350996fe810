import assert from 'node:assert/strict'
import { Agent, request, type IncomingMessage } from 'node:http'
import { createApp } from '../../src/app.js'
import { serve } from '../../src/http/server.js'
import { openServices } from '../../src/services.js'
import { service } from '../support/service.js'

describe('a process that was told to stop', () => {
  it('answers on open and new connections for a while, tells each to close, and ends though one is idle', async () => {
    const size = { burst: 9, perMinute: 9 }
    const buckets = { key: size, organisation: size, insight: size }
    const reads = { readDatabaseUrls: [], readLagMaxMs: 0, authorityGraceMs: 0 }
    const settings = { logLevel: 'silent', redisUrl: undefined, buckets, wording: undefined, ...reads } as const
    const services = openServices(settings, service().database.target)
    const running = await serve(createApp(services), '127.0.0.1', 0, { drainMs: 1500 })
    const agents = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
    const [open, idle, late] = agents
    const ask = (agent: Agent | undefined) => get(running.port, agent)
    try {
      for (const agent of [open, idle]) assert.deepEqual(await ask(agent), [401, 'keep-alive'])
      const closed = running.close()
      assert.deepEqual(await ask(open), [401, 'close'])
      assert.deepEqual(await ask(late), [401, 'close'])
      await closed
      await assert.rejects(ask(late), { code: 'ECONNREFUSED' })
    } finally {
      for (const agent of agents) agent.destroy()
      running.cut()
      await services.close()
    }
  })
})

/** The status, and what the answer says of its connection. */
function get(port: number, agent: Agent | undefined): Promise<[number | undefined, string | undefined]> {
  return new Promise((done, failed) => {
    const sent = request({ port, host: '127.0.0.1', path: '/v1/states', agent }, (answer: IncomingMessage) => {
      answer.resume()
      answer.once('end', () => done([answer.statusCode, answer.headers.connection]))
    })
    sent.once('error', failed)
    sent.end()
  })
}
