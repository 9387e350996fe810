/** Probes the primary and its replicas again and again, and keeps the fitness of each replica. */
import type { Database } from '../database.js'
import { registry } from '../../runtime/registry.js'
import { statement } from '../statement.js'
import { afterProbe, outOfUse, withReplayTarget, type Fitness, type PrimaryProbe, type ReplicaProbe } from './watch.js'

const primaryTarget = statement<[], Omit<PrimaryProbe, 'at'>>('session/replica_target')
const readReplicaState = statement<[lsn: string | null], ReplicaProbe>('session/replica_state')

export type Replica = {
  name: string
  db: Database
  /** A database of one connection: under load, a probe must not wait behind calls. */
  probe: Database
  fitness: Fitness
}

type ProbeOptions = {
  everyMs: number
  lagMaxMs: number
  onReplicaChange: (replica: Replica) => void
  onPrimaryChange: (isAway: boolean) => void
}

export type Probes = ReturnType<typeof startProbes>

export function startProbes(
  primaryProbe: Database | undefined,
  replicas: readonly Replica[],
  { everyMs, lagMaxMs, onReplicaChange, onPrimaryChange }: ProbeOptions,
) {
  let isPrimaryAway = false
  let primarySeenAt = 0
  let isStopped = false
  const waiting = registry<() => void>()
  let timer: NodeJS.Timeout | undefined

  function runLater(): void {
    timer = setTimeout(() => void run().then(() => isStopped || runLater()), everyMs)
    timer.unref()
  }

  async function run(): Promise<void> {
    const primary = primaryProbe && (await probePrimary(primaryProbe))
    if (primary) primarySeenAt = primary.at
    const isAway = primaryProbe !== undefined && primary === undefined
    if (isAway !== isPrimaryAway && !isStopped) onPrimaryChange(isAway)
    isPrimaryAway = isAway
    if (isAway) for (const callback of waiting.all()) callback()
    await Promise.all(
      replicas.map(async (replica) => setFitness(replica, await probeReplica(replica, primary, lagMaxMs))),
    )
  }

  function setFitness(replica: Replica, fitness: Fitness): void {
    const isNews = !isStopped && fitness.inUse !== replica.fitness.inUse
    replica.fitness = fitness
    if (!isNews) return
    // Statements that still wait for the replica end with its connections, and are read from the primary.
    if (!fitness.inUse) replica.db.reconnect()
    onReplicaChange(replica)
  }

  if (replicas.length > 0) runLater()
  return {
    isPrimaryAway: () => isPrimaryAway,
    /** How many seconds each replica was behind when the primary answered last: a failover loses so much at most. */
    lastLags: (): Record<string, number> =>
      Object.fromEntries(
        replicas.flatMap(({ name, fitness: { freshAt } }) =>
          freshAt === undefined ? [] : [[name, Math.round(primarySeenAt - freshAt) / 1000]],
        ),
      ),
    /** Calls back when the primary goes away. Returns a function that takes the callback back. */
    onceAway: (callback: () => void): (() => void) => {
      const place = waiting.add(callback)
      return () => waiting.remove(place)
    },
    run,
    leave: (replica: Replica, reason: string) => setFitness(replica, outOfUse(replica.fitness, reason)),
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Returns nothing while the primary is away. */
async function probePrimary(db: Database): Promise<PrimaryProbe | undefined> {
  const at = performance.now()
  try {
    const [primary] = await primaryTarget(db)
    return primary && { ...primary, at }
  } catch {
    db.reconnect()
    return undefined
  }
}

async function probeReplica(replica: Replica, primary: PrimaryProbe | undefined, lagMaxMs: number): Promise<Fitness> {
  replica.fitness = withReplayTarget(replica.fitness, primary)
  const { target } = replica.fitness
  try {
    const [found] = await readReplicaState(replica.probe, target?.lsn ?? null)
    const clock = { now: performance.now(), lagMaxMs }
    const fitness = afterProbe(replica.fitness, { target, primary, replica: found }, clock)
    // The next connection may reach the replica, if the URL names several hosts.
    if (fitness.isWrongServer) replica.probe.reconnect()
    return fitness
  } catch (error) {
    replica.probe.reconnect()
    return outOfUse(replica.fitness, error instanceof Error ? error.message : String(error), isRefused(error))
  }
}

/** The password is wrong, or the database does not exist. */
const isRefused = (error: unknown) => /^(28|3D)/.test((error as { code?: string }).code ?? '')
