import assert from 'node:assert/strict'
import { license } from '../../src/access/licences.js'
import { ledgerFaults } from '../../src/db/statements.js'
import { balanceOf, credit } from '../support/datasets.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { mint, newOrganisation, startService, type Minted, type Service } from '../support/service.js'
import { insightOf } from './ask.js'

/** These frames record shops, people and buildings, and have no reserve. */
const FRAMES = ['322074005', '322074006']
const MARKET = 2
const RESERVES = 4

describe('a question pays', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let key: Minted

  before(async () => {
    database = await newDatabase('datasets')
    service = await startService(database)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  beforeEach(async () => {
    const org = await newOrganisation(database.db)
    await license(database.db.run, 'lyr_market', org, MARKET)
    await license(database.db.run, 'lyr_reserves', org, RESERVES)
    key = await mint(database.db, { org })
  })
  afterEach(async () => {
    assert.deepEqual([...(await ledgerFaults(database.db))], [])
  })

  const insight = (question: string) =>
    insightOf({ url: service.url, secret: key.secret }, { frameIds: FRAMES, question })
  const withCredits = (credits: number) => credit(database.db, key.orgId, credits)

  const cases: [rule: string, question: string, charged: string[]][] = [
    ['for a dataset whose figure it asks for', 'how many shops are there', ['lyr_market']],
    ['once for two figures of a dataset', 'how many shops and how many households are there', ['lyr_market']],
    ['for the answered half of a compound', 'how many shops are there and who is the governor', ['lyr_market']],
    ['for a dataset that a condition tests', 'how many people live in frames with more than 3 shops', ['lyr_market']],
    ['nothing for free datasets', 'how many people live here', []],
    ['nothing where no dataset has its words', 'how many shops were robbed', []],
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
      assert.equal(await balanceOf(database.db, key.orgId), 50 - (charged.length > 0 ? MARKET : 0))
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
      assert.match(answer.headline, /^Markets and shops is left out: the credits do not cover its price\. /)
      assert.doesNotMatch(answer.headline, /Not recorded|No dataset records|Shops/)
      assert.ok(!JSON.stringify([answer.facets, answer.table, answer.sources]).includes('lyr_market'))
    }
  })

  it('nothing for a dataset that records nothing, whose answer stays where the credits do not cover another', async () => {
    const { headline, charged, leftOut } = await insight('how many shops and nature reserves are there')
    assert.match(headline, /^Markets and shops is left out: the credits do not cover its price\. Nature reserves: 0 /)
    assert.deepEqual([charged, leftOut.map(({ layerId }) => layerId)], [[], ['lyr_market']])
  })

  it('nothing for the nearest figure of a dataset that costs credits, which the headline names', async () => {
    await withCredits(50)
    const { headline, charged } = await insight('how many shops were robbed')
    assert.equal(
      headline,
      'No dataset records "robbed". "Shops" costs credits: ask for it by name. A profile of 2 frames.',
    )
    assert.deepEqual(charged, [])
    assert.deepEqual((await insight('Shops')).charged, ['lyr_market'])
  })

  it('nothing for its follow-ups until somebody asks them', async () => {
    await withCredits(50)
    const { followUps, charged } = await insight('how many people live here')
    assert.ok(followUps.length > 0)
    assert.deepEqual(charged, [])
  })
})
