import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { balanceOf, credit } from '../support/datasets.js'
import { risen, sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import {
  ask,
  errorOf,
  mint,
  newOrganisation,
  service,
  startService,
  type Answer,
  type Service,
} from '../support/service.js'
import { callTool, post, send } from './agent.js'

const large = { burst: 9000, perMinute: 9000 }
const tight = { burst: 3, perMinute: 1 }
const point = { lat: 0.105, lon: 0.205 }
const figures = { frameIds: ['322074005'], question: 'how many people live here', format: 'figures' }

type Running = Awaited<ReturnType<typeof startService>>

async function metered(
  settings: Parameters<typeof startService>[1],
  run: (running: Running) => Promise<void>,
): Promise<void> {
  const running = await startService(service().database, settings)
  try {
    await run(running)
  } finally {
    await running.stop()
  }
}

const placeOf = ({ url }: Pick<Service, 'url'>, { secret }: { secret: string }) => ({ url, secret })
const left = ({ headers }: Answer) => headers.get('ratelimit')?.replace(/;t=\d+$/, '')

describe('the buckets', () => {
  it('refuse a call of a tool as its result, which says how long to wait, and any other message as HTTP', async () => {
    await metered({ buckets: { key: tight, organisation: large, insight: large } }, async (running) => {
      const place = placeOf(running, await mint(service().db))
      for (let i = 0; i < 3; i += 1) assert.equal((await callTool(place, 'frame_at', point)).isError, undefined)
      const { isError, content, _meta, answer } = await callTool(place, 'frame_at', point)
      assert.deepEqual([isError, _meta?.error?.code], [true, 'rate_limited'])
      const [, seconds = '0'] =
        /^rate_limited: The key bucket is spent.* Try again in (\d+) seconds, not sooner\.$/.exec(
          content[0]?.text ?? '',
        ) ?? []
      assert.ok(Number(seconds) > 50 && Number(seconds) <= 60, content[0]?.text)
      assert.equal(_meta?.retryAfter, Number(seconds))
      assert.deepEqual([answer.status, left(answer)], [200, '"key";r=0'])
      const params = { name: 'frame_at', arguments: point }
      const notified = await post(place, JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params }))
      assert.deepEqual([notified.status, errorOf(notified).code], [429, 'rate_limited'])
      assert.ok(Number(notified.headers.get('retry-after')) > 50)
      const list = await send(place, 'tools/list')
      assert.deepEqual([list.status, errorOf(list).code], [429, 'rate_limited'])
      assert.ok(Number(list.headers.get('retry-after')) > 50)
    })
  })

  it('of questions refuse ask alone, and are not spent by a key that may not ask', async () => {
    const { db } = service()
    await metered({ buckets: { key: large, organisation: large, insight: tight } }, async (running) => {
      const org = await newOrganisation(db)
      const locality = placeOf(running, await mint(db, { org, preset: 'locality' }))
      const analyst = placeOf(running, await mint(db, { org, preset: 'analyst' }))
      const codes = async (place: typeof locality) => {
        const { isError, _meta } = await callTool(place, 'ask', figures)
        return isError ? _meta?.error?.code : 'ok'
      }
      for (let i = 0; i < 5; i += 1) assert.equal(await codes(locality), 'insufficient_scope')
      assert.deepEqual(
        [await codes(analyst), await codes(analyst), await codes(analyst), await codes(analyst)],
        ['ok', 'ok', 'ok', 'rate_limited'],
      )
      assert.equal((await callTool(analyst, 'frame_at', point)).isError, undefined)
      assert.equal((await send(analyst, 'tools/list')).status, 200)
    })
  })
})

describe('a call of a tool', () => {
  it('says nothing of a fault of the service, which the log and the metrics have', async () => {
    const lines: string[] = []
    const watch = (text: string) => {
      if (text.startsWith('-- states')) throw new Error('the cellar is flooded')
    }
    await metered({ watch, ops: true, logged: (line) => lines.push(line) }, async (running) => {
      const place = placeOf(running, await mint(service().db))
      const rises = await risen(running.opsUrl, async () => {
        const { isError, content, answer } = await callTool(place, 'units', {})
        assert.deepEqual([isError, answer.status], [true, 200])
        assert.equal(content[0]?.text, 'internal: Something went wrong on our side. Please try again.')
        assert.ok(!answer.text.includes('cellar'))
        const id = answer.headers.get('x-request-id') ?? 'none'
        assert.ok(lines.some((line) => line.includes('the cellar is flooded') && line.includes(id)))
      })
      assert.equal(rises['frames_http_requests_total{route="/mcp",status="500"}'], 1)
    })
  })

  it('costs nothing where the client hung up before the answer', async () => {
    const { db } = service()
    const leaving = new AbortController()
    let arrived: () => void = () => undefined
    const reading = new Promise<void>((done) => (arrived = done))
    let goOn: () => void = () => undefined
    const held = new Promise<void>((done) => (goOn = done))
    const watch = (text: string) => {
      if (!text.startsWith('-- records_of_baselines') || leaving.signal.aborted) return undefined
      arrived()
      return held
    }
    await metered({ watch, ops: true }, async (running) => {
      const org = await newOrganisation(db)
      await license(db.run, 'lyr_market', org, 2)
      await credit(db, org, 10)
      const place = placeOf(running, await mint(db, { org }))
      const params = { name: 'records', arguments: { ids: '322074005', datasets: 'lyr_market' } }
      const rises = await risen(running.opsUrl, async () => {
        const answer = ask(`${running.url}/mcp`, {
          method: 'POST',
          headers: { authorization: `Bearer ${place.secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
          signal: leaving.signal,
        })
        await reading
        leaving.abort()
        await assert.rejects(answer)
        await until(async () => sampleOf(await scrape(running.opsUrl), 'frames_http_requests_in_flight') === 0)
        goOn()
      })
      assert.equal(rises['frames_http_requests_total{route="/mcp",status="499"}'], 1)
      assert.equal(await balanceOf(db, org), 10)
      assert.equal((await callTool(place, 'records', params.arguments)).isError, undefined)
      assert.equal(await balanceOf(db, org), 8)
    })
  })
})
