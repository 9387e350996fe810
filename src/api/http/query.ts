/**
 * The query string as the client sent it: a parameter that is given twice shows both values, none is dropped, and `+`
 * in a number stays a sign.
 */
import { invalid, type ApiError } from '../../core/errors.js'
import { namePattern } from '../../core/parameters.js'

export type Query = ReadonlyMap<string, readonly string[]>
type Refuse = (message: string) => ApiError

export function readQuery(text: string | undefined): Query {
  const query = new Map<string, string[]>()
  for (const pair of (text ?? '').split('&')) {
    const equalsAt = pair.indexOf('=')
    const name = decode((equalsAt === -1 ? pair : pair.slice(0, equalsAt)).replaceAll('+', ' '))
    if (!name) continue
    const value = equalsAt === -1 ? '' : pair.slice(equalsAt + 1)
    const values = query.get(name)
    if (values) values.push(value)
    else query.set(name, [value])
  }
  return query
}

/** Undefined when the text is not percent-encoded UTF-8. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Decodes the text that a person typed into a field of a form; undefined where it is no percent-encoded UTF-8. */
export const typedText = (query: Query, name: string): string | undefined =>
  decode((query.get(name)?.[0] ?? '').replaceAll('+', ' '))?.trim()

/** The value is still encoded. Undefined: the parameter is absent. */
function encodedValue(query: Query, name: string, refuse: Refuse): string | undefined {
  const values = query.get(name)
  if (!values) return undefined
  if (values.length > 1) throw refuse(`${name}: given ${values.length} times, once is accepted.`)
  return values[0]
}

/** A text that cannot be decoded is no number: the message will show it as it came. */
export function numberText(query: Query, name: string, refuse: Refuse): string | undefined {
  const sent = encodedValue(query, name, refuse)
  return sent === undefined ? undefined : (decode(sent) ?? sent)
}

export function textParam(query: Query, name: string, refuse: Refuse): string | undefined {
  const sent = encodedValue(query, name, refuse)
  return sent === undefined ? undefined : decodedText(sent.replaceAll('+', ' '), name, refuse)
}

function decodedText(sent: string, name: string, refuse: Refuse): string {
  const text = decode(sent)
  if (text === undefined) throw refuse(`${name}: this is not percent-encoded UTF-8.`)
  if (namePattern.test(text)) return text
  throw refuse(text.includes('\0') ? `${name}: a NUL character is not accepted.` : `${name}: given without a value.`)
}

/** A number, or ids of digits. A plus sign stays a sign, so that a message shows what the client sent. */
export function digitsParam(query: Query, name: string): string | undefined {
  const sent = encodedValue(query, name, invalid)
  return sent === undefined ? undefined : decodedText(sent, name, invalid)
}
