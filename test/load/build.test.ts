import assert from 'node:assert/strict'
import { build } from '../../src/tools/load/build.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'
import { collection, feature, fingerprint, number, quiet, rectangle, temporaryFolder } from './files.js'

describe('building', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  const square = folder.write('square.geojson', JSON.stringify(rectangle(1000, 500, 1010, 510)))
  const buildWards = (wards: object[], outline = square) =>
    build(database.db, { outline, wards: folder.write('wards.json', JSON.stringify(wards)) }, quiet)
  const point = { StateCode: 'S', State: 'South', LGA: 'Left', Ward: 'Low', Latitude: 5.05, Longitude: 10.05 }

  before(async () => (database = await newDatabase()))
  after(() => database.drop())

  it('takes ward areas; frames in a gap between them go to the nearest', async () => {
    const area = (lga: string, ward: string, west: number, south: number) => ({
      type: 'Feature',
      geometry: rectangle(west, south, west + 4, south + 5),
      properties: { state: 'South', lga, ward },
    })
    const areas = [
      area('Left', 'Low', 1000, 500),
      area('Right', 'Low', 1006, 500),
      area('Left', 'High', 1000, 505),
      area('Right', 'High', 1006, 505),
    ]
    const wkt = ({ coordinates }: ReturnType<typeof rectangle>) =>
      `POLYGON (${coordinates.map((ring) => `(${ring.map((place) => place.join(' ')).join(',')})`).join(',')})`
    const rows = areas.map(({ geometry, properties: { state, lga, ward } }) =>
      [wkt(geometry), state, lga, ward].join(';'),
    )
    const csv = folder.write('areas.csv', `\uFEFFWKT;State;LGA;WARD\r\n${rows.join('\r\n')}\r\n`)
    await build(database.db, { outline: square, wards: csv }, quiet)
    const ofCsv = await fingerprint(database.db)
    const wards = folder.write('areas.geojson', collection(areas))
    const summary = await build(database.db, { outline: square, wards }, quiet)
    assert.equal(await fingerprint(database.db), ofCsv)
    assert.deepEqual([summary.tookNearestWard, summary.overlaps, summary.outlineFaults], [20, [], []])
    assert.deepEqual([summary.frames, summary.cutAtBoundary, summary.wards], [100, 0, 4])
    const units = await database.db.rows<{ lga: string; ward: string; frames: number; of: string }>(
      `select lga, ward, count(*)::int as frames, min(frame_id % 36000) || '-' || max(frame_id % 36000) as of
        from frame group by lga, ward order by lga, ward`,
      [],
    )
    assert.deepEqual(
      [...units],
      [
        { lga: 'LEFT', ward: 'HIGH', frames: 25, of: '19000-19004' },
        { lga: 'LEFT', ward: 'LOW', frames: 25, of: '19000-19004' },
        { lga: 'RIGHT', ward: 'HIGH', frames: 25, of: '19005-19009' },
        { lga: 'RIGHT', ward: 'LOW', frames: 25, of: '19005-19009' },
      ],
    )
  })

  it('tells of an outline that crosses itself, and of wards inside others', async () => {
    const bow = [
      [10, 5],
      [10.1, 5.1],
      [10.1, 5],
      [10, 5.1],
      [10, 5],
    ]
    const outline = folder.write('bow.geojson', JSON.stringify({ type: 'Polygon', coordinates: [bow] }))
    const area = (ward: string, ...corners: [number, number, number, number]) =>
      feature(undefined, rectangle(...corners), { state: 'South', lga: 'Left', ward })
    const areas = [area('1', 1000, 500, 1010, 508), area('99', 1006, 502, 1008, 504), area('2', 1002, 504, 1010, 510)]
    const wards = folder.write('inside.geojson', collection(areas))
    const ofBow = await build(database.db, { outline, wards }, quiet)
    assert.deepEqual(ofBow.outlineFaults, ['feature 1 (line 1): Self-intersection[10.05 5.05]'])
    const { overlaps, tookNearestWard, wardsTooSmallForAFrame } = await build(
      database.db,
      { outline: square, wards },
      quiet,
    )
    assert.deepEqual(overlaps, [
      { ward: '99, LEFT, SOUTH', middles: 4, kept: 0, hasNoFrame: true },
      { ward: '1, LEFT, SOUTH', middles: 36, kept: 36, hasNoFrame: false },
      { ward: '2, LEFT, SOUTH', middles: 32, kept: 0, hasNoFrame: false },
    ])
    assert.deepEqual([tookNearestWard, wardsTooSmallForAFrame], [4, 0])
  })

  it('counts the faults of a ward file', async () => {
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
    assert.deepEqual([summary.tookNearestWard, summary.overlaps], [0, []])
  })

  const wardsOfFrames = async () => {
    const rows = await database.db.rows<{ ward: string; frames: number }>(
      `select ward, count(*)::int as frames from frame group by ward order by ward`,
      [],
    )
    return rows.map(({ ward, frames }) => [ward, frames])
  }

  it('keeps every digit of a code that is a number', async () => {
    const text = JSON.stringify([{ ...point, StateCode: '', WardCode: '' }])
    const exact = text
      .replace('"StateCode":""', '"StateCode":599686042433355775')
      .replace('"WardCode":""', '"WardCode":1.10')
    await build(database.db, { outline: square, wards: folder.write('wards.json', exact) }, quiet)
    const rows = await database.db.rows<{ codes: string[] }>(
      'select distinct array[state_code, ward_code] as codes from frame',
      [],
    )
    assert.deepEqual([...rows], [{ codes: ['599686042433355775', '1.10'] }])
  })

  it('joins features anew', async () => {
    const at = { orgId: await newOrganisation(database.db), name: 'Wells', category: 'Tests' }
    const wells = folder.write(
      'wells.geojson',
      JSON.stringify(feature(1, { type: 'Point', coordinates: [10.05, 5.05] })),
    )
    await importFeatures(database.db, wells, { layerId: 'lyr_joined', ...at }, quiet)
    const joined = () => number(database.db, 'select count(*)::int as n from feature_frame join frame using (frame_id)')
    assert.equal(await joined(), 4)
    // The point lies on the corner of this square.
    await buildWards([point], folder.write('smaller.geojson', JSON.stringify(rectangle(1005, 505, 1010, 510))))
    assert.equal(await joined(), 1)
  })

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
    const lines = [10.005, 10.055, 10.095].map((lon) => `South,Left,At ${lon},5.05,${lon}`)
    const wards = folder.write('wards.csv', `STATE,lga,Ward,Y,x\n${lines.join('\n')}\n`)
    await build(database.db, { outline: square, wards }, quiet)
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
})
