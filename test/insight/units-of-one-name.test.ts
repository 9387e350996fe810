/** A unit is its path: two wards of one name are two, in every figure. */
import assert from 'node:assert/strict'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import { groupThousands } from '../../src/core/decimal.js'
import { callTool } from '../mcp/agent.js'
import { mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { placeName } from '../../src/core/place-name.js'

type Total = { attribute: string; class?: string; classFrames?: number }
type Counted = { state: string; lga: string; ward: string; frames: number; people: number }

const WIDE = '-0.56,-0.56,0.56,0.6'
const grouped = (number: number) => groupThousands(String(number))
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe('units of one name', function () {
  this.timeout(240_000)
  let running: Awaited<ReturnType<typeof startService>>
  let agent: Minted
  let wards: Counted[]
  before(async () => {
    const size = { burst: 1000, perMinute: 1000 }
    running = await startService(service().database, { buckets: { key: size, organisation: size, insight: size } })
    agent = await mint(running.db, { org: await newOrganisation(running.db) })
    wards = await countedIn('true')
  })
  after(() => running.stop())

  const countedIn = (condition: string) =>
    service().db.rows<Counted>(
      `select state, lga, ward, count(*)::int as frames,
         coalesce(sum((recorded ->> 'pop_demest26')::float8) filter (where layer_id = 'lyr_population'), 0)::float8 as people
       from frame left join baseline using (frame_id)
       where layer_id = 'lyr_population' and ward is not null and ${condition} group by 1, 2, 3 order by state, lga`,
      [],
    )
  const call = async (name: string, given: object) => {
    const { structuredContent, content } = await callTool({ url: running.url, secret: agent.secret }, name, given)
    assert.ok(structuredContent, content[0]?.text)
    return structuredContent
  }
  const ask = async (place: object, question?: string) =>
    (await call('ask', { ...place, ...(question && { question }), format: 'figures' })) as SavedAnswer
  const valueOf = ({ facets }: SavedAnswer, label: string) => facets.find((each) => each.label === label)?.value

  const places: [where: string, place: object, condition: string][] = [
    ['a state', { state: 'marembe' }, "state = 'MAREMBE'"],
    ['a box', { bbox: WIDE }, `ST_Intersects(geom, ST_MakeEnvelope(${WIDE}, 4326))`],
  ]
  for (const [where, place, condition] of places)
    it(`are classes of their own among the frames of ${where}, in figures, in totals and in a replay`, async () => {
      const all = await countedIn(condition)
      const frames = await service().db.rows<{ n: number }>(
        `select count(*)::int as n from frame where ${condition}`,
        [],
      )
      const most = all.reduce((a, b) => (b.frames > a.frames ? b : a))
      const answer = await ask(place)
      const share = `${placeName(most.ward)} (${grouped(most.frames)} of ${grouped(frames[0]?.n ?? 0)} frames`
      assert.ok(
        valueOf(answer, 'Ward, most common')?.startsWith(share),
        `${valueOf(answer, 'Ward, most common')}: ${share}`,
      )
      assert.deepEqual(await replay(service().db, answer), [])
      const { totals } = (await call('totals', place)) as { totals: Total[] }
      assert.equal(totals.find(({ attribute }) => attribute === 'adm_ward')?.class, most.ward)
    })

  it('are told apart by the units above where classes are listed', async () => {
    const { facets } = await ask({ state: 'marembe', lga: 'kirin gate' }, 'list the wards')
    const { frames } = wards.find(({ lga, ward }) => lga === 'KIRIN GATE' && ward === 'OLD MARKET') ?? {}
    assert.ok(
      JSON.stringify(facets).includes(`Old Market (Kirin Gate, Marembe) (${frames} of `),
      JSON.stringify(facets),
    )
  })

  it('are not the most common one together, among frames that are listed', async () => {
    const frameIds = await service().db.rows<{ id: string }>(
      `select frame_id::text as id from (
         select frame_id, row_number() over (partition by state, lga, ward order by frame_id) as turn, lga, ward from frame
       ) as ranked
       where (ward = 'OLD MARKET' and turn <= 15) or (ward = 'TWIN WELLS' and turn <= 20)`,
      [],
    )
    const answer = await ask({ frameIds: frameIds.map(({ id }) => id) }, 'most common ward')
    assert.equal(valueOf(answer, 'Ward, most common'), 'Twin Wells (20 of 50 frames, 40 %)')
    assert.deepEqual(await replay(service().db, answer), [])
  })

  for (const [name, place] of [
    ['OLD MARKET', { state: 'marembe' }],
    ['CENTRAL', { bbox: '-1,-1,1,1' }],
  ] as const)
    it(`have a figure each where a question names ${name}, and none together`, async () => {
      const named = wards.filter(({ lga, ward }) => [lga, ward].includes(name))
      const lgas = [...new Set(named.map(({ state, lga }) => `${state} ${lga}`))]
      const each = lgas.map((path) => named.filter(({ state, lga }) => `${state} ${lga}` === path))
      assert.equal(each.length, 2)
      for (const [question, values] of [
        [
          `people in ${name.toLowerCase()}`,
          each.map((own) => `${grouped(sum(own.map(({ people }) => people)))} people`),
        ],
        [
          `how many frames are in ${name}`,
          each.map((own) => `${grouped(sum(own.map(({ frames }) => frames)))} frames`),
        ],
      ] as const) {
        const { facets } = await ask(place, question)
        assert.deepEqual(
          facets.slice(0, 2).map(({ value }) => value),
          values,
        )
        const both = grouped(sum(each.flat().map(({ frames }) => frames)))
        for (const { label, value } of facets) assert.ok(!value.startsWith(`${both} `), `${label}: ${value}`)
      }
    })
})
