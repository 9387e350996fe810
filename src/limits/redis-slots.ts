/** Tells which server of a Redis cluster holds a key: each key has one of 16,384 slots, and each slot has one server. */
import type { Reply } from './redis-link.js'

const SLOTS = 16_384

/** The part of a key in braces decides alone: all buckets of an organisation therefore have one slot. */
export function slotOf(key: string): number {
  const [, tag] = /^[^{]*\{([^}]+)\}/.exec(key) ?? []
  return crc16(Buffer.from(tag ?? key)) % SLOTS
}

/** The checksum of XMODEM, as the specification of Redis Cluster asks. */
function crc16(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return sum
}

/** The servers by slot, as `host:port`. A slot without a server is undefined. */
export type ServerBySlot = (string | undefined)[]

/** Reads the reply to CLUSTER SLOTS. A server that does not know its own host means the one that was asked. */
export function serversBySlot(reply: Reply, askedHost: string): ServerBySlot {
  const servers: ServerBySlot = Array.from({ length: SLOTS })
  for (const range of Array.isArray(reply) ? reply : []) {
    const [from, to, primary] = Array.isArray(range) ? range : []
    const [host, port] = Array.isArray(primary) ? primary : []
    const known = typeof host === 'string' && host !== '' && host !== '?' ? host : askedHost
    for (let slot = Number(from); slot <= Number(to); slot += 1) servers[slot] = `${known}:${String(port)}`
  }
  return servers
}

export type Redirection = { kind: 'MOVED' | 'ASK'; address: string } | { kind: 'TRYAGAIN' }

/** Undefined for every other error. */
export function redirectionIn(error: unknown, askedHost: string): Redirection | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message.startsWith('TRYAGAIN')) return { kind: 'TRYAGAIN' }
  const [, kind, host, port] = /^(MOVED|ASK) \d+ (\S*):(\d+)$/.exec(error.message) ?? []
  if (kind !== 'MOVED' && kind !== 'ASK') return undefined
  return { kind, address: `${host || askedHost}:${port}` }
}

/** Splits at the last colon: a host may be an IPv6 address. */
export function hostAndPort(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':')
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) }
}
