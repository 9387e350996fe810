/** Starts a Redis primary with two replicas, and three Sentinels that watch them, for tests. */
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endsWithTests } from './children.js'
import { freePort } from './postgres-server.js'
import { say, startRedis, type RedisServer } from './redis-server.js'
import { newFolder } from './temporary.js'
import { until } from './until.js'

export type SentinelGroup = {
  /** The form of REDIS_URL that names the Sentinels. */
  url: string
  servers: RedisServer[]
  /** The server that most Sentinels name as the primary. */
  primary: () => Promise<RedisServer>
  /** Moves the role of the primary as an operator does. */
  failOver: () => Promise<void>
  stop: () => Promise<void>
}

const DOWN_AFTER_MS = 1000

export async function startSentinelGroup(): Promise<SentinelGroup> {
  const servers = await Promise.all([1, 2, 3].map(() => startRedis({ 'repl-diskless-sync-delay': '0' })))
  const [first] = servers
  if (!first) throw new Error('There is no first server.')
  for (const server of servers.slice(1)) await server.say('REPLICAOF', '127.0.0.1', String(first.port))
  await until(async () => (await first.say('INFO', 'replication')).includes('connected_slaves:2'))
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(first.port)))
  const ports = sentinels.map(({ port }) => port)
  const sees = async (port: number) => {
    const told = await say(port, ['SENTINEL', 'MASTER', 'grid'])
    return /num-slaves\r\n\$1\r\n2/.test(told) && /num-other-sentinels\r\n\$1\r\n2/.test(told)
  }
  await until(async () => (await Promise.all(ports.map(sees))).every(Boolean))
  const primaryPort = async () => {
    const named = await Promise.all(ports.map((port) => say(port, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'grid'])))
    const [one, other, third] = named.map((reply) => reply.split('\r\n')[4])
    return other === third ? other : one
  }
  return {
    url: `redis+sentinel://${ports.map((port) => `127.0.0.1:${port}`).join()}/grid`,
    servers,
    primary: async () => {
      const port = await primaryPort()
      const found = servers.find((server) => String(server.port) === port)
      if (!found) throw new Error(`The Sentinels name ${port}, which is none of the servers.`)
      return found
    },
    failOver: async () => {
      const before = await primaryPort()
      await say(ports[0] ?? 0, ['SENTINEL', 'FAILOVER', 'grid'])
      await until(async () => (await primaryPort()) !== before)
    },
    stop: async () => {
      for (const sentinel of sentinels) sentinel.stop()
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

async function startSentinel(primaryPort: number): Promise<{ port: number; stop: () => void }> {
  const folder = newFolder('sentinel')
  const port = await freePort()
  const file = join(folder, 'sentinel.conf')
  // A Sentinel writes what it learns into its file.
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor grid 127.0.0.1 ${primaryPort} 2`,
    `sentinel down-after-milliseconds grid ${DOWN_AFTER_MS}`,
    'sentinel failover-timeout grid 4000',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
  endsWithTests(child)
  await until(() => say(port, ['PING']).then(Boolean, () => false))
  return {
    port,
    stop: () => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
