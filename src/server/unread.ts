/**
 * Answers that wait to be read by their clients hold memory. Where too many bytes wait in all, the server hangs up on
 * the slowest clients.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { registry } from '../core/runtime/index.js'
import { bytesInNode, sparingUnsent } from './runtime/send-queue.js'

type UnreadOptions = { unreadMax: number; onDrop: (reason: 'unread_limit') => void }

/** `endedAt`: when the last byte was written. The answer waits for its client from then on. */
type Answer = { res: ServerResponse; endedAt: number | undefined; length: number }

/** An answer has no pace before that: its client has had no time to take it. */
const PACE_AFTER_MS = 1000

export function boundUnread({ unreadMax, onDrop }: UnreadOptions) {
  const answers = registry<Answer>()
  const waiting = () => answers.all().filter(({ endedAt }) => endedAt !== undefined)
  /** Node holds a whole write until its last byte is with the kernel. */
  const bytes = () => waiting().reduce((sum, { res }) => sum + res.req.socket.writableLength, 0)
  /** An upper bound: the bytes that waited at the last count, and all that was written since. */
  let atMost = 0

  /** Frees a quarter of the limit, so that the next answers do not each search for a slowest client. */
  function makeRoom(): void {
    atMost = bytes()
    if (atMost <= unreadMax) return
    const now = performance.now()
    const pace = ({ res, endedAt = now, length }: Answer) =>
      now - endedAt < PACE_AFTER_MS ? Infinity : (length - bytesInNode(res.req.socket)) / (now - endedAt)
    const slowestFirst = waiting().sort(
      (one, other) => pace(one) - pace(other) || (one.endedAt ?? 0) - (other.endedAt ?? 0),
    )
    for (const { res } of slowestFirst) {
      if (atMost <= 0.75 * unreadMax) return
      atMost -= res.req.socket.writableLength
      onDrop('unread_limit')
      hangUp(res.req, 'unread_limit')
    }
  }

  return {
    /** Returns the place of the answer, for `remove` once it is closed. */
    add: (res: ServerResponse): number => {
      const answer: Answer = { res, endedAt: undefined, length: 0 }
      res.once('prefinish', () => {
        answer.length = res.req.socket.writableLength
        answer.endedAt = performance.now()
        atMost += answer.length
        if (atMost > unreadMax) makeRoom()
      })
      return answers.add(answer)
    },
    remove: answers.remove,
    /** Calls a function that closes idle connections, and keeps those whose answers wait to be read. */
    keepUnread: (close: () => void): void =>
      sparingUnsent(
        waiting().map(({ res }) => res),
        close,
      ),
    open: (): ServerResponse[] => answers.all().map(({ res }) => res),
    bytes,
  }
}

/** Without the error on the request, the log would say that the answer was sent. */
export function hangUp(req: IncomingMessage, reason: string): void {
  req.destroy(new Error(reason))
  req.socket.destroy()
}
