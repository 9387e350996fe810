/**
 * Probes the hosts of DATABASE_URL and the replicas again and again: which host is the primary, and how fit each replica
 * is.
 */
import { onlyRow } from '../builder.js'
import type { connect } from '../connect.js'
import type { Database, MovingTarget } from '../database.js'
import type { Hosts } from '../hosts.js'
import { PROBE_POOL } from '../pool-sizes.js'
import { registry } from '../../runtime/index.js'
import { statement } from '../statement.js'
import { afterProbe, type Fitness, outOfUse, type Seen, type ServerState } from './watch.js'

const serverState = statement<[], ServerState>('session/server_state')

export type Replica = {
  url: string
  name: string
  db: Database
  fitness: Fitness
}

export type ProbeTimes = { everyMs: number; deadlineMs: number }

const TIMES: ProbeTimes = { everyMs: 1000, deadlineMs: 2000 }

export type ProbeOptions = {
  connect: typeof connect
  times?: ProbeTimes | undefined
  /** A replica that is further behind goes out of use. */
  lagMaxMs?: number
  /** Called when another host of DATABASE_URL is the primary. */
  onMove?: (host: string) => void
  onReplicaChange?: (replica: Replica) => void
  /** Called when the primary goes away, and when it is back. Without a replica nobody asks. */
  onPrimaryChange?: (isAway: boolean) => void
}

export type Probes = ReturnType<typeof startProbes>

export function startProbes(
  hosts: Hosts,
  replicas: readonly Replica[],
  { connect, times = TIMES, lagMaxMs = Infinity, onMove, onReplicaChange, onPrimaryChange }: ProbeOptions,
) {
  const primary = knownPrimary(onPrimaryChange)
  let isStopped = false

  async function lookAtHost(probe: Database, at: number): Promise<void> {
    const seen = await stateOf(probe).catch(() => undefined)
    if (isStopped) return
    const host = seen && hosts.see(at, seen)
    if (host !== undefined) onMove?.(host)
    // Without a replica nobody asks whether it is away.
    if (hosts.isPrimary(at) && replicas.length > 0) primary.set(seen?.timeline === null ? undefined : seen)
  }

  async function lookAtReplica(probe: Database, replica: Replica): Promise<void> {
    const fitness = await fitnessOf(replica, probe, primary.seen(), lagMaxMs)
    // The next connection may reach the replica, if its host leads to several servers.
    if (fitness.isWrongServer) probe.reconnect()
    setFitness(replica, fitness)
  }

  function setFitness(replica: Replica, fitness: Fitness): void {
    const isNews = !isStopped && fitness.inUse !== replica.fitness.inUse
    replica.fitness = fitness
    if (!isNews) return
    // Statements that still wait for the replica end with its connections, and are read from the primary.
    if (!fitness.inUse) replica.db.reconnect()
    onReplicaChange?.(replica)
  }

  // Each server has a connection of its own: under load, a probe must not wait behind calls.
  const watch = (server: MovingTarget, look: (probe: Database) => Promise<void>) =>
    again(connect(server, { ...PROBE_POOL, deadlineMs: times.deadlineMs }), look, times.everyMs)
  const isNeeded = hosts.servers.length > 1 || replicas.length > 0
  const ofHosts = (isNeeded ? hosts.servers : []).map((server, at) => watch(server, (probe) => lookAtHost(probe, at)))
  const ofReplicas = replicas.map((replica) => watch(replica.url, (probe) => lookAtReplica(probe, replica)))
  const all = [...ofHosts, ...ofReplicas]
  return {
    primary,
    /** Probes every host once. Without a primary, the first host stays the target. */
    findPrimary: async (): Promise<void> => void (await Promise.all(ofHosts.map(({ now }) => now()))),
    findReplicas: async (): Promise<void> => void (await Promise.all(ofReplicas.map(({ now }) => now()))),
    leave: (replica: Replica, reason: string) => setFitness(replica, outOfUse(replica.fitness, reason)),
    reconnect: (): void => all.forEach(({ probe }) => probe.reconnect()),
    stop: async (): Promise<void> => {
      isStopped = true
      await Promise.all(all.map(({ stop }) => stop()))
    },
  }
}

/** Remembers the latest state of the primary, and calls back those that wait until it goes away. */
function knownPrimary(onChange: ProbeOptions['onPrimaryChange']) {
  /** Undefined while the primary is away. */
  let seen: Seen | undefined
  let [isAway, seenAt] = [false, 0]
  const waiting = registry<() => void>()
  return {
    seen: () => seen,
    isAway: () => isAway,
    /** When the primary answered last. */
    seenAt: () => seenAt,
    /** Calls back when the primary goes away. Returns a function that takes the callback back. */
    onceAway: (callback: () => void): (() => void) => {
      const slot = waiting.add(callback)
      return () => waiting.remove(slot)
    },
    set: (found: Seen | undefined): void => {
      seen = found
      seenAt = found?.at ?? seenAt
      if (isAway !== (found === undefined)) onChange?.(!isAway)
      isAway = found === undefined
      if (isAway) for (const callback of waiting.all()) callback()
    },
  }
}

/** Looks at a server again and again: one that hangs does not delay the probes of the others. */
function again(probe: Database, look: (probe: Database) => Promise<void>, everyMs: number) {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const later = () => {
    if (!isStopped) timer = setTimeout(() => void look(probe).then(later), everyMs).unref()
  }
  later()
  return {
    probe,
    now: () => look(probe),
    stop: async (): Promise<void> => {
      isStopped = true
      clearTimeout(timer)
      await probe.close()
    },
  }
}

async function stateOf(probe: Database): Promise<Seen> {
  const at = performance.now()
  try {
    return { ...onlyRow(await serverState(probe)), at }
  } catch (error) {
    probe.reconnect()
    throw error
  }
}

async function fitnessOf(
  { fitness }: Replica,
  probe: Database,
  primary: Seen | undefined,
  lagMaxMs: number,
): Promise<Fitness> {
  try {
    const replica = await stateOf(probe)
    return afterProbe(fitness, { primary, replica }, { now: performance.now(), lagMaxMs })
  } catch (error) {
    return outOfUse(fitness, error instanceof Error ? error.message : String(error), isRefused(error))
  }
}

/** The password is wrong, or the database does not exist. */
const isRefused = (error: unknown) => /^(28|3D)/.test((error as { code?: string }).code ?? '')
