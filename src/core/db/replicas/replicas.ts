/** Reads go to streaming replicas, and to the primary while no replica is fit for them. */
import { type connect, isLost } from '../connect.js'
import type { Database, DatabaseEvent, MovingTarget } from '../database.js'
import { PROBE_POOL, REPLICA_CONNECTIONS } from '../pool-sizes.js'
import { type Probes, type Replica, startProbes } from './probe.js'
import { primaryReader, type Reader, replicaReader } from './reader.js'
import { type Fitness, isWithinGrace, notProbed } from './watch.js'
import type { Deadline } from '../../deadline.js'

/** `reason` is present where the replica is not in use. */
export type ReplicaState = { replica: string; inUse: boolean; reason?: string; lagSeconds?: number }

export type Replicas = ReturnType<typeof connectReplicas>

export type ProbeTimes = { everyMs: number; deadlineMs: number }

type ReplicasOptions = {
  connect: typeof connect
  times: ProbeTimes | undefined
  onEvent: (event: DatabaseEvent) => void
  /** A replica that is further behind goes out of use. */
  lagMaxMs: number
  /**
   * The longest time that a replica stands in for the primary, counted from the newest state it has of it; 0: never.
   */
  graceMs: number
  /** Called when a replica comes into use, and when it goes out of use. */
  onReplicaChange: (state: ReplicaState) => void
  /** Called when the primary goes away, and when it is back. */
  onPrimaryChange: (isAway: boolean) => void
}

type Servers = { primary: Database; target: MovingTarget; urls: readonly string[] }

const TIMES: ProbeTimes = { everyMs: 1000, deadlineMs: 2000 }

export function connectReplicas(
  { primary, target, urls }: Servers,
  { connect, times = TIMES, onEvent, lagMaxMs, graceMs, onReplicaChange, onPrimaryChange }: ReplicasOptions,
) {
  const probeOf = (server: MovingTarget) => connect(server, { ...PROBE_POOL, deadlineMs: times.deadlineMs })
  const primaryProbe = urls.length > 0 ? probeOf(target) : undefined
  const replicas = urls.map((url) => ({
    name: new URL(url).host,
    db: connect(url, { onEvent, connections: REPLICA_CONNECTIONS }),
    probe: probeOf(url),
    fitness: notProbed,
  }))
  const servers = [...(primaryProbe ? [primaryProbe] : []), ...replicas.flatMap(({ db, probe }) => [db, probe])]
  const probes = startProbes(primaryProbe, replicas, {
    everyMs: times.everyMs,
    lagMaxMs,
    onReplicaChange: (replica) => onReplicaChange(replicaState(replica)),
    onPrimaryChange,
  })
  const standInOf = (pools: readonly Database[]) => () =>
    pools[replicas.findIndex(({ fitness }) => isWithinGrace(fitness, performance.now(), graceMs))]
  const ownPools = replicas.map(({ db }) => db)
  const standIn = standInOf(ownPools)
  const readerWithGrace = (pool: Database, pools: readonly Database[]): Pick<Database, 'rows'> =>
    graceMs === 0
      ? pool
      : graceReader(pool, { ...probes, standIn: standInOf(pools), onStandIn: () => onEvent('stood_in') })
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
    isPrimaryAway: probes.isPrimaryAway,
    lastLags: probes.lastLags,
    /** Whether a replica answers for the primary now. */
    isStandingIn: () => probes.isPrimaryAway() && standIn() !== undefined,
    /** Probes every replica. Throws where a server cannot be a replica of the primary; one that is away is no fault. */
    check: async (): Promise<void> => {
      await probes.run()
      // The hosts of a cluster change roles: one of them is the primary. Its answer, which may be late, tells which.
      const isAllowed = ({ takesWrites }: Fitness) => probes.isPrimaryAway() || (takesWrites && replicas.length > 1)
      for (const { name, fitness } of replicas)
        if (fitness.isWrongServer && !isAllowed(fitness))
          throw new Error(`READ_DATABASE_URL, ${name}: ${fitness.reason}.`)
    },
    states: () => replicas.map(replicaState),
    reconnect: (): void => {
      for (const server of servers) server.reconnect()
    },
    close: async (): Promise<void> => {
      probes.stop()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

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

type StandIn = Pick<Probes, 'isPrimaryAway' | 'onceAway'> & {
  /** A replica that is in use and within the grace. */
  standIn: () => Pick<Database, 'rows'> | undefined
  onStandIn: () => void
}

/**
 * Keys, licences and the pages of the web app are read from the primary. While the primary is away, a replica stands in,
 * for the grace at the longest.
 */
function graceReader(
  primary: Database,
  { isPrimaryAway, onceAway, standIn, onStandIn }: StandIn,
): Pick<Database, 'rows'> {
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
      const replica = isPrimaryAway() ? standIn() : undefined
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
