/** Tools that take a shape: its frames, its totals in two ways, and questions about it. */
import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { verifyCite } from '../../src/core/insight/index.js'
import { faults } from '../analyst/shapes.js'
import { mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { callTool } from './agent.js'

type Total = {
  layerId: string
  attribute: string
  total?: string
  byArea?: string
  class?: string
  recorded: number
  cite?: string
}
type Totals = { frames: number; km2: string; km2Inside?: string; totals: Total[]; notRead: string[] }
type Page = { frames: { id: string }[]; truncated?: boolean; next?: string }

const WKT = 'POLYGON((0.05 0.05,0.31 0.08,0.22 0.13,0.3 0.33,0.05 0.05))'
const POLYGON = JSON.parse(
  '{"type":"Polygon","coordinates":[[[0.05,0.05],[0.31,0.08],[0.22,0.13],[0.3,0.33],[0.05,0.05]]]}',
) as object

describe('a tool of /mcp that takes a shape', function () {
  this.timeout(120_000)
  let running: Awaited<ReturnType<typeof startService>>
  let agent: Minted
  before(async () => {
    const size = { burst: 1000, perMinute: 1000 }
    running = await startService(service().database, { buckets: { key: size, organisation: size, insight: size } })
    const org = await newOrganisation(running.db)
    await license(running.db.run, 'lyr_market', org, 2)
    agent = await mint(running.db, { org })
  })
  after(() => running.stop())

  const call = (name: string, given: object, { secret } = agent) => callTool({ url: running.url, secret }, name, given)
  const totals = async (given: object) => (await call('totals', given)).structuredContent as Totals
  const refusal = async (name: string, given: object) => {
    const { isError, _meta } = await call(name, given)
    assert.equal(isError, true, JSON.stringify(given).slice(0, 80))
    return _meta?.error ?? { code: '', message: '' }
  }
  const idsByHand = async (wkt: string) =>
    (
      await service().db.rows<{ id: string }>(
        'select frame_id::text as id from frame where ST_Intersects(geom, ST_GeomFromText($1::text, 4326)) order by frame_id',
        [wkt],
      )
    ).map(({ id }) => id)

  it('gives the frames that touch it, page after page, in whatever form it comes', async () => {
    const wanted = await idsByHand(WKT)
    assert.ok(wanted.length > 200)
    const feature = { type: 'Feature', properties: null, geometry: POLYGON }
    const forms = [WKT, POLYGON, JSON.stringify(POLYGON), feature, { type: 'FeatureCollection', features: [feature] }]
    for (const shape of forms) {
      const ids: string[] = []
      let after: string | undefined
      do {
        const page = (await call('frames', { shape, limit: shape === WKT ? 90 : 1000, ...(after && { after }) }))
          .structuredContent as Page
        ids.push(...page.frames.map(({ id }) => id))
        after = page.next
      } while (after !== undefined)
      assert.deepEqual(ids, wanted, JSON.stringify(shape).slice(0, 60))
    }
  })

  it('takes the polygons of several features as one shape', async () => {
    const at = (west: number) => {
      const ring = `[${west},0.1],[${west + 0.03},0.1],[${west + 0.03},0.12],[${west},0.1]`
      return JSON.parse(`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[${ring}]]}}`) as object
    }
    const shape = { type: 'FeatureCollection', features: [at(0.1), at(0.2)] }
    const [one, other, both] = await Promise.all([at(0.1), at(0.2), shape].map((each) => totals({ shape: each })))
    assert.equal(both?.frames, (one?.frames ?? 0) + (other?.frames ?? 0))
  })

  it('adds up whole frames, and the shares of their areas, as analyst.totals_in does', async () => {
    const { frames, km2, km2Inside, totals: found, notRead } = await totals({ shape: WKT })
    const wanted = await service().db.rows<Total & { frames: number; summary: string }>(
      `select layer_id as "layerId", attribute, summary, total_by_area::text as "byArea",
         case when summary in ('mean', 'weighted_mean', 'length', 'area') then rounded(total, 2) else total end::text as total,
         recorded::int as recorded, frames::int as frames
       from analyst.totals_in(ST_GeomFromText($1::text))`,
      [WKT],
    )
    assert.deepEqual([frames, notRead], [wanted[0]?.frames, ['lyr_market']])
    assert.ok(Number(km2Inside) < Number(km2) && Number(km2Inside) > 0)
    assert.ok(found.length > 15)
    for (const { layerId, attribute, total, byArea, recorded } of found) {
      const own = wanted.find((each) => each.layerId === layerId && each.attribute === attribute)
      assert.ok(own, `${layerId} ${attribute}`)
      assert.deepEqual([total, recorded], [own.total ?? undefined, own.recorded], `${layerId} ${attribute}`)
      if (['mode', 'length', 'area'].includes(own.summary)) continue
      assert.ok(
        Math.abs(Number(byArea) - Number(own.byArea)) <= 1e-6 * Math.abs(Number(own.byArea)) + 0.01,
        `${layerId} ${attribute}: ${byArea} came, ${own.byArea} is right`,
      )
    }
  })

  it('answers a question about it as about the same frames, and reads no dataset with a price', async () => {
    const question = 'how many people are there'
    const answer = (await call('ask', { shape: WKT, question })).structuredContent as {
      frames: number
      facets: { value: string }[]
      place: unknown
    }
    const ids = await idsByHand(WKT)
    const [sum] = await service().db.rows<{ people: string }>(
      `select sum((recorded ->> 'pop_demest26')::numeric)::text as people
       from baseline_row join dataset using (version) where layer_id = 'lyr_population' and frame_id = any($1::bigint[])`,
      [ids],
    )
    assert.deepEqual([answer.frames, answer.place], [ids.length, { shape: WKT }])
    assert.equal(answer.facets[0]?.value.replaceAll(',', '').split(' ')[0], sum?.people)
    const shops = await call('ask', { shape: WKT, question: 'how many shops are there' })
    assert.match(shops.content[0]?.text ?? '', /^"Markets and shops" costs 2 credits a call/)
  })

  it('answers a question without a place about the whole index', async () => {
    const asked = { question: 'how many people are there', format: 'figures' }
    const answered = async (place: object) =>
      (await call('ask', { ...place, ...asked })).structuredContent as { frames: number; headline: string }
    const [whole, part] = [await answered({}), await answered({ state: 'marembe' })]
    assert.equal(whole.frames, (await totals({})).frames)
    const { headline } = (await call('ask', { question: 'how many people are there in Marembe', format: 'figures' }))
      .structuredContent as { headline: string }
    const people = (text: string) => /([\d,]+) people/.exec(text)?.[1]
    assert.ok(people(headline))
    assert.equal(people(headline), people(part.headline))
  })

  it('adds up a unit, a box and the whole index too, and says where no frame lies', async () => {
    assert.equal((await totals({ state: 'marembe' })).frames, 6474)
    assert.ok((await totals({ bbox: '0.2,0.1,0.22,0.12' })).totals.some(({ byArea }) => byArea !== undefined))
    assert.ok((await totals({})).frames > 10_000)
    const metres = 'SRID=3857;POLYGON((0 0,22000 0,0 22000,0 0))'
    assert.equal(
      (await totals({ shape: metres })).frames,
      (await idsByHand('POLYGON((0 0,0.19763 0,0 0.19763,0 0))')).length,
    )
    const far = await call('totals', { shape: 'POLYGON((50 50,51 50,51 51,50 50))' })
    assert.equal(far.content[0]?.text, 'No frame lies there.')
  })

  it('gives each total a cite, which is verified as the same figure', async () => {
    for (const place of [{}, { state: 'marembe', lga: 'lakeside' }, { bbox: '0.2,0.1,0.22,0.12' }, { shape: WKT }])
      for (const { cite = '', total, class: value, ...of } of (await totals(place)).totals) {
        const told = /: ([^:]+)\. [^:]+\{"place"/.exec(cite)?.[1] ?? ''
        if (value === undefined)
          assert.equal(Number.parseFloat(told.replaceAll(',', '')), Number(total), JSON.stringify(of))
        assert.equal((await verifyCite(running.db, cite)).verdict, 'same', cite)
      }
  })

  it('refuses a bad shape, and names the place of the fault', async () => {
    for (const [shape, message] of faults()) {
      // A message has at most 64 KiB. What begins otherwise than a polygon is not sent to PostGIS.
      if (shape.length > 60_000) continue
      const isPolygon = /^(SRID=\d+;)?(MULTI)?POLYGON/.test(shape)
      const { code, message: came } = await refusal('totals', { shape })
      assert.equal(code, 'invalid', shape.slice(0, 60))
      assert.match(came, isPolygon ? message : /a POLYGON or a MULTIPOLYGON is accepted/)
    }
  })

  it('needs the capability of its call', async () => {
    const asking = await mint(running.db, { org: agent.orgId, capabilities: ['ask.query'] })
    const { _meta } = await call('totals', { shape: WKT }, asking)
    assert.equal(_meta?.error?.code, 'insufficient_scope')
    const locality = await mint(running.db, { org: agent.orgId, capabilities: ['frame.read'] })
    const read = (await call('totals', { shape: WKT }, locality)).structuredContent as Totals
    assert.ok(read.totals.length > 0 && read.totals.every(({ attribute }) => attribute !== 'features'))
  })
})
