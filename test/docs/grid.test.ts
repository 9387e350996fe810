import assert from 'node:assert/strict'
import { service } from '../support/service.js'

import { page } from './curls.js'

const text = page('docs/grid.md')
const rowsOf = <Row>(sql: string, args: unknown[] = []) => service().db.rows<Row>(sql, args)

/** Whole cells at latitudes, in km². */
const AREAS = `select lat, round((ST_Area(ST_MakeEnvelope(0, lat, 0.01, lat + 0.01, 4326)::geography) / 1e6)::numeric, 6)::float8 as km2
  from unnest($1::float8[]) as lat`

describe('the definition of the grid', () => {
  it('has the areas of PostGIS, and the part by which cells of a country differ', async () => {
    const shown = Array.from(text.matchAll(/^\| ([\d.]+) \| ([\d.]+) \|$/gm), ([, lat, km2]) => ({
      lat: Number(lat),
      km2: Number(km2),
    }))
    assert.ok(shown.length >= 7)
    const areas = await rowsOf<{ lat: number; km2: number }>(AREAS, [shown.map(({ lat }) => lat)])
    for (const [i, { lat, km2 }] of areas.entries())
      assert.ok(Math.abs((shown[i]?.km2 ?? NaN) - km2) < 2e-6, `${lat}: ${km2}`)
    const [, south, north, more] =
      /from ([\d.]+) to ([\d.]+) degrees north, the largest cell has ([\d.]+) % more/.exec(text) ?? []
    const [largest, smallest] = await rowsOf<{ km2: number }>(AREAS, [[Number(south), Number(north)]])
    assert.equal((100 * ((largest?.km2 ?? NaN) / (smallest?.km2 ?? NaN) - 1)).toFixed(1), more)
  })

  it('has the ids, the corners and the order of the frames of a built index', async () => {
    for (const words of [
      'id = row * 36000 + col',
      'col = floor((lon + 180) * 100)',
      'row = floor((lat + 90) * 100)',
      '(col / 100 - 180, row / 100 - 90)',
      'block = row * 3600 + col',
    ])
      assert.ok(text.includes(words), words)
    const [found] = await rowsOf<{ frames: number; ids: number; corners: number; blocks: number }>(
      `select count(*)::int as frames,
        count(*) filter (where frame_id = floor((lat + 90) * 100)::bigint * 36000 + floor((lon + 180) * 100)::bigint)::int as ids,
        count(*) filter (where ST_Covers(ST_Expand(ST_MakeEnvelope(
          frame_id % 36000 / 100.0 - 180, frame_id / 36000 / 100.0 - 90, (frame_id % 36000 + 1) / 100.0 - 180, (frame_id / 36000 + 1) / 100.0 - 90, 4326
        ), 1e-9), geom))::int as corners,
        count(*) filter (where block_at(lon, lat) = frame_id / 36000 / 10 * 3600 + frame_id % 36000 / 10)::int as blocks
      from (
        select frame_id, geom, (ST_XMin(geom) + ST_XMax(geom)) / 2 as lon, (ST_YMin(geom) + ST_YMax(geom)) / 2 as lat from frame
      ) as placed`,
    )
    const { frames = 0, ids, corners, blocks } = found ?? {}
    assert.ok(frames > 10_000)
    assert.deepEqual([ids, corners, blocks], [frames, frames, frames])
  })

  it('is linked from the README', () => assert.match(page('README.md'), /\(docs\/grid\.md\)/))
})
