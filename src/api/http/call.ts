/** A call, whether it came as a request to /v1 or as a tool of /mcp. One function for each call answers both. */
import type { Request, Response } from 'express'
import type { Reader } from '../../core/db/replicas/reader.js'
import type { Admitted } from './admit.js'
import { unlessCached, type TaggedRead } from './etag.js'
import { hangUpSignal } from './hang-up.js'
import type { Query } from './query.js'

export type Call = Pick<Admitted, 'caller' | 'deadline'> & {
  /** The ledger charges an id once. */
  id: string
  asked: Query
  hangUp: () => AbortSignal
  /** Returns undefined where the client has the answer already. */
  unlessCached: <Answer>(reader: Reader, read: TaggedRead<Answer>) => Promise<Answer | undefined>
}

/** Parses, asks and answers a call that is admitted. */
export type Route = (call: Call & Admitted, res: Response) => Promise<void>

export const callOf = (admitted: Admitted, req: Request, res: Response): Call & Admitted => ({
  ...admitted,
  id: req.context.id,
  asked: req.context.asked,
  hangUp: () => hangUpSignal(res),
  unlessCached: (reader, read) => unlessCached({ reader, req, res }, read),
})
