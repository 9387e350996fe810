/** A call, whether it came as a request to /v1 or as a tool of /mcp. One function for each call answers both. */
import type { Request, Response } from 'express'
import type { Authority } from '../../core/access/index.js'
import type { Reader } from '../../core/db/index.js'
import type { Deadline } from '../../core/deadline.js'
import { type TaggedRead, unlessCached } from './etag.js'
import type { Query } from './query.js'

export type Call = {
  caller: Authority
  /** The ledger charges an id once. */
  id: string
  asked: Query
  /** Bounds all that the call awaits from the database. */
  deadline: Deadline
  hangUp: () => AbortSignal
  /** The header of this name, as it came. */
  idempotencyKey: string | undefined
  /** Runs something once the client has hung up before its answer, or got an error. */
  whenUnanswered: (run: () => void) => void
  /** Returns undefined where the client has the answer already. */
  unlessCached: <Answer>(reader: Reader, read: TaggedRead<Answer>) => Promise<Answer | undefined>
}

export const callOf = (caller: Authority, req: Request, res: Response): Call => ({
  caller,
  id: req.context.id,
  asked: req.context.asked,
  deadline: req.context.deadline,
  hangUp: () => hangUpSignal(res),
  idempotencyKey: req.get('Idempotency-Key'),
  whenUnanswered: (run) => whenUnanswered(res, run),
  unlessCached: (reader, read) => unlessCached({ reader, req, res }, read),
})

/** The signal is aborted once the client hung up before its answer began. */
export function hangUpSignal(res: Response): AbortSignal {
  const hungUp = new AbortController()
  if (res.closed || res.req.socket.destroyed) hungUp.abort()
  res.once('close', () => {
    if (!res.headersSent) hungUp.abort()
  })
  return hungUp.signal
}

function whenUnanswered(res: Response, run: () => void): void {
  const isAnswered = () => res.headersSent && ['ok', 'worded'].includes(res.req.context.outcome)
  if (res.closed) return isAnswered() ? undefined : run()
  res.once('close', () => isAnswered() || run())
}
