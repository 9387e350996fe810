/** Reads a call of the API from the address of a page, and writes lines of curl and psql. */
import type { ApiCall } from '../../core/access/index.js'
import { type ExplainedCall, readCall } from '../../api/inspect/call.js'
import type { ServedAt } from '../../core/origin.js'

/** A question about 50 frames has fewer; an address that proxies pass on has 8,000. */
export const CALL_MAX = 4000

/** Only the API's own calls are accepted, and reads of /ogc. `fault` says to the person what is not right. */
export function readApiCall(
  text: string,
  calls: readonly ApiCall[],
  { origin, basePath }: ServedAt,
): { call: ExplainedCall } | { fault: string } {
  if (text.length > CALL_MAX)
    return { fault: `A call of at most ${CALL_MAX} characters is accepted; this one has ${text.length}.` }
  // oxlint-disable-next-line no-control-regex -- these very characters are meant
  if (/[\u0000-\u001f\u007f]/.test(text)) return { fault: 'A call stands on one line, without control characters.' }
  const [, method = 'GET', sent = ''] = /^ *(?:([A-Z]+) +)?(.*)$/i.exec(text) ?? []
  const address = origin + basePath
  const path = sent.startsWith(`${address}/`) ? sent.slice(address.length) : sent
  const call = path.startsWith('/') ? readCall(`${method} ${path}`) : undefined
  if (!call) return { fault: 'This is the form of a call: GET /v1/frames?state=NAME' }
  // Joined: in new URL(path, base), a path that begins with two slashes would name another host.
  const { pathname, search } = new URL(`http://localhost${call.path}`)
  const isOfOgc = call.method === 'GET' && /^\/ogc(\/|$)/.test(pathname)
  if (!isOfOgc && !calls.some((each) => each.method === call.method && each.path === pathname)) {
    const all = calls.map((each) => `${each.method} ${each.path}`)
    return { fault: `This is none of the calls: ${all.join(', ')}, GET /ogc/collections/...` }
  }
  return { call: { ...call, path: pathname + search } }
}

export const callText = ({ method, path, body }: ExplainedCall): string =>
  [method, path, ...(body === undefined ? [] : [body])].join(' ')

/** The shell reads the key from FRAMES_KEY, so that no page and no history of a shell holds one. */
export function curlLine({ path, body }: ExplainedCall, { origin, basePath }: ServedAt): string {
  // curl gives brackets and braces in an address a meaning of its own, and reads a file for a body that begins with @.
  const plain = /[[\]{}]/.test(path) ? ' --globoff' : ''
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' --data-raw ${curlWord(body)}`
  return `curl${plain} -H "Authorization: Bearer $FRAMES_KEY" ${curlWord(origin + basePath + path)}${sent}`
}

const curlWord = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The reader puts a host, or the folder of the embedded database, in the place of HOST. */
export type Login = { database: string; user: string }
const ON_SERVER: Login = { database: 'frames', user: 'frames_analyst' }
const EMBEDDED_LOGIN: Login = { database: 'postgres', user: 'postgres' }

export const analystLogin = ({ isEmbedded }: { isEmbedded: boolean }): Login =>
  isEmbedded ? EMBEDDED_LOGIN : ON_SERVER

export const hostNote = ({ isEmbedded }: { isEmbedded: boolean }): string =>
  isEmbedded
    ? 'In the place of HOST write the folder that the start message prints.'
    : 'In the place of HOST write the host of the database; the operator of the service gives you its password.'

export const psqlLine = ({ database, user }: Login, select: string): string =>
  `psql -h HOST -d ${database} -U ${user} -c ${psqlWord(select)}`

/** A statement holds single quotes, so it stands in double ones wherever the shell leaves its text alone there. */
const psqlWord = (text: string): string =>
  /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : text.includes("'") ? `"${text}"` : `'${text}'`
