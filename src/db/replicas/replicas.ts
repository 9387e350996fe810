/** Reads from streaming replicas, and from the primary while none of them is fit for it; within a grace, replicas in its place. */
import type { Deadline } from '../../deadline.js'
import type { Reader } from './reader.js'
import { CONNECTIONS, isLost, until, type connect, type Database, type DatabaseEvent, type Target } from '../connect.js'

/** `reason` is there where the replica is not in use. */
export type ReplicaState = { replica: string; inUse: boolean; reason?: string; lagSeconds?: number }

export type Replicas = {
  /** For one call, or for one batch of calls: nothing is waited for beyond the deadline. */
  readerForRequest: (deadline?: Deadline) => Reader
  /** Of keys and licences: the primary's rows. While it is away, and only within the grace, those of a replica. */
  authorityReader: Pick<Database, 'rows'>
  /** Whether a replica answers for the primary at this moment. */
  isStandingIn: () => boolean
  /** Looks at every replica; throws a sentence where one cannot be a replica of the primary. One that is away is no fault. */
  check: () => Promise<void>
  states: () => ReplicaState[]
  reconnect: () => void
  close: () => Promise<void>
}

type Options = {
  connect: typeof connect
  onEvent: (event: DatabaseEvent) => void
  /** Reads come from the primary while a replica is further behind. */
  lagMaxMs: number
  /** How long ago the primary may have had what a replica knows of keys, where that replica is to answer for it; 0: never. */
  graceMs: number
  /** Told when a replica comes into use, and when it goes out of use. */
  onReplicaChange: (state: ReplicaState) => void
  /** Told when the primary goes away, and when it is back. */
  onPrimaryChange: (isAway: boolean) => void
}

type PrimaryAndReplicas = { primary: Database; target: Target; urls: readonly string[] }

type Replica = {
  name: string
  db: Database
  /** A connection of its own: under load, a look must not wait behind calls. */
  probe: Database
  /** Undefined until it was looked at. */
  inUse: boolean | undefined
  reason: string
  /** A moment of the primary that the replica is not known to have replayed yet. */
  awaited: { lsn: string; at: number } | undefined
  /** The newest moment of the primary that it is known to have replayed. */
  freshAt: number | undefined
}

const LOOK_EVERY_MS = 1000
const LOOK_MS = 2000

const SAME = `(select system_identifier::text from pg_control_system()) as cluster,
  (select oid::text from pg_database where datname = current_database()) as database`
type Same = { cluster: string; database: string }
/** `at`: the primary had this at that moment, or later. */
type OfPrimary = { lsn: string; at: number } & Same
const OF_PRIMARY = `-- replica_target: where the primary is in its log.
select pg_current_wal_flush_lsn()::text as lsn, ${SAME}`
const OF_REPLICA = `-- replica_state: whether this replica has replayed the log up to $1.
select pg_is_in_recovery() as "isReplica", coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as replayed, ${SAME}`

/** A fault that waiting does not mend. */
class NotAReplica extends Error {}

export function replicasOf(
  { primary, target, urls }: PrimaryAndReplicas,
  { connect, onEvent, lagMaxMs, graceMs, onReplicaChange, onPrimaryChange }: Options,
): Replicas {
  const probeOf = (of: Target) => connect(of, { connections: 1, deadlineMs: LOOK_MS })
  const primaryProbe = urls.length > 0 ? probeOf(target) : undefined
  let isPrimaryAway = false
  const replicas = urls.map((url): Replica => ({
    name: new URL(url).host,
    db: connect(url, { onEvent, connections: CONNECTIONS }),
    probe: probeOf(url),
    inUse: undefined,
    reason: 'it was not looked at yet',
    awaited: undefined,
    freshAt: undefined,
  }))
  let turn = 0
  let timer: NodeJS.Timeout | undefined
  let closed = false
  if (replicas.length > 0) watch()

  function watch(): void {
    timer = setTimeout(() => void lookAtAll().then(() => closed || watch()), LOOK_EVERY_MS)
    timer.unref()
  }

  /** Answers with what check() is to refuse, for each replica in turn. */
  async function lookAtAll(): Promise<PromiseSettledResult<void>[]> {
    const ours = await lookAtPrimary()
    return await Promise.allSettled(replicas.map((replica) => look(replica, ours)))
  }

  /** Undefined while it is away. */
  async function lookAtPrimary(): Promise<OfPrimary | undefined> {
    const at = performance.now()
    try {
      const [ours] = (await primaryProbe?.rows<Omit<OfPrimary, 'at'>>(OF_PRIMARY, [])) ?? []
      primaryIs(false)
      return ours && { ...ours, at }
    } catch {
      primaryIs(true)
      primaryProbe?.reconnect()
      return undefined
    }
  }

  function primaryIs(away: boolean): void {
    if (away !== isPrimaryAway && !closed) onPrimaryChange(away)
    isPrimaryAway = away
  }

  /** Throws only what check() is to refuse. */
  async function look(replica: Replica, ours: OfPrimary | undefined): Promise<void> {
    try {
      const reason = await unfitness(replica, ours)
      if (reason === undefined) use(replica)
      else leave(replica, reason)
    } catch (error) {
      replica.probe.reconnect()
      leave(replica, error instanceof Error ? error.message : String(error))
      if (error instanceof NotAReplica || isRefused(error)) throw error
    }
  }

  /** In use from the moment on that it has replayed what the primary had when it was first looked at, migrations included. */
  async function unfitness(replica: Replica, ours: OfPrimary | undefined): Promise<string | undefined> {
    // Without its primary, how far behind a replica is cannot be told; nor is a call let in beyond the grace.
    if (ours) replica.awaited ??= { lsn: ours.lsn, at: ours.at }
    const { awaited } = replica
    const [theirs] = await replica.probe.rows<{ isReplica: boolean; replayed: boolean } & Same>(OF_REPLICA, [
      awaited?.lsn ?? null,
    ])
    if (!theirs?.isReplica) throw new NotAReplica('it is no replica: it takes writes of its own')
    if (ours && (ours.cluster !== theirs.cluster || ours.database !== theirs.database))
      throw new NotAReplica('it is not a replica of the database of DATABASE_URL')
    if (awaited && theirs.replayed) {
      replica.freshAt = awaited.at
      replica.awaited = undefined
    }
    if (replica.freshAt === undefined) return 'it has not caught up yet'
    if (replica.awaited && performance.now() - replica.freshAt > lagMaxMs)
      return `it is more than ${lagMaxMs / 1000} s behind`
    return undefined
  }

  function use(replica: Replica): void {
    if (closed || replica.inUse) return
    replica.inUse = true
    onReplicaChange(stateOf(replica))
  }

  function leave(replica: Replica, reason: string): void {
    const isNews = replica.inUse !== false
    replica.inUse = false
    replica.reason = reason
    if (closed || !isNews) return
    // What still waits for an answer gets none: it ends with the old connections, and is read from the primary.
    replica.db.reconnect()
    onReplicaChange(stateOf(replica))
  }

  function readerForRequest(deadline?: Deadline): Reader {
    const fit = replicas.filter(({ inUse }) => inUse)
    const replica = fit[(turn += 1) % fit.length]
    return replica ? readsFrom(replica, deadline) : { ...until(primary, deadline), release: primary.release }
  }

  function readsFrom(replica: Replica, deadline: Deadline | undefined): Reader {
    let from: Pick<Database, 'rows'> = replica.db
    const call: Reader = {
      rows: async (text, args, as) => {
        const asked = from
        try {
          return await asked.rows(text, args, as, deadline)
        } catch (error) {
          if (asked === primary) throw error
          if (isLost(error)) leave(replica, 'a connection to it was lost')
          // A slow answer of a replica that is well is no reason to bring its load upon the primary.
          if (replica.inUse && !isConflict(error)) throw error
          from = primary
          call.moved?.()
          return await primary.rows(text, args, as, deadline)
        }
      },
      release: (bytes) => {
        replica.db.release(bytes)
        primary.release(bytes)
      },
    }
    return call
  }

  /** What it knows is no older than the grace, however long the primary is away: nothing makes `freshAt` newer meanwhile. */
  const standIn = () =>
    replicas.find(({ inUse, freshAt }) => inUse && freshAt !== undefined && performance.now() - freshAt < graceMs)

  const standingIn = ({ db }: Replica): Pick<Database, 'rows'> => {
    onEvent('stood_in')
    return db
  }

  const authorityReader: Replicas['authorityReader'] = {
    rows: async (text, args, as, deadline) => {
      const replica = isPrimaryAway ? standIn() : undefined
      if (replica) return await standingIn(replica).rows(text, args, as, deadline)
      try {
        return await primary.rows(text, args, as, deadline)
      } catch (error) {
        const other = isLost(error) ? standIn() : undefined
        if (!other) throw error
        return await standingIn(other).rows(text, args, as, deadline)
      }
    },
  }

  return {
    readerForRequest,
    authorityReader,
    isStandingIn: () => isPrimaryAway && standIn() !== undefined,
    check: async () => {
      for (const [i, looked] of (await lookAtAll()).entries()) {
        if (looked.status === 'fulfilled') continue
        throw new Error(`READ_DATABASE_URL, ${replicas[i]?.name}: ${(looked.reason as Error).message}.`)
      }
    },
    states: () => replicas.map(stateOf),
    reconnect: () => {
      primaryProbe?.reconnect()
      for (const { db, probe } of replicas) for (const each of [db, probe]) each.reconnect()
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await Promise.all([primaryProbe?.close(), ...replicas.flatMap(({ db, probe }) => [db.close(), probe.close()])])
    },
  }
}

const stateOf = ({ name, inUse, reason, freshAt }: Replica): ReplicaState => ({
  replica: name,
  inUse: inUse === true,
  ...(inUse ? {} : { reason }),
  ...(freshAt === undefined ? {} : { lagSeconds: (performance.now() - freshAt) / 1000 }),
})

/** A wrong password, or a database that is not there. */
const isRefused = (error: unknown) => /^(28|3D)/.test((error as { code?: string }).code ?? '')

/** Replaying what the primary did has ended a statement of the replica. */
const isConflict = (error: unknown) => ['40001', '40P01'].includes((error as { code?: string }).code ?? '')
