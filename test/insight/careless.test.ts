/** Plans of a careless model, which ties every word of a question to what it plans: none is an exact answer. */
import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import type { PlannedAsk, PlannedCondition, ReadingPlan } from '../../src/core/insight/reading/plan.js'
import { credit } from '../support/datasets.js'
import { mint, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type MessagesBody, type WordingServer } from '../support/wording-server.js'
import { insightOf } from './ask.js'
import { ask, condition, plan, subjectIdIn } from './plans.js'

type Named = { body: MessagesBody; question: string }
/** A name of the catalogue, or a name and one of its classes: "Land cover: Forest". */
const idOf = ({ body }: Named, name: string): string => {
  const [label = '', value] = name.split(': ')
  const id = label.startsWith('index_') ? label : subjectIdIn(body, new RegExp(`^t\\d+ "${label}"`))
  const line = body.messages[0]?.content.split('\n').find((each) => each.startsWith(`${id} `))
  return value === undefined ? id : (new RegExp(`(t\\d+c\\d+) "${value}"`).exec(line ?? '')?.[1] ?? 'none')
}
type Made<Part> = (named: Named) => Part
const asks =
  (subject: string, { other = 'none', by = 'none', ...more }: Partial<PlannedAsk> = {}): Made<PlannedAsk> =>
  (named) =>
    ask(named.question, idOf(named, subject), {
      ...more,
      other: other === 'none' ? other : idOf(named, other),
      by: by === 'none' ? by : idOf(named, by),
    })
const tests =
  (subject: string, test: PlannedCondition['test'], number = ''): Made<PlannedCondition> =>
  (named) =>
    condition(named.question, idOf(named, subject), test, number)

const PEOPLE = 'Population, 2026 estimate'
const AS_PEOPLE = `as "${PEOPLE}"`
/** Words that an ask and a condition have alike are read as both. */
const soulsAnd = (name: string) => `"souls" as "${PEOPLE}; ${name}"`
/** `read`: the answer says so. Otherwise the plan is not used, for this reason. */
type Row = [
  question: string,
  planned: Made<PlannedAsk>,
  outcome: { read: string; first?: string } | { refused: string },
  conditions?: Made<PlannedCondition>[],
  more?: Partial<ReadingPlan>,
]
const NAME = 'a name of the catalogue is passed over'
const PLACE = 'a place is passed over'
const SCHEMA = 'it does not match the schema'
const rows: Row[] = [
  ['how many teachers are there', asks('Schools, pupils'), { read: '"teachers" as "Schools, pupils"' }],
  ['how many people died of cholera', asks(PEOPLE), { read: `"died" ${AS_PEOPLE}. Read "cholera" ${AS_PEOPLE}` }],
  ['who is the governor of Lakeside', asks(PEOPLE, { places: ['Lakeside'] }), { read: `"governor" ${AS_PEOPLE}` }],
  ['how much forest burned', asks('Land cover: Forest', { operation: 'class' }), { read: '"burned" as "Land cover: Forest"' }],
  ['median wealth', asks(PEOPLE, { operation: 'median' }), { read: `"wealth" ${AS_PEOPLE}` }],
  ['median wealth', asks(PEOPLE), { refused: '"median" is passed over' }],
  ['the most expensive house', asks('Buildings', { operation: 'highest' }), { read: '"expensive" as "Buildings"' }],
  ['nurses at work in clinics', asks('Clinics'), { read: '"nurses" as "Clinics"' }],
  ['how many jobs are there', asks('Shops'), { refused: SCHEMA }],
  ['how many elephants live here', asks('Nature reserves'), { refused: SCHEMA }],
  ['elephants where many stores are', asks(PEOPLE), { refused: SCHEMA }, [tests('Nature reserves', 'any')]],
  ['mean roll of a secondary school', asks('Schools, pupils', { operation: 'mean' }), { refused: SCHEMA }, [tests('Schools, level: Secondary', 'class')]],
  ['souls near boarding schools', asks(PEOPLE), { refused: SCHEMA }, [tests('Schools, boarding: true', 'class')]],
  ['how many clinics employ nurses', asks('Schools'), { refused: NAME }],
  ['how many souls and how many clinics', asks(PEOPLE), { refused: NAME }],
  ['nurses in towns', asks('Clinics'), { refused: NAME }],
  ['souls in towns', asks(PEOPLE), { read: soulsAnd('Settlement class: Town'), first: 'Town' }, [tests('Settlement class: Town', 'class')]],
  ['souls in towns or villages', asks(PEOPLE), { refused: 'two classes of one category' }, [tests('Settlement class: Town', 'class'), tests('Settlement class: Village', 'class')]],
  ['souls in forest or wetland', asks(PEOPLE), { refused: '"or" is passed over' }, [tests('Land cover: Forest', 'class')]],
  ['how many souls in Lakeside', asks(PEOPLE), { read: `"souls" ${AS_PEOPLE}`, first: 'LAKESIDE' }],
  ['how many souls in Lakeside', asks(PEOPLE, { places: ['Lakeside'] }), { read: `"souls" ${AS_PEOPLE}`, first: 'LAKESIDE' }],
  ['how many souls in Lake Island', asks(PEOPLE, { places: ['Lake Island'] }), { read: `"souls" ${AS_PEOPLE}`, first: 'LAKE ISLAND' }],
  ['souls of Lakeside, clinics of Kirin Gate', asks(PEOPLE, { places: ['Lakeside'], other: 'Clinics', operation: 'per' }), { refused: PLACE }],
  ['how many souls outside Lakeside', asks(PEOPLE, { places: ['Lakeside'] }), { refused: '"outside" is passed over' }],
  ['souls outside Lakeside', asks(PEOPLE, { places: ['Lakeside'] }), { refused: 'a place that is something else as well' }, [], { notComputable: ['outside Lakeside'] }],
  ['how many souls not in forest', asks(PEOPLE), { refused: '"not" is passed over' }, [tests('Land cover: Forest', 'class')]],
  ['how many souls not in forest', asks(PEOPLE), { read: soulsAnd('Land cover: Forest'), first: 'not Forest' }, [tests('Land cover: Forest', 'not_class')]],
  ['souls without a school', asks(PEOPLE), { refused: '"without" is passed over' }, [tests('Schools', 'any')]],
  ['souls over 2 km from a school', asks(PEOPLE), { refused: '"over" is passed over' }, [tests('Straight-line distance to Schools', 'below', '2')]],
  ['souls over 2 km from a school', asks(PEOPLE), { read: soulsAnd('Straight-line distance to Schools'), first: 'above 2 km' }, [tests('Straight-line distance to Schools', 'above', '2')]],
  ['rain above 200 mm', asks(PEOPLE, { operation: 'frames' }), { read: `"rain" as "${PEOPLE}; Mean elevation"` }, [tests('Mean elevation', 'above', '200')]],
  ['which LGA has the most souls', asks(PEOPLE), { refused: '"most" is passed over' }],
  ['which LGA has the fewest souls', asks(PEOPLE, { by: 'index_lga', operation: 'highest' }), { refused: '"fewest" is passed over' }],
  ['which LGA has the most souls', asks(PEOPLE, { by: 'index_lga', operation: 'highest' }), { read: `"souls" ${AS_PEOPLE}`, first: 'by LGA, highest' }],
  ['teachers by ward', asks('Schools, pupils'), { refused: '"by" is passed over' }],
  ['teachers by ward', asks('Schools, pupils', { by: 'index_ward' }), { read: '"teachers" as "Schools, pupils"', first: 'by ward' }],
  ['average souls per school', asks(PEOPLE), { refused: '"average" is passed over' }],
  ['souls per school', asks(PEOPLE, { operation: 'per', other: 'Schools' }), { read: `"souls" ${AS_PEOPLE}` }],
  ['souls per school', asks(PEOPLE), { refused: '"per" is passed over' }],
  ['share of souls in forest', asks(PEOPLE), { refused: '"share of" is passed over' }, [tests('Land cover: Forest', 'class')]],
  ['density of souls', asks(PEOPLE), { refused: '"density" is passed over' }],
  ['growth of souls', asks(PEOPLE), { refused: '"growth" is passed over' }],
  ['growth of souls', asks(PEOPLE, { operation: 'change', other: 'Population, 2025 estimate' }), { read: `"souls" ${AS_PEOPLE}` }],
  ['souls last year', asks(PEOPLE), { refused: '"last year" is passed over' }],
  ['souls last year', asks('Population, 2025 estimate'), { read: '"souls" as "Population, 2025 estimate"' }],
  ['souls in 2031', asks(PEOPLE), { refused: 'a number is passed over' }],
  ['when will the souls move', asks(PEOPLE), { refused: '"when" is passed over' }],
  ['wangapi waalimu wanafanya kazi', asks('Schools, pupils'), { read: '"wangapi waalimu wanafanya kazi" as "Schools, pupils"' }],
] // prettier-ignore

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

  const answerTo = (question: string, format?: string) =>
    insightOf({ url: running.url, secret: key.secret }, { frameIds, question, ...(format && { format }) })

  for (const [question, planned, outcome, conditions = [], more = {}] of rows) {
    const title = 'read' in outcome ? `is said in the answer to "${question}"` : `gives no answer to "${question}"`
    it(`${title}: ${'read' in outcome ? outcome.read : outcome.refused}`, async () => {
      wording.behavePlanning(({ body }) => {
        const named = { body, question }
        const parts = { asks: [planned(named)], conditions: conditions.map((each) => each(named)) }
        return { text: JSON.stringify(plan({ ...parts, ...more })) }
      })
      lines.length = 0
      const answer = await answerTo(question)
      const planLine = lines
        .map((line) => JSON.parse(line) as { plan?: string; reason?: string })
        .find((line) => line.plan)
      const { headline, confidence, facets } = answer
      if ('read' in outcome) {
        assert.equal(planLine?.plan, 'planned', planLine?.reason)
        assert.ok(headline.startsWith(`Read ${outcome.read}. `), headline)
        assert.ok(facets[0]?.label.includes(outcome.first ?? ''), facets[0]?.label)
        assert.equal(confidence, 'read')
      } else {
        assert.equal(headline, (await answerTo(question, 'figures')).headline)
        assert.equal(planLine?.reason, outcome.refused)
        assert.equal(confidence, 'nearest')
      }
      assert.deepEqual(answer.charged, [])
    })
  }
})
