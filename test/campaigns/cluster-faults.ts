/** Makes the servers of a cluster fail, and the processes of the service, besides the faults of faults.ts. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Started } from '../support/cli.js'
import type { Pgbouncer } from '../support/pgbouncer.js'
import type { SentinelGroup } from '../support/redis-sentinel.js'
import { faultsOf, frozen, pick, type Fault, type Servers } from './faults.js'
import { failuresOf, type Failure } from './node-failures.js'
import { kill, type Patroni } from './patroni.js'
import { until } from '../support/until.js'

export type Cluster = {
  patroni: Patroni
  pgbouncer: Pgbouncer
  sentinels: SentinelGroup
  services: () => readonly Started[]
  /** Ends a process by a signal, and starts another on its port. */
  restart: (service: Started, signal: 'SIGKILL' | 'SIGTERM') => Promise<void>
}

type Context = Pick<Servers, 'admin' | 'orgIds' | 'random'>

/** A new primary is promoted within this time, or the old one goes on. */
const PROMOTED_MS = 30_000

export function clusterFaults(cluster: Cluster, context: Context): Record<string, Fault> {
  const { patroni, pgbouncer, sentinels, services, restart } = cluster
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
    'process killed': () => restart(pick(services(), random), 'SIGKILL'),
    'process hung': () => frozen([pick(services(), random).child.pid ?? 0], between(200, 4000)),
    'rolling restart': async () => {
      for (const service of services()) await restart(service, 'SIGTERM')
    },
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
  const promoted = async () => {
    const node = await patroni.leader().catch(() => undefined)
    return node !== undefined && node.name !== old.name
  }
  await until(promoted, { ms: PROMOTED_MS, everyMs: 100 }).catch(() => {})
  repair(old)
}
