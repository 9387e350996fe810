import assert from 'node:assert/strict'
import { request, type IncomingHttpHeaders } from 'node:http'
import { readConfig } from '../../src/server/config.js'
import { page } from '../docs/curls.js'
import { holdToDescription, methodsOf, pathsWithKey } from '../support/description.js'
import { mint, service, startService } from '../support/service.js'

const PAGE = 'https://maps.example.org'
const OTHER = 'https://evil.example.org'
type Running = Awaited<ReturnType<typeof startService>>
type Answer = { status: number; headers: IncomingHttpHeaders; text: string }

function send(url: string, method: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((done, failed) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      let text = ''
      answer.on('data', (data: Buffer) => (text += data.toString()))
      answer.once('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    sent.once('error', failed)
    sent.end()
  })
}

/** Sends to a path that openapi.yaml describes, and holds the answer to it. */
async function sendDescribed(url: string, method: string, sent: Record<string, string>): Promise<Answer> {
  const answer = await send(url, method, sent)
  const { status, headers, text } = answer
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  holdToDescription(method, url, { status, headers: new Headers(headers as Record<string, string>), text, body })
  return answer
}

const preflight = (url: string, origin: string, method = 'GET', by = send) =>
  by(url, 'OPTIONS', {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,if-none-match',
  })

/** All headers of the answer to a preflight: one of `/v1` has no body and no bucket. */
const PREFLIGHT_HEADERS = [
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-max-age',
  'connection',
  'date',
  'vary',
  'x-content-type-options',
  'x-request-id',
]

const corsHeaders = ({ headers }: Answer) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

describe('pages of other origins', () => {
  let running: Running
  let queries = 0
  const authorization = () => `Bearer ${running.secret}`
  before(async () => {
    const small = { burst: 3, perMinute: 1 }
    const roomy = { burst: 900, perMinute: 900 }
    running = await startService(service().database, {
      corsOrigins: [PAGE, 'http://127.0.0.1:8080'],
      publicUrl: 'listening',
      ops: true,
      buckets: { key: small, organisation: roomy, insight: roomy },
      watch: () => void (queries += 1),
    })
  })
  after(() => running.stop())

  for (const path of [...pathsWithKey('GET'), ...pathsWithKey('POST')]) {
    it(`get a preflight of ${path} without a key and without metering`, async () => {
      const before = queries
      const methods = methodsOf(path)
      const answer = await preflight(running.url + path, PAGE, methods[0])
      assert.deepEqual([answer.status, answer.text, queries], [204, '', before])
      const { headers } = answer
      assert.equal(headers['access-control-allow-origin'], PAGE)
      assert.equal(
        headers['access-control-allow-headers'],
        'Authorization, Content-Type, Idempotency-Key, If-None-Match',
      )
      assert.equal(headers['access-control-allow-methods'], methods.join(', '))
      assert.equal(headers['access-control-max-age'], '7200')
      assert.equal(headers.vary, 'Accept-Encoding, Authorization, Origin')
      assert.deepEqual(Object.keys(headers).toSorted(), PREFLIGHT_HEADERS)
    })
  }

  it('read the 404 of a path that does not exist', async () => {
    const headers = { origin: PAGE, 'access-control-request-method': 'GET' }
    const answer = await send(`${running.url}/v1/nothing`, 'OPTIONS', headers)
    assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [204, PAGE])
    assert.equal((await send(`${running.url}/v1/nothing`, 'OPTIONS', { ...headers, origin: OTHER })).status, 404)
    assert.equal((await send(`${running.url}/nothing`, 'OPTIONS', headers)).status, 404)
  })

  it('read answers and errors of every kind, and the headers that callers need', async () => {
    const { secret } = await mint(running.db, { capabilities: ['layer.read'] })
    const cases = [
      ['/v1/states', authorization(), 200],
      ['/v1/frames/at?lat=x&lon=1', authorization(), 400],
      ['/v1/states', undefined, 401],
      ['/v1/states', `Bearer ${secret}`, 403],
      ['/v1/nothing', undefined, 404],
      ['/v1/states', authorization(), 200],
      ['/v1/states', authorization(), 429],
      ['/v1/openapi.json', undefined, 200],
    ] as const
    for (const [path, key, status] of cases) {
      const headers = { origin: PAGE, ...(key === undefined ? {} : { authorization: key }) }
      const answer = await (path === '/v1/nothing' ? send : sendDescribed)(running.url + path, 'GET', headers)
      assert.equal(answer.status, status, path)
      assert.equal(answer.headers['access-control-allow-origin'], PAGE, path)
      const exposed = 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Index-Generation, X-Request-Id'
      assert.equal(answer.headers['access-control-expose-headers'], exposed)
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
      assert.equal(answer.headers.vary, 'Accept-Encoding, Authorization, Origin')
    }
    const refused = await sendDescribed(`${running.url}/v1/states`, 'DELETE', { origin: PAGE })
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [405, PAGE])
  })

  it('that are not listed get no such header, and their preflights are refused', async () => {
    const { origin, port } = new URL(PAGE)
    for (const strange of [OTHER, 'null', `${origin}${port}:444`, `${PAGE}.evil.org`, 'http://maps.example.org', '']) {
      const answer = await send(`${running.url}/v1/openapi.json`, 'GET', { origin: strange })
      assert.deepEqual([answer.status, corsHeaders(answer)], [200, []], strange)
      assert.equal(answer.headers.vary, 'Accept-Encoding, Authorization, Origin')
      const asked = await preflight(`${running.url}/v1/states`, strange, 'GET', sendDescribed)
      assert.deepEqual([asked.status, corsHeaders(asked)], [405, []], strange)
    }
    const plain = await send(`${running.url}/v1/states`, 'OPTIONS', { origin: PAGE })
    assert.equal(plain.status, 405, 'OPTIONS that is no preflight')
  })

  it('never read the web app or the operators’ port', async () => {
    const paths = [
      `${running.url}/app/sign-in`,
      `${running.url}/`,
      `${running.opsUrl}/livez`,
      `${running.opsUrl}/metrics`,
    ]
    for (const url of paths) {
      const answer = await send(url, 'GET', { origin: PAGE })
      assert.deepEqual(corsHeaders(answer), [], url)
      assert.deepEqual(corsHeaders(await preflight(url, PAGE)), [], url)
    }
  })

  it('are none where CORS_ORIGINS is not set: no header changes', async () => {
    const answer = await send(`${service().url}/v1/openapi.json`, 'GET', { origin: PAGE })
    assert.deepEqual([answer.headers.vary, corsHeaders(answer)], ['Accept-Encoding, Authorization', []])
    const asked = await preflight(`${service().url}/v1/states`, PAGE)
    assert.deepEqual([asked.status, corsHeaders(asked)], [405, []])
  })
})

/** test/cli/wrong-settings.jsonl has what is refused. */
describe('CORS_ORIGINS', () => {
  const read = (value: string) => readConfig({ CORS_ORIGINS: value }).corsOrigins

  it('takes exact origins with commas between them, each once', () => {
    assert.deepEqual(readConfig({}).corsOrigins, [])
    const [, documented = ''] = /^CORS_ORIGINS=(\S+) npm start$/m.exec(page('docs/settings.md')) ?? []
    assert.deepEqual(read(documented), documented.split(','))
    assert.deepEqual(read(` ${PAGE} , http://localhost:8080,, ${PAGE}`), [PAGE, 'http://localhost:8080'])
  })
})
