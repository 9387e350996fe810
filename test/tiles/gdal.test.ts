import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signIn, type Visitor } from '../support/browse.js'
import { describeOnPostgres, newDatabase, type TestDatabase } from '../support/database.js'
import { startService } from '../support/service.js'
import { newFolder } from '../support/temporary.js'
import { askTile } from './ask-tile.js'

const run = promisify(execFile)
const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0

type GdalFeature = { properties: Record<string, string | number | null>; geometry: object }

describeOnPostgres("GDAL's driver for vector tiles", function () {
  this.timeout(120_000)
  const folder = newFolder('tiles')
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let visitor: Visitor

  before(async function () {
    if (!hasOgr) return this.skip()
    database = await newDatabase('datasets')
    running = await startService(database, { publicUrl: 'listening' })
    const [dataset] = await database.db.rows<{ orgId: string }>(
      `select org_id as "orgId" from dataset where layer_id = 'lyr_population'`,
      [],
    )
    assert.ok(dataset)
    visitor = await signIn(running.url, database.db, { orgId: dataset.orgId, role: 'member' })
  })
  after(async () => {
    await running.stop()
    await database.drop()
  })

  /** Reads a layer of a tile as GeoJSON in degrees, its margin included. */
  async function gdalFeatures(path: string, layer: string): Promise<GdalFeature[]> {
    const [, z = '', x = '', y = ''] = /\/(\d+)\/(\d+)\/(\d+)/.exec(path) ?? []
    const answer = await askTile(visitor, path)
    assert.equal(answer.status, 200, answer.text)
    const file = join(folder, `${layer}-${z}-${x}-${y}.pbf`)
    writeFileSync(file, answer.bytes)
    const at = [`X=${x}`, `Y=${y}`, `Z=${z}`, 'CLIP=NO'].flatMap((option) => ['-oo', option])
    const words = ['-q', '-f', 'GeoJSON', '-t_srs', 'EPSG:4326', '/vsistdout/', `MVT:${file}`, layer, ...at]
    const { stdout } = await run('ogr2ogr', words, { maxBuffer: 64 * 1024 * 1024 })
    return (JSON.parse(stdout) as { features: GdalFeature[] }).features
  }

  /** How far the shapes that GDAL read lie from those of the index, and what they lack, in metres of the map. */
  const strayMetres = (features: readonly GdalFeature[], box: string) =>
    database.db.rows<{ id: string; metres: number }>(
      `select read.id, ST_HausdorffDistance(
         ST_Transform(ST_SetSRID(ST_GeomFromGeoJSON(read.geometry), 4326), 3857),
         ST_Transform(ST_Intersection(frame.geom, ${box}), 3857)
       ) as metres
       from unnest($1::text[], $2::text[]) as read (id, geometry)
       join frame on frame.frame_id = read.id::bigint`,
      [
        features.map(({ properties }) => String(properties['id'])),
        features.map(({ geometry }) => JSON.stringify(geometry)),
      ],
    )

  for (const [tile, attribute] of [
    ['9/256/255', 'pop_demest26'],
    ['10/512/511', 'pop_demest26'],
    ['11/1025/1023', 'pop_demest26'],
    ['12/2050/2046', 'pop_demest26'],
  ] as const)
    it(`reads the frames of ${tile} with the values that SQL gives, within a unit of the tile`, async () => {
      const features = await gdalFeatures(`frames/${tile}?dataset=lyr_population&attribute=${attribute}`, 'frames')
      const [z, x, y] = tile.split('/').map(Number)
      const unit = 40_075_016.685_578_49 / 2 ** Number(z) / 4096
      const box = `ST_Transform(ST_TileEnvelope(${z}, ${x}, ${y}, margin => 1.0 / 64), 4326)`
      const expected = await database.db.rows<{ id: string; value: number | null }>(
        `select frame.frame_id::text as id, (baseline.recorded ->> $1::text)::float8 as value
         from frame
         left join baseline on baseline.frame_id = frame.frame_id and baseline.layer_id = 'lyr_population'
         where ST_Area(ST_Transform(ST_Intersection(frame.geom, ${box}), 3857)) > $2::float8`,
        [attribute, unit ** 2],
      )
      const read = new Map(features.map(({ properties }) => [String(properties['id']), properties['value'] ?? null]))
      assert.equal(read.size, features.length)
      for (const { id, value } of expected) {
        assert.ok(read.has(id), `${id} is missing`)
        assert.equal(read.get(id), value, id)
      }
      // A part of a frame that is narrower than a unit is left out.
      const stray = (await strayMetres(features, box)).filter(({ metres }) => metres > unit)
      assert.ok(stray.length <= features.length / 1000, stray.map(({ id, metres }) => `${id}: ${metres}`).join())
    })

  it('reads the same frames, in the same places, as from a tile of ST_AsMVT', async () => {
    const features = await gdalFeatures('frames/10/512/511', 'frames')
    const ours = new Map(
      features.map(({ properties, geometry }) => [String(properties['id']), JSON.stringify(geometry)]),
    )
    const [theirs] = await database.db.rows<{ tile: Buffer }>(
      `with shaped as (
         select frame_id::text as id, ST_AsMVTGeom(ST_Transform(geom, 3857), ST_TileEnvelope(10, 512, 511), 4096, 64, true) as shape
         from frame
         where geom && ST_Transform(ST_TileEnvelope(10, 512, 511, margin => 1.0 / 64), 4326)
       )
       select ST_AsMVT(shaped, 'frames', 4096, 'shape') as tile from shaped where shape is not null`,
      [],
    )
    const file = join(folder, 'theirs.pbf')
    writeFileSync(file, theirs?.tile ?? '')
    const words = ['-q', '-f', 'GeoJSON', '-t_srs', 'EPSG:4326', '/vsistdout/', `MVT:${file}`, 'frames']
    const at = ['X=512', 'Y=511', 'Z=10', 'CLIP=NO'].flatMap((option) => ['-oo', option])
    const { stdout } = await run('ogr2ogr', [...words, ...at], { maxBuffer: 64 * 1024 * 1024 })
    const others = (JSON.parse(stdout) as { features: GdalFeature[] }).features
    assert.ok(others.length > 100)
    assert.deepEqual(new Set(others.map(({ properties }) => properties['id'])), new Set(ours.keys()))
    const [apart] = await database.db.rows<{ metres: number }>(
      `select max(ST_HausdorffDistance(
         ST_Transform(ST_SetSRID(ST_GeomFromGeoJSON(one), 4326), 3857), ST_Transform(ST_SetSRID(ST_GeomFromGeoJSON(other), 4326), 3857)
       )) as metres from unnest($1::text[], $2::text[]) as pair (one, other)`,
      [
        others.map(({ geometry }) => JSON.stringify(geometry)),
        others.map(({ properties }) => ours.get(String(properties['id']))),
      ],
    )
    assert.ok(Number(apart?.metres) <= (1.5 * 40_075_016.7) / 2 ** 10 / 4096, String(apart?.metres))
  })

  it('reads the units of a tile by their names', async () => {
    const features = await gdalFeatures('units/8/128/127?dataset=lyr_population&attribute=pop_demest26', 'wards')
    const rows = await database.db.rows<{ ward: string; value: number }>(
      `select ward, number::float8 as value
       from unit_total
       join unit using (unit_id)
       join unit_area using (unit_id, state, lga, ward)
       join dataset using (version)
       where layer_id = 'lyr_population' and attribute = 'pop_demest26' and level = 'ward'
         and ST_Intersects(geom, ST_Transform(ST_TileEnvelope(8, 128, 127, margin => 1.0 / 64), 4326))`,
      [],
    )
    const inOrder = (pairs: (readonly [unknown, unknown])[]) =>
      pairs.map(([ward, value]) => `${String(ward)} ${String(value)}`).sort()
    assert.deepEqual(
      inOrder(features.map(({ properties }) => [properties['ward'], properties['value']])),
      inOrder(rows.map(({ ward, value }) => [ward, value])),
    )
  })
})
