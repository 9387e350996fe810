/**
 * Follows the primary where DATABASE_URL names several hosts. Every host is probed once a second. A promotion begins a
 * new timeline, so the primary with the highest timeline is the primary. An old primary that was replaced while it
 * hung, or while nobody could stop it, has a lower one: no statement goes there any more.
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
  /** Undefined for a replica. */
  timeline: number | undefined
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
  if (urls.length < 2) return alwaysAt(typeof target === 'string' ? onPrimaryOnly(target) : target)
  const hosts = urls.map((url) => ({
    url: onPrimaryOnly(url),
    probe: connect(onAnyServer(url), { ...PROBE_POOL, deadlineMs: PROBE_MS }),
  }))
  let primary: { url: string; state: ServerState | undefined } = { url: hosts[0]?.url ?? '', state: undefined }
  let isStopped = false

  async function probe({ url, probe: db }: (typeof hosts)[number]): Promise<void> {
    const found = await hostState(db)
    if (isStopped || !found || !isNewerPrimary(found, primary.state)) return
    const isMove = primary.url !== url
    primary = { url, state: found }
    if (isMove) onMove(hostOf(url))
  }

  // A host that hangs must not delay the probes of the others.
  const timers = hosts.map((host) => setInterval(() => void probe(host), LOOK_MS).unref())
  return {
    target: () => primary.url,
    withLoginOf: (url) => sameHost(url, () => primary.url),
    check: async () => void (await Promise.all(hosts.map(probe))),
    close: async () => {
      isStopped = true
      timers.forEach(clearInterval)
      await Promise.all(hosts.map((host) => host.probe.close()))
    },
  }
}

const alwaysAt = (target: Target): PrimaryHost => ({
  target,
  withLoginOf: (url) => onPrimaryOnly(url),
  check: async () => {},
  close: async () => {},
})

/** The host of the other login's URL that is the primary. */
function sameHost(url: string, primaryUrl: () => string): MovingTarget {
  const urls = urlOfEachHost(url).map(onPrimaryOnly)
  const [first = url] = urls
  if (urls.length < 2) return first
  return () => urls.find((each) => hostOf(each) === hostOf(primaryUrl())) ?? first
}

/** Another cluster has timelines of its own. */
export function isNewerPrimary(found: ServerState, known: ServerState | undefined): boolean {
  if (found.timeline === undefined) return false
  return !known || (found.identity === known.identity && found.timeline > (known.timeline ?? 0))
}

async function hostState(db: Database): Promise<ServerState | undefined> {
  try {
    const [found] = await serverState(db)
    return found && { ...found, timeline: found.timeline ?? undefined }
  } catch {
    db.reconnect()
    return undefined
  }
}
