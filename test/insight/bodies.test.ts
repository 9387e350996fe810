import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { ask, bearer, errorOf, service } from '../support/service.js'

const JSON_TYPE = 'application/json'
const good = '{"frameIds":["324378020"]}'

const post = (body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const { url, secret } = service()
  const sent = { ...bearer(secret), 'content-type': JSON_TYPE, ...headers }
  return ask(`${url}/v1/frames/insight`, { method: 'POST', headers: sent, body })
}

describe('the bytes of a body', () => {
  const refused: [what: string, body: string | Uint8Array, message: RegExp][] = [
    ['a byte that is not UTF-8', Buffer.from('{"frameIds":["1"],"question":"\xe9"}', 'latin1'), /not UTF-8/],
    ['a character cut short', Buffer.concat([Buffer.from(good), Buffer.from([0xc3])]), /not UTF-8/],
    ['half a surrogate pair in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /not UTF-8/],
    ['UTF-16', Buffer.from(`\ufeff${good}`, 'utf16le'), /not UTF-8/],
    ['nothing', '', /not JSON/],
    ['more after the end', `${good}{}`, /not JSON/],
    ['a key twice', '{"frameIds":["1"],"frameIds":["324378020"]}', /^"frameIds" is given twice/],
    [
      'a key twice, once in another spelling',
      '{"frameIds":["1"],"frame\\u0049ds":["2"]}',
      /^"frameIds" is given twice/,
    ],
    ['a key twice, deep inside', '{"frameIds":["1"],"x":[{"a":{"b":1,"c":[],"b":2}}]}', /^"b" is given twice/],
    ['__proto__', '{"frameIds":["1"],"__proto__":{"question":"a"}}', /^"__proto__" is not a field/],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}', /^"__proto__" is given twice/],
    ['constructor', '{"frameIds":["1"],"constructor":1}', /^"constructor" is not a field/],
    ['lists in lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, /nested deeper/],
    ['an unknown field', '{"frameIds":["1"],"tone":"glad"}', /^"tone" is not a field/],
    ['an unknown field in place of frameIds', '{"frames":["1"]}', /^"frames" is not a field: frameIds,/],
  ]
  for (const [what, body, message] of refused) {
    it(`are refused: ${what}`, async () => {
      const answer = await post(body)
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_body'])
      assert.match(errorOf(answer).message, message)
    })
  }

  it('are in UTF-8, whatever another charset would make of them', async () => {
    for (const type of ['utf-16', 'iso-8859-1', 'us-ascii', '"windows-1252"', 'utf-7']) {
      const answer = await post(good, { 'content-type': `${JSON_TYPE}; charset=${type}` })
      assert.deepEqual([answer.status, errorOf(answer).code], [400, 'invalid_body'])
      assert.match(errorOf(answer).message, /charset utf-8 is accepted/)
    }
    for (const type of ['; charset=utf-8', ';charset=UTF-8', '; charset="utf-8"', '; x=y', '']) {
      assert.equal((await post(good, { 'content-type': `${JSON_TYPE}${type}` })).status, 200, type)
    }
  })

  it('are read where they are odd and right', async () => {
    const bodies = [
      `\ufeff${good}`,
      ` \r\n\t${good} `,
      '{"frameIds":["324378020"],"question":"what is \\"a\\": {b}, [c]?"}',
      '{"question":"frameIds: \\\\","frameIds":["324378020"]}',
    ]
    for (const body of bodies) assert.equal((await post(body)).status, 200, body)
    assert.equal((await post(gzipSync(good), { 'content-encoding': 'gzip' })).status, 200)
  })
})
