/**
 * Decides whether a replica is fit for reads. This is a state machine without a database and without a clock: it gets
 * what each probe found, and when.
 */

export type ServerState = {
  /** The cluster and the database: the same for a primary and its replicas. */
  identity: string
  /** Null for a replica. */
  timeline: number | null
  /** How far the log of the server goes. */
  position: number
}

/** The server was there at `at`, in milliseconds of performance.now(), or later. */
export type Seen = ServerState & { at: number }

export type Fitness = {
  /** Undefined before the first probe. */
  inUse: boolean | undefined
  reason: string
  /** Waiting does not help: the server is no replica of the primary, or refuses the login. */
  isWrongServer: boolean
  /** The server is the primary of this moment, or an old one. */
  takesWrites: boolean
  /** The state of the primary that the replica is to reach. It stays the same until the replica has replayed it. */
  target: Seen | undefined
  /** The newest time of the primary that the replica is known to have replayed. */
  freshAt: number | undefined
}

/** `primary` is undefined while the primary is away: how far behind the replica is cannot be known then. */
type ProbeResults = { primary: Seen | undefined; replica: ServerState }

export const notProbed: Fitness = {
  inUse: undefined,
  reason: 'it was not looked at yet',
  isWrongServer: false,
  takesWrites: false,
  target: undefined,
  freshAt: undefined,
}

/** The replica comes into use once it has replayed the primary's position of the first probe, migrations included. */
export function afterProbe(
  fitness: Fitness,
  { primary, replica }: ProbeResults,
  { now, lagMaxMs }: { now: number; lagMaxMs: number },
): Fitness {
  if (replica.timeline !== null) {
    const takesWrites = replica.identity === primary?.identity
    return { ...outOfUse(fitness, 'it is no replica: it takes writes of its own', true), takesWrites }
  }
  if (primary && replica.identity !== primary.identity)
    return outOfUse(fitness, 'it is not a replica of the database of DATABASE_URL', true)
  // A promotion may have cut off the old primary's last positions: no replica ever replays them.
  const target = primary && fitness.target?.timeline !== primary.timeline ? primary : fitness.target
  const isReached = target !== undefined && replica.position >= target.position
  const next = isReached ? { ...fitness, target: undefined, freshAt: target.at } : { ...fitness, target }
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

/** While the primary is away nothing makes `freshAt` newer, so the grace ends however long the primary stays away. */
export const isWithinGrace = ({ inUse, freshAt }: Fitness, now: number, graceMs: number): boolean =>
  inUse === true && freshAt !== undefined && now - freshAt < graceMs
