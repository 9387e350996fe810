/**
 * The query string, kept as it was sent: a parameter given twice is seen, none is dropped, and `+` in a number is a sign.
 */

export type Query = ReadonlyMap<string, readonly string[]>

export function readQuery(text: string | undefined): Query {
  const query = new Map<string, string[]>()
  for (const pair of (text ?? '').split('&')) {
    const cut = pair.indexOf('=')
    const name = decode((cut === -1 ? pair : pair.slice(0, cut)).replaceAll('+', ' '))
    if (!name) continue
    const value = cut === -1 ? '' : pair.slice(cut + 1)
    const given = query.get(name)
    if (given) given.push(value)
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
