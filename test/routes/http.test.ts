import assert from 'node:assert/strict'
import { description, methodsOf, operations } from '../support/description.js'
import { everyRead } from '../support/every-call.js'
import { askRaw, get, request, service, startService, type Answer } from '../support/service.js'

const pathOf = (read: string) => read.replace(/\?.*/, '')
const OGC = '/ogc/collections/lyr_terrain/items'
/** The answers that carry an ETag: those of /v1 as described, and items of /ogc. */
const cached = [
  ...everyRead.filter((read) => description.paths[pathOf(read)]?.['get']?.responses['304']),
  ...['limit=2', 'limit=3', 'limit=2&crs=http://www.opengis.net/def/crs/EPSG/0/3857'].map((query) => `${OGC}?${query}`),
]

/** These headers differ from answer to answer. */
const OWN = ['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive']

function assertSameHeaders(one: Answer, other: Answer): void {
  const of = ({ headers }: Answer) => [...headers].filter(([name]) => !OWN.includes(name))
  assert.deepEqual(of(one), of(other))
}

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

  it('has a tag of its own for each content coding, and each is answered 304 under its own', async () => {
    const path = '/v1/frames?state=marembe&limit=50'
    const tags = new Map<string, string>()
    for (const coding of ['identity', 'gzip', 'br']) {
      const first = await get(path, { 'accept-encoding': coding })
      tags.set(coding, first.headers.get('etag') ?? '')
    }
    assert.equal(new Set(tags.values()).size, 3, [...tags].join())
    for (const coding of tags.keys()) {
      for (const [of, tag] of tags) {
        const again = await get(path, { 'accept-encoding': coding, 'if-none-match': tag })
        assert.equal(again.status, of === coding ? 304 : 200, `${coding} asked, the tag of ${of} sent`)
      }
      const any = await get(path, { 'accept-encoding': coding, 'if-none-match': [...tags.values()].join(', ') })
      assert.deepEqual([any.status, any.headers.get('etag')], [304, tags.get(coding)])
    }
  })

  it('has a tag of its own for each question', async () => {
    const tags = await Promise.all(cached.map(async (path) => (await get(path)).headers.get('etag')))
    assert.equal(new Set(tags).size, cached.length)
  })
})

describe('HEAD', () => {
  for (const path of [...everyRead.filter((read) => methodsOf(pathOf(read)).includes('HEAD')), '/ogc/collections']) {
    it(`is answered as GET, without a body: ${path}`, async () => {
      const [head, whole] = [await request('HEAD', path), await get(path)]
      assert.deepEqual([head.status, head.text], [200, ''])
      assertSameHeaders(head, whole)
    })
  }

  for (const coding of ['gzip', 'br', 'identity', 'gzip;q=0, br;q=0.1', '*', 'deflate'])
    for (const path of ['/v1/frames?state=marembe&limit=50', '/v1/openapi.json', '/v1/docs'])
      it(`says what GET says, content coding and length included: ${path} in ${coding}`, async () => {
        const headers = { 'accept-encoding': coding }
        const [head, whole] = [await request('HEAD', path, headers), await get(path, headers)]
        assert.deepEqual([head.status, head.text], [200, ''])
        assertSameHeaders(head, whole)
        assert.match(whole.headers.get('content-length') ?? '', /^\d+$/)
      })

  it('is refused where GET is, with the same status and headers', async () => {
    for (const path of ['/v1/frames', '/v1/nothing', '/v1/frames/at?lat=45&lon=90']) {
      const [head, whole] = [await request('HEAD', path), await get(path)]
      assert.deepEqual([head.status, head.text], [whole.status, ''])
      assertSameHeaders(head, whole)
    }
  })
})

describe('a method that a path does not have', () => {
  const paths: [path: string, methods: string[]][] = [
    ...operations.map(({ path }): [string, string[]] => [path, methodsOf(path)]),
    ...['/ogc/collections', '/v1/docs/console.js', '/llms.txt'].map((path): [string, string[]] => [
      path,
      ['GET', 'HEAD'],
    ]),
    // HEAD could charge there.
    ...['', '/324378020'].map((item): [string, string[]] => [`/ogc/collections/lyr_market/items${item}`, ['GET']]),
    ['/mcp', ['POST']],
    ['/tools', ['GET', 'HEAD']],
    ['/tools/openapi.json', ['GET', 'HEAD']],
    ['/tools/frame_at', ['POST']],
    ['/files', ['GET', 'HEAD']],
    ['/files/openapi.json', ['GET', 'HEAD']],
    ['/files/lyr_market.csv', ['GET', 'HEAD']],
  ]
  for (const [path, methods] of paths) {
    it(`is refused with those that it has: ${path}`, async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (each) => !methods.includes(each),
      )) {
        const answer = await request(method, path)
        const { status, headers, body } = answer
        assert.deepEqual([status, headers.get('allow')], [405, methods.join(', ')], method)
        const { error } = (body ?? {}) as { error?: { code: string; message: string } }
        const message = `This path takes ${methods.join(', ')}; ${method} was sent.`
        if (error) assert.deepEqual(error, { code: 'invalid', message })
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
      assert.equal(headers.get('vary'), 'Accept-Encoding, Authorization')
      assert.equal(text, (await get(path, { 'accept-encoding': 'identity' })).text)
    })
  }

  it('is the one that the client likes best, and brotli where it likes both as well', async () => {
    const codings = {
      'gzip, br': 'br',
      'gzip;q=1, br;q=0.5': 'gzip',
      'br;q=0, *': 'gzip',
      'identity, gzip;q=0.5': null,
      'gzip;q=0': null,
      BR: 'br',
      '': null,
      'gzip;q=x': null,
    }
    for (const [sent, coding] of Object.entries(codings)) {
      const { headers } = await get(path, { 'accept-encoding': sent })
      assert.equal(headers.get('content-encoding'), coding, sent)
    }
  })

  it('is left alone for a small body', async () => {
    const { headers } = await get('/v1/frames/at?lat=0.105&lon=0.205', { 'accept-encoding': 'gzip' })
    assert.equal(headers.get('content-encoding'), null)
    assert.equal(headers.get('vary'), 'Accept-Encoding, Authorization')
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
  /** More lines than Node keeps by default, within the 16 KiB. */
  const many = 'a:\r\n'.repeat(2100)
  const cases: [string, string, number][] = [
    ['a request line that is none', 'NONSENSE\r\n\r\n', 400],
    ['a method that is none', `FETCH /v1/states HTTP/1.1\r\n${host}\r\n`, 400],
    ['a version that is none', `GET /v1/states HTTP/9.9\r\n${host}\r\n`, 400],
    ['too long a header', `GET /v1/states HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['too long a path', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    ['no Host', 'GET /v1/states HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', `GET /v1/states HTTP/1.1\r\n${host}hOST: y\r\n\r\n`, 400],
    ['two Hosts that are the same', `GET /v1/states HTTP/1.1\r\n${host}${host}\r\n`, 400],
    ['two Hosts, 2,100 headers apart', `GET /v1/states HTTP/1.1\r\n${host}${many}${host}\r\n`, 400],
    ['two Hosts in HTTP/1.0', `GET /v1/states HTTP/1.0\r\n${host}${host}\r\n`, 400],
    ['two lengths', `POST /v1/states HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    ['a list of lengths', `POST /v1/states HTTP/1.1\r\n${host}Content-Length: 1, 1\r\n\r\na`, 400],
    ['a framing that hides another', `POST /v1/states HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n`, 400],
    ['chunks and more', `POST /v1/states HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n`, 400],
    ['a blank before a colon', `GET /v1/states HTTP/1.1\r\nHost : x\r\n\r\n`, 400],
    ['a header folded over lines', `GET /v1/states HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
    ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${host}\r\n`, 405],
    ['Expect that cannot be met', `GET /v1/states HTTP/1.1\r\n${host}Expect: miracles\r\n\r\n`, 417],
    ['a length that is no number', `POST /v1/states HTTP/1.1\r\n${host}Content-Length: ten\r\n\r\n`, 400],
    ['two framings', `POST /v1/states HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400],
    ['a header without a colon', `GET /v1/states HTTP/1.1\r\n${host}Nonsense\r\n\r\n`, 400],
    ['an upgrade', `GET /nothing HTTP/1.1\r\n${host}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`, 404],
  ]
  function assertEnvelope(answer: string, status: number): void {
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), answer)
    assert.match(head, /content-type: application\/json/i)
    assert.match(head, /x-request-id: \S+/i)
    assert.match(head, /x-content-type-options: nosniff/i)
    assert.match(head, /^date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r?$/im)
    const { error } = JSON.parse(body) as { error: { code: string; message: string } }
    assert.deepEqual(Object.keys(error), ['code', 'message'])
  }

  for (const [what, bytes, status] of cases)
    it(`${status}: ${what}`, async () => assertEnvelope(await askRaw(service(), bytes), status))

  it('408: headers that never end', async () => {
    const requestTimes = { headersMs: 200, wholeMs: 300, checkEveryMs: 50 }
    const hasty = await startService(service().database, { http: { requestTimes } })
    try {
      assertEnvelope(await askRaw(hasty, `GET /v1/states HTTP/1.1\r\n${host}X: `), 408)
    } finally {
      await hasty.stop()
    }
  })
})

describe('HTTP that is unusual and right is answered', () => {
  const key = () => `Authorization: Bearer ${service().secret}\r\n`
  const cases: [string, () => string][] = [
    ['HTTP/1.0, without a Host', () => `GET /v1/states HTTP/1.0\r\n${key()}\r\n`],
    [
      'a whole URL as the target',
      () => `GET http://x/v1/states HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key()}\r\n`,
    ],
    [
      'a key behind 2,100 other headers',
      () => `GET /v1/states HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'a:\r\n'.repeat(2100)}${key()}\r\n`,
    ],
    ['an empty Host', () => `GET /v1/states HTTP/1.1\r\nHost:\r\nConnection: close\r\n${key()}\r\n`],
  ]
  for (const [what, bytes] of cases) {
    it(what, async () => assert.match(await askRaw(service(), bytes()), /^HTTP\/1\.1 200 /))
  }
})

describe('X-Content-Type-Options', () => {
  it('is nosniff on every answer', async () => {
    for (const path of [
      '/v1/states',
      '/v1/frames',
      '/v1/openapi.json',
      '/v1/docs',
      '/v1/docs/console.js',
      '/nothing',
    ]) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { headers } = await request(method, path)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`)
      }
    }
  })
})
