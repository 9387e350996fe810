/** Starts a Redis cluster for tests: three primaries with a replica each. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from './postgres-server.js'
import { startRedis, type RedisServer } from './redis-server.js'
import { waitUntil } from './redis-sentinel.js'

const run = promisify(execFile)

export type RedisCluster = {
  /** The form of REDIS_URL that names some of its servers. */
  url: string
  /** The servers that held slots at the start, each a third of them. */
  primaries: RedisServer[]
  /** The server that holds the slot of a key now. */
  holderOf: (key: string) => Promise<RedisServer>
  /** Moves slots under way, as an operator does with redis-cli. */
  reshard: (from: RedisServer, to: RedisServer, slots: number) => Promise<void>
  /** Adds a server that holds no slot. */
  addEmpty: () => Promise<RedisServer>
  isWell: () => Promise<boolean>
  stop: () => Promise<void>
}

const NODE_TIMEOUT_MS = '2000'

const newNode = async (): Promise<RedisServer> =>
  startRedis({
    'cluster-enabled': 'yes',
    // By default the port of the bus is 10,000 higher, which may be none.
    'cluster-port': String(await freePort()),
    'cluster-node-timeout': NODE_TIMEOUT_MS,
    'cluster-require-full-coverage': 'no',
    'cluster-replica-validity-factor': '0',
    'repl-diskless-sync-delay': '0',
  })

export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes: RedisServer[] = []
  for (let i = 0; i < 6; i += 1) nodes.push(await newNode())
  const at = ({ port }: RedisServer) => `127.0.0.1:${port}`
  const cli = (...words: string[]) => run('redis-cli', ['--cluster', ...words])
  await cli('create', ...nodes.map(at), '--cluster-replicas', '1', '--cluster-yes')
  const knows = async (node: RedisServer, count: number) => {
    const info = await node.say('CLUSTER', 'INFO').catch(() => '')
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${count}`)
  }
  const agree = async () => (await Promise.all(nodes.map((node) => knows(node, nodes.length)))).every(Boolean)
  await waitUntil(agree)
  const idOf = async (node: RedisServer) => (await node.say('CLUSTER', 'MYID')).split('\r\n')[1] ?? ''
  const roleOf = async (node: RedisServer) => await node.say('ROLE').catch(() => '')
  await waitUntil(async () => (await Promise.all(nodes.map(roleOf))).every((role) => /master|connected/.test(role)))
  const roles = await Promise.all(nodes.map(roleOf))

  return {
    url: `redis+cluster://${nodes.slice(0, 2).map(at).join()}`,
    primaries: nodes.filter((_, i) => roles[i]?.includes('master')),
    holderOf: async (key) => {
      for (const node of nodes) {
        // The server that holds the slot answers; every other one names it.
        const reply = await node.say('TTL', key).catch(() => '')
        if (reply.startsWith(':')) return node
      }
      throw new Error(`No server holds ${key}.`)
    },
    reshard: async (from, to, slots) => {
      // redis-cli refuses while a server has not yet learnt of the last move.
      await waitUntil(() =>
        cli('check', at(to)).then(
          () => true,
          () => false,
        ),
      )
      const [source, target] = [await idOf(from), await idOf(to)]
      const which = ['--cluster-from', source, '--cluster-to', target, '--cluster-slots', String(slots)]
      await cli('reshard', at(to), ...which, '--cluster-yes')
    },
    addEmpty: async () => {
      const added = await newNode()
      await cli('add-node', at(added), at(nodes[0] ?? added))
      nodes.push(added)
      await waitUntil(agree)
      return added
    },
    isWell: agree,
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  }
}
