/** Asks for pages of the web app as a browser does: with its cookies, and with the headers that only browsers write. */
import assert from 'node:assert/strict'
import { request as send, type IncomingHttpHeaders } from 'node:http'
import { hashSecret, newLinkToken } from '../../src/core/access/secret.js'
import type { Database } from '../../src/core/db/connect.js'

export type PageAnswer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  bytes: Buffer
  setCookies: string[]
}

export type Visitor = {
  get: (path: string, headers?: Record<string, string>) => Promise<PageAnswer>
  /** A text is a body as it is. */
  post: (path: string, fields?: Fields | string, headers?: Record<string, string>) => Promise<PageAnswer>
  /** The cookies by name: a test may read, forge or remove them. */
  cookies: Map<string, string>
}

type Fields = Record<string, string | readonly string[]>

/** A visitor without a cookie. Headers with a blank value are left out. */
export function visit(url: string): Visitor {
  const cookies = new Map<string, string>()
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const all = Object.entries({ ...(cookie && { cookie }), ...headers }).filter(([, value]) => value !== '')
    const answer = await exchange(url + path, method, Object.fromEntries(all), body)
    for (const line of answer.setCookies) keep(cookies, line)
    if (path.startsWith('/app')) holdToPolicy(`${method} ${path.slice(0, 100)}`, answer)
    return answer
  }
  return {
    cookies,
    get: (path, headers = {}) => ask('GET', path, headers),
    post: (path, fields = {}, headers = {}) =>
      ask(
        'POST',
        path,
        { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
        typeof fields === 'string' ? fields : encoded(fields),
      ),
  }
}

/** Every answer of the web app bounds what a browser does with it: a page, a redirect, an error, a file or a tile. */
function holdToPolicy(asked: string, { headers, text }: PageAnswer): void {
  // A service without the web app, and broken HTTP, are answered as the API answers.
  if (text.startsWith('{"error":')) return
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/, asked)
  assert.doesNotMatch(policy, /unsafe|\*|https?:/, asked)
  const {
    'x-content-type-options': sniffed,
    'referrer-policy': referrer,
    'access-control-allow-origin': cors,
  } = headers
  assert.deepEqual([sniffed, referrer, cors], ['nosniff', 'same-origin', undefined], asked)
  assert.ok(headers['x-request-id'], asked)
  if (!headers['content-type']?.startsWith('text/html')) return
  assert.equal(headers['content-type'], 'text/html; charset=utf-8', asked)
  assert.deepEqual([headers['cache-control'], headers.vary], ['no-store', 'Cookie, Accept-Encoding'], asked)
  const markup = text.replace(/="[^"]*"/g, '=""')
  assert.doesNotMatch(markup, /<[^>]* (style|on\w+)=|<style|<script(?! type="" src="")/, asked)
}

function encoded(fields: Fields): string {
  const form = new URLSearchParams()
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value)
  return form.toString()
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (value === '') cookies.delete(name)
  else cookies.set(name, value)
}

/** Node's fetch would write some of these headers itself. */
function exchange(url: string, method: string, headers: Record<string, string>, body?: string): Promise<PageAnswer> {
  return new Promise((done, failed) => {
    const request = send(url, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', failed)
      response.on('end', () => {
        const bytes = Buffer.concat(pieces)
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: bytes.toString(),
          bytes,
          setCookies: response.headers['set-cookie'] ?? [],
        })
      })
    })
    request.on('error', failed)
    request.end(body)
  })
}

export type Invited = {
  orgId: string
  role?: 'owner' | 'admin' | 'member'
  name?: string
  email?: string
  personId?: string
  /** The person who made the link. The command line makes links without one. */
  createdBy?: string
  minutes?: number
}

/** Makes a sign-in link, and returns its token. */
export async function makeLink(
  db: Database,
  { orgId, role = 'owner', name = 'Ada', email, personId, createdBy, minutes = 15 }: Invited,
): Promise<string> {
  const token = newLinkToken()
  await db.rows(
    `insert into sign_in_link (token_hash, org_id, role, person_id, name, email, created_by, created_at, valid_until)
     values (decode($1::text, 'hex'), $2::text, $3::text, $4::text, $5::text, $6::text, $7::text,
       clock_timestamp() - interval '1 hour', clock_timestamp() + make_interval(mins => $8::int))`,
    [hashSecret(token).toString('hex'), orgId, role, personId ?? null, name, email ?? null, createdBy ?? null, minutes],
  )
  return token
}

/** A visitor who has signed in by a new link. */
export async function signIn(url: string, db: Database, invited: Invited): Promise<Visitor> {
  const visitor = visit(url)
  const answer = await visitor.post('/app/link', { t: await makeLink(db, invited) })
  if (answer.status !== 303) throw new Error(`The sign-in was answered with ${answer.status}: ${answer.text}`)
  return visitor
}
