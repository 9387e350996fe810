/** A signal for the case that the client hangs up. */
import type { Response } from 'express'

/** The signal is aborted once the client hung up before its answer began. */
export function hangUpSignal(res: Response): AbortSignal {
  const hungUp = new AbortController()
  if (res.closed || res.req.socket.destroyed) hungUp.abort()
  res.once('close', () => {
    if (!res.headersSent) hungUp.abort()
  })
  return hungUp.signal
}
