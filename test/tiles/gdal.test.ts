import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Visitor } from '../support/browse.js'
import { newFolder } from '../support/temporary.js'
import { memberOf, rows } from '../web/visitors.js'
import { askTile } from './ask-tile.js'

const run = promisify(execFile)

type GdalFeature = { properties: Record<string, string | number | null>; geometry: object }

describe("GDAL's driver for vector tiles", () => {
  const folder = newFolder('tiles')
  let visitor: Visitor
  before(async () => (visitor = await memberOf()))

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
    rows<{ id: string; metres: number }>(
      `select read.id, ST_HausdorffDistance(
         ST_Transform(ST_SetSRID(ST_GeomFromGeoJSON(read.geometry), 4326), 3857),
         ST_Transform(ST_Intersection(frame.geom, ${box}), 3857)
       ) as metres
       from unnest($1::text[], $2::text[]) as read (id, geometry)
       join frame on frame.frame_id = read.id::bigint`,
      features.map(({ properties }) => String(properties['id'])),
      features.map(({ geometry }) => JSON.stringify(geometry)),
    )

  it('reads the frames of a tile, within a unit of the tile', async () => {
    const [z, x, y] = [12, 2050, 2046]
    const features = await gdalFeatures(`frames/${z}/${x}/${y}`, 'frames')
    const unit = 40_075_016.685_578_49 / 2 ** z / 4096
    const box = `ST_Transform(ST_TileEnvelope(${z}, ${x}, ${y}, margin => 1.0 / 64), 4326)`
    const expected = await rows<{ id: string }>(
      `select frame_id::text as id from frame where ST_Area(ST_Transform(ST_Intersection(geom, ${box}), 3857)) > $1::float8`,
      unit ** 2,
    )
    const read = new Set(features.map(({ properties }) => String(properties['id'])))
    assert.equal(read.size, features.length)
    for (const { id } of expected) assert.ok(read.has(id), `${id} is missing`)
    // A part of a frame that is narrower than a unit is left out.
    const stray = (await strayMetres(features, box)).filter(({ metres }) => metres > unit)
    assert.ok(stray.length <= features.length / 1000, stray.map(({ id, metres }) => `${id}: ${metres}`).join())
  })
})
