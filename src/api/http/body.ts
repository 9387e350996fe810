/** Reads a JSON body, within bounds. */
import express, { type Request, type Response } from 'express'
import { invalidBody } from '../../core/errors.js'

const BYTES_MAX = 64 * 1024
const readBytes = express.raw({ limit: BYTES_MAX, type: () => true })

/** Reads the body once the checks that need none have passed. */
export async function jsonBody(req: Request, res: Response): Promise<unknown> {
  checkContentType(req)
  const bytes = await new Promise<unknown>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) => (error === undefined ? resolve(req.body) : reject(readFault(error))))
  })
  return parseStrictly(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0))
}

function checkContentType(req: Request): void {
  const contentType = req.get('Content-Type')
  if (!req.is('application/json')) {
    const came = contentType ? `"${contentType.slice(0, 60)}"` : 'none'
    throw invalidBody(`Content-Type: application/json is accepted, ${came} came.`)
  }
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType ?? '') ?? []
  if (!/^utf-?8$/i.test(charset))
    throw invalidBody(`Content-Type: the charset utf-8 is accepted, "${charset.slice(0, 40)}" came.`)
}

/** Translates the errors of express.raw that are the client's. */
function readFault(error: unknown): unknown {
  const { type, status } = error as { type?: string; status?: number }
  if (status === undefined || status >= 500) return error
  const isTooLarge = type === 'entity.too.large'
  return invalidBody(isTooLarge ? 'The body is over 64 KiB.' : 'This body cannot be read: JSON in UTF-8 is accepted.')
}

const BODY_DEPTH_MAX = 32
/**
 * Matches each string whole, so that a bracket inside one does not count, and each character that opens, closes or
 * separates.
 */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/** TextDecoder drops a byte order mark, as section 8.1 allows. */
function parseStrictly(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidBody('The body is not JSON.')
  }
  refuseRepeatedKeys(text)
  return value
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidBody('The body is not UTF-8.')
  }
}

/** JSON.parse silently keeps the last of two values under one key. The text is known to be JSON here. */
function refuseRepeatedKeys(text: string): void {
  /** Holds the keys of each open object, and undefined for each open list. */
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') addKey(open.at(-1), JSON.parse(last) as string)
    if (open.length > BODY_DEPTH_MAX) throw invalidBody(`The body is nested deeper than ${BODY_DEPTH_MAX} levels.`)
    last = token
  }
}

function addKey(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key)) throw invalidBody(`"${key.slice(0, 40)}" is given twice; each key is accepted once.`)
  keys?.add(key)
}
