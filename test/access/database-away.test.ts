import assert from 'node:assert/strict'
import { newSecret } from '../../src/core/access/secret.js'
import type { TestDatabase } from '../support/database.js'
import { freePort } from '../support/postgres-server.js'
import { ask, bearer, errorOf, mint, service, startService } from '../support/service.js'

describe('while the database is away', () => {
  it('the API refuses no key and lets nobody in: 500 where it must look a key up, 401 where it need not', async () => {
    const { secret } = await mint(service().db)
    const nowhere = {
      ...service().database,
      target: `postgres://frames@127.0.0.1:${await freePort()}/frames`,
    } as TestDatabase
    const running = await startService(nowhere, { retryMs: 100 })
    try {
      const paths = ['/v1/frames/at?lat=0.105&lon=0.205', '/v1/frames?ids=1', '/v1/states', '/v1/frames?bbox=x']
      const look = async (path: string) => {
        const known = [secret, newSecret()].map((each) => ask(running.url + path, { headers: bearer(each) }))
        for (const answer of await Promise.all(known)) {
          assert.deepEqual([answer.status, errorOf(answer).code], [500, 'internal'])
          assert.equal(answer.headers.get('www-authenticate'), null)
          assert.equal(answer.headers.get('cache-control'), 'no-store')
        }
        const none = await ask(running.url + path)
        assert.deepEqual([none.status, errorOf(none).code], [401, 'unauthorized'])
        const mistyped = await ask(running.url + path, { headers: bearer(`${secret}0`) })
        assert.deepEqual([mistyped.status, errorOf(mistyped).code], [401, 'invalid_key'])
      }
      await Promise.all(paths.map(look))
    } finally {
      await running.stop()
    }
  })
})
