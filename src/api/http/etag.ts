/** A strong ETag, made from all that an answer depends on: 304 is sent before the frames are read. */
import { hash } from 'node:crypto'
import type { IndexGeneration, Reader } from '../../core/db/index.js'
import type { Request, Response } from 'express'
import { indexGeneration } from '../../core/db/statements.js'
import { codingFor } from './coding.js'

type CacheContext = { reader: Reader; req: Request; res: Response }
export type TaggedRead<Answer> = {
  /** All that the answer depends on, besides the path and the index. */
  question: unknown
  read: () => Promise<Answer>
  /** The index that the answer is of, where one statement reads both. */
  indexOf?: ((answer: Answer) => IndexGeneration) | undefined
  /** Called after `read`: whether the facts of the database in `question` still hold. */
  isStill?: () => Promise<boolean>
  /** Credits may take part in the answer, which then has no tag: "*" matches none. */
  mayCharge?: boolean
}

/**
 * Sets the ETag and the generation of the index, and returns the result of `read`. Where the client has that answer
 * already, it sends 304 and returns undefined.
 *
 * An import may switch to a new index after the generation is read and before the rows are. The generation is therefore
 * read again after the rows, and an answer whose generation changed carries no tag. One transaction around both reads
 * would take two more round trips, and a connection for itself.
 */
export async function unlessCached<Answer>(
  { reader, req, res }: CacheContext,
  { question, read, isStill, indexOf, mayCharge = false }: TaggedRead<Answer>,
): Promise<Answer | undefined> {
  const sent = req.get('If-None-Match')
  const known = mayCharge && sent?.trim() === '*' ? undefined : sent
  const setTag = (index: IndexGeneration | undefined): string => {
    const coding = codingFor(req.headers['accept-encoding'])
    const tag = tagOf(JSON.stringify([index, req.path, question, coding]))
    res.set({ ETag: tag, 'Cache-Control': 'private, no-cache' })
    if (index) res.setHeader(GENERATION, index.generation)
    return tag
  }
  // A client without a tag gets a 200 in any case.
  if (indexOf && known === undefined) {
    const answer = await read()
    setTag(indexOf(answer))
    return answer
  }
  const source = reader.source?.()
  const [index] = await indexGeneration(reader)
  const tag = setTag(index)
  if (matches(known, tag)) {
    res.status(304).end()
    return undefined
  }
  const answer = await read()
  const [[after], isSame] = await Promise.all([indexGeneration(reader), isStill?.() ?? true])
  const isOfOne = JSON.stringify(after) === JSON.stringify(index)
  // Two databases may differ in their last changes.
  const isOfOneSource = reader.source?.() === source
  if (!isOfOne || !isSame || !isOfOneSource) res.removeHeader('ETag')
  // The rows are of either index: a client that compares its pages sees a change.
  if (!isOfOne) res.setHeader(GENERATION, `${index?.generation}-${after?.generation}`)
  return answer
}

/** The pages of a walk are of one index where all of them have the same. */
const GENERATION = 'X-Index-Generation'

export const tagOf = (content: string | Buffer) => `"${hash('sha256', content, 'base64url').slice(0, 22)}"`

export function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}
