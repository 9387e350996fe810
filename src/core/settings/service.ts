/** Reads the settings of what calls and pages share: databases, Redis, buckets, the wording engine and the log. */
import type { TrustedHeader } from '../client-address.js'
import { urlOfEachHost } from '../db/hosts.js'
import type { BucketSize, BucketSizes } from '../limits/buckets.js'
import { REDIS_URL_FORMS, redisSetting } from '../limits/redis-url.js'
import { readMilliseconds, readSecret, readText, type SettingsSource, valueIn } from './source.js'

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

export type ServiceSettings = Readonly<ReturnType<typeof readServiceSettings>>

export const readServiceSettings = (source: SettingsSource) => ({
  ...readDatabases(source),
  redisUrl: readRedisUrl(source),
  buckets: readBuckets(source),
  /** Undefined: the address of a caller behind a proxy is not known. */
  trustedHeader: readTrustedHeader(source),
  /** The origins whose pages may call the API. */
  corsOrigins: readOrigins(source),
  /** Undefined without a key of the wording engine: answers come without words. */
  wording: readWording(source),
  logLevel: readLogLevel(source),
})

function readDatabases(source: SettingsSource) {
  const { mistakes } = source
  const databaseUrl = readSecret(source, 'DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    mistakes.push('DATABASE_URL must begin with postgres:// or postgresql://')
  } else if (databaseUrl && !urlOfEachHost(databaseUrl).every((url) => URL.canParse(url)))
    mistakes.push('DATABASE_URL must be postgres://user@host:port/database; commas separate several hosts')
  // postgres.js spreads the connections of one pool over all hosts of a URL: one call would read from several replicas.
  const readUrl = readSecret(source, 'READ_DATABASE_URL')
  /** Each URL is a streaming replica of that database. Without one, all reads go to the primary. */
  const readDatabaseUrls: readonly string[] = readUrl === undefined ? [] : urlOfEachHost(readUrl)
  if (readDatabaseUrls.some((url) => !isPostgresUrl(url)))
    mistakes.push('READ_DATABASE_URL must be postgres://user@host:port/database; commas separate several hosts')
  if (readDatabaseUrls.length > 0 && !databaseUrl) mistakes.push('READ_DATABASE_URL needs DATABASE_URL beside it')
  const readLagMaxMs = readMilliseconds(source, 'READ_LAG_MAX', { unset: '30', least: 1, most: 99_999 })
  /** How long replicas answer for a primary that is away, about keys and licences too. 0: they never do. */
  const authorityGraceMs = readMilliseconds(source, 'AUTHORITY_GRACE', { unset: '0', least: 0, most: 99_999 })
  if (authorityGraceMs > 0 && readDatabaseUrls.length === 0)
    mistakes.push('AUTHORITY_GRACE needs READ_DATABASE_URL beside it')
  return { databaseUrl, readDatabaseUrls, readLagMaxMs, authorityGraceMs }
}

export const isPostgresUrl = (url: string) =>
  /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) && new URL(url).hostname !== ''

function readRedisUrl(source: SettingsSource): string | undefined {
  const url = readSecret(source, 'REDIS_URL')
  if (url && !redisSetting(url)) source.mistakes.push(`REDIS_URL has none of its forms: ${REDIS_URL_FORMS}`)
  return url
}

function readBuckets(source: SettingsSource): BucketSizes {
  return {
    key: readBucket(source, 'BUCKET_KEY', { burst: 60, perMinute: 300 }),
    organisation: readBucket(source, 'BUCKET_ORGANISATION', { burst: 120, perMinute: 600 }),
    insight: readBucket(source, 'BUCKET_INSIGHT', { burst: 6, perMinute: 30 }),
    address: readBucketOrOff(source, 'BUCKET_ADDRESS', { burst: 300, perMinute: 60 }),
    map: readBucketOrOff(source, 'BUCKET_MAP', { burst: 400, perMinute: 2000 }),
  }
}

function readTrustedHeader(source: SettingsSource): TrustedHeader | undefined {
  const value = valueIn(source, 'CLIENT_ADDRESS_HEADER')
  if (value === undefined) return undefined
  const [, name, proxies = '1'] = /^([\w-]{1,60})(?:\/([1-9]))?$/.exec(value) ?? []
  if (name !== undefined) return { name, proxies: Number(proxies) }
  source.mistakes.push(
    `CLIENT_ADDRESS_HEADER is "${value}"; a header is accepted, and how many proxies add to it, such as X-Forwarded-For or X-Forwarded-For/2`,
  )
  return undefined
}

function readOrigins({ env, mistakes }: SettingsSource): readonly string[] {
  const origins = (env['CORS_ORIGINS'] ?? '').split(',').map((each) => each.trim())
  for (const origin of origins.filter(Boolean)) {
    const mistake = originMistake(origin)
    if (mistake !== undefined) mistakes.push(`CORS_ORIGINS has "${origin}"; ${mistake}`)
  }
  return [...new Set(origins.filter(Boolean))]
}

function readWording(source: SettingsSource) {
  const apiKey = readSecret(source, 'ANTHROPIC_API_KEY')
  const baseUrl = valueIn(source, 'ANTHROPIC_BASE_URL')
  if (baseUrl && !/^https?:\/\//.test(baseUrl))
    source.mistakes.push('ANTHROPIC_BASE_URL must begin with http:// or https://')
  return apiKey === undefined
    ? undefined
    : { apiKey, baseUrl, model: readText(source, 'NARRATOR_MODEL', 'claude-sonnet-5-5') }
}

function readLogLevel(source: SettingsSource): (typeof LOG_LEVELS)[number] {
  const value = readText(source, 'LOG_LEVEL', 'info')
  const level = LOG_LEVELS.find((each) => each === value)
  if (!level) source.mistakes.push(`LOG_LEVEL is "${value}"; ${LOG_LEVELS.join(', ')} are accepted`)
  return level ?? 'info'
}

const readBucketOrOff = (source: SettingsSource, name: string, unset: BucketSize): BucketSize | undefined =>
  valueIn(source, name) === 'off' ? undefined : readBucket(source, name, unset, ', or off')

function readBucket(source: SettingsSource, name: string, unset: BucketSize, orOff = ''): BucketSize {
  const value = readText(source, name, `${unset.burst}/${unset.perMinute}`)
  const [, burst, perMinute] = /^(\d{1,6})\/(\d{1,6})$/.exec(value) ?? []
  if (Number(burst) > 0 && Number(perMinute) > 0) return { burst: Number(burst), perMinute: Number(perMinute) }
  source.mistakes.push(
    `${name} is "${value}"; calls at once and calls a minute are accepted, each from 1 to 999999, such as 60/300${orOff}`,
  )
  return unset
}

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
