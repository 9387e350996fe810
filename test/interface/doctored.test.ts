/** The tests' own test: an answer that is not as described must be noticed. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brokenFaults, describedAt, faultsOf } from '../support/description.js'
import { ask, get, type Answer } from '../support/service.js'

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
    data = (good.body as { data: Record<string, unknown> }).data
  })

  const cases: [what: string, doctored: () => Doctored, fault: RegExp, method?: string, at?: string][] = [
    ['a member more', () => ({ body: { data: { ...data, extra: 1 } } }), /^body\/data must NOT have additional.*extra/],
    ['a member less', () => ({ body: {} }), /^body must have required property 'data'/],
    ['another status', () => ({ status: 402 }), /^status 402 is not declared/],
    ['no header', () => ({ headers: { 'x-request-id': null } }), /^header X-Request-Id is missing/],
    ['a header more', () => ({ headers: { etag: '"x"' } }), /^header etag is not declared/],
    ['an unknown path', () => ({}), /^status 200 at a path that is not described/, 'GET', '/v1/nothing'],
    ['an unknown method', () => ({}), /^status 200 for a method that is not described/, 'POST'],
  ]
  for (const [what, doctored, fault, method = 'GET', at = path] of cases)
    it(what, () => {
      const faults = faultsOf(method, at, changed(good, doctored()))
      assert.ok(
        faults.some((each) => fault.test(each)),
        `${fault} is not among: ${faults.join('; ')}`,
      )
    })

  it('but the answer as it came is not', () => assert.deepEqual(faultsOf('GET', path, good), []))

  it('broken HTTP with a status that it does not have, or without the envelope', () => {
    assert.deepEqual(brokenFaults(changed(good, { status: 200 })), ['status 200 is not one of broken HTTP'])
    assert.ok(brokenFaults(changed(good, { status: 431 })).some((fault) => fault.startsWith('body')))
  })

  it('and fails the test that made the call', async () => {
    const server = createServer((_req, res) => res.end('{"data":{}}'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const forgetAddress = describedAt(url)
    try {
      await assert.rejects(ask(`${url}${path}`), /answered 200 other than described: header X-Request-Id/)
    } finally {
      forgetAddress()
      server.close()
    }
  })
})
