/** Which address a request comes from, for the bucket of that address. */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** The header that the nearest proxy writes, and how many proxies add an entry to it. */
export type TrustedHeader = { name: string; proxies: number }

/** A proxy adds one of these, as a rule; a caller who comes without a proxy has no use for them. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Where a proxy of one's own is: this machine, or a private network. */
const nearby = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  nearby.addSubnet(network, prefix, 'ipv4')
nearby.addAddress('::1', 'ipv6')
nearby.addSubnet('fc00::', 7, 'ipv6')
nearby.addSubnet('fe80::', 10, 'ipv6')

/**
 * Undefined for a request that came through a proxy while no header is trusted: all callers would share the address of the
 * proxy. Only a proxy nearby is believed to be one, or anybody could go unmetered by adding a header.
 */
export function clientAddress(req: IncomingMessage, trusted: TrustedHeader | undefined): string | undefined {
  // A connection that has ended has no address any more: what is still asked on such shares one bucket.
  const peer = plain(req.socket.remoteAddress ?? '')
  if (trusted) return networkOf(forwarded(req, trusted) ?? peer)
  const isProxied = FORWARDING.some((name) => req.headers[name] !== undefined) && isNearby(peer)
  return isProxied ? undefined : networkOf(peer)
}

/** The entry that the outermost trusted proxy wrote: those before it are the caller's to choose. */
function forwarded({ headers }: IncomingMessage, { name, proxies }: TrustedHeader): string | undefined {
  const entry = [headers[name.toLowerCase()] ?? []].flat().join(',').split(',').at(-proxies)?.trim() ?? ''
  const node = /(?:^|;)\s*for="?([^";]+)/i.exec(entry)?.[1] ?? entry
  const [, bracketed] = /^\[([^\]]+)\]/.exec(node) ?? []
  const address = plain(bracketed ?? (/^[\d.]+:\d+$/.test(node) ? node.replace(/:\d+$/, '') : node))
  return isIP(address) === 0 ? undefined : address
}

/** Without the zone of a link, and an IPv4 address as one. */
const plain = (address: string) => address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '')

const isNearby = (address: string) => isIP(address) !== 0 && nearby.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')

/** Whoever has one IPv6 address has the 2^64 of its network. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const zeros = 8 - groups(head).length - groups(tail).length
  return `${[...groups(head), ...Array<string>(zeros).fill('0'), ...groups(tail)].slice(0, 4).join(':')}::/64`
}
