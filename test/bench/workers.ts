/**
 * What a call costs with 1, 2 and 4 processes, and with each form of Redis: npm run bench:workers. The table has the
 * processor time of a call by part: that tells which part fills its cores first where there are more of them than here.
 */
import { cpus } from 'node:os'
import { startServe } from '../support/cli.js'
import { newDatabase, postgresServer, urlOf } from '../support/database.js'
import { startSentinelGroup } from '../support/redis-sentinel.js'
import { startRedis, type RedisServer } from '../support/redis-server.js'
import { mint } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { load, loadScript, needWrk, type Ask } from './load.js'
import { cpuSeconds } from './processes.js'

const ORGANISATIONS = 64
/** For each process: a batch of a process then has as many calls, however many processes there are. */
const CONNECTIONS = 32
const WARM_SECONDS = 3
const SECONDS = 8
const ROOMY = '999999/999999'

type Variant = { title: string; workers: number; redisUrl: string; redis: readonly RedisServer[] }

await needWrk()
const database = await newDatabase('datasets')
const postgres = await postgresServer()
const minted = await Promise.all(Array.from({ length: ORGANISATIONS }, () => mint(database.db)))
const asks: Ask[] = minted.map(({ secret }) => ({ path: '/v1/frames/at?lat=0.105&lon=0.205', secret }))
const script = loadScript(asks, newFolder('bench'))
const one = await startRedis()
const sentinels = await startSentinelGroup()
const variants: Variant[] = [
  ...[1, 2, 4].map((workers) => ({
    title: `${workers} process${workers > 1 ? 'es' : ''}, one Redis`,
    workers,
    redisUrl: one.url,
    redis: [one],
  })),
  { title: '2 processes, Sentinels', workers: 2, redisUrl: sentinels.url, redis: [await sentinels.primary()] },
]

async function measure({ title, workers, redisUrl, redis }: Variant): Promise<string> {
  const env = { DATABASE_URL: urlOf(database.target), REDIS_URL: redisUrl, LOG_LEVEL: 'warn' }
  const roomy = { BUCKET_KEY: ROOMY, BUCKET_ORGANISATION: ROOMY }
  const service = await startServe({ ...env, ...roomy }, workers > 1 ? ['--workers', String(workers)] : [])
  try {
    await load(service.url, script, workers * CONNECTIONS, WARM_SECONDS)
    const parts = () => [
      cpuSeconds(service.child.pid ?? 0),
      cpuSeconds(postgres.pid()),
      redis.reduce((sum, server) => sum + cpuSeconds(server.pid()), 0),
    ]
    const before = parts()
    const { requests, seconds, p99, refused, broken } = await load(service.url, script, workers * CONNECTIONS, SECONDS)
    if (refused + broken > 0) throw new Error(`${title}: ${refused} refused, ${broken} broken`)
    const micros = parts().map((after, i) => Math.round(((after - (before[i] ?? 0)) * 1e6) / requests))
    return `| ${[title, Math.round(requests / seconds), p99.toFixed(0), ...micros].join(' | ')} |`
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
  }
}

console.log(
  `${cpus().length} processors; ${ORGANISATIONS} organisations, ${CONNECTIONS} connections for each process\n`,
)
console.log(
  '| | calls a second | p99, ms | service, µs a call | PostgreSQL, µs | Redis, µs |\n|---|---|---|---|---|---|',
)
for (const variant of variants) console.log(await measure(variant))
await Promise.all([one.stop(), sentinels.stop()])
await database.drop()
process.exit()
