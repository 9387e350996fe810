/** Reads JSON as RFC 8259 has programs exchange it: in UTF-8, each key once in its object. Nesting is bounded too. */
import { invalidBody } from '../../core/errors.js'

const DEPTH_MAX = 32
/**
 * Matches each string whole, so that a bracket inside one does not count, and each character that opens, closes or
 * separates.
 */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/** TextDecoder drops a byte order mark, as section 8.1 allows. */
export function parseStrictly(bytes: Buffer): unknown {
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
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') addKey(open.at(-1), JSON.parse(last) as string)
    if (open.length > DEPTH_MAX) throw invalidBody(`The body is nested deeper than ${DEPTH_MAX} levels.`)
    last = token
  }
}

function addKey(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key)) throw invalidBody(`"${key.slice(0, 40)}" is given twice; each key is accepted once.`)
  keys?.add(key)
}
