/** Reads the settings of what calls and pages share: databases, Redis, buckets, the wording engine and the log. */
import type { TrustedHeader } from '../client-address.js'
import { urlOfEachHost } from '../db/index.js'
import { type BucketSize, type BucketSizes, REDIS_URL_FORMS, redisSetting } from '../limits/index.js'
import { isUnitLevel, type PlaceWord } from '../place.js'
import { readSettings, secondsKind, type Settings, type SettingsSource } from './source.js'

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

const bucketKind = (orOff = '') => ({
  accepts: `calls at once and calls a minute are accepted, each from 1 to 999999, such as 60/300${orOff}`,
  read: readBucket,
})
const POSTGRES_URL = 'must be postgres://user@host:port/database'

export const SERVICE_SETTINGS = {
  DATABASE_URL: {
    meaning: 'the address of PostgreSQL with PostGIS',
    unset: 'the embedded database in `DATA_DIR`',
    isSecret: true,
    accepts: `${POSTGRES_URL}; commas separate several hosts`,
    read: (text) =>
      urlOfEachHost(text).every((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) ? text : undefined,
  },
  READ_DATABASE_URL: {
    meaning: 'replicas of it, for reads; commas separate several hosts',
    unset: 'reads come from `DATABASE_URL`',
    isSecret: true,
    accepts: `${POSTGRES_URL}; commas separate several hosts`,
    // postgres.js spreads the connections of one pool over all hosts of a URL: one call would read from several replicas.
    read: (text) => (urlOfEachHost(text).every(isPostgresUrl) ? urlOfEachHost(text) : undefined),
  },
  READ_LAG_MAX: { meaning: 'how many seconds a replica may be behind', value: '30', ...secondsKind(1, 99_999) },
  AUTHORITY_GRACE: {
    meaning:
      'for how many seconds a replica may answer about keys, and show pages of the web app, while the primary is away',
    unset: '`0`: not at all',
    value: '0',
    ...secondsKind(0, 99_999),
  },
  REDIS_URL: {
    meaning: 'the Redis that holds the buckets: one server, or a primary that Sentinels know, [below](#redis)',
    unset: 'buckets in the process',
    isSecret: true,
    accepts: `has none of its forms: ${REDIS_URL_FORMS}`,
    read: (text) => redisSetting(text) && text,
  },
  BUCKET_KEY: { meaning: 'calls at once / calls a minute of a key', value: '60/300', ...bucketKind() },
  BUCKET_ORGANISATION: { meaning: 'the same for all keys of an organisation', value: '120/600', ...bucketKind() },
  BUCKET_INSIGHT: { meaning: 'the same, for questions', value: '6/30', ...bucketKind() },
  BUCKET_ADDRESS: {
    meaning: 'the same for each client address, spent by keys that are not valid; `off` switches it off',
    value: '300/60',
    canBeOff: true,
    ...bucketKind(', or off'),
  },
  BUCKET_MAP: {
    meaning: "the same for the tiles and squares that one person's map asks for; `off` switches it off",
    value: '400/2000',
    canBeOff: true,
    ...bucketKind(', or off'),
  },
  CLIENT_ADDRESS_HEADER: {
    meaning: "the header in which your proxy writes the client's address, such as `X-Forwarded-For`",
    unset: 'the address of the connection; behind a proxy, none: then all who sign in share one bucket',
    accepts: 'a header is accepted, and how many proxies add to it, such as X-Forwarded-For or X-Forwarded-For/2',
    read: readTrustedHeader,
  },
  CORS_ORIGINS: {
    meaning:
      'origins whose pages may call `/v1`, `/ogc`, `/mcp`, `/tools` and `/files` from a browser, with commas between them: [below](#pages-of-other-origins)',
    unset: 'no page of another origin may',
    between: ',',
    skipsBlanks: true,
    accepts: (text) => originMistake(text) ?? '',
    read: (text) => (originMistake(text) === undefined ? text : undefined),
  },
  TEST_KEYS: {
    meaning:
      '`on` or `off`: whether the [keys to test with](keys.md#keys-to-test-with), which everybody knows, are accepted',
    unset: 'embedded: `on`; with `DATABASE_URL`: `off`',
    canBeOff: true,
    accepts: 'on or off is accepted',
    read: (text) => text === 'on' || undefined,
  },
  FILES_DIR: {
    meaning: 'the folder of the files of datasets, made once for each version: [files.md](files.md)',
    unset: 'a temporary folder, for as long as the process runs',
  },
  ANTHROPIC_API_KEY: {
    meaning: 'the key of the wording engine, [below](#the-wording-engine)',
    unset: 'answers have no words',
    isSecret: true,
  },
  ANTHROPIC_BASE_URL: {
    meaning: 'its address',
    unset: "Anthropic's",
    accepts: 'it must begin with http:// or https://',
    read: (text) => (/^https?:\/\//.test(text) ? text : undefined),
  },
  NARRATOR_MODEL: { meaning: 'its model', value: 'claude-sonnet-5-5' },
  PLANNER_MODEL: { meaning: 'its model for plans of questions', unset: 'that of `NARRATOR_MODEL`' },
  PLANS_A_DAY: {
    meaning: 'how many plans a process asks for in a day (UTC)',
    value: '10000',
    accepts: 'a number from 0 to 9999999 is accepted',
    read: (text) => (/^\d{1,7}$/.test(text) ? Number(text) : undefined),
  },
  PLACE_WORDS: {
    meaning:
      'what questions and answers call the country and its units, such as `country=Velmora,state=province,lga=district`',
    unset: 'state, LGA, ward',
    accepts: 'country, state, lga or ward, each with a word behind =, separated by commas, is accepted',
    read: readPlaceWords,
  },
  LOG_LEVEL: {
    meaning: '`silent`, `error`, `warn`, `info` or `debug`',
    value: 'info',
    accepts: `${LOG_LEVELS.join(', ')} are accepted`,
    read: (text) => LOG_LEVELS.find((each) => each === text),
  },
} as const satisfies Settings

export type ServiceSettings = Readonly<ReturnType<typeof readServiceSettings>>

export function readServiceSettings(source: SettingsSource) {
  const read = readSettings(SERVICE_SETTINGS, source)
  const { given, mistakes } = source
  const hasReplicas = given.has('READ_DATABASE_URL')
  if (hasReplicas && !given.has('DATABASE_URL')) mistakes.push('READ_DATABASE_URL needs DATABASE_URL beside it')
  if (read.AUTHORITY_GRACE > 0 && !hasReplicas) mistakes.push('AUTHORITY_GRACE needs READ_DATABASE_URL beside it')
  const buckets: BucketSizes = {
    key: read.BUCKET_KEY,
    organisation: read.BUCKET_ORGANISATION,
    insight: read.BUCKET_INSIGHT,
    address: read.BUCKET_ADDRESS ?? undefined,
    map: read.BUCKET_MAP ?? undefined,
  }
  return {
    databaseUrl: read.DATABASE_URL,
    /** Each URL is a streaming replica of that database. Without one, all reads go to the primary. */
    readDatabaseUrls: (read.READ_DATABASE_URL ?? []) as readonly string[],
    readLagMaxMs: read.READ_LAG_MAX,
    /** How long replicas answer for a primary that is away, about keys and licences too. 0: they never do. */
    authorityGraceMs: read.AUTHORITY_GRACE,
    redisUrl: read.REDIS_URL,
    buckets,
    /** Undefined: the address of a caller behind a proxy is not known. */
    trustedHeader: read.CLIENT_ADDRESS_HEADER,
    /** The origins whose pages may call the API. */
    corsOrigins: [...new Set(read.CORS_ORIGINS)] as readonly string[],
    /** Undefined without a key of the wording engine: answers come without words. */
    wording:
      read.ANTHROPIC_API_KEY === undefined
        ? undefined
        : {
            apiKey: read.ANTHROPIC_API_KEY,
            baseUrl: read.ANTHROPIC_BASE_URL,
            model: read.NARRATOR_MODEL,
            plannerModel: read.PLANNER_MODEL ?? read.NARRATOR_MODEL,
            plansADay: read.PLANS_A_DAY,
          },
    testKeys: read.TEST_KEYS ?? (read.TEST_KEYS === undefined && read.DATABASE_URL === undefined),
    filesDir: read.FILES_DIR,
    placeWords: read.PLACE_WORDS,
    logLevel: read.LOG_LEVEL,
  }
}

export const isPostgresUrl = (url: string) =>
  /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) && new URL(url).hostname !== ''

function readPlaceWords(text: string): PlaceWord[] | undefined {
  const pairs = text.split(',').flatMap((pair): PlaceWord[] => {
    const [, level = '', word = ''] = /^\s*(\w+)\s*=\s*(\p{L}[\p{L}\p{M} '’-]{0,60}?)\s*$/u.exec(pair) ?? []
    return level === 'country' || isUnitLevel(level) ? [[level, word]] : []
  })
  return pairs.length === text.split(',').length ? pairs : undefined
}

function readTrustedHeader(text: string): TrustedHeader | undefined {
  const [, name, proxies = '1'] = /^([\w-]{1,60})(?:\/([1-9]))?$/.exec(text) ?? []
  return name === undefined ? undefined : { name, proxies: Number(proxies) }
}

function readBucket(text: string): BucketSize | undefined {
  const [burst, perMinute] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).slice(1).map(Number)
  return burst && perMinute ? { burst, perMinute } : undefined
}

/** Undefined for an origin as browsers spell it. */
function originMistake(text: string): string | undefined {
  const isAddress = /^https?:\/\//i.test(text) && !text.includes('*') && URL.canParse(text)
  if (isAddress && new URL(text).origin === text) return undefined
  const accepted = isAddress ? new URL(text).origin : 'https://example.org'
  const faults = isAddress ? addressFaults(text, new URL(text)) : [originFault(text)]
  return `a scheme, a host and perhaps a port are accepted, such as ${accepted}, with commas between several: ${faults.join(', and ')}`
}

function originFault(text: string): string {
  if (text.includes('*')) return 'this has a *, and each origin has to be listed'
  return /^https?:\/\//i.test(text) ? 'this is no address' : 'this does not begin with http:// or https://'
}

function addressFaults(text: string, { protocol, username, port, pathname, search, hash }: URL): string[] {
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  const faults = [
    [
      /[A-Z]/.test(`${text.slice(0, protocol.length)}${authority}`),
      'this has capitals, which browsers send as small letters',
    ],
    [username !== '' || authority.includes('@'), 'this has the name of a user'],
    [
      port === '' && /:\d*$/.test(authority),
      `this has the usual port of ${protocol.slice(0, -1)}, which browsers leave out`,
    ],
    [rest === '/', 'this has a slash at its end'],
    [pathname !== '/', `this has a path (${pathname.slice(0, 40)})`],
    [search !== '' || hash !== '', 'this has a query or a fragment'],
  ] as const
  const found = faults.flatMap(([isThere, fault]) => (isThere ? [fault] : []))
  return found.length > 0 ? found : ['browsers spell this otherwise']
}
