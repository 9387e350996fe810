import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { tooFewConnections } from '../../src/tools/cli/serve-start.js'
import { serve } from '../../src/server/http-server.js'
import { frames, framesProcess, startServe, type Started } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { freePort } from '../support/postgres-server.js'
import { redisServer } from '../support/redis-server.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, service } from '../support/service.js'
import { startClients } from './keep-alive-clients.js'
import { allServe, isRunning, pidsOf, readiness } from './worker-processes.js'

const path = '/v1/frames/at?lat=0.105&lon=0.205'
const CLIENTS = { count: sample(4, 40), pauseMs: sample(40, 0) }
const roomy = '900000/900000'
const served = 'frames_http_requests_total{route="/v1/frames/at",status="200"}'

describe('serve --workers', function () {
  this.timeout(180_000)
  let started: Started | undefined
  let shared: Started | undefined

  const settings = async () => ({
    DATABASE_URL: urlOf(service().database.target),
    REDIS_URL: (await redisServer()).url,
    BUCKET_KEY: roomy,
    BUCKET_ORGANISATION: roomy,
    BUCKET_INSIGHT: '60/1',
    DRAIN_SECONDS: '2',
    LOG_LEVEL: 'warn',
  })
  const start = async (env: Record<string, string> = {}): Promise<Started> => {
    await kill()
    return (started = await startServe({ ...(await settings()), ...env }, ['--workers', '2']))
  }
  const kill = async () => {
    started?.child.kill('SIGKILL')
    await started?.ended
    started = shared = undefined
  }
  /** The tests share one until a test stops it: a start takes seconds. */
  const startShared = async (): Promise<Started> => (shared ??= await start())
  after(kill)

  const restartsOf = ({ stderr }: Started) => stderr().split('all workers are replaced').length - 1
  const counts = async ({ opsUrl }: Started): Promise<[served: number, stopped: number]> => {
    const metrics = await scrape(opsUrl)
    return [sampleOf(metrics, served) ?? 0, sampleOf(metrics, 'frames_worker_exits_total{why="stopped"}') ?? 0]
  }

  it('refuses several without Redis, and over the embedded database, in a sentence', async () => {
    const { REDIS_URL, ...env } = await settings()
    for (const [given, sentence] of [
      [env, /^--workers 3 needs REDIS_URL: without Redis each worker keeps buckets of its own/],
      [{ REDIS_URL, DATA_DIR: '/nonexistent' }, /^--workers 3 needs DATABASE_URL: the embedded database serves one/],
    ] as const) {
      const ran = await frames(['serve', '--workers', '3'], given)
      assert.equal(ran.status, 1)
      assert.match(ran.err, sentence)
    }
  })

  it('ends with one sentence where the first worker cannot start', async () => {
    const DATABASE_URL = `postgres://frames@127.0.0.1:${await freePort()}/frames`
    const env = { ...(await settings()), DATABASE_URL, PORT: '0', OPS_PORT: '0' }
    const ran = await framesProcess(['serve', '--workers', '3'], env)
    assert.equal(ran.status, 1)
    assert.match(ran.err, /^The database of DATABASE_URL cannot be reached: [^\n]+\n$/)
  })

  it('answers on one port, shares the buckets, and adds up the metrics', async () => {
    const running = await startShared()
    assert.equal(pidsOf(running).length, 2)
    const ready = { data: { ready: true, database: 'up', redis: 'up', workers: 2 } }
    // Each worker links to Redis by itself.
    await until(async () => JSON.stringify(await readiness(running)) === JSON.stringify(ready))
    const { secret } = await mint(service().db)
    const headers = { ...bearer(secret), 'content-type': 'application/json', connection: 'close' }
    const body = JSON.stringify({ frameIds: ['324378020'] })
    const call = () => ask(`${running.url}/v1/frames/insight`, { method: 'POST', headers, body })
    const answers = await Promise.all(Array.from({ length: 90 }, call))
    assert.equal(answers.filter(({ status }) => status === 200).length, 60)
    assert.equal(answers.filter(({ status }) => status === 429).length, 30)
    const metrics = await scrape(running.opsUrl)
    assert.deepEqual(
      [
        'frames_http_requests_total{route="/v1/frames/insight",status="200"}',
        'frames_bucket_refusals_total{bucket="insight"}',
        'frames_workers',
        'frames_unmetered_calls_total',
      ].map((name) => sampleOf(metrics, name)),
      [60, 30, 2, 0],
    )
    for (const one of ['frames_dependency_up{dependency="redis"}', 'frames_index_generation'])
      assert.ok((sampleOf(metrics, one) ?? 0) > 0, one)
    const builds = metrics.get('frames_build_info')?.samples ?? new Map<string, number>()
    assert.deepEqual([...builds.values()], [1])
    assert.equal(sampleOf(metrics, 'frames_database_queries_limit'), 4000, 'a sum over two')
  })

  it('replaces a worker that is killed, each time after a longer pause; the other one answers its clients', async () => {
    const running = await startShared()
    const { secret } = await mint(service().db)
    const headers = { ...bearer(secret), connection: 'close' }
    const call = async () => (await ask(running.url + path, { headers })).status
    const filesOf = () => readdirSync(`/proc/${running.child.pid}/fd`).length
    assert.equal(await call(), 200)
    await until(() => allServe(running, 2))
    const before = filesOf()
    const pauses = [0.25, 0.5, 1].slice(0, sample(1, 3))
    for (const pause of pauses) {
      const [victim = 0, other] = pidsOf(running)
      // It does not take the connections that it gets before it is killed.
      process.kill(victim, 'SIGSTOP')
      const calls = Promise.all(Array.from({ length: 8 }, call))
      await sleep(300)
      process.kill(victim, 'SIGKILL')
      assert.deepEqual(await calls, Array<number>(8).fill(200))
      await until(async () => !isRunning(victim) && running.stderr().includes(`starts in ${pause} s`))
      assert.equal(await call(), 200)
      assert.ok(other !== undefined && isRunning(other))
      await until(() => allServe(running, 2))
      assert.ok(filesOf() <= before, `${filesOf()} files are open, ${before} were`)
    }
    assert.equal(sampleOf(await scrape(running.opsUrl), 'frames_worker_exits_total{why="died"}'), pauses.length)
    assert.equal(pidsOf(running).length, 2)
  })

  it('replaces all workers at SIGHUP under load: no request is lost, and none is counted twice', async () => {
    const running = await startShared()
    const { secret } = await mint(service().db)
    const stop = startClients(running.url + path, secret, CLIENTS)
    const restarts = sample(1, 8)
    const done = restartsOf(running)
    const [servedBefore, stoppedBefore] = await counts(running)
    for (let turn = 1; turn <= restarts; turn += 1) {
      const before = pidsOf(running)
      await sleep(500)
      running.child.kill('SIGHUP')
      await until(async () => restartsOf(running) === done + turn)
      const after = pidsOf(running)
      assert.equal(after.length, 2)
      assert.deepEqual(
        after.filter((pid) => before.includes(pid)),
        [],
      )
    }
    await sleep(500)
    const outcomes = await stop()
    assert.deepEqual(Object.keys(outcomes), ['200'], JSON.stringify(outcomes))
    assert.ok((outcomes['200'] ?? 0) > 10 * CLIENTS.count, JSON.stringify(outcomes))
    // A client has an answer before its server has counted it.
    const answered = outcomes['200'] ?? 0
    await until(async () => (await counts(running))[0] - servedBefore >= answered, { ms: 5000 })
    const [servedNow, stoppedNow] = await counts(running)
    assert.equal(servedNow - servedBefore, answered, 'workers that have ended count')
    assert.equal(stoppedNow - stoppedBefore, 2 * restarts)
  })

  if (sample(0, 1)) {
    it('needs no second successor where a worker is killed whose own is just being started', async () => {
      const running = await startShared()
      const done = restartsOf(running)
      const [first = 0] = pidsOf(running)
      running.child.kill('SIGHUP')
      await until(async () => pidsOf(running).length === 3)
      process.kill(first, 'SIGKILL')
      await until(async () => restartsOf(running) === done + 1)
      await sleep(1000)
      assert.equal(pidsOf(running).length, 2)
    })
  }

  it('stays with its workers where their successors cannot start', async () => {
    const running = await startShared()
    const before = pidsOf(running)
    const { db } = service().database
    await db.work("update migration set name = 'away' where name = '004_credits'")
    try {
      running.child.kill('SIGHUP')
      await until(async () => /so the others stay: Migrations are pending: 004_credits/.test(running.stderr()))
    } finally {
      await db.work("update migration set name = '004_credits' where name = 'away'")
    }
    // The one that could not start may still be ending.
    await until(async () => pidsOf(running).length === 2)
    assert.deepEqual(pidsOf(running), before)
    assert.ok(await allServe(running, 2))
  })

  it('says that it is not ready where none of its workers is, and is alive', async () => {
    const running = await startShared()
    const { db } = service().database
    await db.work("update migration set name = 'away' where name = '004_credits'")
    try {
      const answer = await ask(`${running.opsUrl}/readyz`)
      assert.equal(answer.status, 503)
      assert.match(answer.text, /Migrations are pending: 004_credits/)
      assert.equal((await ask(`${running.opsUrl}/livez`)).status, 200)
    } finally {
      await db.work("update migration set name = '004_credits' where name = 'away'")
    }
  })

  it('answers what is open at a SIGTERM or SIGINT that all its processes get, and ends with status 0', async () => {
    for (const signal of (['SIGINT', 'SIGTERM'] as const).slice(0, sample(1, 2))) {
      const running = await startShared()
      const { secret } = await mint(service().db)
      const stop = startClients(running.url + path, secret, CLIENTS)
      await sleep(300)
      const pids = pidsOf(running)
      // A terminal and systemd send the signal to every process of the group.
      for (const pid of [running.child.pid ?? 0, ...pids]) process.kill(pid, signal)
      await sleep(500)
      assert.equal((await ask(`${running.opsUrl}/readyz`)).status, 503)
      const outcomes = await stop()
      const { status, err } = await running.ended
      assert.equal(status, 0, err)
      assert.doesNotMatch(err, /were cut/)
      // Connections that come later find nobody listening.
      assert.deepEqual(
        Object.keys(outcomes).filter((outcome) => !['200', 'ECONNREFUSED'].includes(outcome)),
        [],
      )
      assert.deepEqual(pids.filter(isRunning), [])
      shared = undefined
    }
  })

  if (sample(0, 1)) {
    it('cuts what is open at a second signal', async () => {
      const running = await start({ DRAIN_SECONDS: '60' })
      const pids = pidsOf(running)
      running.child.kill('SIGTERM')
      await until(async () => running.stderr().includes('a second signal cuts them off'))
      running.child.kill('SIGINT')
      assert.equal((await running.ended).status, 130)
      assert.deepEqual(pids.filter(isRunning), [])
    })
  }
})

describe('the start of workers', () => {
  it('warns where PostgreSQL allows fewer connections than all of them may open', async () => {
    const opened = { services: { primary: service().database.db }, web: undefined }
    assert.deepEqual(await tooFewConnections(opened, 3), [])
    const [warning = ''] = await tooFewConnections(opened, 8)
    assert.match(warning, /^8 workers open up to 108 connections to PostgreSQL .* max_connections allows 97\./)
  })
})

describe('a server that shares its port', () => {
  it('closes connections past its limit at once', async () => {
    const dropped: string[] = []
    const running = await serve(express(), '127.0.0.1', 0, {
      sharesPort: true,
      connectionsMax: 3,
      drainMs: 0,
      onDrop: (reason) => dropped.push(reason),
    })
    const sockets = Array.from({ length: 4 }, () => dial(running.port, '127.0.0.1').on('error', () => {}))
    try {
      await until(async () => dropped.length > 0)
      assert.deepEqual(dropped, ['connection_limit'])
      await until(async () => sockets.some(({ closed }) => closed))
    } finally {
      for (const socket of sockets) socket.destroy()
      await running.close()
    }
  })
})
