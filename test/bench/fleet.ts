/**
 * How the service grows: one process on one core and on all, several behind nginx with one Redis, and whether any call of
 * theirs went unmetered.
 */
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { hashSecret } from '../../src/core/access/secret.js'
import type { Database } from '../../src/core/db/connect.js'
import type { RedisServer } from '../support/redis-server.js'
import { byService, contest, type Machinery } from './contest.js'
import { load, loadScript } from './load.js'
import { childrenOf, cpuSeconds } from './processes.js'
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

/** One process on one core and on all of them, then one, two and four behind nginx, and whether they meter each call. */
export async function fleetRows(fleet: Fleet): Promise<Row[]> {
  const rows = [
    await rowOf(fleet, 'one process, on one core with PostgreSQL and Redis', 1, onOneCore),
    await rowOf(fleet, 'one process', 1, (_fleet, [service], work) => work(service)),
  ]
  if (!hasNginx()) return [...rows, row('nginx is not installed (apt-get install nginx-light)')]
  for (const count of [1, 2, 4]) rows.push(await rowOf(fleet, `processes behind nginx: ${count}`, count, behindProxy))
  return [...rows, { ...row('two processes behind nginx, with small buckets'), findings: await metering(fleet) }]
}

const row = (title: string): Row => ({ key: 'fleet', title, findings: [] })

type Services = [Service, ...Service[]]
type Work<Answer> = (front: Service) => Promise<Answer>
type Front = <Answer>(fleet: Fleet, services: Services, work: Work<Answer>) => Promise<Answer>

async function rowOf(fleet: Fleet, title: string, count: number, front: Front): Promise<Row> {
  const { machinery, keys, points } = fleet
  const measured = await withServices(fleet, { count }, (services) =>
    front(fleet, services, async (service) => {
      const [rate] = await contest(machinery, [byService(machinery, title, service, atAsks(keys, points), 32 * count)])
      return rate
    }),
  )
  return { ...row(`/at, ${title}`), ...(measured && { measured }) }
}

/** wrk has the other cores for itself. */
const onOneCore: Front = async ({ machinery: { databasePid, redisPid } }, [service], work) => {
  const pids = () => [service.pid, redisPid, databasePid, ...childrenOf(databasePid)]
  const pin = (cores: string) => {
    for (const pid of pids()) execFileSync('taskset', ['-apc', cores, String(pid)], { stdio: 'ignore' })
  }
  pin('0')
  try {
    return await work(service)
  } finally {
    pin(`0-${cpus().length - 1}`)
  }
}

const behindProxy: Front = async ({ machinery }, services, work) => {
  const proxy = await startProxy(services, machinery.folder)
  try {
    return await work(proxy)
  } finally {
    await proxy.stop()
  }
}

async function withServices<Answer>(
  { machinery, serviceUrl, redis }: Fleet,
  { count, env }: { count: number; env?: Record<string, string> },
  work: (services: Services) => Promise<Answer>,
): Promise<Answer> {
  const started: Service[] = []
  const start = async () => {
    const service = await startService({ DATABASE_URL: serviceUrl, REDIS_URL: redis.url, ...env }, machinery.folder)
    started.push(service)
    return service
  }
  try {
    const services: Services = [await start()]
    while (services.length < count) services.push(await start())
    return await work(services)
  } finally {
    for (const service of started) await service.stop()
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
  const watch = (services: Services) => async (proxy: Service) => {
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
  }
  return await withServices(fleet, { count: 2, env: { BUCKET_KEY: size } }, (services) =>
    behindProxy(fleet, services, watch(services)),
  )
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
