/** Reads go to streaming replicas, and to the primary while no replica is fit for them. */
import { isLost } from '../connect.js'
import type { Database, DatabaseEvent } from '../database.js'
import { hostOf, type Hosts } from '../hosts.js'
import { REPLICA_CONNECTIONS } from '../pool-sizes.js'
import { type ProbeOptions, type Probes, type Replica, startProbes } from './probe.js'
import { primaryReader, type Reader, replicaReader } from './reader.js'
import { type Fitness, isWithinGrace, notProbed } from './watch.js'
import type { Deadline } from '../../deadline.js'

/** `reason` is present where the replica is not in use. */
export type ReplicaState = { replica: string; inUse: boolean; reason?: string; lagSeconds?: number }

export type Replicas = ReturnType<typeof connectReplicas>

type ReplicasOptions = Omit<ProbeOptions, 'onReplicaChange'> & {
  onEvent: (event: DatabaseEvent) => void
  /**
   * The longest time that a replica stands in for the primary, counted from the newest state it has of it; 0: never.
   */
  graceMs: number
  /** Called when a replica comes into use, and when it goes out of use. */
  onReplicaChange: (state: ReplicaState) => void
}

type Servers = { primary: Database; hosts: Hosts; urls: readonly string[] }

export function connectReplicas(
  { primary, hosts, urls }: Servers,
  { onEvent, graceMs, onReplicaChange, ...probing }: ReplicasOptions,
) {
  const replicas = urls.map((url) => ({
    url,
    name: hostOf(url),
    db: probing.connect(url, { onEvent, connections: REPLICA_CONNECTIONS }),
    fitness: notProbed,
  }))
  const probes = startProbes(hosts, replicas, {
    ...probing,
    onReplicaChange: (replica) => onReplicaChange(replicaState(replica)),
  })
  const standInOf = (pools: readonly Database[]) => () =>
    pools[replicas.findIndex(({ fitness }) => isWithinGrace(fitness, performance.now(), graceMs))]
  const ownPools = replicas.map(({ db }) => db)
  const standIn = standInOf(ownPools)
  const readerWithGrace = (pool: Database, pools: readonly Database[]): Pick<Database, 'rows'> =>
    graceMs === 0
      ? pool
      : graceReader(pool, { ...probes.primary, standIn: standInOf(pools), onStandIn: () => onEvent('stood_in') })
  return {
    /** Gives one call, or one batch of calls, its reader. The call waits for nothing after its deadline. */
    readerForRequest: readersInTurn(primary, replicas, probes.leave),
    /**
     * Reads keys and licences from the primary. While the primary is away, and within the grace, it reads from a replica.
     */
    authorityReader: readerWithGrace(primary, ownPools),
    /** The same for another pool of the primary. `pools` has one for each replica, in the order of their URLs. */
    readerWithGrace,
    /** Whether the last probe missed the primary. Without a replica there are no probes. */
    isPrimaryAway: probes.primary.isAway,
    lastLags: () => lagsAt(probes.primary.seenAt(), replicas),
    findPrimary: probes.findPrimary,
    /** Whether a replica answers for the primary now. */
    isStandingIn: () => probes.primary.isAway() && standIn() !== undefined,
    /** Probes every replica. Throws where a server cannot be a replica of the primary; one that is away is no fault. */
    check: async (): Promise<void> => {
      await probes.findPrimary()
      await probes.findReplicas()
      // The hosts of a cluster change roles: one of them is the primary. Its answer, which may be late, tells which.
      const isAllowed = ({ takesWrites }: Fitness) => probes.primary.isAway() || (takesWrites && replicas.length > 1)
      for (const { name, fitness } of replicas)
        if (fitness.isWrongServer && !isAllowed(fitness))
          throw new Error(`READ_DATABASE_URL, ${name}: ${fitness.reason}.`)
    },
    states: () => replicas.map(replicaState),
    reconnect: (): void => {
      probes.reconnect()
      for (const { db } of replicas) db.reconnect()
    },
    close: async (): Promise<void> => {
      await Promise.all([probes.stop(), ...replicas.map(({ db }) => db.close())])
    },
  }
}

/** How many seconds each replica was behind when the primary answered last: a failover loses so much at most. */
const lagsAt = (seenAt: number, replicas: readonly Replica[]): Record<string, number> =>
  Object.fromEntries(
    replicas.flatMap(({ name, fitness: { freshAt } }) =>
      freshAt === undefined ? [] : [[name, Math.round(seenAt - freshAt) / 1000]],
    ),
  )

function readersInTurn(
  primary: Database,
  replicas: readonly Replica[],
  leave: (replica: Replica, reason: string) => void,
): (deadline?: Deadline) => Reader {
  let turn = 0
  return (deadline) => {
    const fit = replicas.filter(({ fitness }) => fitness.inUse)
    const replica = fit[(turn += 1) % fit.length]
    if (!replica) return primaryReader(primary, deadline)
    const { db } = replica
    const isInUse = () => replica.fitness.inUse === true
    return replicaReader({ db, isInUse, leave: (reason) => leave(replica, reason) }, primary, deadline)
  }
}

const replicaState = ({ name, fitness: { inUse, reason, freshAt } }: Replica): ReplicaState => ({
  replica: name,
  inUse: inUse === true,
  ...(inUse ? {} : { reason }),
  ...(freshAt === undefined ? {} : { lagSeconds: (performance.now() - freshAt) / 1000 }),
})

type StandIn = Pick<Probes['primary'], 'isAway' | 'onceAway'> & {
  /** A replica that is in use and within the grace. */
  standIn: () => Pick<Database, 'rows'> | undefined
  onStandIn: () => void
}

/**
 * Keys, licences and the pages of the web app are read from the primary. While the primary is away, a replica stands in,
 * for the grace at the longest.
 */
function graceReader(primary: Database, { isAway, onceAway, standIn, onStandIn }: StandIn): Pick<Database, 'rows'> {
  /** A read that waits for a primary that hangs goes to the replica, and does not wait until its deadline. */
  const unlessAway = <Rows>(rows: Promise<Rows>): Promise<Rows> =>
    new Promise((done, failed) => {
      const forget = onceAway(() => {
        if (standIn()) failed(new PrimaryAway('The primary went away during this read.'))
      })
      rows.then(done, failed).finally(forget)
    })
  return {
    rows: async (text, args, as, deadline) => {
      const replica = isAway() ? standIn() : undefined
      if (replica) {
        onStandIn()
        return await replica.rows(text, args, as, deadline)
      }
      try {
        return await unlessAway(primary.rows(text, args, as, deadline))
      } catch (error) {
        const other = isLost(error) || error instanceof PrimaryAway ? standIn() : undefined
        if (!other) throw error
        onStandIn()
        return await other.rows(text, args, as, deadline)
      }
    },
  }
}

class PrimaryAway extends Error {}
