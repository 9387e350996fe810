/** A strong ETag made of the index generation and the question, so that 304 is answered before the frames are read. */
import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { indexGeneration } from '../db/statements.js'
import type { Services } from '../services.js'

/**
 * Sets the caching headers; true when the caller has the answer already and 304 was sent.
 * The generation is read before the data: should a new index come in between, the tag is the older one and the
 * next request fetches anew.
 */
export async function answeredFromCache(
  { db }: Services,
  req: Request,
  res: Response,
  question: unknown,
): Promise<boolean> {
  const [index] = await indexGeneration(db)
  const tag = `"${createHash('sha256')
    .update(JSON.stringify([index?.generation, req.path, question]))
    .digest('base64url')
    .slice(0, 22)}"`
  res.set({ ETag: tag, 'Cache-Control': 'private, no-cache' })
  if (!matches(req.get('If-None-Match'), tag)) return false
  res.status(304).end()
  return true
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === tag)
}
