/** A database URL may name several hosts, separated by commas. */

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
