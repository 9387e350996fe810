/** The settings of the process: read from the environment here and nowhere else. */
import type { BucketSize, BucketSizes } from './limits/buckets.js'

export type Config = Readonly<{
  databaseUrl: string | undefined
  dataDir: string
  redisUrl: string | undefined
  buckets: BucketSizes
  /** Undefined without a key: answers come unworded. */
  wording: { apiKey: string; baseUrl: string | undefined; model: string } | undefined
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
  const port = (name: string, unset: number) => {
    const given = text(name, String(unset))
    if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given)
    faults.push(`${name} is "${given}"; a port from 0 to 65535 is accepted`)
    return unset
  }
  const databaseUrl = env['DATABASE_URL']?.trim() || undefined
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    faults.push('DATABASE_URL must begin with postgres:// or postgresql://')
  }
  const redisUrl = env['REDIS_URL']?.trim() || undefined
  if (redisUrl && !/^rediss?:\/\//.test(redisUrl)) faults.push('REDIS_URL must begin with redis:// or rediss://')
  const bucket = (name: string, unset: BucketSize): BucketSize => {
    const given = text(name, `${unset.burst}/${unset.perMinute}`)
    const [, burst, perMinute] = /^(\d{1,6})\/(\d{1,6})$/.exec(given) ?? []
    if (Number(burst) > 0 && Number(perMinute) > 0) return { burst: Number(burst), perMinute: Number(perMinute) }
    faults.push(`${name} is "${given}"; calls at once and calls a minute are accepted, such as 60/300`)
    return unset
  }
  const apiKey = env['ANTHROPIC_API_KEY']?.trim() || undefined
  const baseUrl = env['ANTHROPIC_BASE_URL']?.trim() || undefined
  if (baseUrl && !/^https?:\/\//.test(baseUrl)) faults.push('ANTHROPIC_BASE_URL must begin with http:// or https://')
  const drain = text('DRAIN_SECONDS', '1')
  if (!/^\d{1,2}$/.test(drain)) faults.push(`DRAIN_SECONDS is "${drain}"; whole seconds from 0 to 99 are accepted`)
  const logLevel = LOG_LEVELS.find((level) => level === text('LOG_LEVEL', 'info'))
  if (!logLevel) faults.push(`LOG_LEVEL is "${env['LOG_LEVEL']}"; ${LOG_LEVELS.join(', ')} are accepted`)
  const config: Config = Object.freeze({
    databaseUrl,
    dataDir: text('DATA_DIR', '.data'),
    redisUrl,
    wording: apiKey === undefined ? undefined : { apiKey, baseUrl, model: text('NARRATOR_MODEL', 'claude-sonnet-5-5') },
    buckets: {
      key: bucket('BUCKET_KEY', { burst: 60, perMinute: 300 }),
      organisation: bucket('BUCKET_ORGANISATION', { burst: 120, perMinute: 600 }),
      insight: bucket('BUCKET_INSIGHT', { burst: 6, perMinute: 30 }),
    },
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
