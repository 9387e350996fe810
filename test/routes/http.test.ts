import assert from 'node:assert/strict'
import { askRaw, get, request, service } from '../support/service.js'

const cached = [
  '/v1/frames?bbox=0.2,0.1,0.21,0.11',
  '/v1/frames?state=marembe&limit=3',
  '/v1/frames?ids=324378020',
  '/v1/states',
  '/v1/lgas',
  '/v1/wards?state=marembe',
  '/v1/frames/admin',
]

describe('an answer that the caller has already', () => {
  for (const path of cached) {
    it(`is 304: GET ${path}`, async () => {
      const first = await get(path)
      const tag = first.headers.get('etag') ?? ''
      assert.match(tag, /^"[\w-]{22}"$/)
      assert.equal(first.headers.get('cache-control'), 'private, no-cache')
      for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await get(path, { 'if-none-match': sent })
        assert.equal(again.status, 304, sent)
        assert.equal(again.text, '')
        assert.equal(again.headers.get('etag'), tag)
      }
      const changed = await get(path, { 'if-none-match': '"other"' })
      assert.deepEqual([changed.status, changed.text], [200, first.text])
    })
  }

  it('has a tag of its own for each question', async () => {
    const paths = [
      ...cached,
      '/v1/frames?state=marembe&limit=4',
      '/v1/frames?state=marembe&limit=3&after=324378020',
      '/v1/lgas?state=marembe',
    ]
    const tags = await Promise.all(paths.map(async (path) => (await get(path)).headers.get('etag')))
    assert.equal(new Set(tags).size, paths.length)
  })
})

describe('HEAD', () => {
  for (const path of ['/v1/frames/at?lat=0.105&lon=0.205', ...cached]) {
    it(`is answered as GET, without a body: ${path}`, async () => {
      const [head, whole] = [await request('HEAD', path), await get(path)]
      assert.deepEqual([head.status, head.text], [200, ''])
      for (const name of ['content-type', 'cache-control', 'etag', 'vary']) {
        assert.equal(head.headers.get(name), whole.headers.get(name), name)
      }
    })
  }
})

describe('compression', () => {
  const path = '/v1/frames?state=marembe&limit=50'
  for (const coding of ['gzip', 'br']) {
    it(`${coding} is used for a body over 1 KiB, when asked for`, async () => {
      const { headers, text } = await get(path, { 'accept-encoding': coding })
      assert.equal(headers.get('content-encoding'), coding)
      assert.equal(headers.get('vary'), 'Accept-Encoding')
      assert.equal(text, (await get(path, { 'accept-encoding': 'identity' })).text)
    })
  }

  it('is left alone for a small body', async () => {
    const { headers } = await get('/v1/frames/at?lat=0.105&lon=0.205', { 'accept-encoding': 'gzip' })
    assert.equal(headers.get('content-encoding'), null)
    assert.equal(headers.get('vary'), 'Accept-Encoding')
  })
})

describe('a request id', () => {
  it('is new for every answer, whatever the caller sends: charges hang on it', async () => {
    const ids = new Set<string | null>()
    for (const sent of ['trace-12345678', 'trace-12345678', 'x'.repeat(65), '{"a":1}-----']) {
      ids.add((await get('/v1/states', { 'x-request-id': sent })).headers.get('x-request-id'))
    }
    assert.equal(ids.size, 4)
    for (const id of ids) assert.match(id ?? '', /^[0-9a-f-]{36}$/)
  })
})

describe('broken HTTP is answered in the envelope too', () => {
  const host = 'Host: x\r\n'
  const cases: [string, string, number][] = [
    ['a request line that is none', 'NONSENSE\r\n\r\n', 400],
    ['a method that is none', `FETCH /v1/states HTTP/1.1\r\n${host}\r\n`, 400],
    ['a version that is none', `GET /v1/states HTTP/9.9\r\n${host}\r\n`, 400],
    ['too long a header', `GET /v1/states HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['too long a path', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    ['no Host', 'GET /v1/states HTTP/1.1\r\n\r\n', 400],
    ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${host}\r\n`, 405],
    ['Expect that cannot be met', `GET /v1/states HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
    ['a length that is no number', `POST /v1/states HTTP/1.1\r\n${host}Content-Length: ten\r\n\r\n`, 400],
    ['two framings', `POST /v1/states HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['a header without a colon', `GET /v1/states HTTP/1.1\r\n${host}Nonsense\r\n\r\n`, 400],
    ['an upgrade', `GET /nothing HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`, 404],
    ['headers that never end', `GET /v1/states HTTP/1.1\r\n${host}X: `, 408],
  ]
  for (const [what, bytes, status] of cases) {
    it(`${status}: ${what}`, async () => {
      const answer = await askRaw(service(), bytes)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), answer)
      assert.match(head, /content-type: application\/json/i)
      assert.match(head, /x-request-id: \S+/i)
      const { error } = JSON.parse(body) as { error: { code: string; message: string } }
      assert.deepEqual(Object.keys(error), ['code', 'message'])
    })
  }
})
