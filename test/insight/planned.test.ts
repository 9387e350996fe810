/** Tests over HTTP that a plan of the model changes the reading of a question, and nothing that it costs. */
import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import { postTool } from '../mcp/agent.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { risen } from '../support/metrics.js'
import { until } from '../support/until.js'
import { mint, newOrganisation, service, startService } from '../support/service.js'
import { startWordingServer, type MessagesBody, userText, type WordingServer } from '../support/wording-server.js'
import { type Insight, insightOf, labelsOf, postInsight } from './ask.js'
import { idIn, planOfRow, type PlanRow } from './plans.js'

const SWAHILI = 'Watu wangapi wanaishi hapa?'
const PEOPLE: PlanRow = { figures: [{ measure: 'Population, 2026 estimate' }] }
const TOTAL = 'Population, 2026 estimate, total'

describe('a question with words that no dataset has', function () {
  this.timeout(120_000)
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  before(async () => {
    wording = await startWordingServer()
    running = await startService(service().database, { wordingUrl: wording.url, ops: true })
  })
  after(async () => {
    await running.stop()
    await wording.close()
  })
  beforeEach(() => {
    wording.behave('well')
    wording.requests.length = 0
    wording.planRequests.length = 0
    planWith(SWAHILI, PEOPLE)
  })

  const planText = (body: MessagesBody, question: string, row: PlanRow) =>
    JSON.stringify(planOfRow(question, row, (name) => idIn(body, name)))
  const planWith = (question: string, row: PlanRow, first = () => {}) =>
    wording.behavePlanning((request) => {
      first()
      return { text: planText(request.body, question, row) }
    })
  const body = { frameIds: ids.slice(0, 2), question: SWAHILI }
  const answerFor = (secret: string, more: object = {}) => insightOf({ url: running.url, secret }, { ...body, ...more })
  const counts = async (orgId: string) => {
    const [row] = await running.db.rows<{ used: number; held: number }>(
      `select (select coalesce(sum(by_allowance + by_credits), 0)::int from worded_use where org_id = $1::text) as used,
        (select count(*)::int from worded_hold where org_id = $1::text and not posted) as held`,
      [orgId],
    )
    return row
  }

  /** Lets every such change fail meanwhile, as in "insert on credit_entry for each row". */
  async function refusing(change: string, meanwhile: () => Promise<void>): Promise<void> {
    await running.db.work(`create or replace function refused_by_test() returns trigger language plpgsql as
        $$ begin raise exception 'refused by a test'; end $$;
      create trigger refused before ${change} execute function refused_by_test()`)
    try {
      await meanwhile()
    } finally {
      await running.db.work('drop function refused_by_test() cascade')
    }
  }

  it('is answered by the figures that the model planned, and counts as one worded answer', async () => {
    const key = await mint(running.db)
    const rises = await risen(running.opsUrl, async () => {
      const answer = await answerFor(key.secret)
      assert.equal(answer.facets[0]?.label, TOTAL)
      const read = 'Read "Watu wangapi wanaishi hapa" as "Population, 2026 estimate".'
      assert.ok(labelsOf(answer).startsWith(`${read} ${TOTAL}: `), answer.headline)
      assert.equal(answer.confidence, 'read')
      assert.ok(answer.narrative?.startsWith(`${read} `), answer.narrative)
      assert.deepEqual(await replay(running.db, answer as unknown as SavedAnswer), [])
      assert.equal(answer.engine, 'claude')
    })
    assert.equal(wording.planRequests.length, 1)
    assert.equal(rises['frames_plans_total{outcome="used"}'], 1)
    assert.equal(rises['frames_worded_answers_total{covered_by="allowance"}'], 1)
    assert.deepEqual(await counts(key.orgId), { used: 1, held: 0 })
  })

  it('is answered so by the tools of agents too', async () => {
    const key = await mint(running.db)
    const { body: answer } = await postTool({ url: running.url, secret: key.secret }, 'ask', {
      ...body,
      format: 'figures',
    })
    const { data } = answer as { data: Insight }
    assert.deepEqual([data.confidence, data.facets[0]?.label], ['read', TOTAL])
    assert.deepEqual(data.notes?.readAs, [{ words: 'Watu wangapi wanaishi hapa', name: 'Population, 2026 estimate' }])
  })

  it('may be answered by figures of units, and of the frames of a place', async () => {
    const key = await mint(running.db)
    const question = 'Watu kwa kila LGA, na watu Marembe'
    // Marembe, and Côte Évora.
    const frameIds = ['325098002', '321966005']
    const measure = 'Population, 2026 estimate'
    planWith(question, {
      figures: [
        { words: 'Watu kwa kila LGA', measure, by: 'lga' },
        { words: 'na watu', measure, where: [[{ words: 'Marembe', subject: 'place', is: 'is', value: 'Marembe' }]] },
      ],
    })
    const { facets } = await answerFor(key.secret, { question, frameIds })
    const labels = facets.map(({ label }) => label)
    assert.deepEqual(labels.slice(0, 2), [`${TOTAL}, by LGA`, `${TOTAL}, in Marembe`])
  })

  const sound = JSON.stringify(planOfRow(SWAHILI, { figures: [{ measure: 't1' }] }))
  const failures: [failure: string, behaviour: Parameters<WordingServer['behavePlanning']>[0], outcome: string][] = [
    ['answers 500', { fail: 500 }, 'failed'],
    ['refuses', { fail: 'refusal' }, 'failed'],
    ['answers broken JSON', { text: sound.slice(0, -9) }, 'refused'],
    ['plans a subject outside the catalogue', { text: sound.replace('"t1"', '"t9999"') }, 'refused'],
    ['adds a figure', { text: sound.replace('{', '{"value":20269,') }, 'refused'],
    [
      'names a figure as a number of the question',
      { text: sound.replace('"t1"', '"t1","by":"lga","order":"highest","n":"5"') },
      'refused',
    ],
  ]
  for (const [failure, behaviour, outcome] of failures) {
    it(`is answered without the plan of a model that ${failure}`, async () => {
      const key = await mint(running.db)
      wording.behavePlanning(behaviour)
      const expected = await answerFor(key.secret, { format: 'figures' })
      const rises = await risen(running.opsUrl, async () => {
        const { facets, headline, sources, table, engine } = await answerFor(key.secret)
        assert.deepEqual(
          { facets, headline, sources, table },
          { facets: expected.facets, headline: expected.headline, sources: expected.sources, table: expected.table },
        )
        assert.equal(engine, 'claude', 'the words come all the same')
      })
      assert.equal(rises[`frames_plans_total{outcome="${outcome}"}`], 1, JSON.stringify(rises))
      assert.deepEqual(await counts(key.orgId), { used: 1, held: 0 })
    })
  }

  it('is planned where the format is "figures", and counts as nothing then', async () => {
    const key = await mint(running.db)
    const { confidence, facets, engine } = await answerFor(key.secret, { format: 'figures' })
    assert.deepEqual([confidence, facets[0]?.label, engine], ['read', TOTAL, 'deterministic'])
    assert.deepEqual(await counts(key.orgId), { used: 0, held: 0 })
  })

  it('is not planned where nothing is left over', async () => {
    const key = await mint(running.db)
    await answerFor(key.secret, { question: 'how many people live here' })
    await answerFor(key.secret, { question: undefined })
    assert.equal(wording.planRequests.length, 0)
  })

  it('is not planned where neither allowance nor credits cover words', async () => {
    const key = await mint(running.db, { org: await newOrganisation(running.db, 'trial') })
    await running.db.rows(
      `insert into worded_use (org_id, day, by_allowance)
       values ($1::text, (ledger_clock() at time zone 'UTC')::date, 100)`,
      [key.orgId],
    )
    assert.match((await answerFor(key.secret)).notice ?? '', /used up/)
    assert.equal(wording.planRequests.length, 0)
  })

  it('is planned among the datasets that the key may read, and among no others', async () => {
    const key = await mint(running.db, { datasets: ['lyr_schools'] })
    const answer = await answerFor(key.secret)
    const prompt = userText(wording.planRequests[0]?.body ?? assert.fail('no plan was asked for'))
    assert.match(prompt, /"Schools"/)
    assert.doesNotMatch(prompt, /Population|Clinics/)
    assert.ok(answer.facets.every(({ label }) => !label.startsWith('Population')))
  })

  it('has its planning ended by a client that hangs up, and holds nothing after that', async () => {
    const key = await mint(running.db)
    wording.behavePlanning({ fail: 'hang before headers' })
    const leaving = new AbortController()
    const answer = postInsight({ url: running.url, secret: key.secret, signal: leaving.signal }, body)
    await until(async () => wording.planRequests.length === 1)
    leaving.abort()
    await assert.rejects(answer)
    await until(async () => wording.planRequests[0]?.isHungUp === true)
    await until(async () => (await counts(key.orgId))?.held === 0)
    assert.deepEqual([wording.requests.length, (await counts(key.orgId))?.used], [0, 0])
  }).timeout(20_000)

  it('holds nothing after a client that hangs up between the plan and the words', async () => {
    const key = await mint(running.db)
    const leaving = new AbortController()
    planWith(SWAHILI, PEOPLE, () => leaving.abort())
    await assert.rejects(postInsight({ url: running.url, secret: key.secret, signal: leaving.signal }, body))
    await until(async () => wording.planRequests.length === 1)
    await until(async () => (await counts(key.orgId))?.held === 0)
    assert.deepEqual([wording.requests.length, (await counts(key.orgId))?.used], [0, 0])
  }).timeout(20_000)

  it('holds nothing after a charge that failed', async () => {
    const key = await mint(running.db)
    await license(running.db.run, 'lyr_market', key.orgId, 2)
    await credit(running.db, key.orgId, 10)
    const question = 'Maduka (shops) mangapi?'
    planWith(question, { figures: [{ measure: 'Shops' }] })
    await refusing(`insert on credit_entry for each row when (new.kind = 'dataset')`, async () => {
      const withShops = { question, frameIds: ['322074005', '322074006'] }
      const { status } = await postInsight({ url: running.url, secret: key.secret }, withShops)
      assert.equal(status, 500)
      assert.deepEqual(await counts(key.orgId), { used: 0, held: 0 })
    })
    assert.deepEqual([wording.planRequests.length, wording.requests.length], [1, 0])
    assert.equal(await balanceOf(running.db, key.orgId), 10)
  }).timeout(20_000)

  it('has a hold that the database does not release at first released as soon as it does', async () => {
    const key = await mint(running.db)
    await refusing('delete on worded_hold for each row', async () => {
      wording.behave({ fail: 500 })
      assert.equal((await answerFor(key.secret)).engine, 'deterministic')
      assert.equal((await counts(key.orgId))?.held, 1)
    })
    await until(async () => (await counts(key.orgId))?.held === 0)
    assert.equal((await counts(key.orgId))?.used, 0)
  }).timeout(20_000)
})
