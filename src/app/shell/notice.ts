/** After a form the browser asks for a page anew. The address of that page names what the form did, as ?done=NAME. */
import type { Request } from 'express'

/** Pages show sentences of their own only: an address that somebody made up shows nothing. */
export function noticeOf(
  { context: { asked } }: Request,
  notices: Readonly<Record<string, string>>,
): string | undefined {
  const name = asked.get('done')?.[0] ?? ''
  return Object.hasOwn(notices, name) ? notices[name] : undefined
}
