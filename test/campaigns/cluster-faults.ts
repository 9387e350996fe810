/** Makes the servers of a cluster fail, and its workers, besides the faults of faults.ts. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Started } from '../support/cli.js'
import type { Pgbouncer } from '../support/pgbouncer.js'
import type { RedisCluster } from '../support/redis-cluster.js'
import { waitUntil, type SentinelGroup } from '../support/redis-sentinel.js'
import type { RedisServer } from '../support/redis-server.js'
import { childrenOf, faultsOf, frozen, pick, type Fault, type Servers } from './faults.js'
import { failuresOf, type Failure } from './node-failures.js'
import { kill, type Node, type Patroni } from './patroni.js'
import type { Kill } from './scene.js'

export type Cluster = {
  patroni: Patroni
  pgbouncer: Pgbouncer
  sentinels: SentinelGroup
  redisCluster: RedisCluster
  services: readonly Started[]
  kills: Kill[]
}

type Context = Pick<Servers, 'admin' | 'orgIds' | 'random'>

/** A new primary is promoted within this time, or the old one goes on. */
const PROMOTED_MS = 30_000
/** The slots that move at once. */
const SLOTS = 400

export function clusterFaults(cluster: Cluster, context: Context): Record<string, Fault> {
  const { patroni, pgbouncer, sentinels, services } = cluster
  const { random } = context
  const between = (least: number, most: number) => least + random() * (most - least)
  const nodes = failuresOf().map((failure): [string, Fault] => [
    `primary: ${failure.name}`,
    () => failPrimary(patroni, failure),
  ])
  return {
    ...faultsOf({
      ...context,
      postgresPids: async () => (await patroni.untilWhole()).postgresPids(),
      restartPostgres: async () => {
        // Patroni starts it again, or promotes another.
        for (const pid of (await patroni.untilWhole()).postgresPids()) kill(pid, 'SIGKILL')
        await patroni.untilWhole()
      },
      redis: () => sentinels.primary(),
    }),
    ...Object.fromEntries(nodes),
    'Sentinels move the primary': () => sentinels.failOver(),
    'Redis cluster: primary gone': () => loseRedisPrimary(cluster, random, between(500, 6000)),
    'Redis cluster: primary frozen': async () => {
      const server = await someHolder(cluster, random)
      server.freeze()
      await sleep(between(500, 6000)).finally(server.thaw)
      await waitUntil(cluster.redisCluster.isWell)
    },
    'Redis cluster: slots move': () => moveSlots(cluster, random),
    'worker killed': async () => {
      const service = pick(services, random)
      kill(pick(childrenOf(service.child.pid ?? 0), random), 'SIGKILL')
      cluster.kills.push({ url: service.url, at: Date.now() })
      await sleep(1000)
    },
    'worker hung': () => frozen([pick(childrenOf(pick(services, random).child.pid ?? 0), random)], between(200, 4000)),
    'rolling restart': () => replaceWorkers(pick(services, random)),
    'PgBouncer killed': async () => {
      await pgbouncer.kill()
      await sleep(between(0, 3000))
      await pgbouncer.start()
    },
  }
}

async function failPrimary(patroni: Patroni, { begin, repair }: Failure): Promise<void> {
  const old = await patroni.untilWhole()
  begin(old)
  await promoted(patroni, old)
  repair(old)
}

async function promoted(patroni: Patroni, old: Node): Promise<void> {
  for (const until = performance.now() + PROMOTED_MS; performance.now() < until; await sleep(100)) {
    const node = await patroni.leader().catch(() => undefined)
    if (node && node.name !== old.name) return
  }
}

/** A server that holds slots of the cluster now. */
const someHolder = ({ redisCluster }: Cluster, random: () => number): Promise<RedisServer> =>
  redisCluster.holderOf(`campaign ${Math.floor(random() * 1000)}`)

async function loseRedisPrimary(cluster: Cluster, random: () => number, ms: number): Promise<void> {
  const server = await someHolder(cluster, random)
  await server.kill()
  await sleep(ms)
  await server.start()
  await waitUntil(cluster.redisCluster.isWell)
}

async function moveSlots(cluster: Cluster, random: () => number): Promise<void> {
  const from = await someHolder(cluster, random)
  for (let tries = 0; tries < 100; tries += 1) {
    const to = await someHolder(cluster, random)
    if (to.port !== from.port) return await cluster.redisCluster.reshard(from, to, SLOTS)
  }
}

async function replaceWorkers({ child, stderr }: Started): Promise<void> {
  const ends = () => stderr().split(/all workers are replaced|so the others stay/).length
  const before = ends()
  child.kill('SIGHUP')
  for (const until = performance.now() + 60_000; ends() === before && performance.now() < until;) await sleep(100)
}
