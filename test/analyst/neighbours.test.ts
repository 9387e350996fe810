/** Functions of schema analyst that take a frame, and the rights that each of its functions needs. */
import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { analystTarget, newDatabase, type TestDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'

import { smallCountry } from './country.js'

type Ringed = { id: string; ring: number }
const AROUND = 'select frame_id::text as id, ring from analyst.frames_around($1::bigint, $2::int)'
const SQUARE = 'POLYGON((0.2 0.1,0.23 0.1,0.23 0.13,0.2 0.1))'

describe('the functions of frames', function () {
  this.timeout(60_000)
  let analyst: Database
  before(() => {
    analyst = connect(analystTarget(service().database), { connections: 1, deadlineMs: 60_000 })
  })
  after(() => analyst.close())

  const randomFrames = async () => {
    const rows = await service().db.rows<{ id: string }>(
      'select frame_id::text as id from frame order by md5(frame_id::text) limit $1::int',
      [sample(60, 2000)],
    )
    return rows.map(({ id }) => id)
  }

  it('give the frames around a frame as the rows and columns of a built index do', async () => {
    for (const [i, id] of (await randomFrames()).entries()) {
      const rings = i % 5
      const wanted = await service().db.rows<Ringed>(
        `select id, ring
        from (
          select frame_id, frame_id::text as id, greatest(abs(frame_id / 36000 - $1::bigint / 36000), abs(frame_id % 36000 - $1::bigint % 36000))::int as ring
          from frame
        ) as placed
        where ring <= $2::int order by ring, frame_id`,
        [id, rings],
      )
      assert.deepEqual(await analyst.rows(AROUND, [id, rings]), wanted, id)
      assert.ok(wanted[0]?.id === id && wanted.length <= (2 * rings + 1) ** 2)
    }
  })

  it('refuse rings that are no rings, and give nothing around a frame that is not there', async () => {
    for (const rings of [-1, 101])
      await assert.rejects(analyst.rows(AROUND, ['324378020', rings]), /0 to 100 are accepted/)
    assert.deepEqual(await analyst.rows(AROUND, ['1', 2]), [])
    assert.deepEqual(await analyst.rows('select * from analyst.block_of(1)', []), [])
  })

  it('give the block of a frame as the index keeps it, with every frame of it', async () => {
    for (const id of await randomFrames()) {
      const came = await analyst.rows<{ block: string; id: string }>(
        'select block::text as block, frame_id::text as id from analyst.block_of($1::bigint)',
        [id],
      )
      const wanted = await service().db.rows<{ block: string; id: string }>(
        `select (block_id - 10000000)::text as block, frame_id::text as id from frame_unit
        where block_id = (select block_id from frame_unit where frame_id = $1::bigint) order by frame_id`,
        [id],
      )
      assert.ok(wanted.length > 0)
      assert.deepEqual(came, wanted, id)
    }
  })
})

describe('the frames around a frame of an imported index', () => {
  const country = smallCountry()

  it('are those of the cells beside it, whatever the ids and the size of a cell', async () => {
    const around = async (id: number, rings: number) =>
      (await country.db.rows<Ringed>(AROUND, [id, rings])).map((row) => [Number(row.id), row.ring])
    assert.deepEqual(await around(1, 1), [
      [1, 0],
      [2, 1],
    ])
    assert.deepEqual(await around(3, 1), [
      [3, 0],
      [2, 1],
      [4, 1],
    ])
    assert.deepEqual(await around(4, 2), [
      [4, 0],
      [3, 1],
      [2, 2],
    ])
  })
})

describe('what an analyst may read', function () {
  this.timeout(60_000)
  let database: TestDatabase
  let analyst: Database
  before(async () => {
    database = await newDatabase('datasets')
    analyst = connect(analystTarget(database), { connections: 1, deadlineMs: 60_000 })
  })
  after(async () => {
    await analyst.close()
    await database.drop()
  })

  const layers = async () => {
    const rows = await analyst.rows<{ layer: string }>(
      'select distinct layer_id as layer from analyst.totals_in(ST_GeomFromText($1::text)) order by 1',
      [SQUARE],
    )
    return rows.map(({ layer }) => layer)
  }

  it('bounds the totals: a dataset whose view is closed to the role is left out, with its features', async () => {
    const all = await layers()
    assert.ok(all.includes('lyr_schools') && all.includes('lyr_terrain') && all.length >= 10)
    await database.db.work('revoke select on analyst.lyr_schools, analyst.lyr_terrain from frames_analyst')
    assert.deepEqual(
      await layers(),
      all.filter((layer) => layer !== 'lyr_schools' && layer !== 'lyr_terrain'),
    )
  })

  it('bounds the frames: without the view of frames, every function is refused', async () => {
    await database.db.work('revoke select on analyst.frame from frames_analyst')
    for (const call of [
      `frames_in('${SQUARE}'::geometry)`,
      `totals_in('${SQUARE}'::geometry)`,
      'frames_around(324378020, 1)',
      'block_of(324378020)',
    ])
      await assert.rejects(analyst.rows(`select * from analyst.${call}`, []), /permission denied for view frame/, call)
    const set = `select frame_set(array['shape', '${SQUARE}'])`
    await assert.rejects(analyst.rows(set, []), /permission denied for view frame/)
  })
})
