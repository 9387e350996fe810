import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleOf, scrape } from '../support/metrics.js'
import { startSentinelGroup, type SentinelGroup } from '../support/redis-sentinel.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, service, startService } from '../support/service.js'
import { assertAnswered, point, startLoad, unmeteredOf, untilMetered } from './load.js'

const size = { burst: 90_000, perMinute: 90_000 }
const roomy = { key: size, organisation: size, insight: size }

describe('with Redis behind Sentinels', function () {
  this.timeout(120_000)
  let group: SentinelGroup
  let running: Awaited<ReturnType<typeof startService>>
  let secret: string
  const lines: string[] = []

  const start = (buckets = roomy) =>
    startService(service().database, {
      redisUrl: group.url,
      buckets,
      ops: true,
      logged: (line) => lines.push(line),
    })

  before(async () => {
    group = await startSentinelGroup()
    secret = (await mint(service().db)).secret
  })
  after(() => group.stop())
  beforeEach(async () => {
    lines.length = 0
    running = await start()
    await untilMetered(running.url, [secret])
  })
  afterEach(() => running.stop())

  const unmeteredCount = async () => sampleOf(await scrape(running.opsUrl), 'frames_unmetered_calls_total') ?? 0

  /** Expects that no call is refused or hangs, and that those that nobody metered are counted, to the call. */
  async function survives(damage: () => Promise<unknown>) {
    const before = await unmeteredCount()
    const stop = startLoad(running.url, [secret])
    await sleep(100)
    const broken = performance.now()
    await damage()
    await sleep(300)
    await untilMetered(running.url, [secret])
    const back = performance.now()
    const took = back - broken
    await sleep(200)
    const calls = await stop()
    assertAnswered(calls)
    // Calls that came before may still have waited for the primary that died.
    const later = calls.filter(({ at }) => at >= back)
    assert.ok(later.length > 0)
    assert.equal(unmeteredOf(later).length, 0, 'the last calls are metered')
    const probes = (await unmeteredCount()) - before - unmeteredOf(calls).length
    // `untilMetered` calls too, one call at a time and 20 ms apart.
    assert.ok(probes >= 0 && probes <= took / 20, `${probes} calls more were counted`)
  }

  for (let turn = 1; turn <= sample(1, 5); turn += 1) {
    it(`whose primary is killed under load, calls are metered by the next one (${turn})`, async () => {
      const primary = await group.primary()
      // Sentinels notice it after a second and agree; the service asks them four times a second.
      await survives(primary.kill)
      assert.notEqual(await group.primary(), primary)
      await primary.start()
      await sleep(sample(0, 2000))
    })
  }

  // These take half a minute: the two tests around them show the same failover.
  if (sample(0, 1)) {
    it('whose primary hangs under load, calls are metered by the next one, and by the same one afterwards', async () => {
      const primary = await group.primary()
      await survives(async () => primary.freeze())
      primary.thaw()
      // The Sentinels make it a replica. No call goes back to it.
      await survives(() => sleep(1000))
      assert.notEqual(await group.primary(), primary)
      await sleep(1500)
    })

    it('whose operator moves the role of the primary, calls are metered again', async () => {
      await survives(group.failOver)
    })
  }

  it('keeps the buckets over a failover as far as they were replicated', async () => {
    await running.stop()
    running = await start({ ...roomy, key: { burst: 50, perMinute: 1 } })
    const other = (await mint(service().db)).secret
    await untilMetered(running.url, [secret])
    const passes = async (times: number) => {
      let count = 0
      for (let i = 0; i < times; i += 1)
        if ((await ask(running.url + point, { headers: bearer(other) })).status === 200) count += 1
      return count
    }
    assert.equal(await passes(40), 40)
    await sleep(200)
    await group.failOver()
    await untilMetered(running.url, [secret])
    assert.equal(await passes(40), 10)
  })

  it('that know no such primary, calls pass unmetered, and the log says why', async () => {
    // On a busy machine the connection to the Sentinels may time out, which says nothing about the primary.
    for (let turn = 0; turn === 0 || (turn < 4 && lines.join('').includes('Connection timeout')); turn += 1) {
      await running.stop()
      lines.length = 0
      running = await startService(service().database, {
        redisUrl: group.url.replace(/grid$/, 'other'),
        buckets: roomy,
        logged: (line) => lines.push(line),
      })
      while (lines.length === 0) await sleep(20)
    }
    assert.equal((await ask(running.url + point, { headers: bearer(secret) })).status, 200)
    assert.match(lines.join(''), /"reason":"no Sentinel knows the primary \\"other\\""/)
  })
})
