/**
 * Answers that wait to be read by their clients. They hold memory, which is bounded: in time, by the progress that each
 * client makes, and in all, by hanging up on the slowest.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { registry } from '../registry.js'
import { kernelQueues, queueOf } from './runtime/kernel-queue.js'

export type UnreadOptions = {
  /** How long a client may take nothing of its answer. */
  stallMs: number
  /** Whoever takes less than this, after `stallMs`, reads too slowly. */
  bytesPerSecond: number
  /** Bytes that may wait to be read, over all connections. */
  unreadMax: number
  dropped: (reason: 'slow_reader' | 'unread_limit') => void
}

/** `left`: bytes that the client has not taken yet, when it was last looked at. */
type Unread = {
  req: IncomingMessage
  socket: Socket
  since: number
  length: number
  left: number
  movedAt: number
  /** What the kernel held when the client seemed to stall. */
  queued?: { bytes: number; at: number } | undefined
}
/** Nobody has a pace before that: an answer that has just been sent was not taken yet. */
const JUDGED_AFTER_MS = 1000

type Open = { res: ServerResponse; unread: Unread | undefined }

export function watchUnread(server: Server, { stallMs, bytesPerSecond, unreadMax, dropped }: UnreadOptions) {
  const open = registry<Open>()
  /** What waited at the last look, and what was sent since. */
  let most = 0

  function look(): Unread[] {
    const now = performance.now()
    const unread = open.all().flatMap((each) => each.unread ?? [])
    for (const each of unread) {
      const left = leftOf(each.socket)
      if (left !== each.left) Object.assign(each, { left, movedAt: now, queued: undefined })
    }
    lookIntoKernel(
      unread.filter(({ movedAt }) => now - movedAt > stallMs / 2),
      now,
    )
    for (const each of unread) {
      const { left } = each
      const isSlow = now - each.since > stallMs + (1000 * (each.length - left)) / bytesPerSecond
      if (isSlow || now - each.movedAt > stallMs) hangUp(each, 'slow_reader')
    }
    const kept = unread.filter(({ socket }) => !socket.destroyed)
    most = heldBy(kept)
    return kept
  }

  /**
   * The kernel asks Node for more only when a third of its buffer is free: a slow client may need minutes for that, and
   * seems to take nothing. So the buffer of whoever seems to stall is looked at.
   */
  function lookIntoKernel(stalling: readonly Unread[], now: number): void {
    if (stalling.length === 0) return
    const queues = kernelQueues()
    for (const each of stalling) {
      const bytes = queueOf(each.socket, queues)
      if (bytes === undefined) continue
      const { queued } = each
      if (!queued) each.queued = { bytes, at: now }
      else if (queued.bytes - bytes > 0 && queued.bytes - bytes >= (bytesPerSecond * (now - queued.at)) / 1000)
        Object.assign(each, { movedAt: now, queued: { bytes, at: now } })
    }
  }

  /** Down to three quarters, so that this is not done anew for each answer that follows. */
  function makeRoom(): void {
    const now = performance.now()
    const pace = ({ since, length, left }: Unread) =>
      now - since < JUDGED_AFTER_MS ? Infinity : (length - left) / (now - since)
    const slowestFirst = look().sort((one, other) => pace(one) - pace(other) || one.since - other.since)
    if (most <= unreadMax) return
    for (const each of slowestFirst) {
      if (most <= 0.75 * unreadMax) return
      most -= each.socket.writableLength
      hangUp(each, 'unread_limit')
    }
  }

  function hangUp({ req, socket }: Unread, reason: 'slow_reader' | 'unread_limit'): void {
    if (socket.destroyed) return
    dropped(reason)
    // Else Node would tell the log that the answer was sent.
    req.destroy(new Error(reason))
    socket.destroy()
  }

  const timer = setInterval(look, Math.min(1000, stallMs / 4))
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return {
    add: (res: ServerResponse): void => {
      const answer: Open = { res, unread: undefined }
      const place = open.add(answer)
      res.once('close', () => open.remove(place))
      res.once('prefinish', () => {
        const { req } = res
        const { socket } = req
        const [now, length] = [performance.now(), socket.writableLength]
        answer.unread = { req, socket, since: now, length, left: length, movedAt: now }
        most += length
        if (most > unreadMax) makeRoom()
      })
    },
    /**
     * Does something that closes idle connections, and keeps those whose answers wait to be read: Node takes a connection
     * for idle once its answer is `finished`, which says that it was written, and not that it was sent.
     */
    keeping: (close: () => void): void => {
      const sent = open.all().flatMap(({ res, unread }) => (unread ? [res] : []))
      for (const res of sent) res.finished = false
      close()
      for (const res of sent) res.finished = true
    },
    open: (): ServerResponse[] => open.all().map(({ res }) => res),
    bytes: (): number => heldBy(open.all().flatMap(({ unread }) => unread ?? [])),
  }
}

/** Node holds a whole write until the last of its bytes was taken. */
const heldBy = (unread: readonly Unread[]) => unread.reduce((sum, { socket }) => sum + socket.writableLength, 0)

/**
 * Of a write under way, only the handle knows how much was taken: net.Socket looks there, too, before it tells of a timeout.
 * Without the handle, a write counts as untouched until its end.
 */
function leftOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return handle?.writeQueueSize ?? socket.writableLength
}
