import assert from 'node:assert/strict'
import express from 'express'
import { serve } from '../../src/server/http-server.js'
import { ask, bearer, service, startService, type Answer, type Service } from '../support/service.js'

/** Inside, on a corner of four frames, off the grid, off it unless swapped, and not points at all. */
const points = [
  'lat=0.105&lon=0.205',
  'lat=0.1&lon=0.2',
  'lat=60&lon=60',
  'lat=-0.2&lon=0.7',
  'lat=91&lon=0',
  'lat=0.1',
  'lat=abc&lon=0.2',
  'lat=90&lon=180',
  ...Array.from({ length: 32 }, (_, i) => `lat=${(i - 8) / 50}&lon=${(12 - i) / 45}`),
]

describe('points that are asked for together', () => {
  const sent: string[] = []
  let watched: Service & { stop: () => Promise<void> }
  before(async () => {
    watched = await startService(service().database, { watch: (text) => sent.push(text) })
  })
  after(() => watched.stop())

  const at = (point: string): Promise<Answer> =>
    ask(`${watched.url}/v1/frames/at?${point}`, { headers: bearer(watched.secret) })
  const shown = ({ status, text, headers }: Answer) => [status, headers.get('cache-control'), text]
  const statements = () => sent.splice(0).filter((text) => text.startsWith('-- frames_at:')).length

  it('have the very answers they have alone, each its own, and share statements', async () => {
    const alone: Answer[] = []
    for (const point of points) alone.push(await at(point))
    const { length: valid } = alone.filter(({ status }) => status !== 400)
    assert.ok(statements() >= valid, 'alone, each point is a statement')
    const together = await Promise.all(points.map(at))
    assert.deepEqual(together.map(shown), alone.map(shown))
    assert.deepEqual(
      new Set(alone.map(({ status }) => status)),
      new Set([200, 404, 400]),
      'points of every kind are among them',
    )
    const shared = statements()
    assert.ok(shared < valid, `${valid} points took ${shared} statements`)
  })
})

describe('requests and responses', () => {
  it("have Express's prototypes when they are made, so that Express has none to change", async () => {
    const app = express().get('/there', (req, res) => void res.send(req.get('X-Sent')))
    const { server, port } = await serve(app, '127.0.0.1', 0)
    const made: unknown[] = []
    server.prependListener('request', (req, res) => {
      made.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res))
    })
    const { text } = await ask(`http://127.0.0.1:${port}/there`, { headers: { 'X-Sent': 'came through' } })
    assert.equal(text, 'came through')
    assert.ok(made[0] === app.request && made[1] === app.response)
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
})
