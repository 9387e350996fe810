/** Functions of schema analyst that take a frame, and the rights that each of its functions needs. */
import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { analystTarget } from '../support/database.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'
import { plays } from '../support/transcript.js'

type Ringed = { id: string; ring: number }
const AROUND = 'select frame_id::text as id, ring from analyst.frames_around($1::bigint, $2::int)'

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

plays('analyst/rights', 'datasets')
