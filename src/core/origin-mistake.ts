/** Says why a text is no origin as browsers send it. Any other spelling would never match. */

export function originMistake(text: string): string | undefined {
  const isAddress = /^https?:\/\//i.test(text) && !text.includes('*') && URL.canParse(text)
  if (isAddress && new URL(text).origin === text) return undefined
  const accepted = isAddress ? new URL(text).origin : 'https://example.org'
  const faults = isAddress ? addressFaults(text, new URL(text)) : [textFault(text)]
  return `a scheme, a host and perhaps a port are accepted, such as ${accepted}, with commas between several: ${faults.join(', and ')}`
}

function textFault(text: string): string {
  if (text.includes('*')) return 'this has a *, and each origin has to be listed'
  return /^https?:\/\//i.test(text) ? 'this is no address' : 'this does not begin with http:// or https://'
}

function addressFaults(text: string, { protocol, username, port, pathname, search, hash }: URL): string[] {
  const [, authority = '', rest = ''] = /^\w+:\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  const faults = [
    [
      /[A-Z]/.test(`${text.slice(0, protocol.length)}${authority}`),
      'this has capitals, which browsers send as small letters',
    ],
    [username !== '' || authority.includes('@'), 'this has the name of a user'],
    [
      port === '' && /:\d*$/.test(authority),
      `this has the usual port of ${protocol.slice(0, -1)}, which browsers leave out`,
    ],
    [rest === '/', 'this has a slash at its end'],
    [pathname !== '/', `this has a path (${pathname.slice(0, 40)})`],
    [search !== '' || hash !== '', 'this has a query or a fragment'],
  ] as const
  const found = faults.flatMap(([isThere, fault]) => (isThere ? [fault] : []))
  return found.length > 0 ? found : ['browsers spell this otherwise']
}
