/** Links to the Redis that REDIS_URL names: one server, or the primary that Sentinels know. */
import { linkToServer, type LinkOptions, type RedisLink } from './redis-link.js'
import { findPrimary } from './redis-sentinel.js'
import { redisSetting } from './redis-url.js'

export function linkToRedis(url: string, options: LinkOptions): RedisLink {
  const setting = redisSetting(url) ?? { kind: 'server', url }
  const findUrl = async () => (setting.kind === 'sentinel' ? await findPrimary(setting) : setting.url)
  return linkToServer(findUrl, options)
}
