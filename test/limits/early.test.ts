import assert from 'node:assert/strict'
import { revokeKey } from '../../src/core/access/keys.js'
import type { BucketSizes } from '../../src/core/limits/buckets.js'
import { ask, bearer, mint, newOrganisation, service, startService, type Answer } from '../support/service.js'

const path = '/v1/frames/at?lat=0.105&lon=0.205'
const roomy = { burst: 900_000, perMinute: 900_000 }
/** A bucket that gains no call during a test. */
const slow = (burst: number) => ({ burst, perMinute: 1 })

describe('a call of a key whose last call passed', () => {
  const sent: string[] = []
  type Running = Awaited<ReturnType<typeof startService>>

  async function on(
    sizes: Pick<BucketSizes, 'key' | 'organisation'>,
    run: (running: Running, call: (secret: string, to?: string) => Promise<Answer>) => Promise<void>,
  ) {
    const buckets = { ...sizes, insight: roomy }
    const running = await startService(service().database, { buckets, watch: (text) => sent.push(text) })
    try {
      await run(running, (secret, to = path) => ask(running.url + to, { headers: bearer(secret) }))
    } finally {
      await running.stop()
    }
  }

  const left = ({ headers }: Answer) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1])
  const reads = () => sent.splice(0).filter((text) => text.startsWith('-- frames_at:')).length

  it('spends once, and reads the point once', () =>
    on({ key: slow(20), organisation: roomy }, async ({ db }, call) => {
      const { secret } = await mint(db)
      sent.length = 0
      for (let i = 1; i <= 5; i += 1) assert.equal(left(await call(secret)), 20 - i)
      assert.equal(reads(), 5)
    }))

  it('is checked in the order of every call: 401, 429, 403, 400, 404', () =>
    on({ key: slow(3), organisation: roomy }, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const { secret, keyId } = await mint(db, { org })
      const capabilities = (names: string) =>
        db.rows(`update api_key set capabilities = $1::text[] where key_id = $2::text`, [names, keyId])
      assert.equal((await call(secret)).status, 200)
      assert.equal((await call(secret, '/v1/frames/at?lat=60&lon=60')).status, 404)
      await capabilities('{ask.query}')
      assert.equal((await call(secret, '/v1/frames/at?lat=91&lon=0')).status, 403)
      assert.equal((await call(secret, '/v1/frames/at?lat=91&lon=0')).status, 429)
      await revokeKey(db.run, keyId)
      assert.equal((await call(secret, '/v1/frames/at?lat=91&lon=0')).status, 401)
    }))

  it('gets the answer that a first call gets to a parameter that is not right', () =>
    on({ key: roomy, organisation: roomy }, async ({ db }, call) => {
      const { secret } = await mint(db)
      const wrong = '/v1/frames/at?lat=91&lon=0'
      const first = await call(secret, wrong)
      await call(secret)
      const later = await call(secret, wrong)
      assert.deepEqual([later.status, later.text], [400, first.text])
    }))

  it('spends once more from its organisation when it was revoked, and then nothing', () =>
    on({ key: roomy, organisation: slow(20) }, async ({ db }, call) => {
      const org = await newOrganisation(db)
      const [one, other] = [await mint(db, { org }), await mint(db, { org })]
      assert.equal(left(await call(other.secret)), 19)
      assert.equal(left(await call(one.secret)), 18)
      await revokeKey(db.run, one.keyId)
      for (let i = 0; i < 5; i += 1) assert.equal((await call(one.secret)).status, 401)
      assert.equal(left(await call(other.secret)), 16)
    }))

  it('reads once more when its bucket is spent, and then nothing', () =>
    on({ key: slow(2), organisation: roomy }, async ({ db }, call) => {
      const { secret } = await mint(db)
      for (let i = 0; i < 2; i += 1) assert.equal((await call(secret)).status, 200)
      sent.length = 0
      for (let i = 0; i < 5; i += 1) assert.equal((await call(secret)).status, 429)
      assert.equal(reads(), 1)
    }))
})
