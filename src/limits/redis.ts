/** Links to the Redis that REDIS_URL names: one server, the primary that Sentinels know, or a cluster. */
import { linkToCluster } from './redis-cluster.js'
import { linkToServer, type LinkOptions, type RedisLink } from './redis-link.js'
import { findPrimary } from './redis-sentinel.js'
import { redisSetting } from './redis-url.js'

export function linkToRedis(url: string, options: LinkOptions): RedisLink {
  const setting = redisSetting(url) ?? { kind: 'server', url }
  if (setting.kind === 'cluster') return linkToCluster(setting, options)
  const findUrl = async () => (setting.kind === 'sentinel' ? await findPrimary(setting) : setting.url)
  return { ...linkToServer(findUrl, options), isCluster: false }
}
