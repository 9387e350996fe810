import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { framesAt } from '../../src/core/db/statements.js'
import { analystTarget } from '../support/database.js'
import { sample } from '../support/sample.js'
import { errorOf, get, service } from '../support/service.js'

type Points = { lons: number[]; lats: number[] }

/** Each corner of each frame, or of every so many, and the middle of each edge. */
const CORNERS_AND_EDGES = `with chosen as (select geom from frame where frame_id % ${sample(20, 1)} = 0)
  select array_agg(ST_X(point)) as lons, array_agg(ST_Y(point)) as lats
  from (
    select distinct (ST_DumpPoints(geom)).geom as point from chosen
    union
    select distinct ST_LineInterpolatePoint((ST_DumpSegments(geom)).geom, 0.5) from chosen
  ) as place`

function randomPoints(count: number): Points {
  const between = (least: number, most: number) => least + Math.random() * (most - least)
  return {
    lons: Array.from({ length: count }, () => between(-0.75, 0.6)),
    lats: Array.from({ length: count }, () => between(-0.8, 0.6)),
  }
}

describe('the functions that find the frames of points', function () {
  this.timeout(120_000)
  let analyst: Database
  before(() => {
    analyst = connect(analystTarget(service().database), { connections: 1, deadlineMs: 60_000 })
  })
  after(() => analyst.close())

  const byStatement = async ({ lons, lats }: Points) => {
    const ids = lons.map((): string | null => null)
    for (const { place, id } of await framesAt(service().db, lons, lats)) ids[place - 1] = id
    return ids
  }
  const byFunction = async ({ lons, lats }: Points) => {
    const rows = await analyst.rows<{ id: string | null }>(
      `select frame_at(lon, lat)::text as id
      from unnest($1::float8[], $2::float8[]) with ordinality as point (lon, lat, place) order by place`,
      [lons, lats],
    )
    return rows.map(({ id }) => id)
  }
  const byArrays = async ({ lons, lats }: Points) => {
    const ids = lons.map((): string | null => null)
    const rows = await analyst.rows<{ place: number; id: string }>(
      'select place::int as place, frame_id::text as id from frames_at($1::float8[], $2::float8[])',
      [lons, lats],
    )
    for (const { place, id } of rows) ids[place - 1] = id
    return ids
  }

  async function assertEqual(points: Points): Promise<(string | null)[]> {
    const ids = await byStatement(points)
    assert.deepEqual(await byFunction(points), ids)
    assert.deepEqual(await byArrays(points), ids)
    return ids
  }

  it('give an analyst the ids of the statement of /v1/frames/at for random points', async () => {
    const ids = await assertEqual(randomPoints(sample(1000, 10_000)))
    assert.ok(ids.includes(null) && ids.some((id) => id !== null))
  })

  it('do so on corners and edges of the index', async () => {
    const [points] = await service().db.rows<Points>(CORNERS_AND_EDGES, [])
    assert.ok(points && points.lons.length > sample(2000, 30_000))
    await assertEqual(points)
  })

  it('give the id that the API gives for a point on a corner of four frames', async () => {
    const answer = await get('/v1/frames/at?lat=0.1&lon=0.2')
    const [id] = await byFunction({ lons: [0.2], lats: [0.1] })
    assert.equal(id, (answer.body as { data: { id: string } }).data.id)
    assert.equal(errorOf(await get('/v1/frames/at?lat=50&lon=50')).code, 'not_found')
  })

  it('give null, or no row, for a point off the grid and for what is no point', async () => {
    const points = { lons: [50, NaN, Infinity, null, 0.205], lats: [50, 0.1, 0.1, 0.1, NaN] } as Points
    assert.deepEqual(await byFunction(points), [null, null, null, null, null])
    assert.deepEqual(await byArrays(points), [null, null, null, null, null])
    assert.deepEqual(await byArrays({ lons: [0.205, 0.205], lats: [0.105] }), ['324378020', null])
  })
})
