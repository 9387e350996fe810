import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { urlOf } from '../support/database.js'
import { credit, ids } from '../support/datasets.js'
import { startProxy } from '../support/proxy.js'
import { ask, bearer, errorOf, mint, service, startService } from '../support/service.js'
import { license } from '../../src/core/access/licences.js'

/** Each read, batch and charge by itself could wait longer. */
const DEADLINE_MS = 1000
/** A busy machine answers later; a second wait for the database would take as long as the first. */
const GRACE_MS = 800

describe('while the database is frozen', () => {
  it('every call gets a 500 at its deadline, whatever it waits for', async () => {
    const { db, database } = service()
    const direct = new URL(urlOf(database.target))
    const proxy = await startProxy(Number(direct.port))
    direct.port = String(proxy.port)
    const behind = await startService({ ...database, target: direct.href }, { callMs: DEADLINE_MS })
    try {
      const { secret, orgId } = await mint(db)
      await credit(db, orgId, 1000)
      await license(db.run, 'lyr_population', orgId, 1)
      const get = (path: string) => ask(behind.url + path, { headers: bearer(secret) })
      const insight = () =>
        ask(`${behind.url}/v1/frames/insight`, {
          method: 'POST',
          headers: { ...bearer(secret), 'content-type': 'application/json' },
          body: JSON.stringify({ frameIds: [ids[0]] }),
        })
      const at = () => get('/v1/frames/at?lat=0.105&lon=0.205')
      const kinds = [at, at, () => get(`/v1/frames/data?ids=${ids[0]}`), () => get('/v1/states'), insight]
      for (const kind of kinds) assert.equal((await kind()).status, 200)

      proxy.hang()
      const timed = async (kind: (typeof kinds)[number]) => {
        const from = performance.now()
        const answer = await kind()
        return { status: answer.status, code: errorOf(answer).code, ms: performance.now() - from }
      }
      const waves: ReturnType<typeof timed>[] = []
      for (let wave = 0; wave < 3; wave += 1) {
        for (let more = 0; more < 4; more += 1) waves.push(...kinds.map(timed))
        await sleep(150)
      }
      const ended = await Promise.all(waves)
      assert.deepEqual([...new Set(ended.map(({ status, code }) => `${status} ${code}`))], ['500 internal'])
      const [middle = 0] = ended
        .map(({ ms }) => ms)
        .toSorted((a, b) => a - b)
        .slice(ended.length / 2)
      assert.ok(middle < DEADLINE_MS + GRACE_MS, `half of them took over ${Math.round(middle)} ms`)

      proxy.cutAll()
      proxy.wake()
      for (const kind of kinds) assert.equal((await kind()).status, 200)
    } finally {
      await behind.stop()
      await proxy.close()
    }
  })
})
