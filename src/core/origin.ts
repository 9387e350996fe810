/** Browsers see the service at PUBLIC_URL or, without it, at the address that the server listens on. */

export type ServedAt = {
  /** The scheme and the host, such as https://example.org, as browsers send them in Origin. */
  origin: string
  /** The path of the app is /app or, behind a proxy that adds one, /geo/app. */
  app: string
  /** The proxy adds this path before /v1, such as /geo; it is blank where it adds none. */
  basePath: string
  cookie: { name: string; path: string; secure: boolean }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopback = (hostname: string) => LOOPBACK.test(hostname)

/** An address without TLS is accepted on this machine only: elsewhere everybody on the way could read the cookie. */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, search, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isSafe && username === '' && search === '' && hash === ''
}

export function originOf(url: URL): ServedAt {
  const basePath = url.pathname.replace(/\/+$/, '')
  const app = `${basePath}/app`
  return { origin: url.origin, app, basePath, cookie: cookieOf(url, app) }
}

/**
 * A browser accepts a cookie whose name begins with __Host- from this host over TLS only, so that no other host of the
 * domain can set it. Without TLS, the name holds the port: all ports of a machine share their cookies, and a second
 * service would otherwise sign people out of the first.
 */
const cookieOf = ({ protocol, port }: URL, app: string): ServedAt['cookie'] =>
  protocol === 'https:'
    ? { name: '__Host-frames', path: '/', secure: true }
    : { name: `frames-${port || '80'}`, path: app, secure: false }

/** The address that signs a person in. */
export const linkAddress = ({ origin, app }: Pick<ServedAt, 'origin' | 'app'>, token: string) =>
  `${origin}${app}/link?t=${token}`

/** The address of a server on this machine, which speaks no TLS. */
export const addressOf = (host: string, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`
