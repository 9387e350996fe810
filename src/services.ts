/** What a request needs, opened and closed in one place. */
import type { Store } from 'express-rate-limit'
import pino, { type DestinationStream, type Logger } from 'pino'
import { authorityFinder, type FindAuthority } from './access/authority.js'
import type { Config } from './config.js'
import { connect, type Database, type Target } from './db/connect.js'
import { replicasOf, type Reads, type Replicas, type ReplicaState } from './db/replicas.js'
import type { Narrate } from './insight/answer.js'
import { narrator } from './insight/narrate.js'
import { unaccountedNumbers } from './insight/verify.js'
import { modelAsker } from './insight/wording.js'
import type { BucketSizes } from './limits/buckets.js'
import { storeInProcess } from './limits/in-process.js'
import { BucketStore, probe } from './limits/in-redis.js'
import { linkToRedis, type RedisLink } from './limits/redis-link.js'
import { logLines } from './log-lines.js'
import { openMetrics, type Metrics } from './ops/metrics.js'

export type Services = {
  /** The primary: what calls cost. */
  db: Database
  /** Who may do what, and at what price: the primary too, but for the grace that an operator may grant. */
  vouched: Replicas['vouched']
  /** What one call reads frames and datasets from: asked for once a call, before it reads. */
  readsOfCall: () => Reads
  replicas: Replicas
  authority: FindAuthority
  bucketStore: Store
  bucketSizes: BucketSizes
  /** Undefined where no wording engine is configured. */
  narrate: Narrate | undefined
  log: Logger
  metrics: Metrics
  redis: () => RedisState
  close: () => Promise<void>
}

type RedisState = 'up' | 'away' | 'not configured'

/** How long a read asks again while the database is away: every statement of `rows` only reads here. */
const RETRY_MS = 2500

/** What another may bring in place of the usual. */
type Parts = { connect?: typeof connect; logTo?: DestinationStream }

type Settings = Pick<
  Config,
  'readDatabaseUrls' | 'readLagMaxMs' | 'authorityGraceMs' | 'logLevel' | 'redisUrl' | 'buckets' | 'wording'
>

export function openServices(config: Settings, target: Target, parts: Parts = {}): Services {
  const log = pino({ level: config.logLevel }, parts.logTo ?? logLines())
  const metrics = openMetrics()
  const open = parts.connect ?? connect
  const db = open(target, { retryMs: RETRY_MS, noted: metrics.database })
  metrics.watchLoad(db.load)
  const replicas = replicasOf(
    { primary: db, target, urls: config.readDatabaseUrls },
    {
      connect: open,
      noted: metrics.database,
      lagMaxMs: config.readLagMaxMs,
      graceMs: config.authorityGraceMs,
      told: (state) => logReplica(log, state),
      primaryTold: (isAway) => {
        if (isAway) log.warn('the primary is away')
        else log.info('the primary is back')
      },
    },
  )
  metrics.watchReplicas(replicas.states)
  const redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, log, metrics)
  return {
    db,
    readsOfCall: replicas.reads,
    replicas,
    vouched: replicas.vouched,
    authority: authorityFinder(replicas.vouched),
    bucketStore: redis ? new BucketStore(redis) : storeInProcess(),
    bucketSizes: config.buckets,
    narrate: config.wording && narrator(modelAsker(config.wording), unaccountedNumbers, { rejected: metrics.rejected }),
    log,
    metrics,
    redis: () => redis?.state() ?? 'not configured',
    close: async () => {
      await Promise.all([replicas.close(), db.close(), redis?.close()])
    },
  }
}

function logReplica(log: Logger, state: ReplicaState): void {
  if (state.inUse) log.info(state, 'the replica is in use for reads')
  else log.warn(state, 'the replica is not in use for reads: others or the primary are')
}

function openRedis(url: string, log: Logger, metrics: Metrics): RedisLink & { state: () => RedisState } {
  let state: RedisState = 'away'
  const turned = (to: RedisState) => {
    state = to
    metrics.isUp('redis', to === 'up')
  }
  turned('away')
  const link = linkToRedis(url, {
    probe,
    lost: (reason) => {
      turned('away')
      log.warn({ reason }, 'Redis is away: calls pass unmetered')
    },
    found: () => {
      turned('up')
      log.info('Redis is there: calls are metered')
    },
  })
  return { ...link, state: () => state }
}
