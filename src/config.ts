/** Reads the settings of the process. No other file reads the environment. */
import { readFileSync } from 'node:fs'
import { urlOfEachHost } from './db/hosts.js'
import type { TrustedHeader } from './http/client-address.js'
import type { BucketSize, BucketSizes } from './limits/buckets.js'
import { REDIS_URL_FORMS, redisSetting } from './limits/redis-url.js'
import { isLoopback, isPublicUrl } from './web/origin.js'
import { operatorsIn, type Operators } from './web/operators.js'
import { openIdSettings, type OpenIdSettings } from './web/sign-in/openid-settings.js'
import { originMistake } from './origin-mistake.js'

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

export type Config = Readonly<{
  databaseUrl: string | undefined
  /** Each URL is a streaming replica of that database. Without one, all reads go to the primary. */
  readDatabaseUrls: readonly string[]
  readLagMaxMs: number
  /** How long replicas answer for a primary that is away, about keys and licences too. 0: they never do. */
  authorityGraceMs: number
  dataDir: string
  redisUrl: string | undefined
  buckets: BucketSizes
  /** Undefined: the address of a caller behind a proxy is not known. */
  trustedHeader: TrustedHeader | undefined
  /** The origins whose pages may call the API. */
  corsOrigins: readonly string[]
  /** Undefined without a key of the wording engine: answers come without words. */
  wording: { apiKey: string; baseUrl: string | undefined; model: string } | undefined
  /** The address by which browsers know the web app. `port` is the one that the server listens on. */
  publicUrl: ((port: number) => URL) | undefined
  /** Undefined: the web app is off. */
  web:
    | {
        publicUrl: (port: number) => URL
        /** Undefined for the embedded database, which has one role. */
        databaseUrl: string | undefined
        /** Undefined: people sign in by link only. */
        openId: OpenIdSettings | undefined
        operators: Operators
      }
    | undefined
  /** The secret with which the command line of this machine calls the API. */
  key: string | undefined
  host: string
  port: number
  /**
   * `any`: the operators' port moves to a free one where 3001 is taken, so that a second process starts without a
   * setting.
   */
  ops: { port: number; otherwise: 'any' | 'fail' }
  /** How long a process still takes calls after it was told to stop. */
  drainMs: number
  logLevel: (typeof LOG_LEVELS)[number]
}>

/** Reads and checks all settings, and reports every mistake at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const mistakes: string[] = []
  const source: SettingsSource = { env, mistakes }
  const databases = readDatabases(source)
  const host = readText(source, 'HOST', '127.0.0.1')
  const config: Config = Object.freeze({
    ...databases,
    dataDir: readText(source, 'DATA_DIR', '.data'),
    redisUrl: readRedisUrl(source),
    buckets: readBuckets(source),
    trustedHeader: readTrustedHeader(source),
    corsOrigins: readOrigins(source),
    wording: readWording(source),
    ...readWeb(source, databases.databaseUrl === undefined, host),
    key: readSecret(source, 'FRAMES_KEY'),
    host,
    port: readPort(source, 'PORT', 3000),
    ops: {
      port: readPort(source, 'OPS_PORT', 3001),
      otherwise: valueIn(source, 'OPS_PORT') ? ('fail' as const) : ('any' as const),
    },
    drainMs: readMilliseconds(source, 'DRAIN_SECONDS', { unset: '1', least: 0, most: 99, unit: 'whole seconds' }),
    logLevel: readLogLevel(source),
  })
  if (mistakes.length > 0) throw new Error(`The settings are not right: ${mistakes.join('; ')}.`)
  return config
}

/**
 * Each reader below adds its mistakes to the list and returns some valid value, so that the others are read too.
 */
type SettingsSource = { env: Readonly<Record<string, string | undefined>>; mistakes: string[] }

function readDatabases(source: SettingsSource) {
  const { mistakes } = source
  const databaseUrl = readSecret(source, 'DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    mistakes.push('DATABASE_URL must begin with postgres:// or postgresql://')
  } else if (databaseUrl && !urlOfEachHost(databaseUrl).every((url) => URL.canParse(url)))
    mistakes.push('DATABASE_URL must be postgres://user@host:port/database; commas separate several hosts')
  // postgres.js spreads the connections of one pool over all hosts of a URL: one call would read from several replicas.
  const readUrl = readSecret(source, 'READ_DATABASE_URL')
  const readDatabaseUrls = readUrl === undefined ? [] : urlOfEachHost(readUrl)
  if (readDatabaseUrls.some((url) => !isPostgresUrl(url)))
    mistakes.push('READ_DATABASE_URL must be postgres://user@host:port/database; commas separate several hosts')
  if (readDatabaseUrls.length > 0 && !databaseUrl) mistakes.push('READ_DATABASE_URL needs DATABASE_URL beside it')
  const readLagMaxMs = readMilliseconds(source, 'READ_LAG_MAX', { unset: '30', least: 1, most: 99_999 })
  const authorityGraceMs = readMilliseconds(source, 'AUTHORITY_GRACE', { unset: '0', least: 0, most: 99_999 })
  if (authorityGraceMs > 0 && readDatabaseUrls.length === 0)
    mistakes.push('AUTHORITY_GRACE needs READ_DATABASE_URL beside it')
  return { databaseUrl, readDatabaseUrls, readLagMaxMs, authorityGraceMs }
}

const isPostgresUrl = (url: string) =>
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

function readOrigins({ env, mistakes }: SettingsSource): string[] {
  const origins = (env['CORS_ORIGINS'] ?? '').split(',').map((each) => each.trim())
  for (const origin of origins.filter(Boolean)) {
    const mistake = originMistake(origin)
    if (mistake !== undefined) mistakes.push(`CORS_ORIGINS has "${origin}"; ${mistake}`)
  }
  return [...new Set(origins.filter(Boolean))]
}

function readWording(source: SettingsSource): Config['wording'] {
  const apiKey = readSecret(source, 'ANTHROPIC_API_KEY')
  const baseUrl = valueIn(source, 'ANTHROPIC_BASE_URL')
  if (baseUrl && !/^https?:\/\//.test(baseUrl))
    source.mistakes.push('ANTHROPIC_BASE_URL must begin with http:// or https://')
  return apiKey === undefined
    ? undefined
    : { apiKey, baseUrl, model: readText(source, 'NARRATOR_MODEL', 'claude-sonnet-5-5') }
}

function readWeb(source: SettingsSource, isEmbedded: boolean, host: string): Pick<Config, 'publicUrl' | 'web'> {
  const { mistakes } = source
  const databaseUrl = readSecret(source, 'CONSOLE_DATABASE_URL')
  const value = valueIn(source, 'PUBLIC_URL')
  const listening = isEmbedded ? loopbackName(host) : undefined
  if (value === 'off' || (value === undefined && listening === undefined))
    return { publicUrl: undefined, web: undefined }
  if (value !== undefined && !isPublicUrl(value))
    mistakes.push(
      `PUBLIC_URL is "${value}"; https:// and a host are accepted, such as https://example.org/geo, or http:// on this machine, or off`,
    )
  if (isEmbedded && databaseUrl) mistakes.push('CONSOLE_DATABASE_URL needs DATABASE_URL beside it')
  if (databaseUrl !== undefined && !urlOfEachHost(databaseUrl).every(isPostgresUrl))
    mistakes.push('CONSOLE_DATABASE_URL must be postgres://user@host:port/database')
  const publicUrl = (port: number) => new URL(value ?? `http://${listening}:${port}`)
  if (!isEmbedded && !databaseUrl) return { publicUrl, web: undefined }
  const operators = operatorsIn(valueIn(source, 'OPERATORS'), isEmbedded, mistakes)
  return { publicUrl, web: { publicUrl, databaseUrl, openId: readOpenId(source), operators } }
}

const readOpenId = (source: SettingsSource): OpenIdSettings | undefined =>
  openIdSettings(
    {
      issuer: valueIn(source, 'OIDC_ISSUER'),
      clientId: valueIn(source, 'OIDC_CLIENT_ID'),
      clientSecret: readSecret(source, 'OIDC_CLIENT_SECRET'),
      name: valueIn(source, 'OIDC_NAME'),
      scope: valueIn(source, 'OIDC_SCOPE'),
      claim: valueIn(source, 'OIDC_ROLE_CLAIM'),
      roles: valueIn(source, 'OIDC_ROLES'),
    },
    source.mistakes,
  )

/** The name by which browsers on this machine reach the service. Undefined where only other machines do. */
function loopbackName(host: string): string | undefined {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  const name = host.includes(':') ? `[${host}]` : host
  return isLoopback(name) ? name : undefined
}

function readLogLevel(source: SettingsSource): Config['logLevel'] {
  const value = readText(source, 'LOG_LEVEL', 'info')
  const level = LOG_LEVELS.find((each) => each === value)
  if (!level) source.mistakes.push(`LOG_LEVEL is "${value}"; ${LOG_LEVELS.join(', ')} are accepted`)
  return level ?? 'info'
}

const valueIn = ({ env }: SettingsSource, name: string): string | undefined => env[name]?.trim() || undefined

const readText = (source: SettingsSource, name: string, unset: string): string => valueIn(source, name) ?? unset

/**
 * The variable holds the secret, or NAME_FILE names a file that does: Docker and systemd hand secrets over in files.
 */
function readSecret(source: SettingsSource, name: string): string | undefined {
  const { mistakes } = source
  const value = valueIn(source, name)
  const file = valueIn(source, `${name}_FILE`)
  if (file === undefined) return value
  if (value !== undefined) mistakes.push(`${name} and ${name}_FILE are both given; one is accepted`)
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    mistakes.push(`${name}_FILE is "${file}", which cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
}

function readPort(source: SettingsSource, name: string, unset: number): number {
  const value = readText(source, name, String(unset))
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  source.mistakes.push(`${name} is "${value}"; a port from 0 to 65535 is accepted`)
  return unset
}

type SecondsRange = { unset: string; least: number; most: number; unit?: string }

function readMilliseconds(
  source: SettingsSource,
  name: string,
  { unset, least, most, unit = 'seconds' }: SecondsRange,
): number {
  const seconds = readText(source, name, unset)
  if (/^\d{1,5}$/.test(seconds) && Number(seconds) >= least && Number(seconds) <= most) return Number(seconds) * 1000
  source.mistakes.push(`${name} is "${seconds}"; ${unit} from ${least} to ${most} are accepted`)
  return Number(unset) * 1000
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
