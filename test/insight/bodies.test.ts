import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { ids } from '../support/datasets.js'
import { errorOf, service } from '../support/service.js'
import { postInsight } from './ask.js'

const JSON_TYPE = 'application/json'
const goodText = '{"frameIds":["324378020"]}'

const post = (body: unknown, headers: Record<string, string> = {}) => {
  const { url, secret } = service()
  return postInsight({ url, secret, headers }, body)
}

describe('the body of POST /v1/frames/insight', () => {
  const refused: [what: string, body: string | Uint8Array, message: RegExp][] = [
    ['a byte that is not UTF-8', Buffer.from('{"frameIds":["1"],"question":"\xe9"}', 'latin1'), /not UTF-8/],
    ['more after the end', `${goodText}{}`, /not JSON/],
    ['a key twice', '{"frameIds":["1"],"frameIds":["324378020"]}', /^"frameIds" is given twice/],
    ['a key twice, deep inside', '{"frameIds":["1"],"x":[{"a":{"b":1,"c":[],"b":2}}]}', /^"b" is given twice/],
    ['__proto__', '{"frameIds":["1"],"__proto__":{"question":"a"}}', /^"__proto__" is not a field/],
    ['lists in lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, /nested deeper/],
  ]
  for (const [fault, body, message] of refused) {
    it(`is refused with ${fault}`, async () => {
      const answer = await post(body)
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_body'])
      assert.match(errorOf(answer).message, message)
    })
  }

  it('is refused with another charset than UTF-8', async () => {
    for (const type of ['utf-16', '"windows-1252"']) {
      const answer = await post(goodText, { 'content-type': `${JSON_TYPE}; charset=${type}` })
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_body'])
      assert.match(errorOf(answer).message, /charset utf-8 is accepted/)
    }
    for (const type of ['; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; x=y', '']) {
      assert.equal((await post(goodText, { 'content-type': `${JSON_TYPE}${type}` })).status, 200, type)
    }
  })

  it('is read with a byte order mark, with blanks around it, and compressed', async () => {
    const bodies = [
      `\ufeff${goodText}`,
      ` \r\n\t${goodText} `,
      '{"frameIds":["324378020"],"question":"what is \\"a\\": {b}, [c]?"}',
      '{"question":"frameIds: \\\\","frameIds":["324378020"]}',
    ]
    for (const body of bodies) assert.equal((await post(body)).status, 200, body)
    assert.equal((await post(gzipSync(goodText), { 'content-encoding': 'gzip' })).status, 200)
  })

  const good = { frameIds: [ids[0]] }
  const bad: [fault: string, body: unknown, message: RegExp, headers?: Record<string, string>][] = [
    ['no body', '', /frameIds|An object|JSON/],
    ['bad JSON', '{', /not JSON/],
    ['an array', [], /An object with frameIds/],
    ['an id of other digits', { frameIds: ['٣٢٤'] }, /strings of digits/],
    ['51 frames', { frameIds: Array.from({ length: 51 }, (_, i) => String(i)) }, /frameIds: 51 given, at most 50/],
    ['a blank question', { ...good, question: ' \n ' }, /question: it is blank/],
    ['1,001 characters', { ...good, question: 'é'.repeat(1001) }, /question: 1001 characters given, at most 1,000/],
    ['a NUL', { ...good, question: 'a\0b' }, /NUL/],
    ['unknown fields', { ...good, model: 'x', Format: 1, b: 2 }, /"model", "Format", "b" are not fields/],
    ['a form', 'frameIds=1', /Content-Type/, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a body over 64 KiB', { ...good, question: 'x'.repeat(66_000) }, /over 64 KiB/],
    ['a broken encoding', JSON.stringify(good), /cannot be read/, { 'content-encoding': 'gzip' }],
  ]
  for (const [fault, body, message, headers] of bad) {
    it(`is refused with ${fault}: 400 invalid_body`, async () => {
      const answer = await post(body, headers)
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_body'], answer.text)
      assert.match(errorOf(answer).message, message)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    })
  }
})
