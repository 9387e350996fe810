/** A strong ETag made of the index generation and the question, so that 304 is answered before the frames are read. */
import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Reads } from '../db/replicas.js'
import { indexGeneration } from '../db/statements.js'

/**
 * Sets the caching headers; true when the caller has the answer already and 304 was sent.
 * The generation is read before the data and from the same server: should a new index come in between, the tag is the older
 * one and the next request fetches anew. A call that goes over to another server midway has no tag.
 */
export async function answeredFromCache(
  reads: Reads,
  req: Request,
  res: Response,
  question: unknown,
): Promise<boolean> {
  const [index] = await indexGeneration(reads)
  const tag = tagOf(JSON.stringify([index, req.path, question]))
  res.set({ ETag: tag, 'Cache-Control': 'private, no-cache' })
  reads.moved = () => res.removeHeader('ETag')
  if (!matches(req.get('If-None-Match'), tag)) return false
  res.status(304).end()
  return true
}

export const tagOf = (content: string | Buffer) => `"${hash('sha256', content, 'base64url').slice(0, 22)}"`

export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === tag)
}
