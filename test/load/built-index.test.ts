import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fixture, service } from '../support/service.js'
import { number } from './files.js'

/** How many frames of the fixture's index fulfil a condition. */
const framesThat = (condition: string) =>
  number(service().db, `select count(*)::int as n from frame where ${condition}`)
const frameAt = (lon: number, lat: number) => `ST_Covers(geom, ST_SetSRID(ST_MakePoint(${lon}, ${lat}), 4326))`

describe('the index built from the fixture', () => {
  it('has 12,411 frames, one for each cell that holds land', async () => {
    assert.equal(await framesThat('true'), 12_411)
  })

  it('numbers each frame row * 36000 + col of the south-west corner of its cell', async () => {
    const cell = `ST_MakeEnvelope((frame_id % 36000) / 100.0 - 180, (frame_id / 36000) / 100.0 - 90,
      (frame_id % 36000 + 1) / 100.0 - 180, (frame_id / 36000 + 1) / 100.0 - 90, 4326)`
    assert.equal(await framesThat(`not ST_Covers(${cell}, geom)`), 0)
  })

  it('holds valid geometry in EPSG:4326, rings counterclockwise, a MultiPolygon only where there are several parts', async () => {
    assert.equal(await framesThat('not ST_IsValid(geom) or ST_SRID(geom) <> 4326'), 0)
    assert.equal(await framesThat('not ST_IsPolygonCCW(geom)'), 0)
    assert.equal(await framesThat(`GeometryType(geom) = 'MULTIPOLYGON' and ST_NumGeometries(geom) = 1`), 0)
    assert.equal(await framesThat(`GeometryType(geom) = 'MULTIPOLYGON'`), 147)
    assert.equal(await number(service().db, 'select max(ST_NumGeometries(geom)) as n from frame'), 5)
  })

  // ST_ReducePrecision cannot be the judge: before GEOS 3.12 it leaves 0.39999999999999997 where 0.4 is nearest.
  it('holds 7 decimals: the geometry is the very numbers that are sent', async () => {
    assert.equal(await framesThat(`geojson ~ '\\.\\d{8}'`), 0)
    assert.equal(await framesThat('ST_AsBinary(geom) <> ST_AsBinary(ST_GeomFromGeoJSON(geojson))'), 0)
    assert.equal(await framesThat(`bbox ~ '\\.\\d{8}'`), 0)
  })

  it('has a frame at every corner it sends, those on the coast included', async () => {
    const corners = `select count(*)::int as n from frame as sent
      cross join lateral ST_DumpPoints(ST_GeomFromGeoJSON(sent.geojson)) as corner
      where not exists (select 1 from frame where ST_Covers(frame.geom, ST_SetSRID(corner.geom, 4326)))`
    assert.equal(await number(service().db, corners), 0)
  })

  it('covers the land once: no two frames overlap, and their areas add up to the area of the outline', async () => {
    const overlaps = `select count(*)::int as n from frame as one join frame as other
      on one.frame_id < other.frame_id and one.geom && other.geom and ST_Relate(one.geom, other.geom, '2********')`
    assert.equal(await number(service().db, overlaps), 0)
    const { features } = JSON.parse(readFileSync(fixture('outline.geojson'), 'utf8')) as {
      features: { geometry: unknown }[]
    }
    const [row] = await service().db.rows<{ land: number; framed: number }>(
      `select ST_Area(ST_GeomFromGeoJSON($1::text)) as land, (select sum(ST_Area(geom)) from frame) as framed`,
      [JSON.stringify(features[0]?.geometry)],
    )
    assert.ok(row && Math.abs(row.land - row.framed) < 1e-7, `${row?.land} of land, ${row?.framed} of frames`)
  })

  it('ends where the land ends: at the border along cell edges, at the lake, at the pond within one cell', async () => {
    assert.equal(await framesThat('ST_XMax(geom) > 0.55'), 0)
    assert.equal(await framesThat('ST_XMax(geom) = 0.55 and ST_Area(geom) > 0.00009999'), 64)
    // The cell of 0.175, 0.005 is all water, and the lake has an island.
    assert.equal(await framesThat(`frame_id = 9000 * 36000 + 18017 or ${frameAt(0.175, 0.005)}`), 0)
    assert.equal(await framesThat(`${frameAt(0.209, 0.002)} and ward = 'LAKE ISLAND'`), 1)
    assert.equal(await framesThat(`${frameAt(-0.031, 0.281)} and ST_NumInteriorRings(geom) = 1`), 1)
    assert.equal(await framesThat(frameAt(-0.0355, 0.2855)), 0)
  })

  it('has the islets that hold no centre of a cell', async () => {
    assert.equal(await framesThat(`${frameAt(-0.445, -0.6255)} and ST_Area(geom) < 0.00001`), 1)
    assert.equal(await framesThat('geom && ST_MakeEnvelope(-0.1337, -0.6733, -0.1264, -0.6663, 4326)'), 4)
  })

  it('gives every frame its units, one ward in two parts and an exclave included', async () => {
    assert.equal(await framesThat('state is null or lga is null or ward is null'), 0)
    const parts = `select ST_NumGeometries(ST_Union(geom))::int as n from frame where ward = 'TWIN WELLS'`
    assert.equal(await number(service().db, parts), 2)
    const around = await service().db.rows(
      `select distinct other.state from frame as camp join frame as other
        on camp.ward = 'EXILE CAMP' and other.ward <> 'EXILE CAMP' and ST_Intersects(camp.geom, other.geom)`,
      [],
    )
    assert.deepEqual([...around], [{ state: 'CÔTE ÉVORA' }])
    assert.equal(await framesThat(`ward = 'EXILE CAMP' and state <> 'MAREMBE'`), 0)
  })

  it('counts in state, lga and ward the frames of each unit', async () => {
    const grouped = {
      state: `select state, min(state_code), min(zone), min(zone_code), count(*) from frame group by state`,
      lga: `select state, lga, min(lga_code), count(*) from frame group by state, lga`,
      ward: `select state, lga, ward, min(ward_code), count(*) from frame group by state, lga, ward`,
    }
    for (const [table, groups] of Object.entries(grouped)) {
      const differing = `select count(*)::int as n from ((table ${table} except all ${groups})
        union all (${groups} except all table ${table})) as row`
      assert.equal(await number(service().db, differing), 0, table)
    }
  })

  it('has each frame in one run, inside its extent, runs of 256 in id order', async () => {
    const misplaced = `select count(*)::int as n from frame where 1 <> (select count(*) from frame_run
      where frame.frame_id between first_id and last_id and ST_Covers(extent, frame.geom))`
    assert.equal(await number(service().db, misplaced), 0)
    assert.equal(await number(service().db, 'select count(*)::int as n from frame_run'), Math.ceil(12_411 / 256))
  })

  it('keeps the rows of areas and wards in the order of their names, so that those of a state lie together', async () => {
    for (const [table, name] of [
      ['lga', 'state, lga'],
      ['ward', 'state, lga, ward'],
    ] as const) {
      const [row] = await service().db.rows<{ inOrder: boolean }>(
        `select bool_and(by_place = by_name) as "inOrder"
         from (select row_number() over (order by ctid) as by_place, row_number() over (order by ${name}) as by_name from ${table}) as each`,
        [],
      )
      assert.equal(row?.inOrder, true, table)
    }
  })
})
