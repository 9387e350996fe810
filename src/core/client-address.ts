/** Finds the address that a request comes from, for the bucket of that address. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** `name`: the header that the nearest proxy writes. `proxies`: how many proxies add an entry to it. */
export type TrustedHeader = { name: string; proxies: number }

/** Proxies usually add one of these; a caller without a proxy has no use for them. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** An operator's own proxy is on this machine or in a private network. */
const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

/**
 * Undefined for a request that came through a proxy while no header is trusted: all callers would share the proxy's
 * address. Only a proxy in a private network counts as one, since otherwise any caller could go unmetered by adding a
 * header.
 */
export function clientAddress(req: IncomingMessage, trusted: TrustedHeader | undefined): string | undefined {
  // A connection that has ended has no address any more: its late requests share one bucket.
  const peer = normalized(req.socket.remoteAddress ?? '')
  if (trusted) return networkOf(forwardedAddress(req, trusted) ?? peer)
  const isProxied = FORWARDING.some((name) => req.headers[name] !== undefined) && isPrivate(peer)
  return isProxied ? undefined : networkOf(peer)
}

/** Reads the entry of the outermost trusted proxy: callers can forge the entries before it. */
function forwardedAddress({ headers }: IncomingMessage, { name, proxies }: TrustedHeader): string | undefined {
  const entry = [headers[name.toLowerCase()] ?? []].flat().join(',').split(',').at(-proxies)?.trim() ?? ''
  const node = /(?:^|;)\s*for="?([^";]+)/i.exec(entry)?.[1] ?? entry
  const [, bracketed] = /^\[([^\]]+)\]/.exec(node) ?? []
  const address = normalized(bracketed ?? (/^[\d.]+:\d+$/.test(node) ? node.replace(/:\d+$/, '') : node))
  return isIP(address) === 0 ? undefined : address
}

/** Drops the zone of a link-local address, and the IPv6 prefix of an IPv4 address. */
const normalized = (address: string) => address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '')

const isPrivate = (address: string) =>
  isIP(address) !== 0 && privateNetworks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** The holder of one IPv6 address has all 2^64 of its network: they share a bucket. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const zeros = 8 - groups(head).length - groups(tail).length
  return `${[...groups(head), ...Array<string>(zeros).fill('0'), ...groups(tail)].slice(0, 4).join(':')}::/64`
}
