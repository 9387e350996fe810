import assert from 'node:assert/strict'
import { shapesSource } from '../../src/tools/load/baseline-from-shapes.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { randomNumbers } from '../support/random-numbers.js'
import { sample } from '../support/sample.js'
import { collection, feature, quiet, temporaryFolder } from './files.js'
import { ownGrid } from './imports.js'

/** What PostGIS makes of the same shapes, uncut. */
const BY_POSTGIS = `with shape as (
  select properties ->> 'class' as class, (properties ->> 'people')::float8 as people, ST_Transform(ST_SetSRID(ST_GeomFromGeoJSON(geometry), 4326), 6933) as geom
  from json_to_recordset($1::text::json) as given (properties json, geometry json)
), met as materialized (
  select frame_id, class, people, ST_Area(shape.geom) as of_shape, ST_Area(placed.geom) as of_frame, ST_Area(ST_Intersection(shape.geom, placed.geom)) as area
  from (select frame_id, ST_Transform(geom, 6933) as geom from frame) as placed join shape on ST_Intersects(shape.geom, placed.geom)
)
select frame_id::text as id, sum(people * area / of_shape) as people, coalesce(sum(area) filter (where class = 'a'), 0) / of_frame as a
from met where area > 1e-6 and area > 1e-12 * of_shape group by frame_id, of_frame order by frame_id`

describe('a baseline from shapes', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  const own = ownGrid()

  async function values(file: string, statistic: 'share' | 'sum-by-area', property: string) {
    const shapes = { file, statistic, properties: [property], progress: quiet }
    const entry = { layerId: 'lyr_shapes', orgId: own.orgId, name: 'Shapes', category: 'Tests', resetsAttributes: true }
    await importBaseline(own.db, () => shapesSource(own.db, shapes), entry, quiet)
    return await own.db.rows<{ id: string; recorded: Record<string, string> }>(
      `select frame_id::text as id, recorded from baseline_row join dataset using (version) where layer_id = 'lyr_shapes' order by frame_id`,
      [],
    )
  }

  it('has what PostGIS makes of the same shapes, for random ones', async () => {
    const random = randomNumbers(49)
    const near = (one: string | undefined, other: number) => Math.abs(Number(one) - other) <= 1e-9 * Math.max(1, other)
    for (let turn = 0; turn < sample(6, 1000); turn += 1) {
      const shapes = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, i) => {
        const [x, y] = [0.19 + random() * 0.11, 0.09 + random() * 0.11]
        const corners = Array.from({ length: 3 + Math.floor(random() * 300) }, (_corner, at, count = 0) => at + count)
        const ring = corners.map((at) => {
          const [angle, far] = [(at / corners.length) * 2 * Math.PI, 0.002 + random() * 0.03]
          return [x + Math.cos(angle) * far, y + Math.sin(angle) * far]
        })
        const geometry = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
        return feature(i, geometry, { class: random() < 0.5 ? 'a' : 'b', people: Math.floor(random() * 1000) })
      })
      const file = folder.write('shapes.geojson', collection(shapes))
      const expected = await own.db.rows<{ id: string; people: number; a: number }>(BY_POSTGIS, [
        JSON.stringify(shapes),
      ])
      const people = await values(file, 'sum-by-area', 'people')
      assert.deepEqual(
        people.map(({ id }) => id),
        expected.map(({ id }) => id),
        `turn ${turn}`,
      )
      for (const [i, each] of expected.entries())
        assert.ok(
          near(people[i]?.recorded['people'], each.people),
          `turn ${turn}, ${each.id}: ${people[i]?.recorded['people']} for ${each.people}`,
        )
      const shares = await values(file, 'share', 'class')
      for (const [i, each] of expected.entries())
        assert.ok(
          near(shares[i]?.recorded['a'] ?? '0', each.a),
          `turn ${turn}, ${each.id}: ${shares[i]?.recorded['a']} for ${each.a}`,
        )
    }
  })
})
