/**
 * Two service processes behind nginx, with one Redis: what they answer together, and whether any call went unmetered.
 */
import { execFileSync } from 'node:child_process'
import { hashSecret } from '../../src/core/access/secret.js'
import type { Database } from '../../src/core/db/connect.js'
import type { RedisServer } from '../support/redis-server.js'
import { byService, contest, type Machinery } from './contest.js'
import { load, loadScript } from './load.js'
import { cpuSeconds } from './processes.js'
import { mintKeys, type Corner, type Keys } from './questions.js'
import { holds, told, type Finding, type Row } from './report.js'
import { atAsks } from './rows.js'
import { startProxy, startService, type Service } from './servers.js'

type Fleet = {
  machinery: Machinery
  serviceUrl: string
  redis: RedisServer
  db: Database
  points: readonly Corner[]
  keys: Keys
}

const hasNginx = () => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export async function fleetRow(fleet: Fleet): Promise<Row> {
  const row: Row = { key: 'fleet', title: 'two processes behind nginx, /at', findings: [] }
  if (!hasNginx()) return { ...row, title: `${row.title}: nginx is not installed (apt-get install nginx-light)` }
  const measured = await behindProxy(fleet, {}, async (proxy) => {
    const [rate] = await contest(fleet.machinery, [
      byService(fleet.machinery, 'two processes', proxy, atAsks(fleet.keys, fleet.points), 32),
    ])
    return rate
  })
  return { ...row, ...(measured ? { measured } : {}), findings: await metering(fleet) }
}

async function behindProxy<Answer>(
  { machinery, serviceUrl, redis }: Fleet,
  env: Record<string, string>,
  work: (proxy: Service, services: readonly Service[]) => Promise<Answer>,
): Promise<Answer> {
  const started: Service[] = []
  try {
    for (let i = 0; i < 2; i += 1) {
      started.push(await startService({ DATABASE_URL: serviceUrl, REDIS_URL: redis.url, ...env }, machinery.folder))
    }
    const proxy = await startProxy(started, machinery.folder)
    started.push(proxy)
    return await work(proxy, started.slice(0, 2))
  } finally {
    for (const service of started.toReversed()) await service.stop()
  }
}

const BURST = 200
const PER_MINUTE = 60
const SECONDS = 3

/**
 * The bucket of a key tells how many calls it let pass: each moves its instant on by what one call takes to refill.
 * Under a load that never lets it fill, the answers of 200 must be as many, to the call.
 */
async function metering(fleet: Fleet): Promise<Finding[]> {
  const keys = await mintKeys(fleet.db, 'locality', 1)
  const size = `${BURST}/${PER_MINUTE}`
  return await behindProxy(fleet, { BUCKET_KEY: size }, async (proxy, services) => {
    const asks = atAsks(keys, fleet.points)
    const [first] = asks
    const one = await fetch(proxy.url + (first?.path ?? ''), { headers: { authorization: `Bearer ${first?.secret}` } })
    const before = await bucketOf(fleet, keys)
    const spent = services.map(({ pid }) => cpuSeconds(pid))
    const done = await load(proxy.url, loadScript(asks, fleet.machinery.folder), 32, SECONDS)
    const after = await bucketOf(fleet, keys)
    const worked = services.filter(({ pid }, i) => cpuSeconds(pid) > (spent[i] ?? 0)).length
    const metered = Math.round(((after - before) * PER_MINUTE) / 60_000_000)
    const passed = done.requests - done.refused
    // Requests under way when wrk ends are metered, and their answers nobody counts: one a connection at most.
    const isExact = one.ok && metered - passed >= 0 && metered - passed <= 32
    const most = BURST + Math.ceil(done.seconds + 1) * (PER_MINUTE / 60)
    return [
      holds('calls let through are metered, to the call', isExact, `${passed} passed, ${metered} spent`),
      holds('no more than the bucket holds', metered <= most, `${metered}, at most ${most}`),
      told('processes that worked', worked),
    ]
  })
}

/** The microsecond at which the key's bucket is full again. */
async function bucketOf({ redis, db }: Fleet, { orgId, secrets }: Keys): Promise<number> {
  const [key] = await db.rows<{ id: string }>(
    `select key_id as id from api_key where secret_hash = decode($1::text, 'hex')`,
    [hashSecret(secrets[0] ?? '').toString('hex')],
  )
  const said = await redis.say('GET', `frames:{${orgId}}:key:${key?.id}`)
  return Number(said.split('\r\n')[1])
}
