import assert from 'node:assert/strict'
import { signIn, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { sharedWorld } from '../support/datasets.js'
import { startService } from '../support/service.js'
import { askTile, featuresOf } from './ask-tile.js'
import { type TileFeature } from './read-tile.js'

/** Lists a property of frames by their ids, in order. */
const mapOf = (features: readonly TileFeature[], property: string) =>
  new Map(
    features
      .map(({ properties }): [string, unknown] => [String(properties['id']), properties[property]])
      .sort(([one], [other]) => Number(one) - Number(other)),
  )

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
})
