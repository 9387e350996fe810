import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BucketSizes } from '../../src/core/limits/buckets.js'
import { startProxy } from '../support/proxy.js'
import { startRedis, type RedisServer } from '../support/redis-server.js'
import { sample } from '../support/sample.js'
import { assertAnswered, isMetered, point, startLoad, unmeteredOf, untilMetered } from './load.js'
import { ask, bearer, mint, service, startService, type Minted } from '../support/service.js'

const size = { burst: 90_000, perMinute: 90_000 }
const roomy: BucketSizes = { key: size, organisation: size, insight: size }

describe('when Redis', function () {
  this.timeout(60_000)
  let redis: RedisServer
  let running: Awaited<ReturnType<typeof startService>>
  let secret: string
  const lines: string[] = []

  const start = (url: string, buckets = roomy) =>
    startService(service().database, { redisUrl: url, buckets, logged: (line) => lines.push(line) })
  const call = () => ask(running.url + point, { headers: bearer(secret) })

  before(async () => {
    redis = await startRedis()
    secret = (await mint(service().db)).secret
  })
  after(() => redis.stop())
  beforeEach(async () => {
    lines.length = 0
    running = await start(redis.url)
    await metered()
  })
  afterEach(() => running.stop())

  const metered = () => untilMetered(running.url, [secret])
  const load = (clients?: number) => startLoad(running.url, [secret], clients)

  /** Expects that no call is refused, that none waits for a Redis that is known to be away, and that metering comes back. */
  async function survives(damage: () => Promise<unknown>, repair: () => Promise<unknown>, ms = 200) {
    const isAway = () => lines.some((line) => line.includes('Redis is away'))
    const stop = load()
    await sleep(100)
    await damage()
    while (!isAway()) await sleep(20)
    const away = performance.now()
    await sleep(ms)
    const waits: number[] = []
    for (let i = 0; i < 5; i += 1) {
      const from = performance.now()
      await call()
      waits.push(performance.now() - from)
    }
    const repairing = performance.now()
    await repair()
    await metered()
    const back = performance.now()
    await sleep(100)
    const answers = await stop()
    assertAnswered(answers)
    const meanwhile = answers.filter(({ at, took }) => at > away && at + took < repairing)
    assert.ok(meanwhile.length > 10, `${meanwhile.length} calls while it was away`)
    for (const { answer } of meanwhile)
      assert.deepEqual([isMetered(answer), answer.headers.get('ratelimit-policy')], [false, null])
    assert.ok(Math.min(...waits) < 900, `a call waited ${Math.min(...waits)} ms; one that waits for Redis takes 1000`)
    assert.deepEqual(unmeteredOf(answers.filter(({ at }) => at > back)), [])
    const said = lines.filter((line) => line.includes('Redis is away'))
    assert.ok(said.length < 20, `${said.length} lines about it`)
  }

  it('is killed and started again under load', () => survives(redis.kill, redis.start))

  it('hangs for seconds', () =>
    survives(
      async () => redis.freeze(),
      async () => redis.thaw(),
      sample(200, 10_000),
    ))

  it('is out of memory', () =>
    survives(
      () => redis.say('CONFIG', 'SET', 'maxmemory', '1'),
      () => redis.say('CONFIG', 'SET', 'maxmemory', '0'),
    ))

  it('wants a password all at once', () =>
    survives(
      async () => {
        await redis.say('CONFIG', 'SET', 'requirepass', 'other')
        await redis.sayAs('other', 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      },
      () => redis.sayAs('other', 'CONFIG', 'SET', 'requirepass', ''),
    ))

  it('turns read-only, as a replica that was a primary', () =>
    survives(
      () => redis.say('REPLICAOF', '127.0.0.1', '1'),
      () => redis.say('REPLICAOF', 'NO', 'ONE'),
    ))

  const LATE = [1900, 100, 900]
  let replies = 0
  for (const [how, delay] of [
    ['900 ms late with every answer', () => 900],
    ['late by 1.9, 0.1 and 0.9 seconds in turn', () => LATE[(replies += 1) % LATE.length] ?? 0],
  ] as const) {
    it(`is ${how}, no call waits longer than a second for it`, async () => {
      const slow = await startProxy(redis.port)
      await running.stop()
      running = await start(`redis://127.0.0.1:${slow.port}`)
      try {
        await metered()
        const stop = load(sample(6, 12))
        await sleep(100)
        slow.delay(delay)
        // The service sends the script again, and so waits for a second reply.
        for (let turn = 0; turn < sample(1, 8); turn += 1) {
          await sleep(500)
          await redis.say('SCRIPT', 'FLUSH')
        }
        slow.delay(() => 0)
        await metered()
        const answers = await stop()
        for (const { answer } of answers) assert.equal(answer.status, 200, answer.text)
        const slowest = Math.max(...answers.map(({ took }) => took))
        assert.ok(slowest > 800, `the slowest of ${answers.length} calls took ${slowest} ms`)
        const longest = Math.max(...answers.map(({ waited }) => waited))
        // Two replies, each 900 ms late, would take 1800.
        assert.ok(longest < 1600, `a call waited ${longest} ms`)
      } finally {
        await running.stop()
        await slow.close()
        running = await start(redis.url)
      }
    })
  }

  it('forgets everything (FLUSHALL) or its scripts (SCRIPT FLUSH), every call is metered all the same', async () => {
    const stop = load(16)
    for (let turn = 0; turn < 5; turn += 1) {
      await sleep(50)
      await redis.say('SCRIPT', 'FLUSH')
      await redis.say('FLUSHALL')
    }
    const answers = await stop()
    assert.ok(answers.length > 20)
    for (const { answer } of answers) assert.deepEqual([answer.status, isMetered(answer)], [200, true])
    assert.equal(lines.filter((line) => line.includes('Redis is away')).length, 0)
  })

  it('holds something else at the key of a bucket, that bucket alone is new again, and everybody is metered', async () => {
    await running.stop()
    running = await start(redis.url, { ...roomy, key: { burst: 9, perMinute: 1 } })
    await metered()
    const victim = await mint(service().db)
    const others = await Promise.all([1, 2, 3].map(() => mint(service().db)))
    const bucket = `frames:{${victim.orgId}}:key:${victim.keyId}`
    const left = async (minted: Minted) => {
      const answer = await ask(running.url + point, { headers: bearer(minted.secret) })
      const [, name, r] = /^"(\w+)";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '') ?? []
      return `${answer.status} ${name} ${r}`
    }
    const poisons = [
      ['RPUSH', bucket, 'a', 'b'],
      ['HSET', bucket, 'a', 'b'],
      ...['nonsense', '', 'nan', 'inf', '-inf', '1e999', '0x10', ' 12', '-5', '9.5', 'x'.repeat(100_000)].map(
        (text) => ['SET', bucket, text],
      ),
    ]
    let turn = 0
    for (const poison of poisons) {
      assert.equal(await left(victim), '200 key 8', poison.slice(2).join().slice(0, 20))
      await redis.say('DEL', bucket)
      assert.match(await redis.say(...poison), /^[+:]/)
      const seen = await Promise.all([left(victim), ...others.map(left)])
      turn += 1
      const rest = turn <= 9 ? `200 key ${9 - turn}` : '429 key 0'
      assert.deepEqual(seen, ['200 key 8', rest, rest, rest], poison.slice(2).join().slice(0, 20))
      assert.equal(await left(victim), '200 key 7', 'it fills as any bucket from then on')
      await redis.say('DEL', bucket)
    }
    // An instant far ahead means that the clock was set back: the bucket is empty and fills.
    await redis.say('SET', bucket, '9'.repeat(400))
    assert.equal(await left(victim), '429 key 0')
    assert.equal(lines.filter((line) => line.includes('Redis is away')).length, 0)
  })

  it('is down at start, calls pass at once, and are metered once it is there', async () => {
    const late = await startRedis({}, false)
    await running.stop()
    running = await start(late.url)
    try {
      const waits: number[] = []
      for (let i = 0; i < 5; i += 1) {
        const from = performance.now()
        const answer = await call()
        assert.deepEqual([answer.status, isMetered(answer)], [200, false])
        waits.push(performance.now() - from)
      }
      // A call that waits for Redis takes a second.
      assert.ok(Math.min(...waits) < 900)
      await late.start()
      await metered()
      await late.say('SCRIPT', 'FLUSH')
      assert.ok(isMetered(await call()))
    } finally {
      await late.stop()
    }
  })

  it('is asked with a wrong password, calls pass, and the log says why without the password', async () => {
    const guarded = await startRedis({ requirepass: 'right' })
    await running.stop()
    running = await start(guarded.url.replace('//', '//:wrong-secret@'))
    try {
      while (lines.length === 0) await sleep(20)
      const answer = await call()
      assert.deepEqual([answer.status, isMetered(answer)], [200, false])
      const said = lines.join('')
      assert.match(said, /"reason":"WRONGPASS [^"]+","msg":"Redis is away: calls pass unmetered"/)
      assert.doesNotMatch(said, /wrong-secret/)
    } finally {
      await guarded.stop()
    }
  })

  it('is well and the service is overloaded, each of very many calls is metered, and the burst is exact', async () => {
    await running.stop()
    const burst = sample(200, 2000)
    running = await start(redis.url, { ...roomy, key: { burst, perMinute: 1 } })
    await metered()
    const limited = await mint(service().db)
    const one = async () => await ask(running.url + point, { headers: bearer(limited.secret) })
    let [passed, unmetered] = [0, 0]
    for (let wave = 0; wave < sample(2, 10); wave += 1) {
      for (const answer of await Promise.all(Array.from({ length: sample(150, 1000) }, one))) {
        if (answer.status === 200) passed += 1
        if (!isMetered(answer)) unmetered += 1
      }
    }
    assert.equal(unmetered, 0)
    assert.equal(passed, burst)
  })
})
