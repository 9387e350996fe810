/** Links to the Redis that REDIS_URL names: one server, or the primary that Sentinels know. */
import { askServer, type LinkOptions, linkToServer, type RedisLink } from './redis-link.js'
import { redisSetting, type RedisSetting } from './redis-url.js'

export function linkToRedis(url: string, options: LinkOptions): RedisLink {
  const setting = redisSetting(url) ?? { kind: 'server', url }
  const findUrl = async () => (setting.kind === 'sentinel' ? await findPrimary(setting) : setting.url)
  return linkToServer(findUrl, options)
}

type Sentinels = Extract<RedisSetting, { kind: 'sentinel' }>

/** Answers as soon as most Sentinels name the same server: one that is cut off may still name the old primary. */
async function findPrimary({ sentinels, primary, urlOf }: Sentinels): Promise<string> {
  const votes = new Map<string, number>()
  const askOne = async (sentinel: string): Promise<string | undefined> => {
    const { host, port } = await nameOfPrimary(sentinel, primary)
    const count = (votes.get(urlOf(host, port)) ?? 0) + 1
    votes.set(urlOf(host, port), count)
    return count > sentinels.length / 2 ? urlOf(host, port) : undefined
  }
  const answers = sentinels.map(askOne)
  const agreed = answers.map(async (answer) => (await answer) ?? Promise.reject(new Error('too few agree so far')))
  try {
    return await Promise.any(agreed)
  } catch {
    const [most] = [...votes].sort(([, one], [, other]) => other - one)
    // Without a vote, every answer failed, and the first says why.
    return most?.[0] ?? (await answers[0]) ?? ''
  }
}

async function nameOfPrimary(sentinel: string, primary: string): Promise<{ host: string; port: number }> {
  const reply = await askServer(sentinel, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primary)
  const [host, port] = Array.isArray(reply) ? reply : []
  if (typeof host !== 'string') throw new Error(`no Sentinel knows the primary "${primary}"`)
  return { host, port: Number(port) }
}
