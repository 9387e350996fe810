/**
 * Reads REDIS_URL. It names one server (redis://), the Sentinels that know which server is the primary
 * (redis+sentinel://), or some servers of a cluster (redis+cluster://). With rediss in place of redis, all connections
 * are encrypted.
 */
type UrlOf = (host: string, port: number) => string

export type RedisSetting =
  | { kind: 'server'; url: string }
  | { kind: 'sentinel'; sentinels: readonly string[]; primary: string; urlOf: UrlOf }
  | { kind: 'cluster'; seeds: readonly string[]; urlOf: UrlOf }

export const REDIS_URL_FORMS =
  'redis://host:6379, redis+sentinel://host1:26379,host2:26379/primary and redis+cluster://host1:6379,host2:6379 are accepted, each with rediss for TLS'

const SEVERAL_SERVERS =
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<login>[^@/]*)@)?(?<hosts>[^@/?]+)(?:\/(?<primary>[\w.-]*))?(?:\?sentinel_password=(?<password>[^&]+))?$/

/** Undefined where the URL has none of the forms. */
export function redisSetting(text: string): RedisSetting | undefined {
  if (/^rediss?:\/\//.test(text)) return isOneServer(text) ? { kind: 'server', url: text } : undefined
  const { scheme, kind, login = '', hosts = '', primary = '', password } = SEVERAL_SERVERS.exec(text)?.groups ?? {}
  if (scheme === undefined) return undefined
  const start = (user: string) => `${scheme}://${user === '' ? '' : `${user}@`}`
  const urlOf: UrlOf = (host, port) => `${start(login)}${host.includes(':') ? `[${host}]` : host}:${port}`
  const isSentinel = kind === 'sentinel'
  // The login is that of the servers that hold the buckets. Sentinels have a password of their own, or none.
  const startOfEach = isSentinel ? start(password === undefined ? '' : `:${password}`) : start(login)
  const urls = hosts.split(',').map((host) => withPort(startOfEach + host.trim(), isSentinel ? 26_379 : 6379))
  if (!urls.every(hasHost) || isSentinel !== (primary !== '')) return undefined
  return isSentinel ? { kind, sentinels: urls, primary, urlOf } : { kind: 'cluster', seeds: urls, urlOf }
}

/** A path is the number of a database. Nothing else belongs there: a password that a "?" cuts short, or "?tls=true". */
function isOneServer(text: string): boolean {
  if (!hasHost(text)) return false
  const { pathname, search, hash } = new URL(text)
  return /^(\/\d*)?$/.test(pathname) && search === '' && hash === ''
}

const withPort = (url: string, port: number) => (/:\d+$/.test(url) ? url : `${url}:${port}`)

const hasHost = (url: string) => URL.canParse(url) && new URL(url).hostname !== ''
