import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { box, everywhere, exportFolder, idsWhere, IN_UNIT, unit } from './setup.js'

type Feature = { geometry: { type: string; coordinates: unknown }; properties: Record<string, unknown> }

const data = ['--data', 'lyr_terrain,lyr_population,lyr_culture', '--with-units', '--org', 'demo']

const run = async (program: string, ...words: string[]) =>
  (await promisify(execFile)(program, words, { maxBuffer: 64 << 20 })).stdout

describe('a GeoPackage of frames export', function () {
  this.timeout(60_000)
  const { folder, at, exported, linesOf } = exportFolder()
  const write = async (file: string, ...words: string[]) => {
    const ran = await exported(file, ...words)
    assert.equal(ran.status, 0, ran.err)
  }

  it('has one layer, every frame a MultiPolygon, and columns that have types', async () => {
    await write('out.gpkg', ...unit, ...data)
    assert.deepEqual(readdirSync(folder()), ['out.gpkg', 'out.gpkg.attributes.json'])
    await write('out.csv', ...unit)
    assert.equal(statSync(at('out.gpkg')).mode, statSync(at('out.csv')).mode, 'who may read it is the umask alone')
    const stdout = await run('ogrinfo', '-so', at('out.gpkg'), 'frame')
    const ids = await idsWhere(IN_UNIT)
    assert.match(stdout, new RegExp(`Geometry: Multi Polygon[\\s\\S]*Feature Count: ${ids.length}\\n`))
    for (const column of ['frame_id: Integer', 'ward_code: String', 'pop_demest26: Integer', 'phy_landcov: String'])
      assert.match(stdout, new RegExp(`^${column}`, 'm'))
    assert.match(stdout, /^phy_elevmean: Real/m)
    assert.doesNotMatch(stdout, /^id: /m)
  })

  it('has the outlines, the units and the values that GeoJSON has', async () => {
    await write('out.gpkg', ...unit, ...data)
    await write('out.geojsonl', ...unit, ...data)
    const lines = (
      await run('ogr2ogr', '-f', 'GeoJSONSeq', '/vsistdout/', at('out.gpkg'), '-lco', 'COORDINATE_PRECISION=15')
    )
      .trimEnd()
      .split('\n')
    const read = lines.map((line) => JSON.parse(line) as Feature)
    assert.deepEqual(
      read.map(({ geometry, properties }) => ({
        geometry,
        properties: Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null)),
      })),
      (linesOf('out.geojsonl') as unknown as Feature[]).map(({ geometry: { type, coordinates }, properties }) => ({
        geometry: { type: 'MultiPolygon', coordinates: type === 'Polygon' ? [coordinates] : coordinates },
        properties,
      })),
    )
  })

  it('keeps to the standard, as the checks of GDAL and SQLite say, and its index finds the frames of a box', async () => {
    await write('out.gpkg', ...everywhere)
    const answer = async (sql: string) => run('ogrinfo', '-q', at('out.gpkg'), '-sql', sql)
    assert.match(await answer(`select rtreecheck('rtree_frame_geom') as said`), /said \(String\) = ok\n/)
    assert.match(await answer('pragma integrity_check'), /integrity_check \(String\) = ok\n/)
    // ST_MinX and its like read the box in the header of an outline.
    const boxed = ['MinX', 'MaxX', 'MinY', 'MaxY'].map((edge) => `abs(ST_${edge}(geom) - ${edge}) < 1e-6`).join(' and ')
    const counts = await answer(
      `select count(*) - sum(${boxed}) as others from frame join rtree_frame_geom as found on found.id = frame.rowid`,
    )
    assert.match(counts, /others \(Integer\) = 0\n/)
    await run(
      '/usr/bin/python3',
      '-m',
      'osgeo_utils.samples.validate_gpkg',
      '-q',
      '--extra',
      '--warning-as-error',
      at('out.gpkg'),
    )
    const inBox = await idsWhere('ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))')
    const found = await run('ogrinfo', '-so', at('out.gpkg'), 'frame', '-spat', ...box.slice(1).join().split(','))
    assert.match(found, new RegExp(`Feature Count: ${inBox.length}\\n`))
    assert.match(
      await answer(
        `select count(*) as n from rtree_frame_geom where minx <= 0.3 and maxx >= 0.2 and miny <= 0.2 and maxy >= 0.1`,
      ),
      new RegExp(`n \\(Integer\\) = ${inBox.length}\\n`),
    )
  })

  it('stays whole when a program edits it: the index follows', async () => {
    await write('out.gpkg', ...unit)
    const change = (sql: string) => run('ogrinfo', '-q', at('out.gpkg'), '-dialect', 'SQLite', '-sql', sql)
    await change(
      `update frame set geom = ST_GeomFromText('MULTIPOLYGON(((50 50,51 50,51 51,50 50)))', 4326) where fid = 7`,
    )
    await change('delete from frame where fid = 8')
    const said = await run('ogrinfo', '-q', at('out.gpkg'), '-sql', `select rtreecheck('rtree_frame_geom') as said`)
    assert.match(said, /= ok\n/)
    const moved = await run('ogrinfo', '-q', at('out.gpkg'), 'frame', '-spat', '49', '49', '52', '52')
    assert.deepEqual(moved.match(/OGRFeature\(frame\):\d+/g), ['OGRFeature(frame):7'])
  })
})
