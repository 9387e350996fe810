/** Tests what a question costs: each dataset once, and nothing where it is not answered, fails or nobody waits. */
import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { balanceOf, credit } from '../support/datasets.js'
import { until } from '../support/until.js'
import { mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { insightOf, labelsOf, postInsight } from './ask.js'

/** These frames record shops, people and buildings, and have no reserve. */
const FRAMES = ['322074005', '322074006']
const MARKET = 2
const RESERVES = 4
const PEOPLE = 3

describe('a word that names a free figure and one that costs credits', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let key: Minted

  before(async () => {
    database = await newDatabase('datasets')
    const { db } = database
    // The market gives its shops the names of people, and is the first of the datasets with them.
    await db.rows(
      `update attribute set synonyms = '{people,population,how many people live here,total population,people per frame,shops of people,shopkeepers}'
        where layer_id = 'lyr_market' and name = 'mkt_shops'`,
      [],
    )
    // The name of a free dataset stands for none of its figures.
    await db.rows(`update dataset set synonyms = synonyms || '{shopkeepers}' where layer_id = 'lyr_culture'`, [])
    const org = await newOrganisation(db)
    for (const layer of ['lyr_market', 'lyr_terrain']) await license(db.run, layer, org, 50)
    await credit(db, org, 1000)
    key = await mint(db, { org })
    running = await startService(database)
  })
  after(async () => {
    await running.stop()
    await database.drop()
  })

  const cases: readonly [question: string, charged: string[], headline: RegExp][] = [
    ['how many people live here', [], /^Population, 2026 estimate, total: /],
    ['people', [], /^Population, 2026 estimate, total: /],
    ['total population', [], /^Population, 2026 estimate, total: /],
    ['people per frame', [], /^Population, 2026 estimate, average/],
    ['which frame has the most people', [], /^Population, 2026 estimate, highest: /],
    ['buildings per capita', [], /^Buildings, per person/],
    ['how many shops are there', ['lyr_market'], /^Shops, total: /],
    ['how many shops of people', ['lyr_market'], /^Shops, total: /],
    ['mean slope', ['lyr_terrain'], /^Mean slope, /],
    ['how many shopkeepers are there', ['lyr_market'], /^Shops, total: /],
    ['which is the flattest frame', [], /^Not answered: |^No dataset/],
    ['people above 2 m', [], /^Not answered: |^No dataset/],
  ]
  for (const [question, charged, headline] of cases) {
    it(`${charged.length === 0 ? 'is free' : 'is paid where it has a word that nothing free has'}: "${question}"`, async () => {
      const answer = await insightOf(
        { url: running.url, secret: key.secret },
        { frameIds: FRAMES, question, format: 'figures' },
      )
      assert.match(labelsOf(answer), headline)
      assert.deepEqual(answer.charged, charged, answer.headline)
    })
  }
})

describe('a question pays', function () {
  this.timeout(120_000)
  let key: Minted

  beforeEach(async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    await license(db.run, 'lyr_market', org, MARKET)
    await license(db.run, 'lyr_reserves', org, RESERVES)
    key = await mint(db, { org })
  })
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(service().db))], [])
  })

  const insight = (question: string | undefined, secret = key.secret) =>
    insightOf({ url: service().url, secret }, { frameIds: FRAMES, question, format: 'figures' })
  const withCredits = (credits: number) => credit(service().db, key.orgId, credits)
  const balance = () => balanceOf(service().db, key.orgId)
  /** The amounts of its ledger, in their order. */
  const entries = async () => {
    const rows = await service().db.rows<{ credits: string }>(
      'select credits from credit_entry where org_id = $1::text order by entry_id',
      [key.orgId],
    )
    return rows.map(({ credits }) => Number(credits))
  }

  const cases: [rule: string, question: string, charged: string[]][] = [
    ['for a dataset whose figure it asks for', 'how many shops are there', ['lyr_market']],
    ['once for two figures of a dataset', 'how many shops and how many households are there', ['lyr_market']],
    ['for the answered half of a compound', 'how many shops are there and who is the governor', ['lyr_market']],
    ['for a dataset that a condition tests', 'how many people live in frames with more than 3 shops', ['lyr_market']],
    ['nothing for free datasets', 'how many people live here', []],
    ['nothing where no dataset has its words', 'tell me a joke', []],
    ['nothing for the nearest figure', 'how many people died of cholera', []],
    ['nothing for a greeting', 'hello', []],
    ['nothing for an overview', 'tell me about this place', []],
    ['nothing for a dataset that records nothing on its frames', 'how many nature reserves are there', []],
    ['nothing for names, of which there are none', 'names of the nature reserves', []],
    ['nothing for an area, where there is none', 'area of the nature reserves', []],
    ['nothing for frames without a feature, which are all', 'how many frames have no nature reserve', []],
    ['nothing for units without a feature, which are all', 'nature reserves by LGA', []],
  ]
  for (const [rule, question, charged] of cases) {
    it(`${rule}: "${question}"`, async () => {
      await withCredits(50)
      const answer = await insight(question)
      assert.deepEqual([answer.charged, answer.leftOut], [charged, []], answer.headline)
      assert.deepEqual(await entries(), charged.length > 0 ? [50, -MARKET] : [50])
      if (charged.length > 0) return
      const shown = [
        ...answer.sources.map(({ layerId }) => layerId),
        ...answer.table.columns.map((column) => column.key),
      ]
      assert.ok(!shown.some((name) => name.startsWith('lyr_market')), answer.headline)
    })
  }

  it('with a headline that names the dataset that its credits do not cover, and no figure of it', async () => {
    for (const question of ['how many shops are there', 'how many people live here and how many shops are there']) {
      const answer = await insight(question)
      assert.match(answer.headline, /^Markets and shops is left out: the credits do not cover its price\.(?: |$)/)
      assert.doesNotMatch(answer.headline, /Not recorded|No dataset records|Shops/)
      assert.ok(!JSON.stringify([answer.facets, answer.table, answer.sources]).includes('lyr_market'))
    }
  })

  it('nothing for a dataset that records nothing, whose answer stays where the credits do not cover another', async () => {
    const { headline, charged, leftOut } = await insight('how many shops and nature reserves are there')
    assert.match(
      headline,
      /^Markets and shops is left out: the credits do not cover its price\. These frames have no nature reserves\./,
    )
    assert.deepEqual([charged, leftOut.map(({ layerId }) => layerId)], [[], ['lyr_market']])
  })

  it('nothing for the nearest figure of a dataset that costs credits, which the headline names', async () => {
    await withCredits(50)
    const { headline, charged } = await insight('how many shops were robbed')
    assert.equal(
      headline,
      'No dataset has a name for "robbed". "Markets and shops" costs credits: only a question that is understood whole reads it.',
    )
    assert.deepEqual(charged, [])
    assert.deepEqual((await insight('Shops')).charged, ['lyr_market'])
  })

  it('for a profile as far as the credits go, and leaves out the other datasets whole', async () => {
    await license(service().db.run, 'lyr_population', key.orgId, PEOPLE)
    await withCredits(PEOPLE + MARKET - 1)
    const { charged, leftOut, sources, table } = await insight(undefined)
    const [paid, left] = charged.includes('lyr_market') ? [MARKET, 'lyr_population'] : [PEOPLE, 'lyr_market']
    assert.deepEqual([charged.length, leftOut.map(({ layerId }) => layerId)], [1, [left]])
    assert.ok(!JSON.stringify([sources, table]).includes(left))
    assert.equal(await balance(), PEOPLE + MARKET - 1 - paid)
    await withCredits(50)
    assert.deepEqual((await insight(undefined)).charged.toSorted(), ['lyr_market', 'lyr_population'])
  })

  it('nothing for its follow-ups until somebody asks them', async () => {
    await withCredits(50)
    const { followUps, charged } = await insight('how many people live here')
    assert.ok(followUps.length > 0)
    assert.deepEqual(charged, [])
  })

  it('nothing in the end where it fails after its charge', async () => {
    await withCredits(10)
    const failing = await startService(service().database, {
      watch: (text) => {
        // The service reads the table after it charges.
        if (text.startsWith('-- records_of_baselines')) throw new Error('the statement fails')
      },
    })
    try {
      const question = { frameIds: FRAMES, question: 'how many shops are there' }
      const answer = await postInsight({ url: failing.url, secret: key.secret }, question)
      assert.equal(answer.status, 500, answer.text)
      await until(async () => (await entries()).length === 3)
      assert.deepEqual([await entries(), await balance()], [[10, -MARKET, MARKET], 10])
    } finally {
      await failing.stop()
    }
  })

  describe('with words', () => {
    let wording: WordingServer
    let worded: Awaited<ReturnType<typeof startService>>
    before(async () => {
      wording = await startWordingServer()
      worded = await startService(service().database, { wordingUrl: wording.url })
    })
    after(async () => {
      await worded.stop()
      await wording.close()
    })

    for (const [cover, credits] of [
      ['allowance', 2],
      ['credits', 3],
    ] as const) {
      it(`nothing where its client hung up before the answer came: words covered by ${cover}`, async () => {
        await withCredits(credits)
        const rows = (text: string) => service().db.rows<{ n: number }>(text, [key.orgId])
        if (cover === 'credits') {
          await rows(
            `insert into worded_use (org_id, day, by_allowance) values ($1::text, date_trunc('month', now() at time zone 'UTC')::date, 100)`,
          )
        }
        const holds = async () =>
          (await rows('select count(*)::int as n from worded_hold where org_id = $1::text'))[0]?.n
        wording.behave({ fail: 'hang before headers' })
        const leaving = new AbortController()
        const request = { url: worded.url, secret: key.secret, signal: leaving.signal }
        const answer = postInsight(request, { frameIds: FRAMES, question: 'how many shops are there' })
        await until(async () => (await holds()) === 1)
        assert.equal(await balance(), credits - MARKET)
        leaving.abort()
        await assert.rejects(answer)
        await until(async () => (await holds()) === 0 && (await entries()).length === 3)
        assert.deepEqual(await entries(), [credits, -MARKET, MARKET])
        const [used] = await rows(
          'select coalesce(sum(by_allowance + by_credits), 0)::int as n from worded_use where org_id = $1::text',
        )
        assert.equal(used?.n, cover === 'credits' ? 100 : 0)
      })
    }
  })
})
