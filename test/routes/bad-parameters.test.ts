import assert from 'node:assert/strict'
import { accepted, refused } from './bad-parameters.js'
import { pathsWithKey } from '../support/description.js'
import { get, request, service, type Answer } from '../support/service.js'

function assertRefused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text.slice(0, 300))
  const { error } = answer.body as { error: { code: string; message: string } }
  assert.equal(error.code, code, error.message)
  assert.deepEqual(answer.body, { error: { code, message: error.message } })
  assert.match(error.message, /\w+/)
  assert.ok(error.message.length < 300, error.message)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.headers.get('x-request-id') ?? '', /^[\w.-]+$/)
  assert.equal(answer.headers.get('etag'), null)
}

describe('a call with a bad parameter gets an error in the envelope', () => {
  for (const { path, status, code } of refused) {
    it(`${status} ${code}: GET ${path.slice(0, 90)}`, async () => assertRefused(await get(path), status, code))
  }
})

describe('a call that is odd but right is answered', () => {
  for (const path of accepted) {
    it(`GET ${path.slice(0, 90)}`, async () => {
      const answer = await get(path)
      assert.equal(answer.status, 200, answer.text.slice(0, 300))
    })
  }
})

describe('a message says what would be accepted and what came', () => {
  const says: [string, RegExp][] = [
    [`/v1/frames?ids=${'1,'.repeat(136)}1`, /^ids: 137 given, at most 100\.$/],
    ['/v1/frames/at?lat=103.2&lon=1.3', /swapped/],
    ['/v1/frames/at?lat=9,05&lon=1', /^lat: a decimal number from -90 to 90 is accepted, "9,05" was sent\.$/],
    ['/v1/frames?bbox=1,0,0,1', /minLon 1 is greater than maxLon 0/],
    ['/v1/frames?state=marembe&limit=0', /from 1 to 5000 is accepted, "0" was sent/],
    ['/v1/frames?state=marembe&limit=+5', /^limit: a whole number from 1 to 5000 is accepted, "\+5" was sent\.$/],
    ['/v1/frames?state=marembe&limit=%2B5', /^limit: a whole number from 1 to 5000 is accepted, "\+5" was sent\.$/],
    ['/v1/frames?state=marembe&after=+5', /^after: the next of the page before is accepted, "\+5" was sent\.$/],
    ['/v1/frames?ids=1,+5', /^ids: frame ids of digits are accepted, separated by commas; "\+5" came\.$/],
    ['/v1/frames?lga=x', /needs state/],
  ]
  for (const [path, message] of says) {
    it(`GET ${path.slice(0, 60)}`, async () => {
      const { error } = (await get(path)).body as { error: { message: string } }
      assert.match(error.message, message)
    })
  }

  it('says so where a point is on the grid with its coordinates swapped', async () => {
    const [spot] = await service().db.rows<{ lon: number; lat: number }>(
      `select ST_X(spot) as lon, ST_Y(spot) as lat
      from (select ST_PointOnSurface(geom) as spot from frame) as inside
      where not exists (select from frame where ST_Covers(geom, ST_FlipCoordinates(spot)))
      limit 1`,
      [],
    )
    const { status, body } = await get(`/v1/frames/at?lat=${spot?.lon}&lon=${spot?.lat}`)
    assert.equal(status, 404)
    assert.match((body as { error: { message: string } }).error.message, /swapped/)
  })
})

describe('a method that a path does not have', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const path of pathsWithKey('HEAD')) {
      it(`405: ${method} ${path}`, async () => {
        const answer = await request(method, path)
        assertRefused(answer, 405, 'invalid')
        assert.equal(answer.headers.get('allow'), 'GET, HEAD')
      })
    }
  }
})
