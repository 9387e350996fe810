/**
 * Plans of a careless model, which ties every word of a question to what it plans: no answer is exact, and nobody is
 * charged for a dataset that the words do not name.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { license } from '../../src/core/access/licences.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { credit } from '../support/datasets.js'
import { mint, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { insightOf } from './ask.js'
import { idIn, planOfRow, type PlanRow } from './plans.js'

/**
 * Labels stand in place of ids. `read`: the answer begins with these sentences, and its first figure has `first` in its
 * label. Otherwise the plan is not used, for the reason `refused`.
 */
type Row = PlanRow & { ask: string; read?: string; first?: string; refused?: string }
const rows = readFileSync(new URL('test/insight/careless.jsonl', projectFolder), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row)

describe('a careless plan of a model', function () {
  this.timeout(120_000)
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  let key: Minted
  const lines: string[] = []
  let frameIds: string[]
  before(async () => {
    wording = await startWordingServer()
    running = await startService(service().database, { wordingUrl: wording.url, logged: (line) => lines.push(line) })
    key = await mint(running.db)
    await license(running.db.run, 'lyr_clinics', key.orgId, undefined)
    for (const priced of ['lyr_market', 'lyr_reserves']) await license(running.db.run, priced, key.orgId, 2)
    await credit(running.db, key.orgId, 50)
    // Frames of Marembe, some on Lake Island, and some with a reserve and with shops.
    const some = [
      "ward = 'LAKE ISLAND'",
      "lga = 'KIRIN GATE'",
      "frame_id in (select frame_id from feature_frame join feature using (version, feature_no) where properties->>'name' = 'Great Marembe Forest')",
      "lga = 'LAKESIDE'",
    ].map((where) => `(select frame_id from frame where state = 'MAREMBE' and ${where} order by frame_id limit 12)`)
    const found = await running.db.rows<{ id: string }>(
      `select frame_id::text as id from (${some.join(' union ')}) as chosen order by 1`,
      [],
    )
    frameIds = found.map(({ id }) => id)
  })
  after(async () => {
    await running.stop()
    await wording.close()
  })

  const answerTo = async (question: string) => {
    lines.length = 0
    const answer = await insightOf({ url: running.url, secret: key.secret }, { frameIds, question, format: 'figures' })
    const planned = lines
      .map((line) => JSON.parse(line) as { plan?: string; reason?: string })
      .find((line) => line.plan !== undefined)
    return { answer, planned }
  }

  for (const { ask, read, first = '', refused, ...row } of rows) {
    const title =
      read === undefined ? `gives no answer to "${ask}": ${refused}` : `is said in the answer to "${ask}": ${read}`
    it(title, async () => {
      wording.behavePlanning(({ body }) => ({ text: JSON.stringify(planOfRow(ask, row, (name) => idIn(body, name))) }))
      const { answer, planned } = await answerTo(ask)
      const { headline, confidence, facets, charged } = answer
      if (read !== undefined) {
        assert.match(planned?.plan ?? '', /^(used|kept)$/, planned?.reason)
        assert.ok(headline.startsWith(`${read} `), headline)
        assert.ok(facets[0]?.label.includes(first), facets[0]?.label)
        assert.equal(confidence, 'read')
      } else {
        assert.deepEqual(planned, { ...planned, plan: 'refused', reason: refused })
        wording.behavePlanning({ text: '' })
        assert.equal(headline, (await answerTo(ask)).answer.headline)
        assert.equal(confidence, 'nearest')
      }
      assert.deepEqual(charged, [])
    })
  }

  it('reads a dataset that costs where the question names it', async () => {
    const question = 'Maduka (shops) mangapi?'
    wording.behavePlanning(({ body }) => ({
      text: JSON.stringify(planOfRow(question, { figures: [{ measure: 'Shops' }] }, (name) => idIn(body, name))),
    }))
    const { answer } = await answerTo(question)
    assert.deepEqual(
      [answer.confidence, answer.facets[0]?.label, answer.charged],
      ['read', 'Shops, total', ['lyr_market']],
    )
  })
})
