/** What a request needs, opened and closed in one place. */
import type { Store } from 'express-rate-limit'
import pino, { type DestinationStream, type Logger } from 'pino'
import { authorityFinder, type FindAuthority } from './access/authority.js'
import { maskSecrets } from './access/secret.js'
import type { Config } from './config.js'
import type { Ledger } from './credits/charging.js'
import { voidsOf } from './credits/voids.js'
import { connect, type Database, type Target } from './db/connect.js'
import { replicasOf, type Replicas, type ReplicaState } from './db/replicas/replicas.js'
import type { Narrate } from './insight/worded.js'
import { narrator } from './insight/narrate.js'
import { unaccountedNumbers } from './insight/verify.js'
import { modelAsker } from './insight/wording.js'
import type { TrustedHeader } from './http/client-address.js'
import { addressBuckets, type AddressBuckets } from './limits/address-buckets.js'
import type { BucketSizes } from './limits/buckets.js'
import { storeInProcess } from './limits/in-process.js'
import { BucketStore, probe } from './limits/in-redis.js'
import { linkToRedis, type RedisLink } from './limits/redis-link.js'
import { logLines } from './server/runtime/log-lines.js'
import { openMetrics, type Metrics } from './server/metrics.js'

export type Services = {
  /** The primary. */
  db: Database
  /** What calls pay with: the accounts on the primary. */
  ledger: Ledger
  /** Who may do what, and at what price: the primary too, but for the grace that an operator may grant. */
  authorityReader: Replicas['authorityReader']
  /** What one call reads frames and datasets from: asked for once a call, before it reads. */
  readerForRequest: Replicas['reads']
  replicas: Replicas
  authority: FindAuthority
  bucketStore: Store
  bucketSizes: BucketSizes
  /** Undefined where addresses are not metered. */
  addressBuckets: AddressBuckets | undefined
  /** Undefined where no proxy is known to write one. */
  trustedHeader: TrustedHeader | undefined
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

/** How long a process that ends goes on giving back what failed calls were charged. */
const VOIDS_MS = 5000

/** What another may bring in place of the usual. */
type Parts = { connect?: typeof connect; logTo?: DestinationStream }

type Settings = Pick<
  Config,
  'readDatabaseUrls' | 'readLagMaxMs' | 'authorityGraceMs' | 'logLevel' | 'redisUrl' | 'buckets' | 'wording'
> &
  Partial<Pick<Config, 'trustedHeader'>>

export function openServices(config: Settings, target: Target, parts: Parts = {}): Services {
  const log = openLog(config.logLevel, parts.logTo ?? logLines())
  const metrics = openMetrics()
  const open = parts.connect ?? connect
  const db = open(target, { retryMs: RETRY_MS, onEvent: metrics.database })
  metrics.watchLoad(db.load)
  const replicas = replicasOf(
    { primary: db, target, urls: config.readDatabaseUrls },
    {
      connect: open,
      onEvent: metrics.database,
      lagMaxMs: config.readLagMaxMs,
      graceMs: config.authorityGraceMs,
      onReplicaChange: (state) => logReplica(log, state),
      onPrimaryChange: (isAway) => {
        if (isAway) log.warn('the primary is away')
        else log.info('the primary is back')
      },
    },
  )
  const voids = voidsOf(db, {
    onGivenUp: ({ caller, requestId, part }, reason) =>
      log.error(
        { requestId, orgId: caller.orgId, part, reason },
        'this call failed, and what it was charged or had counted could not be given back: look for its entries',
      ),
  })
  metrics.watchReplicas(replicas.states)
  const redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, log, metrics)
  return {
    db,
    ledger: { db, voids },
    readerForRequest: replicas.reads,
    replicas,
    authorityReader: replicas.authorityReader,
    authority: authorityFinder(replicas.authorityReader),
    bucketStore: redis ? new BucketStore(redis) : storeInProcess(),
    bucketSizes: config.buckets,
    addressBuckets: config.buckets.address && addressBuckets(config.buckets.address),
    trustedHeader: config.trustedHeader,
    narrate: config.wording && narrator(modelAsker(config.wording), unaccountedNumbers, { rejected: metrics.rejected }),
    log,
    metrics,
    redis: () => redis?.state() ?? 'not configured',
    close: async () => {
      await voids.close(VOIDS_MS)
      await Promise.all([replicas.close(), db.close(), redis?.close()])
    },
  }
}

/** Every line passes the mask on its way out. */
export const openLog = (level: Config['logLevel'], to: DestinationStream): Logger =>
  pino({ level, hooks: { streamWrite: maskSecrets } }, to)

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
