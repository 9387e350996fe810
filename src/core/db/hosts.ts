/** A database URL may name several hosts, separated by commas. One of them is the primary. */
import type { MovingTarget, Target } from './driver/target.js'
import type { ServerState } from './replicas/watch.js'

export function urlOfEachHost(url: string): string[] {
  const [, before = '', hosts, after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]+)(.*)$/s.exec(url) ?? []
  return hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host.trim()}${after}`)
}

/** postgres.js refuses a connection to a replica then. PostgreSQL says which it is at the start of each session. */
export function onPrimaryOnly(url: string): string {
  if (url.includes('target_session_attrs=')) return url
  return `${url}${url.includes('?') ? '&' : '?'}target_session_attrs=primary`
}

/** Makes the URL for probes: they connect to primaries and replicas alike. */
export const onAnyServer = (url: string): string => url.replace(/([?&])target_session_attrs=[^&]*&?/, '$1')

/** The host and the port, for the log. A URL holds a password. */
export const hostOf = (url: string): string => new URL(url).host

export type Hosts = ReturnType<typeof hostsOf>

/**
 * Knows which host of DATABASE_URL is the primary. postgres.js alone connects to a primary, and stays with an old one
 * that goes on beside the new one, or that hangs. A promotion begins a new timeline, so the primary with the highest one
 * is the primary. Until one was seen, the first host is.
 */
export function hostsOf(target: Target) {
  const urls = typeof target === 'string' ? urlOfEachHost(target) : []
  let [primaryAt, known] = [0, undefined as ServerState | undefined]

  function withLoginOf(url: string): MovingTarget {
    const own = urlOfEachHost(url).map(onPrimaryOnly)
    const [first = url] = own
    if (urls.length < 2 || own.length < 2) return onPrimaryOnly(url)
    const inOrder = urls.map((each) => own.find((other) => hostOf(other) === hostOf(each)) ?? first)
    return () => inOrder[primaryAt] ?? first
  }

  return {
    /** The primary. With several hosts, each new connection goes to the host that is the primary then. */
    target: typeof target === 'string' ? withLoginOf(target) : target,
    /** The same server for another login. */
    withLoginOf,
    /** Each host, for its probe. */
    servers: typeof target === 'string' ? urls.map(onAnyServer) : [target],
    isPrimary: (at: number): boolean => at === primaryAt && (known !== undefined || urls.length < 2),
    /** Takes what a probe of a host found. Returns the host where it is the primary from now on, and was not. */
    see: (at: number, found: ServerState): string | undefined => {
      if (!isNewerPrimary(found, known)) return undefined
      known = found
      const isMove = at !== primaryAt
      primaryAt = at
      return isMove ? hostOf(urls[at] ?? '') : undefined
    },
  }
}

type Identified = Pick<ServerState, 'identity' | 'timeline'>

/** Another cluster has timelines of its own. */
export function isNewerPrimary(found: Identified, known: Identified | undefined): boolean {
  const { identity, timeline } = found
  if (timeline === null) return false
  return !known || (identity === known.identity && timeline > (known.timeline ?? 0))
}
