/**
 * Decides whether a replica is fit for reads. This is a state machine without a database and without a clock: it gets
 * what each probe found, and when.
 */

/**
 * The log of the primary has positions. The primary was at this one at `at`, in milliseconds of performance.now(), or
 * later.
 */
type LogPosition = { lsn: string; timeline: string; at: number }
/** A primary and its replicas have the same identity. */
type Identity = { cluster: string; database: string }

export type PrimaryProbe = LogPosition & Identity
export type ReplicaProbe = { isReplica: boolean; replayed: boolean } & Identity

export type Fitness = {
  /** Undefined before the first probe. */
  inUse: boolean | undefined
  reason: string
  /** Waiting does not help: the server is no replica of the primary, or refuses the login. */
  isWrongServer: boolean
  /** The server is the primary of this moment, or an old one. */
  takesWrites: boolean
  /** The position that the replica is asked for. It stays the same until the replica has replayed it. */
  target: LogPosition | undefined
  /** The newest time of the primary that the replica is known to have replayed. */
  freshAt: number | undefined
}

/** `primary` is undefined while the primary is away: how far behind the replica is cannot be known then. */
type ProbeResults = {
  target: LogPosition | undefined
  primary: PrimaryProbe | undefined
  replica: ReplicaProbe | undefined
}

export const notProbed: Fitness = {
  inUse: undefined,
  reason: 'it was not looked at yet',
  isWrongServer: false,
  takesWrites: false,
  target: undefined,
  freshAt: undefined,
}

export function withReplayTarget(fitness: Fitness, primary: PrimaryProbe | undefined): Fitness {
  // A promotion may have cut off the old primary's last positions: no replica ever replays them.
  if (!primary || fitness.target?.timeline === primary.timeline) return fitness
  return { ...fitness, target: { lsn: primary.lsn, timeline: primary.timeline, at: primary.at } }
}

/** The replica comes into use once it has replayed the primary's position of the first probe, migrations included. */
export function afterProbe(
  fitness: Fitness,
  { target, primary, replica }: ProbeResults,
  { now, lagMaxMs }: { now: number; lagMaxMs: number },
): Fitness {
  if (!replica?.isReplica) {
    const takesWrites = replica !== undefined && isSameDatabase(replica, primary)
    return { ...outOfUse(fitness, 'it is no replica: it takes writes of its own', true), takesWrites }
  }
  if (primary && !isSameDatabase(replica, primary))
    return outOfUse(fitness, 'it is not a replica of the database of DATABASE_URL', true)
  const next = target && replica.replayed ? { ...fitness, target: undefined, freshAt: target.at } : fitness
  if (next.freshAt === undefined) return outOfUse(next, 'it has not caught up yet')
  if (next.target && now - next.freshAt > lagMaxMs) return outOfUse(next, `it is more than ${lagMaxMs / 1000} s behind`)
  return { ...next, inUse: true, isWrongServer: false, takesWrites: false }
}

export const outOfUse = (fitness: Fitness, reason: string, isWrongServer = false): Fitness => ({
  ...fitness,
  inUse: false,
  reason,
  isWrongServer,
  takesWrites: false,
})

const isSameDatabase = (one: Identity, other: Identity | undefined): boolean =>
  one.cluster === other?.cluster && one.database === other.database

/** While the primary is away nothing makes `freshAt` newer, so the grace ends however long the primary stays away. */
export const isWithinGrace = ({ inUse, freshAt }: Fitness, now: number, graceMs: number): boolean =>
  inUse === true && freshAt !== undefined && now - freshAt < graceMs
