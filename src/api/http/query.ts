/**
 * The query string as the client sent it: a parameter that is given twice shows both values, none is dropped, and `+`
 * in a number stays a sign.
 */

export type Query = ReadonlyMap<string, readonly string[]>

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
