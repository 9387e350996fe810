/**
 * Answers that wait to be read by their clients hold memory. Two rules bound it: the server hangs up on a client that
 * makes no progress and, where too many bytes wait in all, on the slowest clients.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { registry, type Registry } from '../core/runtime/registry.js'
import { bytesInKernel, bytesInNode, kernelQueues, sparingUnsent } from './runtime/send-queue.js'

export type UnreadOptions = {
  /** How long a client may take nothing of its answer. */
  stallMs: number
  /** After `stallMs`, a client has to take at least this much. */
  bytesPerSecond: number
  /** Bytes that may wait to be read, over all connections. */
  unreadMax: number
  onDrop: (reason: SlowReason) => void
}

type SlowReason = 'slow_reader' | 'unread_limit'

type UnreadAnswer = {
  req: IncomingMessage
  socket: Socket
  endedAt: number
  length: number
  /** Bytes that the client had not taken at the last check. */
  left: number
  progressAt: number
  /** Bytes that the kernel held when the client seemed to stall. */
  inKernel?: { bytes: number; at: number } | undefined
}
type OpenAnswer = { res: ServerResponse; unread: UnreadAnswer | undefined }

type Watch = UnreadOptions & {
  answers: Registry<OpenAnswer>
  /** An upper bound: the bytes that waited at the last check, and all that was written since. */
  bytesAtMost: number
}

/** An answer has no pace before that: its client has had no time to take it. */
const PACE_AFTER_MS = 1000

export function watchUnread(server: Server, options: UnreadOptions) {
  const watch: Watch = { ...options, answers: registry<OpenAnswer>(), bytesAtMost: 0 }
  const { answers } = watch
  const timer = setInterval(() => checkProgress(watch), Math.min(1000, options.stallMs / 4))
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return {
    add: (res: ServerResponse): void => {
      const answer: OpenAnswer = { res, unread: undefined }
      const at = answers.add(answer)
      res.once('close', () => answers.remove(at))
      res.once('prefinish', () => {
        const { req } = res
        const { socket } = req
        const [now, length] = [performance.now(), socket.writableLength]
        answer.unread = { req, socket, endedAt: now, length, left: length, progressAt: now }
        watch.bytesAtMost += length
        if (watch.bytesAtMost > watch.unreadMax) makeRoom(watch)
      })
    },
    /** Calls a function that closes idle connections, and keeps those whose answers wait to be read. */
    keepUnread: (close: () => void): void => {
      sparingUnsent(
        answers.all().flatMap(({ res, unread }) => (unread ? [res] : [])),
        close,
      )
    },
    open: (): ServerResponse[] => answers.all().map(({ res }) => res),
    bytes: (): number => bytesHeld(unreadAnswers(watch)),
  }
}

const unreadAnswers = ({ answers }: Watch): UnreadAnswer[] => answers.all().flatMap(({ unread }) => unread ?? [])

/** Node holds a whole write until its last byte is with the kernel. */
const bytesHeld = (unread: readonly UnreadAnswer[]) =>
  unread.reduce((sum, { socket }) => sum + socket.writableLength, 0)

/** Hangs up on clients that read too slowly, and returns the others. */
function checkProgress(watch: Watch): UnreadAnswer[] {
  const { stallMs, bytesPerSecond } = watch
  const now = performance.now()
  const unread = unreadAnswers(watch)
  for (const each of unread) {
    const left = bytesInNode(each.socket)
    if (left !== each.left) Object.assign(each, { left, progressAt: now, inKernel: undefined })
  }
  const stalling = unread.filter(({ progressAt }) => now - progressAt > stallMs / 2)
  checkKernel(stalling, bytesPerSecond, now)
  for (const each of unread) {
    const isTooSlow = now - each.endedAt > stallMs + (1000 * (each.length - each.left)) / bytesPerSecond
    if (isTooSlow || now - each.progressAt > stallMs) hangUp(watch, each, 'slow_reader')
  }
  const kept = unread.filter(({ socket }) => !socket.destroyed)
  watch.bytesAtMost = bytesHeld(kept)
  return kept
}

/**
 * The kernel asks Node for more only when a third of its buffer is free. A slow client may need minutes for that, and
 * seems to take nothing meanwhile: the kernel's own count shows whether it does.
 */
function checkKernel(stalling: readonly UnreadAnswer[], bytesPerSecond: number, now: number): void {
  if (stalling.length === 0) return
  const queues = kernelQueues()
  for (const each of stalling) {
    const bytes = bytesInKernel(each.socket, queues)
    if (bytes === undefined) continue
    const { inKernel } = each
    const taken = inKernel ? inKernel.bytes - bytes : 0
    if (!inKernel) each.inKernel = { bytes, at: now }
    else if (taken > 0 && taken >= (bytesPerSecond * (now - inKernel.at)) / 1000)
      Object.assign(each, { progressAt: now, inKernel: { bytes, at: now } })
  }
}

/** Frees a quarter of the limit, so that the next answers do not each search for a slowest client. */
function makeRoom(watch: Watch): void {
  const now = performance.now()
  const pace = ({ endedAt, length, left }: UnreadAnswer) =>
    now - endedAt < PACE_AFTER_MS ? Infinity : (length - left) / (now - endedAt)
  const slowestFirst = checkProgress(watch).sort((one, other) => pace(one) - pace(other) || one.endedAt - other.endedAt)
  if (watch.bytesAtMost <= watch.unreadMax) return
  for (const each of slowestFirst) {
    if (watch.bytesAtMost <= 0.75 * watch.unreadMax) return
    watch.bytesAtMost -= each.socket.writableLength
    hangUp(watch, each, 'unread_limit')
  }
}

function hangUp({ onDrop }: Watch, { req, socket }: UnreadAnswer, reason: SlowReason): void {
  if (socket.destroyed) return
  onDrop(reason)
  // Without the error on the request, the log would say that the answer was sent.
  req.destroy(new Error(reason))
  socket.destroy()
}
