/** What a request needs, opened and closed in one place. */
import type { Store } from 'express-rate-limit'
import pino, { type DestinationStream, type Logger } from 'pino'
import { authorityFinder, type FindAuthority } from './access/authority.js'
import type { Config } from './config.js'
import { connect, type Database, type Target } from './db/connect.js'
import type { Narrate } from './insight/answer.js'
import { narrator } from './insight/narrate.js'
import { unaccountedNumbers } from './insight/verify.js'
import { modelAsker } from './insight/wording.js'
import type { BucketSizes } from './limits/buckets.js'
import { storeInProcess } from './limits/in-process.js'
import { BucketStore, probe } from './limits/in-redis.js'
import { linkToRedis, type RedisLink } from './limits/redis-link.js'
import { openMetrics, type Metrics } from './ops/metrics.js'

export type Services = {
  db: Database
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

type Settings = Pick<Config, 'logLevel' | 'redisUrl' | 'buckets' | 'wording'>

export function openServices(config: Settings, target: Target, parts: Parts = {}): Services {
  const log = pino({ level: config.logLevel }, parts.logTo ?? pino.destination(1))
  const metrics = openMetrics()
  const db = (parts.connect ?? connect)(target, { retryMs: RETRY_MS, noted: metrics.database })
  metrics.watchLoad(db.load)
  const redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, log, metrics)
  return {
    db,
    authority: authorityFinder(db),
    bucketStore: redis ? new BucketStore(redis) : storeInProcess(),
    bucketSizes: config.buckets,
    narrate: config.wording && narrator(modelAsker(config.wording), unaccountedNumbers, { rejected: metrics.rejected }),
    log,
    metrics,
    redis: () => redis?.state() ?? 'not configured',
    close: async () => {
      await Promise.all([db.close(), redis?.close()])
    },
  }
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
