/** Tells of a client that hung up before its answer was sent. */
import type { Response } from 'express'

/** Aborted once nobody is there to read an answer that has not begun. */
export function hungUp(res: Response): AbortSignal {
  const gone = new AbortController()
  if (res.closed || res.req.socket.destroyed) gone.abort()
  res.once('close', () => {
    if (!res.headersSent) gone.abort()
  })
  return gone.signal
}
