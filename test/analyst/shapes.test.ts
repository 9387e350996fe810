/** Functions of schema analyst that take a shape, and sets of frames of a shape, against PostGIS by hand. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { connect, type Database } from '../../src/core/db/connect.js'
import { figuresOfFrames, profile } from '../../src/core/db/statements.js'
import { analystTarget } from '../support/database.js'
import { sample, sampleOfCases } from '../support/sample.js'
import { service } from '../support/service.js'

import { faults, polygons, shapes } from './shapes.js'

const SRIDS = [0, 4326, 3857, 32_631] as const
const LAYERS = ['lyr_population', 'lyr_terrain', 'lyr_buildings', 'lyr_schools', 'lyr_roads', 'lyr_reserves']

type Held = { id: string; share: number }
type Total = {
  layer: string
  attribute: string
  summary: string
  total: string | null
  byArea: string | null
  class: string | null
  classByArea: string | null
  recorded: number
  frames: number
}

const TOTALS = `select layer_id as layer, attribute, summary, total::text as total, total_by_area::text as "byArea", class,
    class_by_area as "classByArea", recorded::int as recorded, frames::int as frames
  from analyst.totals_in(ST_GeomFromText($1::text, 4326))`

/** Computes the totals by area from the frames and their shares: $1 is the shape. */
const BY_HAND = `with asked as (
    select ST_GeomFromText($1::text, 4326) as geom
  ), held as materialized (
    select frame_id, area_km2, (ST_Area(ST_Intersection(frame.geom, asked.geom)) / ST_Area(frame.geom))::numeric as share
    from frame join asked on ST_Intersects(frame.geom, asked.geom)
  ), recorded as (
    select held.*, layer_id, recorded from held join baseline_row using (frame_id) join dataset using (version)
  )
  select
    (select sum(plain_number(recorded ->> 'pop_demest26') * share) from recorded where layer_id = 'lyr_population')::float8 as people,
    (select sum(plain_number(recorded ->> 'phy_slopemean') * area_km2 * share)
        / nullif(sum(area_km2 * share) filter (where plain_number(recorded ->> 'phy_slopemean') is not null), 0)
      from recorded where layer_id = 'lyr_terrain')::float8 as slope,
    (select recorded ->> 'phy_landcov' from recorded where layer_id = 'lyr_terrain' and recorded ->> 'phy_landcov' <> ''
      group by 1 order by sum(share * area_km2) desc, min(recorded ->> 'phy_landcov' collate "C") limit 1) as cover,
    (select count(*)::int from feature join dataset using (version) join asked on ST_Intersects(feature.geom, asked.geom)
      where layer_id = 'lyr_schools') as schools,
    (select count(*)::int from feature join dataset using (version) join asked on ST_Intersects(feature.geom, asked.geom)
      where layer_id = 'lyr_roads') as roads,
    (select coalesce(sum(ST_Length(ST_Intersection(feature.geom, asked.geom)::geography)), 0) / 1000 from feature join dataset using (version) join asked on ST_Intersects(feature.geom, asked.geom)
      where layer_id = 'lyr_roads') as "roadsInside",
    (select coalesce(sum(ST_Length(ST_Intersection(feature.geom, frame.geom)::geography)), 0) / 1000
      from feature join dataset using (version) join feature_frame using (version, feature_no) join held using (frame_id) join frame using (frame_id)
      where layer_id = 'lyr_roads') as "roadsOnFrames",
    (select coalesce(sum(ST_Area(ST_CollectionExtract(ST_Intersection(feature.geom, asked.geom), 3)::geography)), 0) / 1e6 from feature join dataset using (version) join asked on ST_Intersects(feature.geom, asked.geom)
      where layer_id = 'lyr_reserves') as "reservesInside"`
type ByHand = {
  people: number | null
  slope: number | null
  cover: string | null
  schools: number
  roads: number
  roadsInside: number
  roadsOnFrames: number
  reservesInside: number
}

/** Rounded figures differ by half of the last of two places at most. */
function assertNear(came: string | null, wanted: number | null, what: string, most = 0.005): void {
  if (wanted === null) return assert.equal(came, null, what)
  const isNear = came !== null && Math.abs(Number(came) - wanted) <= Math.max(most, Math.abs(wanted) * 1e-9) + 1e-9
  assert.ok(isNear, `${came}, and by hand ${wanted}: ${what}`)
}

/** A number of two places, or of two digits where it is small, against the same with six digits. */
function assertRounds(came: string | null, wanted: string | null, what: string): void {
  if (came === null || wanted === null) return assert.equal(came, wanted, what)
  const places = Math.max(2, 1 - Math.floor(Math.log10(Math.abs(Number(came) || 1))))
  assert.ok(Math.abs(Number(came) - Number(wanted)) <= 0.5 * 10 ** -places + 1e-12, `${came}, ${wanted}: ${what}`)
}

function assertAlike(came: readonly Held[], wanted: readonly Held[]): void {
  assert.deepEqual(
    came.map(({ id }) => id),
    wanted.map(({ id }) => id),
  )
  for (const [i, { id, share }] of came.entries())
    assert.ok(Math.abs(share - (wanted[i]?.share ?? NaN)) < 1e-7, `${id}: ${share} came, ${wanted[i]?.share} is right`)
}

describe('the functions of shapes', function () {
  this.timeout(sample(300_000, 3_600_000))
  let analyst: Database
  before(() => {
    analyst = connect(analystTarget(service().database), { connections: 1, deadlineMs: 60_000 })
  })
  after(() => analyst.close())

  it('give the frames of 300 random shapes in four systems as ST_Intersects does, and their shares', async () => {
    let [whole, part, none] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(shapes, fc.constantFrom(...SRIDS), async (wkt, srid) => {
        const given =
          srid === 0 ? 'ST_GeomFromText($1::text)' : `ST_Transform(ST_GeomFromText($1::text, 4326), ${srid})`
        const inDegrees =
          srid === 3857 || srid === 32_631
            ? `ST_Transform(ST_Segmentize(${given}, 1000), 4326)`
            : 'ST_GeomFromText($1::text, 4326)'
        const came = await analyst.rows<Held>(`select frame_id::text as id, share from analyst.frames_in(${given})`, [
          wkt,
        ])
        const wanted = await service().db.rows<Held>(
          `with asked as materialized (select ${inDegrees} as geom)
          select frame_id::text as id, ST_Area(ST_Intersection(frame.geom, asked.geom)) / ST_Area(frame.geom) as share
          from frame join asked on ST_Intersects(frame.geom, asked.geom) order by frame_id`,
          [wkt],
        )
        assertAlike(came, wanted)
        for (const { share } of came) {
          if (share === 1) whole += 1
          else if (share > 0) part += 1
          else none += 1
        }
      }),
      sampleOfCases(300, 10_000),
    )
    assert.ok(whole > 1000 && part > 1000 && none > 100, `${whole} ${part} ${none}`)
  })

  it('give the shares of a shape of 10,000 vertices over the whole country', async () => {
    const ring = Array.from({ length: 10_000 }, (_, i) => {
      const [turn, radius] = [(2 * Math.PI * (i % 9999)) / 9999, i % 9999 === 0 ? 0.7 : 0.6 + 0.1 * Math.cos(i % 9999)]
      return `${radius * Math.cos(turn)} ${radius * Math.sin(turn)}`
    })
    const wkt = `POLYGON((${ring.join(',')}))`
    const came = await analyst.rows<Held>(
      'select frame_id::text as id, share from analyst.frames_in(ST_GeomFromText($1::text, 4326)) where frame_id % 97 = 0',
      [wkt],
    )
    const wanted = await service().db.rows<Held>(
      `select frame_id::text as id, ST_Area(ST_Intersection(frame.geom, shape)) / ST_Area(frame.geom) as share
      from frame join ST_GeomFromText($1::text, 4326) as shape on ST_Intersects(frame.geom, shape)
      where frame_id % 97 = 0 order by frame_id`,
      [wkt],
    )
    assert.ok(came.length > 60 && came.some(({ share }) => share > 0 && share < 1))
    assertAlike(came, wanted)
  })

  it('give totals over whole frames as the totals of a box have them', async () => {
    const side = fc.integer({ min: -750, max: 550 }).map((n) => n / 1000)
    const length = fc.integer({ min: 1, max: 300 }).map((n) => n / 1000)
    await fc.assert(
      fc.asyncProperty(side, side, length, length, async (west, south, width, height) => {
        const [east, north] = [west + width, south + height]
        const wkt = `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`
        const came = await analyst.rows<Total>(TOTALS, [wkt])
        const wanted = await profile(service().db, ['box', ...[west, south, east, north].map(String)], LAYERS)
        for (const total of wanted) {
          assert.ok(total.layer !== null)
          // Analysts have no lengths and areas over shapes.
          if (total.summary === 'length' || total.summary === 'area') continue
          const own = came.find(
            ({ layer, attribute }) => layer === LAYERS[total.layer - 1] && attribute === total.attribute,
          )
          const name = `${LAYERS[total.layer - 1]} ${total.attribute} ${wkt}`
          assert.ok(own, name)
          assert.deepEqual([own.recorded, own.frames], [total.recorded, total.frames], name)
          if (/mean/.test(total.summary ?? '')) assertRounds(own.total, total.number, name)
          else assert.equal(own.total, total.number, name)
          if (total.summary === 'mode') assert.equal(own.class, total.classes?.[0]?.class ?? null, name)
        }
      }),
      sampleOfCases(15, 300),
    )
  })

  it('give totals by area as the shares of PostGIS add up', async () => {
    await fc.assert(
      fc.asyncProperty(polygons, async (wkt) => {
        const came = await analyst.rows<Total>(TOTALS, [wkt])
        const [wanted] = await service().db.rows<ByHand>(BY_HAND, [wkt])
        const of = (layer: string, attribute: string) =>
          came.find((row) => row.layer === layer && row.attribute === attribute)
        assert.ok(wanted)
        assertNear(of('lyr_population', 'pop_demest26')?.byArea ?? null, wanted.people, `people of ${wkt}`)
        assertNear(of('lyr_terrain', 'phy_slopemean')?.byArea ?? null, wanted.slope, `slope of ${wkt}`)
        assert.equal(of('lyr_terrain', 'phy_landcov')?.classByArea ?? null, wanted.cover)
        assert.equal(of('lyr_schools', 'features')?.byArea, String(wanted.schools))
        assert.equal(of('lyr_roads', 'features')?.byArea, String(wanted.roads))
        assertNear(of('lyr_roads', 'km')?.byArea ?? null, wanted.roadsInside, `roads in ${wkt}`, 1e-5)
        assertNear(of('lyr_roads', 'km')?.total ?? null, wanted.roadsOnFrames, `roads on frames of ${wkt}`, 1e-3)
        assertNear(of('lyr_reserves', 'km2')?.byArea ?? null, wanted.reservesInside, `reserves in ${wkt}`, 1e-5)
      }),
      sampleOfCases(30, 1000),
    )
  })

  it('refuse a bad shape, and name the place of the fault', async () => {
    for (const [wkt, message] of faults()) {
      for (const call of ['frames_in', 'totals_in'])
        await assert.rejects(
          analyst.rows(`select * from analyst.${call}(ST_GeomFromEWKT($1::text))`, [wkt]),
          message,
          wkt.slice(0, 80),
        )
      await assert.rejects(service().db.rows('select frame_set($1::text[])', [['shape', wkt]]), message)
    }
  })

  it('give no frame for null, and none where the shape lies off the grid, whose totals are none', async () => {
    assert.deepEqual(await analyst.rows('select * from analyst.frames_in(null)', []), [])
    const far = 'POLYGON((50 50,51 50,51 51,50 50))'
    assert.deepEqual(await analyst.rows('select * from analyst.frames_in(ST_GeomFromText($1::text))', [far]), [])
    const totals = await analyst.rows<Total>(TOTALS, [far])
    assert.ok(totals.length > 20)
    for (const { summary, total, byArea, frames, recorded } of totals)
      assert.deepEqual(
        [total, byArea, frames, recorded],
        /count|length|area/.test(summary) ? ['0', '0', 0, 0] : [null, null, 0, 0],
      )
  })
})

describe('a set of frames of a shape', () => {
  it('holds the frames that touch, in the order of their ids, for every statement of figures', async () => {
    const { db } = service()
    await fc.assert(
      fc.asyncProperty(shapes, async (wkt) => {
        const [row] = await db.rows<{ came: string[]; wanted: string[] }>(
          `select frame_set($1::text[])::text[] as came,
            array(select frame_id::text from frame where ST_Intersects(geom, ST_GeomFromText($2::text, 4326)) order by frame_id) as wanted`,
          [['shape', wkt], wkt],
        )
        assert.deepEqual(row?.came, row?.wanted)
        const [[ofShape], [ofIds]] = await Promise.all([
          figuresOfFrames(db, ['shape', wkt]),
          figuresOfFrames(db, row?.wanted ?? []),
        ])
        assert.deepEqual({ ...ofShape }, { ...ofIds })
      }),
      sampleOfCases(30, 1000),
    )
  })

  it('is written as GeoJSON or with a SRID too', async () => {
    const { db } = service()
    const setOf = async (text: string) =>
      (await db.rows<{ ids: string[] }>('select frame_set($1::text[])::text[] as ids', [['shape', text]]))[0]?.ids
    const wanted = await setOf('POLYGON((0.2 0.1,0.205 0.1,0.205 0.105,0.2 0.1))')
    assert.ok(wanted?.includes('324378020'))
    assert.deepEqual(
      await setOf('{"type":"Polygon","coordinates":[[[0.2,0.1],[0.205,0.1],[0.205,0.105],[0.2,0.1]]]}'),
      wanted,
    )
    assert.deepEqual(await setOf('SRID=4326;POLYGON((0.2 0.1,0.205 0.1,0.205 0.105,0.2 0.1))'), wanted)
  })
})
