/** Opens and closes, in one place, everything that a request needs. */
import { callLevels } from './core/place.js'
import pino, { type DestinationStream, type Logger } from 'pino'
import {
  authorityFinder,
  type FindAuthority,
  type KeyUse,
  maskSecrets,
  openKeyUse,
  openUnknownWords,
  type UnknownWords,
} from './core/access/index.js'
import type { CountEvent } from './core/counts.js'
import { type Ledger, openRefunds, type Refunds } from './core/credits/index.js'
import {
  connect,
  connectReplicas,
  type Database,
  type DatabaseOptions,
  type Hosts,
  hostsOf,
  type MovingTarget,
  type ProbeTimes,
  type Replicas,
  sharedByPerson,
  type Target,
} from './core/db/index.js'
import { CALL_MS } from './core/deadline.js'
import { defined } from './core/defined.js'
import {
  type CatalogueCache,
  emptyCatalogues,
  modelAsker,
  narrator,
  plannerByModel,
  unaccountedNumbers,
  withBreaker,
  type WordingEngine,
} from './core/insight/index.js'
import type { TrustedHeader } from './core/client-address.js'
import { type FileStore, openFileStore } from './core/frame-file/index.js'
import {
  addressBuckets,
  type AddressBuckets,
  type BucketSizes,
  type Limiter,
  linkToRedis,
  openLimiter,
  probe,
  type RedisLink,
} from './core/limits/index.js'
import type { ServiceSettings } from './core/settings/index.js'
import { type Metrics, openMetrics } from './metrics.js'

export type Services = {
  /** The primary, for the start and the end of the process. Calls ask through the handles below. */
  primary: Database
  /** The server of `primary`: another pool finds the same one. */
  hosts: Pick<Hosts, 'target' | 'withLoginOf'>
  ledger: Ledger
  findAuthority: FindAuthority
  /** Reads licences and prices: from the primary or, while it is away, within the grace, from a replica. */
  authorityReader: Replicas['authorityReader']
  /** Makes the reader of frames and datasets for one request, or for one batch of requests. */
  readerForRequest: Replicas['readerForRequest']
  replicas: Pick<
    Replicas,
    'findPrimary' | 'check' | 'isStandingIn' | 'isPrimaryAway' | 'lastLags' | 'readerWithGrace' | 'states' | 'reconnect'
  >
  /** Opens another pool of connections. Its reads are retried, and its events counted, as those of the primary are. */
  openPool: (target: MovingTarget, sizes: Partial<DatabaseOptions>) => Database
  /** The replicas that may stand in for the primary. */
  standInUrls: readonly string[]
  /** How long a call waits for the database in all, in milliseconds. */
  callMs: number
  limiter: Limiter
  bucketSizes: BucketSizes
  /** Undefined where addresses are not metered. */
  addressBuckets: AddressBuckets | undefined
  /** Undefined where no proxy is known to write such a header. */
  trustedHeader: TrustedHeader | undefined
  corsOrigins: readonly string[]
  /** Whether the keys to test with are accepted. */
  testKeys: boolean
  /** The origin of the service's own pages. Undefined where it has none. */
  ownOrigin: (port: number) => string | undefined
  /** The address before /v1, /ogc and /app, without a slash at its end. Undefined where it is not known. */
  ownAddress: (port: number) => string | undefined
  /** The files of datasets. */
  files: FileStore
  /** Names that questions may use, by the versions of the datasets. */
  catalogues: CatalogueCache
  /** Undefined where no wording engine is configured. */
  wording: WordingEngine | undefined
  keyUse: Pick<KeyUse, 'count' | 'write'>
  /** Counts the words of questions that no name of the catalogue has. */
  unknownWords: Pick<UnknownWords, 'count' | 'write'>
  log: Logger
  metrics: Metrics
  redisState: () => RedisState
  /** Half of this time is for the last refunds and counts, and the other half for connections to close. */
  close: (ms?: number) => Promise<void>
}

type RedisState = 'up' | 'away' | 'not configured'

/** How long a read is retried while the database is away. `rows` never writes here. */
const RETRY_READS_MS = 2500

/** How long a process that ends continues to refund failed calls. */
const REFUND_MS = 5000

/** How long a process that ends tries to write the counts of its last seconds. */
const LAST_COUNTS_MS = 2000

/** Overrides for tests and dry runs. */
type Overrides = {
  connect?: typeof connect
  logTo?: DestinationStream
  /** The clock of the breaker of the wording engine, in milliseconds. */
  clock?: (() => number) | undefined
  callMs?: number | undefined
  /** The clock of the buckets in this process, in microseconds. */
  bucketClock?: (() => number) | undefined
  /** How often counts of calls are written, in milliseconds. */
  writeUseEveryMs?: number | undefined
  /** How often replicas are probed, and how long a probe waits, in milliseconds. */
  probes?: ProbeTimes | undefined
}

type WordingSettings = NonNullable<ServiceSettings['wording']>
type Settings = Omit<
  ServiceSettings,
  'databaseUrl' | 'corsOrigins' | 'trustedHeader' | 'testKeys' | 'filesDir' | 'placeWords' | 'wording'
> & {
  wording: (Omit<WordingSettings, 'plannerModel' | 'plansADay'> & Partial<WordingSettings>) | undefined
} & Partial<
    Pick<ServiceSettings, 'corsOrigins' | 'trustedHeader' | 'testKeys' | 'filesDir' | 'placeWords'> &
      Pick<Services, 'ownOrigin' | 'ownAddress'>
  >

export function openServices(config: Settings, target: Target, overrides: Overrides = {}): Services {
  const log = openLog(config.logLevel, overrides.logTo ?? standardOutput())
  const metrics = openMetrics()
  const open = sharedByPerson(overrides.connect ?? connect)
  const hosts = hostsOf(target)
  const openPool: Services['openPool'] = (to, sizes) =>
    open(to, { ...sizes, retryMs: RETRY_READS_MS, onEvent: metrics.countDatabaseEvent })
  const primary = openPool(hosts.target, {})
  metrics.watch('frames_database_queries_in_flight')(() => primary.load().underWay)
  metrics.watch('frames_database_queries_limit')(() => primary.load().limit)
  const reports = { log, metrics }
  const servers = { primary, hosts, urls: config.readDatabaseUrls }
  const replicas = openReplicas(config, servers, reports, { connect: open, times: overrides.probes })
  const refunds = openRefundQueue(primary, log)
  const everyMs = overrides.writeUseEveryMs
  const keyUse = countKeyUse(primary, reports, everyMs)
  const unknownWords = countUnknownWords(primary, reports, everyMs)
  const files = openFileStore(hosts.target, config.filesDir)
  const redis = config.redisUrl === undefined ? undefined : openRedis(config.redisUrl, reports)
  callLevels(config.placeWords ?? [])
  return {
    primary,
    hosts,
    ledger: { db: primary, refunds },
    findAuthority: authorityFinder(replicas.authorityReader),
    authorityReader: replicas.authorityReader,
    readerForRequest: replicas.readerForRequest,
    replicas,
    openPool,
    standInUrls: config.authorityGraceMs > 0 ? config.readDatabaseUrls : [],
    callMs: overrides.callMs ?? CALL_MS,
    limiter: openLimiter(redis, overrides.bucketClock),
    bucketSizes: config.buckets,
    addressBuckets: config.buckets.address && addressBuckets(config.buckets.address, overrides.bucketClock),
    trustedHeader: config.trustedHeader,
    corsOrigins: config.corsOrigins ?? [],
    testKeys: config.testKeys ?? false,
    ownOrigin: config.ownOrigin ?? (() => undefined),
    ownAddress: config.ownAddress ?? (() => undefined),
    files,
    catalogues: emptyCatalogues(config.placeWords),
    wording: config.wording && openWording(config.wording, reports, overrides.clock),
    keyUse,
    unknownWords,
    log,
    metrics,
    redisState: () => redis?.state() ?? 'not configured',
    close: async (ms = 2 * REFUND_MS) => {
      const countsMs = Math.min(LAST_COUNTS_MS, ms / 2)
      const refunded = refunds.close(Math.min(REFUND_MS, ms / 2))
      await Promise.all([refunded, keyUse.close(countsMs), unknownWords.close(countsMs), files.close()])
      await Promise.all([replicas.close(), primary.close(), redis?.close()])
    },
  }
}

/** Lines go out in pieces of 8 kB, and after 100 ms at the latest: a process that is killed loses as much. */
const standardOutput = () => pino.destination({ dest: 1, minLength: 8192, periodicFlush: 100, sync: false })

/** Masks the secrets in every line. */
export const openLog = (level: ServiceSettings['logLevel'], to: DestinationStream): Logger =>
  pino({ level, hooks: { streamWrite: maskSecrets } }, to)

type Reports = { log: Logger; metrics: Metrics }

/** A plan has about a hundred tokens. What is left of the time of a call is for its figures. */
const PLAN_MAX_MS = 6000

function openWording(
  settings: NonNullable<Settings['wording']>,
  { log, metrics }: Reports,
  clock: Overrides['clock'],
): WordingEngine {
  const onRetry = () => metrics.count('frames_wording_retries_total', {})
  const model = withBreaker(modelAsker({ ...settings, onRetry }), {
    ...(clock && { clock }),
    onChange: (change) => {
      const isOpen = change === 'opened'
      metrics.set('frames_wording_breaker_open', {}, isOpen ? 1 : 0)
      if (isOpen) metrics.count('frames_wording_breaker_openings_total', {})
      if (isOpen) log.warn('the wording engine is down: answers come without words')
      else log.info('the wording engine is back')
    },
  })
  const { plannerModel = settings.model, plansADay } = settings
  const planner = withBreaker(modelAsker({ ...settings, model: plannerModel, deadlineMs: PLAN_MAX_MS, onRetry }), {
    ...(clock && { clock }),
    onChange: (change) => {
      if (change === 'opened') log.warn('plans fail or are late: questions are read without them')
      else log.info('questions are planned again')
    },
  })
  return {
    isAvailable: model.isAvailable,
    canPlan: () => model.isAvailable() && planner.isAvailable(),
    planReading: plannerByModel(planner.ask, defined({ dailyMax: plansADay })),
    narrate: narrator(model.ask, unaccountedNumbers, {
      onRejected: () => metrics.count('frames_wordings_rejected_total', {}),
    }),
  }
}

function openReplicas(
  config: Settings,
  servers: Parameters<typeof connectReplicas>[0],
  { log, metrics }: Reports,
  opening: Pick<Parameters<typeof connectReplicas>[1], 'connect' | 'times'>,
): Replicas {
  const replicas = connectReplicas(servers, {
    ...opening,
    onEvent: metrics.countDatabaseEvent,
    lagMaxMs: config.readLagMaxMs,
    graceMs: config.authorityGraceMs,
    onMove: (host) => log.warn({ host, lagSeconds: replicas.lastLags()[host] }, 'another host is the primary now'),
    onReplicaChange: (state) => {
      if (state.inUse) log.info(state, 'the replica is in use for reads')
      else log.warn(state, 'the replica is not in use for reads: others or the primary are')
    },
    onPrimaryChange: (isAway) => {
      if (isAway) log.warn({ lagSeconds: replicas.lastLags() }, 'the primary is away')
      else log.info('the primary is back')
    },
  })
  metrics.watchReplicas(replicas.states)
  return replicas
}

const openRefundQueue = (primary: Database, log: Logger): Refunds =>
  openRefunds(primary, {
    onFailure: ({ caller, requestId, part }, reason) =>
      log.error(
        { requestId, orgId: caller.orgId, part, reason },
        'the refund of this failed call was not made: look up the entries of its request id',
      ),
  })

function countKeyUse(primary: Database, { log, metrics }: Reports, everyMs: number | undefined): KeyUse {
  const logFirst = firstOfKind((event) => {
    if (event.kind === 'written') log.info('the counts of calls are written again')
    else if (event.kind === 'failed') log.warn({ reason: event.reason }, 'the counts of calls wait for the primary')
    else log.warn({ calls: event.times }, 'calls are missing from the use of their keys: their counts were given up')
  })
  const onEvent = (event: CountEvent) => {
    metrics.countKeyUse(event)
    logFirst(event)
  }
  const keyUse = openKeyUse(primary, { everyMs, onEvent })
  metrics.watch('frames_use_waiting_rows')(keyUse.waiting)
  return keyUse
}

function countUnknownWords(primary: Database, { log }: Reports, everyMs: number | undefined): UnknownWords {
  const logFirst = firstOfKind((event) => {
    if (event.kind === 'failed') log.warn({ reason: event.reason }, 'the counts of unknown words wait for the primary')
  })
  // A month keeps so many words: that others are dropped is no fault.
  return openUnknownWords(primary, { everyMs, onEvent: (event) => event.kind !== 'dropped' && logFirst(event) })
}

/** Passes on the first of several events of one kind. */
function firstOfKind(onFirst: (event: CountEvent) => void): (event: CountEvent) => void {
  let last: CountEvent['kind'] = 'written'
  return (event) => {
    if (event.kind === last) return
    last = event.kind
    onFirst(event)
  }
}

function openRedis(url: string, { log, metrics }: Reports): RedisLink & { state: () => RedisState } {
  let state: RedisState = 'away'
  const setState = (to: RedisState) => {
    state = to
    metrics.set('frames_dependency_up', { dependency: 'redis' }, to === 'up' ? 1 : 0)
  }
  setState('away')
  const link = linkToRedis(url, {
    probe,
    onLost: (reason) => {
      setState('away')
      log.warn({ reason }, 'Redis is away: calls pass unmetered')
    },
    onReady: () => {
      setState('up')
      log.info('Redis is there: calls are metered')
    },
  })
  return { ...link, state: () => state }
}
