import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ask, bearer, mint, newOrganisation, startService, type Service } from '../support/service.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from './files.js'
import { first, importGrid, second } from './imports.js'

const wells = collection([
  feature('a', { type: 'Point', coordinates: [0.2031, 0.1042] }),
  feature('b', { type: 'MultiPoint', coordinates: [[0.2877, 0.1519]] }),
  feature('far', { type: 'Point', coordinates: [0.9, 0.9] }),
])
const river = collection([
  feature('r', {
    type: 'LineString',
    coordinates: [
      [0.19, 0.13],
      [0.25, 0.21],
    ],
  }),
])
const parks = collection([feature('p', rectangle(22, 12, 25, 14))])
/** The first is nearer in degrees, and the second in metres. */
const harbours = collection([
  feature('east', { type: 'Point', coordinates: [50.15, 0.15] }),
  feature('north-east', { type: 'Point', coordinates: [35.65, 35.55] }),
])

/** Distances in metres as PostGIS computes them without an index, beside those that are kept. */
const DIFFERING = `
  select count(*)::int as rows, count(*) filter (where kept.metres is distinct from brute.metres)::int as differing,
    count(*) filter (where kept.metres = 0)::int as zero
  from dataset as distances
  join dataset as target on target.layer_id = distances.distance_to
  cross join frame
  left join lateral (
    select 1000 * (recorded ->> (substr(target.layer_id, 5) || '_km'))::numeric as metres
    from baseline_row where version = distances.version and frame_id = frame.frame_id
  ) as kept on true
  cross join lateral (
    select round(min(ST_Distance(feature.geom::geography, ST_PointOnSurface(frame.geom)::geography)))::numeric as metres
    from feature where feature.version = target.version
  ) as brute
  where distances.distance_to = $1`

describe('the distances of frames to features', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let owner: string
  let orgOfOther: string

  before(async () => {
    database = await newDatabase()
    await importGrid(database.db)
    service = await startService(database)
    owner = await newOrganisation(database.db)
    orgOfOther = await newOrganisation(database.db)
    await take('lyr_wells', wells)
    await take('lyr_river', river)
  })
  after(() => service.stop())

  const entry = (layerId: string) => ({ layerId, orgId: owner, name: layerId.slice(4), category: 'Tests' })
  const take = (layerId: string, text: string, more: { hasDistances?: boolean } = {}) =>
    importFeatures(database.db, folder.write('features.geojson', text), { ...entry(layerId), ...more }, quiet)
  const rows = <Row>(text: string, args: unknown[] = []) => database.db.rows<Row>(text, args)
  const heldAgainstShapes = async (layerId: string) =>
    (await rows<{ rows: number; differing: number; zero: number }>(DIFFERING, [layerId]))[0]
  const data = async (key: { secret: string }, more: string) => {
    const answer = await ask(`${service.url}/v1/frames/data?ids=${first},${second}${more}`, {
      headers: bearer(key.secret),
    })
    assert.equal(answer.status, 200, answer.text)
    const { frames, charged } = (answer.body as { data: Data }).data
    return {
      charged,
      layers: [...new Set(frames.flatMap(({ datasets }) => datasets.map(({ layerId }) => layerId)))],
      frames,
    }
  }
  type Data = { frames: { datasets: { layerId: string; values?: object }[] }[]; charged: string[] }

  it('are those that PostGIS computes by hand, to points, lines and polygons', async () => {
    await take('lyr_parks', parks)
    assert.deepEqual(await heldAgainstShapes('lyr_wells'), { rows: 100, differing: 0, zero: 0 })
    assert.deepEqual(await heldAgainstShapes('lyr_river'), { rows: 100, differing: 0, zero: 0 })
    // The middles of three by two frames lie inside.
    assert.deepEqual(await heldAgainstShapes('lyr_parks'), { rows: 100, differing: 0, zero: 6 })
    await take('lyr_harbours', harbours)
    assert.deepEqual(await heldAgainstShapes('lyr_harbours'), { rows: 100, differing: 0, zero: 0 })
  })

  it('have bands that hold each frame once', async () => {
    const bands = await rows<{ band: string; frames: number; least: string; most: string }>(
      `select recorded ->> 'wells_band' as band, count(*)::int as frames,
        min((recorded ->> 'wells_km')::numeric)::text as least, max((recorded ->> 'wells_km')::numeric)::text as most
      from baseline where layer_id = 'lyr_wells_distance' group by 1`,
    )
    assert.equal(
      bands.reduce((sum, { frames }) => sum + frames, 0),
      100,
    )
    const bounds: Record<string, [number, number]> = {
      '0-1 km': [0, 1],
      '1-2 km': [1, 2],
      '2-5 km': [2, 5],
      '5-10 km': [5, 10],
      '10-20 km': [10, 20],
    }
    for (const { band, least, most } of bands) {
      const [above, atMost] = bounds[band] ?? assert.fail(band)
      assert.ok(Number(least) >= above && Number(most) <= atMost, `${band}: ${least} to ${most}`)
    }
    assert.ok(bands.length >= 3)
  })

  it('are read by those who may read the features: a narrowed key, and one that holds feature.read', async () => {
    const full = await mint(database.db, { org: owner, preset: 'full-read' })
    const named = await data(full, '&datasets=lyr_wells_distance')
    assert.deepEqual(named.layers, ['lyr_wells_distance'])
    assert.deepEqual(Object.keys(named.frames[0]?.datasets[0]?.values ?? {}), ['wells_km', 'wells_band'])
    const narrowed = await mint(database.db, { org: owner, preset: 'full-read', datasets: ['lyr_river'] })
    assert.deepEqual((await data(narrowed, '&datasets=lyr_wells_distance')).layers, [])
    assert.deepEqual((await data(narrowed, '&datasets=lyr_river_distance')).layers, ['lyr_river_distance'])
    const analyst = await mint(database.db, { org: owner, preset: 'analyst' })
    assert.deepEqual((await data(analyst, '&datasets=lyr_wells_distance')).layers, [])
    const other = await mint(database.db, { org: orgOfOther, preset: 'full-read' })
    assert.deepEqual((await data(other, '&datasets=lyr_wells_distance')).layers, [])
    await assert.rejects(
      mint(database.db, { org: owner, datasets: ['lyr_wells_distance'] }),
      /lyr_wells_distance may be read by those who may read lyr_wells: name that dataset/,
    )
  })

  it('are in an answer of the data call only where the call names them', async () => {
    const full = await mint(database.db, { org: owner, preset: 'full-read' })
    assert.ok((await data(full, '')).layers.every((layerId) => !layerId.endsWith('_distance')))
  })

  it('cost what the features cost, once a call', async () => {
    await license(database.db.run, 'lyr_wells', orgOfOther, 3)
    await topUp(database.db, orgOfOther, 10, 'test')
    const key = await mint(database.db, { org: orgOfOther, preset: 'full-read' })
    // A frame without a well costs nothing, unless the call names the distances.
    assert.deepEqual((await data(key, '')).charged, ['lyr_wells'])
    assert.deepEqual((await data(key, '&datasets=lyr_wells,lyr_wells_distance')).charged, ['lyr_wells'])
    assert.deepEqual((await data(key, '&datasets=lyr_wells_distance')).charged, ['lyr_wells'])
    const unpaid = await data(key, '&datasets=lyr_wells,lyr_wells_distance')
    assert.deepEqual([unpaid.charged, unpaid.layers], [[], []])
    await assert.rejects(license(database.db.run, 'lyr_wells_distance', orgOfOther, 1), /name that dataset/)
  })

  it('follow a new index, and leave no rows of the index before', async () => {
    const moved = collection(
      [0, 1, 2].map((column) => feature(column + 1, rectangle(80 + column, 80, 81 + column, 81))),
    )
    await importFrames(database.db, folder.write('grid.geojson', moved), quiet)
    assert.deepEqual(await heldAgainstShapes('lyr_wells'), { rows: 3, differing: 0, zero: 0 })
    const [left] = await rows<{ count: number }>(
      'select count(*)::int as count from baseline_row where version not in (select version from dataset)',
    )
    assert.deepEqual(left, { count: 0 })
    const [total] = await rows<{ number: string; recorded: string }>(
      `select round(number, 3)::text as number, recorded::text from unit_total join dataset using (version)
      where layer_id = 'lyr_wells_distance' and attribute = 'wells_km' and unit_id = 0`,
    )
    const [mean] = await rows<{ number: string; recorded: string }>(
      `select round(avg((recorded ->> 'wells_km')::numeric), 3)::text as number, count(*)::text as recorded
      from baseline where layer_id = 'lyr_wells_distance'`,
    )
    assert.deepEqual(total, mean)
  })

  it('go with a next import that wants none, and with one of another kind', async () => {
    await take('lyr_river', river, { hasDistances: false })
    const rowsOfPark = 'frame_id,size\n1,5\n'
    await importBaseline(database.db, folder.write('rows.csv', rowsOfPark), entry('lyr_parks'), quiet)
    const known = await rows<{ id: string }>(
      'select layer_id as id from dataset where distance_to is not null order by 1',
    )
    assert.deepEqual([...known], [{ id: 'lyr_harbours_distance' }, { id: 'lyr_wells_distance' }])
    const [left] = await rows<{ count: number }>(
      'select count(*)::int as count from baseline_row where version not in (select version from dataset)',
    )
    assert.deepEqual(left, { count: 0 })
  })

  it('never take the id of another dataset, and no dataset takes theirs', async () => {
    await assert.rejects(take('lyr_wells_distance', wells), /lyr_wells_distance has the distances to lyr_wells: choose/)
    await importBaseline(
      database.db,
      folder.write('rows.csv', 'frame_id,km\n1,5\n'),
      entry('lyr_pumps_distance'),
      quiet,
    )
    await assert.rejects(take('lyr_pumps', wells), /lyr_pumps_distance is another dataset/)
    assert.deepEqual([...(await rows(`select layer_id from dataset where layer_id = 'lyr_pumps'`))], [])
  })
})
