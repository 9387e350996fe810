import assert from 'node:assert/strict'
import { Agent, get as httpGet } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { authorityFinder } from '../../src/core/access/authority.js'
import { hashSecret } from '../../src/core/access/secret.js'
import { revokeKey } from '../../src/core/access/keys.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, service } from '../support/service.js'

const path = '/v1/frames/at?lat=0.105&lon=0.205'

describe('the API reads the authority of a key for every request', () => {
  /** Keeps one connection open. */
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => agent.destroy())

  const status = (secret: string) =>
    new Promise<{ status: number; port: number | undefined }>((done, failed) => {
      const request = httpGet(service().url + path, { agent, headers: bearer(secret) }, (response) => {
        const port = response.socket.localPort
        response.resume().once('end', () => done({ status: response.statusCode ?? 0, port }))
      })
      request.once('error', failed)
    })

  const update = (change: string, keyId: string) =>
    service().db.rows(`update api_key set ${change} where key_id = $1::text`, [keyId])

  const changes: [what: string, change: string, becomes: number, back: string][] = [
    ['capabilities', `capabilities = '{ask.query}'`, 403, `capabilities = '{frame.read}'`],
    [
      'expiry',
      `expires_at = clock_timestamp(), created_at = clock_timestamp() - interval '8 days'`,
      401,
      `expires_at = clock_timestamp() + interval '1 day'`,
    ],
    ['revocation', 'revoked_at = clock_timestamp()', 401, 'revoked_at = null'],
  ]
  for (const [what, change, becomes, back] of changes) {
    it(`${what} changed in SQL between two requests on one connection: the second sees it`, async () => {
      const { secret, keyId } = await mint(service().db)
      const ports = new Set<number | undefined>()
      for (let turn = 0; turn < 3; turn += 1) {
        const before = await status(secret)
        await update(change, keyId)
        const after = await status(secret)
        await update(back, keyId)
        assert.deepEqual([before.status, after.status], [200, becomes])
        ports.add(before.port).add(after.port)
      }
      assert.equal(ports.size, 1, 'it was one connection')
    })
  }

  it('narrowing and plan changed in SQL between two lookups: the second sees them', async () => {
    const { db } = service()
    const find = authorityFinder(db)
    const { secret, keyId, orgId } = await mint(db)
    const seen = async () => {
      const authority = await find(hashSecret(secret).toString('hex'))
      return [authority?.datasets, authority?.plan, authority?.orgId]
    }
    assert.deepEqual(await seen(), [null, 'trial', orgId])
    await update(`datasets = '{lyr_a}'`, keyId)
    assert.deepEqual(await seen(), [['lyr_a'], 'trial', orgId])
    await db.rows(`update organisation set plan = 'scale' where org_id = $1::text`, [orgId])
    assert.deepEqual(await seen(), [['lyr_a'], 'scale', orgId])
    await update('datasets = null', keyId)
    assert.deepEqual(await seen(), [null, 'scale', orgId])
  })

  it('a key expires at its instant: answers before it are 200, requests after it get 401', async () => {
    const { db } = service()
    const { secret, keyId } = await mint(db)
    const [row] = await db.rows<{ ends: number }>(
      `update api_key set expires_at = clock_timestamp() + interval '1 second', created_at = clock_timestamp() - interval '8 days'
      where key_id = $1::text returning extract(epoch from expires_at)::float8 * 1000 as ends`,
      [keyId],
    )
    const ends = row?.ends ?? 0
    const counts = { before: 0, after: 0 }
    while (counts.after <= 5) {
      const from = Date.now()
      const answer = await ask(service().url + path, { headers: bearer(secret) })
      const to = Date.now()
      await sleep(20)
      if (to < ends) {
        counts.before += 1
        assert.equal(answer.status, 200)
      }
      if (from > ends + 1) {
        counts.after += 1
        assert.equal(answer.status, 401)
      }
    }
    assert.ok(counts.before > 0, 'none was answered before the end')
  })

  it('a key is revoked under load, burst after burst: each request after the commit gets 401', async () => {
    const { db, url } = service()
    let [accepted, refusedLater] = [0, 0]
    const bursts = sample(2, 20)
    const part = sample(40, 125)
    for (let burst = 0; burst < bursts; burst += 1) {
      const { secret, keyId } = await mint(db)
      let committed = false
      const asked: Promise<{ after: boolean; status: number }>[] = []
      const askOne = () => {
        const after = committed
        asked.push(ask(url + path, { headers: bearer(secret) }).then((answer) => ({ after, status: answer.status })))
      }
      for (let i = 0; i < 2 * part; i += 1) askOne()
      await Promise.race(asked)
      const revoking = revokeKey(db.run, keyId).then(() => (committed = true))
      for (let i = 0; i < part; i += 1) {
        askOne()
        if (i % 10 === 0) await sleep(0)
      }
      await revoking
      for (let i = 0; i < part; i += 1) askOne()
      for (const { after, status: answered } of await Promise.all(asked)) {
        if (after) assert.equal(answered, 401)
        else assert.ok(answered === 200 || answered === 401, String(answered))
        if (answered === 200) accepted += 1
        if (after) refusedLater += 1
      }
    }
    assert.ok(accepted > 0, 'none was answered before its key was revoked')
    assert.ok(refusedLater >= bursts * part, `${refusedLater} were refused`)
  })
})
