/** A strong ETag of what an answer is made from, so that 304 is answered before the frames are read. */
import { hash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Reader } from '../db/replicas/reader.js'
import { indexGeneration } from '../db/statements.js'
import { codingFor } from './coding.js'

type Call = { reader: Reader; req: Request; res: Response }
type Tagged<Answer> = {
  /** Whatever the answer depends on, besides the path and the index. */
  question: unknown
  read: () => Promise<Answer>
  /** Whether what `question` tells of the database is still so; asked after `read`. */
  isStill?: () => Promise<boolean>
}

/**
 * Answers with what `read` answers, under an ETag; or sends 304 and answers with nothing, where the caller has that already.
 *
 * Imports switch to a new index at any moment, and the rows are read after the generation. The generation is therefore read
 * once more after the rows: an answer whose generation changed meanwhile carries no tag. To read generation and rows in one
 * transaction would take two more turns to the database, and a connection for itself.
 */
export async function unlessCached<Answer>(
  { reader, req, res }: Call,
  { question, read, isStill }: Tagged<Answer>,
): Promise<Answer | undefined> {
  const generation = await generationOf(reader)
  const tag = tagOf(JSON.stringify([generation, req.path, question, codingFor(req.headers['accept-encoding'])]))
  res.set({ ETag: tag, 'Cache-Control': 'private, no-cache' })
  // A call that goes over to another database midway has no tag: that database may be of another moment.
  reader.moved = () => res.removeHeader('ETag')
  if (matches(req.get('If-None-Match'), tag)) {
    res.status(304).end()
    return undefined
  }
  const answer = await read()
  const [after, isSame] = await Promise.all([generationOf(reader), isStill?.() ?? true])
  if (after !== generation || !isSame) res.removeHeader('ETag')
  return answer
}

async function generationOf(reader: Reader): Promise<string> {
  const [index] = await indexGeneration(reader)
  return JSON.stringify(index)
}

export const tagOf = (content: string | Buffer) => `"${hash('sha256', content, 'base64url').slice(0, 22)}"`

export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((given) => given.trim().replace(/^W\//, '') === tag)
}
