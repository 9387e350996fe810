import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { license } from '../../src/core/access/licences.js'
import { credit } from '../support/datasets.js'
import { ask, bearer, errorOf, mint, newOrganisation, service, type Answer } from '../support/service.js'
import { refusalOf, send, wrongCalls } from './call-rows.js'

type ToolResult = { isError?: boolean; content: { text: string }[]; structuredContent?: object }

/** The headers of every refusal, and what a refused tool gives beside its error. */
function assertRefused({ headers, body }: Answer): void {
  const { message, outcome } = refusalOf({ headers, body, status: 0, text: '' })
  assert.ok(message.length > 0 && message.length < 400, message)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('x-request-id') ?? '', /^[\w.-]+$/)
  assert.equal(headers.get('etag'), null)
  const { result } = body as { result?: ToolResult }
  if (!result) return
  assert.deepEqual([result.isError, result.structuredContent], [true, undefined])
  assert.equal(result.content[0]?.text, `${outcome.slice('0 '.length)}: ${message}`)
}

describe('a call that is wrong, or odd and right', function () {
  this.timeout(120_000)
  let caller: { url: string; secret: string; orgId: string }
  before(async () => {
    const { db, url } = service()
    const org = await newOrganisation(db)
    for (const priced of ['lyr_market', 'lyr_reserves']) await license(db.run, priced, org, 2)
    await credit(db, org, 100)
    caller = { url, ...(await mint(db, { org })) }
  })

  for (const { call, outcome, message, headers } of wrongCalls)
    it(`${outcome}: ${JSON.stringify(call).slice(1, 90)}`, async () => {
      const answer = await send(call, outcome === '200' ? service() : caller, headers)
      assert.deepEqual(refusalOf(answer), { outcome, message })
      if (outcome !== '200') assertRefused(answer)
      if (!message.startsWith('There is nothing at /v')) return
      // Nobody needs a key to be told so, whatever the method.
      for (const method of ['GET', 'POST'])
        assert.equal(refusalOf(await send(call.replace('GET', method), { url: caller.url })).message, message)
    })

  it('charges nothing where it is refused', async () => {
    const rows = await service().db.rows(`select from credit_entry where org_id = $1::text and kind = 'dataset'`, [
      caller.orgId,
    ])
    assert.equal(rows.length, 0)
  })

  it('has a body of bytes: one that is not UTF-8 is refused, one that is compressed is read', async () => {
    const post = (body: Uint8Array, more = {}) =>
      ask(`${caller.url}/v1/frames/insight`, {
        method: 'POST',
        headers: { ...bearer(caller.secret), 'content-type': 'application/json', ...more },
        body,
      })
    const strange = await post(Buffer.from('{"frameIds":["1"],"question":"\xe9"}', 'latin1'))
    assert.deepEqual([strange.status, errorOf(strange).code], [400, 'invalid_body'])
    assert.match(errorOf(strange).message, /not UTF-8/)
    const packed = gzipSync('{"frameIds":["324378020"]}')
    assert.equal((await post(packed, { 'content-encoding': 'gzip' })).status, 200)
  })
})
