/** The settings of the process: read from the environment here and nowhere else. */
import { readFileSync } from 'node:fs'
import type { TrustedHeader } from './http/client-address.js'
import type { BucketSize, BucketSizes } from './limits/buckets.js'

export type Config = Readonly<{
  databaseUrl: string | undefined
  /** Streaming replicas of it, one URL each; none where reads come from the same database. */
  readDatabaseUrls: readonly string[]
  readLagMaxMs: number
  /** For how long replicas answer for a primary that is away, about keys and licences too; 0: not at all. */
  authorityGraceMs: number
  dataDir: string
  redisUrl: string | undefined
  buckets: BucketSizes
  /** Undefined: the address of a caller behind a proxy is not known. */
  trustedHeader: TrustedHeader | undefined
  /** Undefined without a key: answers come unworded. */
  wording: { apiKey: string; baseUrl: string | undefined; model: string } | undefined
  /** The secret that this machine asks the API with, as a consumer. */
  key: string | undefined
  host: string
  port: number
  /** Where OPS_PORT is not set and 3001 is taken, any free port will do: two processes on one machine need not know each other. */
  ops: { port: number; otherwise: 'any' | 'fail' }
  /** How long a process that was told to stop still takes calls. */
  drainMs: number
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
}>

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** Reads and checks all settings; every fault is named at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const faults: string[] = []
  const text = (name: string, unset: string) => env[name]?.trim() || unset
  /** A secret comes in the variable, or in a file that NAME_FILE names, as Docker and systemd hand secrets over. */
  const secret = (name: string): string | undefined => {
    const [given, file] = [env[name]?.trim() || undefined, env[`${name}_FILE`]?.trim() || undefined]
    if (file === undefined) return given
    if (given !== undefined) faults.push(`${name} and ${name}_FILE are both given; one is accepted`)
    try {
      return readFileSync(file, 'utf8').trim() || undefined
    } catch (error) {
      faults.push(`${name}_FILE is "${file}", which cannot be read (${(error as NodeJS.ErrnoException).code})`)
      return undefined
    }
  }
  const port = (name: string, unset: number) => {
    const given = text(name, String(unset))
    if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given)
    faults.push(`${name} is "${given}"; a port from 0 to 65535 is accepted`)
    return unset
  }
  const databaseUrl = secret('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    faults.push('DATABASE_URL must begin with postgres:// or postgresql://')
  }
  const readDatabaseUrls = eachHost(secret('READ_DATABASE_URL'))
  if (readDatabaseUrls.some((url) => !isPostgresUrl(url)))
    faults.push('READ_DATABASE_URL must be postgres://user@host:port/database; several hosts are parted by commas')
  if (readDatabaseUrls.length > 0 && !databaseUrl) faults.push('READ_DATABASE_URL needs DATABASE_URL beside it')
  const lag = text('READ_LAG_MAX', '30')
  if (!/^[1-9]\d{0,4}$/.test(lag)) faults.push(`READ_LAG_MAX is "${lag}"; seconds from 1 to 99999 are accepted`)
  const grace = text('AUTHORITY_GRACE', '0')
  if (!/^\d{1,5}$/.test(grace)) faults.push(`AUTHORITY_GRACE is "${grace}"; seconds from 0 to 99999 are accepted`)
  if (Number(grace) > 0 && readDatabaseUrls.length === 0)
    faults.push('AUTHORITY_GRACE needs READ_DATABASE_URL beside it')
  const redisUrl = secret('REDIS_URL')
  if (redisUrl && !/^rediss?:\/\//.test(redisUrl)) faults.push('REDIS_URL must begin with redis:// or rediss://')
  const bucket = (name: string, unset: BucketSize): BucketSize => {
    const given = text(name, `${unset.burst}/${unset.perMinute}`)
    const [, burst, perMinute] = /^(\d{1,6})\/(\d{1,6})$/.exec(given) ?? []
    if (Number(burst) > 0 && Number(perMinute) > 0) return { burst: Number(burst), perMinute: Number(perMinute) }
    faults.push(
      `${name} is "${given}"; calls at once and calls a minute are accepted, each from 1 to 999999, such as 60/300${name === 'BUCKET_ADDRESS' ? ', or off' : ''}`,
    )
    return unset
  }
  const addressHeader = text('CLIENT_ADDRESS_HEADER', '')
  const [, headerName, proxies = '1'] = /^([\w-]{1,60})(?:\/([1-9]))?$/.exec(addressHeader) ?? []
  if (addressHeader !== '' && headerName === undefined)
    faults.push(
      `CLIENT_ADDRESS_HEADER is "${addressHeader}"; a header is accepted, and how many proxies add to it, such as X-Forwarded-For or X-Forwarded-For/2`,
    )
  const apiKey = secret('ANTHROPIC_API_KEY')
  const baseUrl = env['ANTHROPIC_BASE_URL']?.trim() || undefined
  if (baseUrl && !/^https?:\/\//.test(baseUrl)) faults.push('ANTHROPIC_BASE_URL must begin with http:// or https://')
  const drain = text('DRAIN_SECONDS', '1')
  if (!/^\d{1,2}$/.test(drain)) faults.push(`DRAIN_SECONDS is "${drain}"; whole seconds from 0 to 99 are accepted`)
  const logLevel = LOG_LEVELS.find((level) => level === text('LOG_LEVEL', 'info'))
  if (!logLevel) faults.push(`LOG_LEVEL is "${env['LOG_LEVEL']}"; ${LOG_LEVELS.join(', ')} are accepted`)
  const config: Config = Object.freeze({
    databaseUrl,
    readDatabaseUrls,
    readLagMaxMs: Number(lag) * 1000,
    authorityGraceMs: Number(grace) * 1000,
    dataDir: text('DATA_DIR', '.data'),
    redisUrl,
    wording: apiKey === undefined ? undefined : { apiKey, baseUrl, model: text('NARRATOR_MODEL', 'claude-sonnet-5-5') },
    buckets: {
      key: bucket('BUCKET_KEY', { burst: 60, perMinute: 300 }),
      organisation: bucket('BUCKET_ORGANISATION', { burst: 120, perMinute: 600 }),
      insight: bucket('BUCKET_INSIGHT', { burst: 6, perMinute: 30 }),
      address:
        text('BUCKET_ADDRESS', '') === 'off' ? undefined : bucket('BUCKET_ADDRESS', { burst: 300, perMinute: 60 }),
    },
    trustedHeader: headerName === undefined ? undefined : { name: headerName, proxies: Number(proxies) },
    key: secret('FRAMES_KEY'),
    host: text('HOST', '127.0.0.1'),
    port: port('PORT', 3000),
    ops: {
      port: port('OPS_PORT', 3001),
      otherwise: text('OPS_PORT', '') === '' ? ('any' as const) : ('fail' as const),
    },
    drainMs: Number(drain) * 1000,
    logLevel: logLevel ?? 'info',
  })
  if (faults.length > 0) throw new Error(`The settings are not right: ${faults.join('; ')}.`)
  return config
}

/** postgres.js would spread the connections of one pool over the hosts, and with them the statements of one call. */
function eachHost(url: string | undefined): string[] {
  if (url === undefined) return []
  const [, before = '', hosts, after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]+)(.*)$/s.exec(url) ?? []
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host.trim()}${after}`)
}

const isPostgresUrl = (url: string) =>
  /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) && new URL(url).hostname !== ''
