/** What the kernel holds of each connection and the client has not acknowledged: megabytes, of which Node knows nothing. */
import { readFileSync, readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'

const FILES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
/** Of a line: slot, two addresses, state, `sent:received` in hexadecimal, timer, retransmits, user, timeout, inode. */
const LINE = /^\s*\d+: \S+ \S+ \S+ ([0-9A-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /gm

/** Bytes by the inode of the socket. Empty where the system is not Linux. */
export function kernelQueues(): Map<string, number> {
  const queues = new Map<string, number>()
  for (const file of FILES) {
    for (const [, sent = '', inode = ''] of textOf(file).matchAll(LINE)) queues.set(inode, Number.parseInt(sent, 16))
  }
  return queues
}

export function queueOf(socket: Socket, queues: ReadonlyMap<string, number>): number | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: { fd?: number } | null }
  if (queues.size === 0 || handle?.fd === undefined) return undefined
  try {
    const [, inode = ''] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${handle.fd}`)) ?? []
    return queues.get(inode)
  } catch {
    return undefined
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
