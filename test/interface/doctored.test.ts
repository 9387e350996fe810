/** The tests' own test: an answer that is not as described must be noticed. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brokenFaults, describedAt, faultsOf } from '../support/description.js'
import { ask, get, type Answer } from '../support/service.js'

type Body = { data: Record<string, unknown> }
type Doctored = Partial<Omit<Answer, 'headers'>> & { headers?: Record<string, string | null> }

const changed = (answer: Answer, { headers = {}, ...rest }: Doctored): Answer => {
  const copied = new Headers(answer.headers)
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) copied.delete(name)
    else copied.set(name, value)
  }
  return { ...answer, ...rest, headers: copied }
}

describe('an answer other than described is noticed', () => {
  const path = '/v1/frames/at'
  let good: Answer
  let data: Record<string, unknown>

  before(async () => {
    good = await get(`${path}?lat=0.105&lon=0.205`)
    data = (good.body as Body).data
  })

  const noticed = (doctored: Doctored, fault: RegExp, method = 'GET', at = path) => {
    const faults = faultsOf(method, at, changed(good, doctored))
    assert.ok(
      faults.some((each) => fault.test(each)),
      `${fault} is not among: ${faults.join('; ')}`,
    )
  }

  it('but the answer as it came is not', () => assert.deepEqual(faultsOf('GET', path, good), []))

  it('a member more', () => {
    noticed({ body: { data: { ...data, extra: 1 } } }, /^body\/data must NOT have additional.*extra/)
    noticed({ body: { data, meta: {} } }, /^body must NOT have additional.*meta/)
    const admin = { ...(data['admin'] as object), county: 'X' }
    noticed({ body: { data: { ...data, admin } } }, /^body\/data\/admin must NOT have additional.*county/)
  })
  it('a member less', () => {
    const { bbox: _bbox, ...rest } = data
    noticed({ body: { data: rest } }, /^body\/data must have required property 'bbox'/)
    noticed({ body: {} }, /^body must have required property 'data'/)
  })
  it('a member of another type, or out of its form', () => {
    noticed({ body: { data: { ...data, id: 324378020 } } }, /^body\/data\/id must be string/)
    noticed({ body: { data: { ...data, bbox: [1, 2, 3] } } }, /^body\/data\/bbox must NOT have fewer/)
    const geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    }
    noticed({ body: { data: { ...data, geometry } } }, /^body\/data\/geometry/)
  })
  it('a status that is not declared', () => {
    noticed({ status: 201 }, /^status 201 is not declared/)
    noticed({ status: 304 }, /^status 304 is not declared/)
    noticed({ status: 402 }, /^status 402 is not declared/)
  })
  it('another code than the status has', () => {
    const body = { error: { code: 'invalid_bbox', message: 'x' } }
    noticed({ status: 400, body, headers: { 'cache-control': 'no-store' } }, /^body\/error\/code must be equal to one/)
  })
  it('a header that is missing, wrong, or not declared', () => {
    noticed({ headers: { 'x-request-id': null } }, /^header X-Request-Id is missing/)
    noticed({ headers: { 'cache-control': 'public' } }, /^header Cache-Control: "public" is not as described/)
    noticed({ headers: { ratelimit: 'plenty' } }, /^header RateLimit: "plenty"/)
    noticed({ headers: { 'x-powered-by': 'Express' } }, /^header x-powered-by is not declared/)
    noticed({ headers: { etag: '"x"' } }, /^header etag is not declared/)
    noticed({ status: 429 }, /^header Retry-After is missing/)
    noticed({ status: 429, headers: { 'retry-after': '0.5' } }, /^header Retry-After: "0.5"/)
    noticed({ status: 401 }, /^header WWW-Authenticate is missing/)
  })
  it('another content type, or no JSON', () => {
    noticed({ headers: { 'content-type': 'text/html; charset=utf-8' } }, /^content type text\/html/)
    noticed({ text: '{', body: undefined }, /^the body is not JSON/)
  })
  it('a path, a method or a body that is not described', () => {
    noticed({}, /^status 200 at a path that is not described/, 'GET', '/v1/nothing')
    noticed({}, /^status 200 for a method that is not described/, 'POST')
    noticed({ status: 405, headers: { allow: 'GET' } }, /^Allow says GET, described are GET, HEAD/, 'POST')
    noticed({}, /^a body came where none is declared/, 'HEAD')
  })
  it('broken HTTP with a status that it does not have, or without the envelope', () => {
    assert.deepEqual(brokenFaults(changed(good, { status: 200 })), ['status 200 is not one of broken HTTP'])
    assert.ok(brokenFaults(changed(good, { status: 431 })).some((fault) => fault.startsWith('body')))
  })

  it('in a collection of many frames, by the one that is wrong', async () => {
    const answer = await get('/v1/frames?bbox=-180,-90,180,90')
    const body = answer.body as { data: { features: Record<string, unknown>[] } }
    assert.deepEqual(faultsOf('GET', '/v1/frames', answer), [])
    assert.equal(body.data.features.length, 5000)
    const last = body.data.features[4999]
    if (last) last['bbox'] = [0, 0, 1, 1]
    assert.ok(faultsOf('GET', '/v1/frames', answer).some((fault) => /features\/4999 must NOT/.test(fault)))
  })

  it('and fails the test that made the call', async () => {
    const server = createServer((_req, res) => res.end('{"data":{}}'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    let forgetAddress = () => {}
    try {
      assert.equal((await ask(`${url}${path}`)).status, 200, 'another server is not described')
      forgetAddress = describedAt(url)
      await assert.rejects(
        ask(`${url}${path}`),
        /^Error: GET .* answered 200 other than described: header X-Request-Id/,
      )
    } finally {
      forgetAddress()
      server.close()
    }
  })
})
