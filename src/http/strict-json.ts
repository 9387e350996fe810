/** JSON as RFC 8259 wants it to be exchanged: UTF-8, each key once in its object, and nested no deeper than needed. */
import { invalidBody } from '../errors.js'

const DEEPEST = 32
/** Strings whole, so that no bracket in one counts; then what opens, closes and parts. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/** A byte order mark in front is left out, as section 8.1 lets readers do. */
export function parseStrictly(bytes: Buffer): unknown {
  const text = decoded(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidBody('The body is not JSON.')
  }
  refuseRepeatedKeys(text)
  return value
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidBody('The body is not UTF-8.')
  }
}

/** For text that is JSON: JSON.parse keeps the last of two values under one key, and says nothing. */
function refuseRepeatedKeys(text: string): void {
  /** The keys of each object that is open; nothing for a list. */
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') noteKey(open.at(-1), JSON.parse(last) as string)
    if (open.length > DEEPEST) throw invalidBody(`The body is nested deeper than ${DEEPEST} levels.`)
    last = token
  }
}

function noteKey(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key)) throw invalidBody(`"${key.slice(0, 40)}" is given twice; each key is accepted once.`)
  keys?.add(key)
}
