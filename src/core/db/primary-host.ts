/**
 * Follows the primary where DATABASE_URL names several hosts. postgres.js alone connects to a primary, and stays with an
 * old one that goes on beside the new one, or that hangs. So every host is probed once a second: a promotion begins a
 * new timeline, and the primary with the highest one is the primary.
 */
import type { connect } from './connect.js'
import type { Database, MovingTarget, Target } from './database.js'
import { hostOf, onAnyServer, onPrimaryOnly, urlOfEachHost } from './hosts.js'
import { PROBE_POOL } from './pool-sizes.js'
import { statement } from './statement.js'

const LOOK_MS = 1000
const PROBE_MS = 2000

const serverState = statement<[], ServerState>('session/server_state')

export type ServerState = {
  /** The cluster and the database: the same for a primary and its replicas. */
  identity: string
  /** Null for a replica. */
  timeline: number | null
}

export type PrimaryHost = {
  /** The primary. With several hosts, each new connection goes to the host that is the primary then. */
  target: MovingTarget
  /** The same server for another login. */
  withLoginOf: (url: string) => MovingTarget
  /** Probes every host once. Without a primary, the first host stays the target. */
  check: () => Promise<void>
  close: () => Promise<void>
}

type Options = {
  connect: typeof connect
  onMove: (host: string) => void
}

export function followPrimary(target: Target, { connect, onMove }: Options): PrimaryHost {
  const urls = typeof target === 'string' ? urlOfEachHost(target) : []
  const probes =
    urls.length < 2 ? [] : urls.map((url) => connect(onAnyServer(url), { ...PROBE_POOL, deadlineMs: PROBE_MS }))
  let [place, isStopped] = [0, false]
  let known: ServerState | undefined

  async function probe(db: Database, at: number): Promise<void> {
    const [found] = await serverState(db).catch(() => {
      db.reconnect()
      return []
    })
    if (isStopped || !found || !isNewerPrimary(found, known)) return
    known = found
    if (at !== place) onMove(hostOf(urls[at] ?? ''))
    place = at
  }

  function following(url: string): MovingTarget {
    const own = urlOfEachHost(url).map(onPrimaryOnly)
    const [first = url] = own
    if (probes.length === 0 || own.length < 2) return onPrimaryOnly(url)
    const inOrder = urls.map((each) => own.find((other) => hostOf(other) === hostOf(each)) ?? first)
    return () => inOrder[place] ?? first
  }

  // A host that hangs must not delay the probes of the others.
  const timers = probes.map((db, at) => setInterval(() => void probe(db, at), LOOK_MS).unref())
  return {
    target: typeof target === 'string' ? following(target) : target,
    withLoginOf: following,
    check: async () => void (await Promise.all(probes.map(probe))),
    close: async () => {
      isStopped = true
      timers.forEach(clearInterval)
      await Promise.all(probes.map((db) => db.close()))
    },
  }
}

/** Another cluster has timelines of its own. */
export function isNewerPrimary({ identity, timeline }: ServerState, known: ServerState | undefined): boolean {
  if (timeline === null) return false
  return !known || (identity === known.identity && timeline > (known.timeline ?? 0))
}
