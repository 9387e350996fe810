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
import { linkToRedis } from './limits/redis-link.js'

export type Services = {
  db: Database
  authority: FindAuthority
  bucketStore: Store
  bucketSizes: BucketSizes
  /** Undefined where no wording engine is configured. */
  narrate: Narrate | undefined
  log: Logger
  close: () => Promise<void>
}

/** What another may bring in place of the usual. */
type Parts = { connect?: typeof connect; logTo?: DestinationStream }

type Settings = Pick<Config, 'logLevel' | 'redisUrl' | 'buckets' | 'wording'>

export function openServices(config: Settings, target: Target, parts: Parts = {}): Services {
  const log = pino({ level: config.logLevel }, parts.logTo ?? pino.destination(1))
  const db = (parts.connect ?? connect)(target)
  const redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, log)
  return {
    db,
    authority: authorityFinder(db),
    bucketStore: redis ? new BucketStore(redis) : storeInProcess(),
    bucketSizes: config.buckets,
    narrate: config.wording && narrator(modelAsker(config.wording), unaccountedNumbers),
    log,
    close: async () => {
      await Promise.all([db.close(), redis?.close()])
    },
  }
}

const openRedis = (url: string, log: Logger) =>
  linkToRedis(url, {
    probe,
    lost: (reason) => log.warn({ reason }, 'Redis is away: calls pass unmetered'),
    found: () => log.info('Redis is there: calls are metered'),
  })
