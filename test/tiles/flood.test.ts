import assert from 'node:assert/strict'
import { signIn, type PageAnswer } from '../support/browse.js'
import { ask, bearer, newOrganisation, service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const FLOOD = Array.from(
  { length: 390 },
  (_, i) => `/app/tiles/units/12/${2040 + (i % 26)}/${2038 + Math.floor(i / 26)}`,
)

describe('a person who asks for hundreds of tiles at once', () => {
  it('is told early to come back, and nobody else waits: neither pages and tiles of others nor calls of keys', async () => {
    const { database, secret } = service()
    const { db } = database
    let goOn = () => {}
    const held = new Promise<void>((done) => (goOn = done))
    // The tiles of units wait for this promise in the database.
    const watch = (text: string) => (text.startsWith('-- units_of_tile:') ? held : undefined)
    const running = await startService(database, { publicUrl: 'listening', callMs: 120_000, watch })
    try {
      const person = async () => signIn(running.url, db, { orgId: await newOrganisation(db) })
      const [one, other] = [await person(), await person()]
      const refused: PageAnswer[] = []
      const flood = FLOOD.map(async (tile) => {
        const answer = await one.get(tile)
        if (answer.status === 503) refused.push(answer)
        return answer
      })
      // Two are read, and 200 wait.
      await until(async () => refused.length === FLOOD.length - 202)
      for (const path of [
        '/app/map',
        '/app/datasets',
        '/app/account',
        '/app/tiles/frames/12/2050/2046',
        '/app/values/0/0',
      ])
        assert.equal((await other.get(path)).status, 200, path)
      for (const path of ['frames/at?lat=0.105&lon=0.205', 'frames/data?ids=324378020', 'frames?state=marembe&limit=2'])
        assert.equal((await ask(`${running.url}/v1/${path}`, { headers: bearer(secret) })).status, 200, path)
      goOn()
      const statuses = (await Promise.all(flood)).map(({ status }) => status)
      assert.deepEqual(
        statuses.filter((status) => status !== 200 && status !== 204 && status !== 503),
        [],
      )
      assert.equal(refused.length, FLOOD.length - 202)
      for (const { headers, text } of refused) {
        assert.equal(headers['retry-after'], '60')
        assert.match(text, /Too many of your own pages and tiles wait/)
      }
    } finally {
      goOn()
      await running.stop()
    }
  }).timeout(120_000)
})
