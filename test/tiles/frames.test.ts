import assert from 'node:assert/strict'
import { signIn, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { sharedWorld } from '../support/datasets.js'
import { startService } from '../support/service.js'
import { askTile, featuresOf } from './ask-tile.js'
import { areaOf, type TileFeature } from './read-tile.js'

/** Lists a property of frames by their ids, in order. */
const mapOf = (features: readonly TileFeature[], property: string) =>
  new Map(
    features
      .map(({ properties }): [string, unknown] => [String(properties['id']), properties[property]])
      .sort(([one], [other]) => Number(one) - Number(other)),
  )

/** Tiles of the fixture, which lies east and north of 0, 0. */
const TILES = ['9/256/255', '14/8201/8187'] as const

describe('the tiles of frames', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let visitor: Visitor

  before(async () => {
    const made = await sharedWorld()
    database = made.database
    running = await startService(database, { publicUrl: 'listening' })
    visitor = await signIn(running.url, database.db, { orgId: made.world.reader, role: 'member' })
  })
  after(() => running.stop())

  const ask = (path: string) => askTile(visitor, path)

  /** Finds the frames inside a tile, and those within its margin too, however small they are. */
  async function framesAround(tile: string): Promise<{ inside: string[]; around: string[] }> {
    const ids = async (margin: number) => {
      const rows = await database.db.rows<{ id: string }>(
        `select frame_id::text as id
         from frame
         cross join ST_TileEnvelope($1::int, $2::int, $3::int, margin => $4::float8) as wider
         where ST_Area(ST_Intersection(ST_Transform(geom, 3857), wider)) > 0
         order by frame_id`,
        [...tile.split('/').map(Number), margin],
      )
      return rows.map(({ id }) => id)
    }
    return { inside: await ids(0), around: await ids(65 / 4096) }
  }

  for (const tile of TILES)
    it(`${tile} hold the frames that lie in them, and none that lies outside their margin`, async () => {
      const answer = await ask(`frames/${tile}`)
      assert.equal(answer.status, 200, answer.text)
      const { inside, around } = await framesAround(tile)
      assert.ok(inside.length > 0)
      const features = featuresOf(answer, 'frames')
      const drawn = features.map(({ properties }) => String(properties['id']))
      assert.equal(new Set(drawn).size, drawn.length, 'a frame is drawn twice')
      assert.deepEqual(
        inside.filter((id) => !drawn.includes(id)),
        [],
      )
      assert.deepEqual(
        drawn.filter((id) => !around.includes(id)),
        [],
      )
      assert.deepEqual(
        features.map(({ id }) => String(id)),
        drawn,
      )
      assert.deepEqual(Object.keys(answer.layers), ['frames'])
      assert.deepEqual([answer.layers['frames']?.version, answer.layers['frames']?.extent], [2, 4096])
      for (const { rings } of features) assert.ok(areaOf(rings[0] ?? []) > 0, 'an outer ring turns the wrong way')
    })

  it('hold the values of an attribute, and none where nothing is recorded', async () => {
    const answer = await ask('frames/9/256/255?dataset=lyr_some&attribute=told')
    assert.equal(answer.status, 200, answer.text)
    const all = featuresOf(answer, 'frames')
    const rows = await database.db.rows<{ id: string; class: string }>(
      `select frame_id::text as id, recorded ->> 'told' as class from baseline where layer_id = 'lyr_some' order by frame_id`,
      [],
    )
    const coloured = all.filter(({ properties }) => 'class' in properties)
    assert.deepEqual(mapOf(coloured, 'class'), new Map(rows.map((row) => [row.id, row.class])))
    assert.ok(all.length > rows.length)
    assert.ok(!all.some(({ properties }) => 'value' in properties))
  })

  it('hold how many features of a dataset lie on each frame', async () => {
    const answer = await ask('frames/10/512/511?dataset=lyr_201')
    const crossed = featuresOf(answer, 'frames').filter(({ properties }) => properties['value'] !== 0)
    const rows = await database.db.rows<{ id: string; features: number }>(
      `select frame_id::text as id, count(*)::int as features from feature_frame join dataset using (version)
       where layer_id = 'lyr_201' group by frame_id order by frame_id`,
      [],
    )
    assert.deepEqual(mapOf(crossed, 'value'), new Map(rows.map(({ id, features }) => [id, features])))
  })

  it('are empty where no frame lies, at the 180th meridian too', async () => {
    for (const tile of ['9/0/0', '9/250/255', '9/0/255', '9/511/255']) {
      const answer = await ask(`frames/${tile}`)
      assert.deepEqual([answer.status, answer.bytes.length], [204, 0], tile)
    }
  })
})
