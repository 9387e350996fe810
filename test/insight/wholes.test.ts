/** Tests what a share is a share of: of the frames or the units that are named first, and not of what they have. */
import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { factsOf, unaccountedNumbers } from '../../src/core/insight/verify/verify.js'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import { callTool } from '../mcp/agent.js'
import { startWordingServer } from '../support/wording-server.js'
import { mint, service, startService, type Minted } from '../support/service.js'
import type { Insight } from './ask.js'

/** About a thousand frames of two states. */
const BOX = '-0.1,-0.65,0.2,-0.35'
const IN_BOX = `ST_Intersects(geom, ST_MakeEnvelope(${BOX}, 4326))`
/** Frames by what datasets record on them, in SQL that shares nothing with the service's. */
const recorded = (layer: string, test: string) =>
  `frame_id in (select frame_id from baseline where layer_id = 'lyr_${layer}' and ${test})`
const classOf = (value: string) => recorded('urban', `recorded ->> 'urb_class' = '${value}'`)
const URBAN = recorded('culture', `recorded ->> 'cul_rururb' = 'Urban'`)
const FOREST = recorded('terrain', `recorded ->> 'phy_landcov' = 'Forest'`)
const MARK = `state = 'MAREMBE'`
const having = (layer: string, properties = 'true') => `frame_id in (
  select frame_id from dataset join feature using (version) join frame as touched on ST_Intersects(touched.geom, feature.geom)
  where layer_id = 'lyr_${layer}' and ${properties})`
const SECONDARY = having('schools', `properties ->> 'level' = 'Secondary'`)

const rows: readonly [question: string, whole: string, part: string][] = [
  ['what percentage of towns have a clinic', classOf('Town'), having('clinics')],
  ['share of villages with a school', classOf('Village'), having('schools')],
  ['what share of towns do not have a clinic', classOf('Town'), `not ${having('clinics')}`],
  ['what proportion of forest frames have a road', FOREST, having('roads')],
  ['what percentage of urban frames have no school', URBAN, `not ${having('schools')}`],
  ['what share of rural villages have a school', `${recorded('culture', `recorded ->> 'cul_rururb' = 'Rural'`)} and ${classOf('Village')}`, having('schools')],
  ['what percentage of towns have more than 4,000 people', classOf('Town'), recorded('population', `(recorded ->> 'pop_demest26')::int > 4000`)],
  ['what percentage of villages in Marembe have a school', `${classOf('Village')} and ${MARK}`, having('schools')],
  ['in Marembe, what share of villages have a school', `${classOf('Village')} and ${MARK}`, having('schools')],
  ['what share of towns have a secondary school', classOf('Town'), SECONDARY],
  ['what share of towns have a school and a clinic', classOf('Town'), `${having('schools')} and ${having('clinics')}`],
  ['what percentage of towns with a clinic have a school', `${classOf('Town')} and ${having('clinics')}`, having('schools')],
  ['what share of forest is in towns', FOREST, classOf('Town')],
  ['what percentage of towns are in forest', classOf('Town'), FOREST],
] // prettier-ignore

const grouped = (number: number) => number.toLocaleString('en-US')

describe('a share', function () {
  this.timeout(120_000)
  let key: Minted
  before(async () => {
    const { db } = service()
    key = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
  })
  const ask = async (question: string) => {
    const { url } = service()
    const { secret } = key
    const { structuredContent } = await callTool({ url, secret }, 'ask', { bbox: BOX, question, format: 'figures' })
    return structuredContent as Insight
  }

  for (const [question, whole, part] of rows) {
    it(`is of what is named first: "${question}"`, async () => {
      const [{ of, having: some } = { of: 0, having: 0 }] = await service().db.rows<{ of: number; having: number }>(
        `select count(*)::int as of, (count(*) filter (where ${part}))::int as having from frame where ${IN_BOX} and ${whole}`,
        [],
      )
      assert.ok(of > 0 && some < of)
      const answer = await ask(question)
      const [first] = answer.facets
      const percent = String(Math.round((1000 * some) / of) / 10)
      assert.ok(
        first?.value.startsWith(`${grouped(some)} of ${grouped(of)} frames, ${percent} %`),
        `${answer.headline}\n${some} of ${of}`,
      )
      assert.doesNotMatch(answer.headline, /^(Not answered|No dataset)/)
      assert.deepEqual(await replay(service().db, answer as unknown as SavedAnswer), [])
    })
  }

  it('of each of two classes stands side by side', async () => {
    const { facets } = await ask('share of towns and villages with a school')
    assert.match(facets[0]?.label ?? '', /is Town$/)
    assert.match(facets[1]?.label ?? '', /is Village$/)
  })

  const units: [question: string, level: string, test: string][] = [
    ['what share of wards have a school', 'state, lga, ward', having('schools')],
    ['what percentage of LGAs have a clinic', 'state, lga', having('clinics')],
    ['share of wards with forest', 'state, lga, ward', FOREST],
  ]
  for (const [question, level, test] of units) {
    it(`of units is one of their number: "${question}"`, async () => {
      const [{ of, having: some } = { of: 0, having: 0 }] = await service().db.rows<{ of: number; having: number }>(
        `select count(*)::int as of, count(*) filter (where has)::int as having
          from (select bool_or(${test}) as has from frame where ${IN_BOX} group by ${level}) as unit`,
        [],
      )
      const { headline, facets } = await ask(question)
      assert.ok(facets[0]?.value.startsWith(`${some} of ${of} `), `${headline}\n${some} of ${of}`)
      assert.doesNotMatch(headline, /^Not answered/)
    })
  }

  it('is not answered where the conditions may be of its whole or of its part', async () => {
    for (const question of ['share of urban people with a school'])
      assert.match((await ask(question)).headline, /^Not answered: "/, question)
  })

  it('is said in words with its percentage and its whole', async () => {
    const wording = await startWordingServer()
    const running = await startService(service().database, { wordingUrl: wording.url })
    try {
      wording.behave({ choose: ({ menu }) => ({ paragraphs: [menu.map(({ number }) => number)] }) })
      for (const [question, said] of [
        [
          'what percentage of towns have a clinic',
          /^[\d,]+ of the 24 frames of this area where the settlement class is Town have clinics \([\d.]+ %\)/,
        ],
        [
          'what share of towns have more than 4,000 people',
          /^[\d,]+ of the 24 frames of this area where the settlement class is Town have more than 4,000 people \(2026 estimate\) \([\d.]+ %\)/,
        ],
      ] as const) {
        // prettier-ignore
        const { structuredContent } = await callTool({ url: running.url, secret: key.secret }, 'ask', { bbox: BOX, question })
        const answer = structuredContent as Insight
        assert.match(answer.narrative ?? String(answer.notice), said)
        assert.deepEqual(unaccountedNumbers(answer.narrative ?? '', factsOf(answer)), [])
      }
    } finally {
      await running.stop()
      await wording.close()
    }
  })
})
