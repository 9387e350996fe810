import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { build } from '../../src/load/build.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { fixture, service } from '../support/service.js'
import {
  collection,
  faultOf,
  feature,
  fingerprint,
  number,
  quiet,
  rectangle,
  stateOf,
  temporaryFolder,
} from './files.js'

const fixtureFiles = { outline: fixture('outline.geojson'), wards: fixture('wards.json') }

/** How many frames of the fixture's index fulfil a condition. */
const framesThat = (condition: string) =>
  number(service().db, `select count(*)::int as n from frame where ${condition}`)
const frameAt = (lon: number, lat: number) => `ST_Covers(geom, ST_SetSRID(ST_MakePoint(${lon}, ${lat}), 4326))`

describe('the index built from the fixture', () => {
  it('has 12,411 frames, one a cell that holds land', async () => {
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
    const { features } = JSON.parse(readFileSync(fixtureFiles.outline, 'utf8')) as { features: { geometry: unknown }[] }
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

  const grouped = {
    state: `select state, min(state_code), min(zone), min(zone_code), count(*) from frame group by state`,
    lga: `select state, lga, min(lga_code), count(*) from frame group by state, lga`,
    ward: `select state, lga, ward, min(ward_code), count(*) from frame group by state, lga, ward`,
  }
  for (const [table, groups] of Object.entries(grouped)) {
    it(`counts in ${table} what the frames say`, async () => {
      const differing = `select count(*)::int as n from ((table ${table} except all ${groups})
        union all (${groups} except all table ${table})) as row`
      assert.equal(await number(service().db, differing), 0)
    })
  }

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

describe('building', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  const square = folder.write('square.geojson', JSON.stringify(rectangle(1000, 500, 1010, 510)))
  const buildWards = (wards: object[], outline = square) =>
    build(database.db, { outline, wards: folder.write('wards.json', JSON.stringify(wards)) }, quiet)
  const point = { StateCode: 'S', State: 'South', LGA: 'Left', Ward: 'Low', Latitude: 5.05, Longitude: 10.05 }

  before(async () => (database = await newDatabase()))
  after(async () => {
    folder.remove()
    await database.drop()
  })

  it('takes ward areas; frames in a gap between them go to the nearest', async () => {
    const area = (lga: string, ward: string, west: number, south: number) =>
      feature(undefined, rectangle(west, south, west + 4, south + 5), { state: 'South', lga, ward })
    const areas = [
      area('Left', 'Low', 1000, 500),
      area('Right', 'Low', 1006, 500),
      area('Left', 'High', 1000, 505),
      area('Right', 'High', 1006, 505),
    ]
    const wards = folder.write('areas.geojson', collection(areas))
    const summary = await build(database.db, { outline: square, wards }, quiet)
    assert.deepEqual([summary.frames, summary.cutAtBoundary, summary.wards], [100, 0, 4])
    const rows = await database.db.rows<{ lga: string; ward: string; frames: number; of: string }>(
      `select lga, ward, count(*)::int as frames, min(frame_id % 36000) || '-' || max(frame_id % 36000) as of
        from frame group by lga, ward order by lga, ward`,
      [],
    )
    assert.deepEqual(
      [...rows],
      [
        { lga: 'LEFT', ward: 'HIGH', frames: 25, of: '19000-19004' },
        { lga: 'LEFT', ward: 'LOW', frames: 25, of: '19000-19004' },
        { lga: 'RIGHT', ward: 'HIGH', frames: 25, of: '19005-19009' },
        { lga: 'RIGHT', ward: 'LOW', frames: 25, of: '19005-19009' },
      ],
    )
  })

  it('reports the dirt of a ward file', async () => {
    const summary = await buildWards([
      point,
      { ...point, Ward: ' Other\nName', LGA: 'Right  Side' },
      { ...point, Ward: 'Abroad', Longitude: 12 },
      { ...point, Ward: 'Twice', Longitude: 10.01 },
      { ...point, Ward: 'twice', Longitude: 10.09 },
      { ...point, State: undefined, Latitude: 5.01 },
      { ...point, Ward: 'Tiny', Longitude: 10.0501 },
      { ...point, Ward: 'Tiny B', Longitude: 10.0502 },
      { ...point, Ward: 'Tiny C', Longitude: 10.0503 },
    ])
    const { wardRows, withoutStateOrLga, repeatedNames, untidyNames, atTheSamePlace, outsideTheOutline } = summary
    assert.deepEqual(
      { wardRows, withoutStateOrLga, repeatedNames, untidyNames, atTheSamePlace, outsideTheOutline },
      { wardRows: 9, withoutStateOrLga: 1, repeatedNames: 1, untidyNames: 2, atTheSamePlace: 1, outsideTheOutline: 1 },
    )
    assert.ok(summary.wardsTooSmallForAFrame > 0)
  })

  const wardsOfFrames = async () => {
    const rows = await database.db.rows<{ ward: string; frames: number }>(
      `select ward, count(*)::int as frames from frame group by ward order by ward`,
      [],
    )
    return rows.map(({ ward, frames }) => [ward, frames])
  }

  it('gives every frame its nearest ward where there is only one', async () => {
    const summary = await buildWards([point])
    assert.deepEqual([summary.frames, summary.states, summary.lgas, summary.wards], [100, 1, 1, 1])
    assert.deepEqual(await wardsOfFrames(), [['LOW', 100]])
  })

  it('gives every frame its nearest ward where all wards lie at one point: the lowest by name has the land', async () => {
    const summary = await buildWards([
      { ...point, Ward: 'B' },
      { ...point, Ward: 'A' },
      { ...point, Ward: 'C' },
    ])
    assert.deepEqual([summary.wards, summary.atTheSamePlace, summary.wardsTooSmallForAFrame], [1, 2, 2])
    assert.deepEqual(await wardsOfFrames(), [['A', 100]])
  })

  it('gives every frame its nearest ward where points lie in a row, and where one point stands beside an area', async () => {
    await buildWards([10.005, 10.055, 10.095].map((Longitude) => ({ ...point, Ward: `At ${Longitude}`, Longitude })))
    assert.deepEqual(await wardsOfFrames(), [
      ['AT 10.005', 30],
      ['AT 10.055', 50],
      ['AT 10.095', 20],
    ])
    const area = feature(undefined, rectangle(1000, 500, 1004, 510), { state: 'South', lga: 'Left', ward: 'Area' })
    await buildWards([{ ...point, Ward: 'Point', Longitude: 10.09 }, area])
    assert.deepEqual(await wardsOfFrames(), [
      ['AREA', 76],
      ['POINT', 24],
    ])
  })

  it('gives the same index again, and the numbers of the fixture', async () => {
    const { generation, ...summary } = await build(database.db, fixtureFiles, quiet)
    assert.ok(Number(generation) > 0)
    assert.deepEqual(summary, {
      frames: 12_411,
      cutAtBoundary: 1086,
      inSeveralParts: 147,
      states: 4,
      lgas: 12,
      wards: 60,
      wardRows: 61,
      withoutStateOrLga: 0,
      repeatedNames: 1,
      untidyNames: 2,
      atTheSamePlace: 0,
      outsideTheOutline: 0,
      wardsTooSmallForAFrame: 0,
    })
    assert.equal(await fingerprint(database.db), await fingerprint(service().db))
  })

  type Bad = { title: string; outline?: string; wards?: string; message: RegExp; line: number }
  const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')
  const good = rectangle(1000, 500, 1010, 510)
  const bad: Bad[] = [
    {
      title: 'an outline of points',
      outline: lines(good, { type: 'Point', coordinates: [10, 5] }),
      message: /outline\.geojson, .*line 2\W.*Polygon.*/,
      line: 2,
    },
    { title: 'an empty outline', outline: '', message: /outline\.geojson.*empty/, line: 1 },
    {
      title: 'an outline without a feature',
      outline: collection([]),
      message: /outline\.geojson: .*no polygon/,
      line: 1,
    },
    {
      title: 'an outline that is not JSON inside',
      outline: `${lines(good)}\n{"type":nope}`,
      message: /line 2/,
      line: 2,
    },
    { title: 'an outline with null in its list', outline: '[\nnull]', message: /line 2/, line: 2 },
    {
      title: 'an outline off the globe',
      outline: lines(good, rectangle(1000, 9500, 1010, 9510)),
      message: /line 2.*(latitude|swapped)/i,
      line: 2,
    },
    { title: 'an empty ward file', wards: '', message: /wards\.json.*empty/, line: 1 },
    { title: 'a ward file without a ward', wards: '[]', message: /wards\.json/, line: 1 },
    {
      title: 'a ward without coordinates',
      wards: lines(point, { ...point, Latitude: undefined }),
      message: /wards\.json, ward 2 \(line 2\): Latitude .* are needed; undefined and 10\.05 came/,
      line: 2,
    },
    {
      title: 'a ward of a line',
      wards: lines(point, feature(1, { type: 'LineString', coordinates: [] }, point)),
      message: /wards\.json, ward 2 \(line 2\): .*LineString came/,
      line: 2,
    },
    {
      title: 'a ward with a point of text',
      wards: lines(point, feature(1, { type: 'Point', coordinates: ['a', 'b'] }, point)),
      message: /ward 2 \(line 2\)/,
      line: 2,
    },
  ]
  for (const { title, outline, wards, message, line } of bad) {
    it(`refuses ${title}, naming file, line and reason; what was served stays and schema staging is gone`, async () => {
      const asBefore = await stateOf(database.db)
      const files = {
        outline: outline === undefined ? square : folder.write('outline.geojson', outline),
        wards: folder.write('wards.json', wards ?? lines(point)),
      }
      const fault = await faultOf(build(database.db, files, quiet))
      assert.match(fault.message, message)
      assert.equal(fault.line, line)
      assert.deepEqual(await stateOf(database.db), asBefore)
      assert.equal(asBefore.staging, false)
    })
  }
})
