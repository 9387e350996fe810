/**
 * Reads REDIS_URL. It names one server (redis://), or the Sentinels that know which server is the primary
 * (redis+sentinel://). With rediss in place of redis, all connections are encrypted.
 */
type UrlOf = (host: string, port: number) => string

export type RedisSetting =
  | { kind: 'server'; url: string }
  | { kind: 'sentinel'; sentinels: readonly string[]; primary: string; urlOf: UrlOf }

export const REDIS_URL_FORMS =
  'redis://host:6379 and redis+sentinel://host1:26379,host2:26379/primary are accepted, each with rediss for TLS'

const SENTINELS =
  /^(?<scheme>rediss?)\+sentinel:\/\/(?:(?<login>[^@/]*)@)?(?<hosts>[^@/?]+)\/(?<primary>[\w.-]+)(?:\?sentinel_password=(?<password>[^&]+))?$/

/** Undefined where the URL has none of the forms. */
export function redisSetting(text: string): RedisSetting | undefined {
  if (/^rediss?:\/\//.test(text)) return isOneServer(text) ? { kind: 'server', url: text } : undefined
  const { scheme, login = '', hosts = '', primary = '', password } = SENTINELS.exec(text)?.groups ?? {}
  if (scheme === undefined) return undefined
  const start = (user: string) => `${scheme}://${user === '' ? '' : `${user}@`}`
  // The login is that of the servers that hold the buckets. Sentinels have a password of their own, or none.
  const startOfEach = start(password === undefined ? '' : `:${password}`)
  const sentinels = hosts.split(',').map((host) => withPort(startOfEach + host.trim(), 26_379))
  const urlOf: UrlOf = (host, port) => `${start(login)}${host.includes(':') ? `[${host}]` : host}:${port}`
  return sentinels.every(hasHost) ? { kind: 'sentinel', sentinels, primary, urlOf } : undefined
}

/** A path is the number of a database. Nothing else belongs there: a password that a "?" cuts short, or "?tls=true". */
function isOneServer(text: string): boolean {
  if (!hasHost(text)) return false
  const { pathname, search, hash } = new URL(text)
  return /^(\/\d*)?$/.test(pathname) && search === '' && hash === ''
}

const withPort = (url: string, port: number) => (/:\d+$/.test(url) ? url : `${url}:${port}`)

const hasHost = (url: string) => URL.canParse(url) && new URL(url).hostname !== ''
