import assert from 'node:assert/strict'
import { roundOutwards } from '../../src/core/decimal.js'
import { signIn, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { sharedWorld } from '../support/datasets.js'
import { startService } from '../support/service.js'
import { memberOf, rows } from '../web/visitors.js'
import { askValues, framesAround } from './ask-values.js'

const PEOPLE = '?dataset=lyr_population&attribute=pop_demest26'

describe('the squares of frames', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let reader: Visitor
  let member: Visitor

  before(async () => {
    const made = await sharedWorld()
    database = made.database
    running = await startService(database, { publicUrl: 'listening' })
    reader = await signIn(running.url, database.db, { orgId: made.world.reader, role: 'member' })
    member = await memberOf()
  })
  after(() => running.stop())

  it('hold every frame once, also those that a boundary cuts, each in the square of its id', async () => {
    const known = await rows<{ id: string; square: string; isCut: boolean }>(
      `select frame_id::text as id, (frame_id % 36000 / 100 - 180) || '/' || (frame_id / 36000 / 100 - 90) as square,
         ST_NPoints(geom) > 5 as "isCut"
       from frame order by frame_id`,
    )
    assert.ok(known.filter(({ isCut }) => isCut).length > 100)
    for (const square of new Set(known.map((frame) => frame.square))) {
      const ids = [...(await framesAround(member, '', [square])).keys()]
      assert.deepEqual(
        ids,
        known.filter((frame) => frame.square === square).map(({ id }) => id),
        square,
      )
    }
  })

  it('have the values and bounds that SQL gives, to the last digit', async () => {
    const known = await rows<{ id: string; value: number | null; lower: string | null; upper: string | null }>(
      `select frame.frame_id::text as id, (recorded ->> 'pop_demest26')::float8 as value, lower::text, upper::text
       from frame
       left join baseline on baseline.frame_id = frame.frame_id and layer_id = 'lyr_population'
       left join frame_interval on frame_interval.frame_id = frame.frame_id and attribute = 'pop_demest26'
         and version = (select version from dataset where layer_id = 'lyr_population')`,
    )
    const frames = await framesAround(member, PEOPLE)
    assert.equal(frames.size, known.length)
    for (const { id, value, lower, upper } of known) {
      const bounds = lower !== null && upper !== null ? roundOutwards({ lower, upper }) : undefined
      assert.deepEqual(
        frames.get(id),
        { value, lower: bounds ? Number(bounds.lower) : null, upper: bounds ? Number(bounds.upper) : null },
        id,
      )
    }
  })

  it('hold the classes of a category, and null where nothing is recorded', async () => {
    const frames = await framesAround(reader, '?dataset=lyr_some&attribute=told', ['0/0'])
    const known = await database.db.rows<{ id: string; class: string }>(
      `select frame_id::text as id, recorded ->> 'told' as class from baseline where layer_id = 'lyr_some'`,
      [],
    )
    const recorded = [...frames].filter(([, { value }]) => value !== null).map(([id, { value }]) => [id, value])
    assert.deepEqual(new Map(recorded as [string, string][]), new Map(known.map((row) => [row.id, row.class])))
    assert.ok(frames.size > known.length)
  })

  it('hold how many features of a dataset lie on each frame', async () => {
    const frames = await framesAround(reader, '?dataset=lyr_201', ['0/0'])
    const crossed = [...frames].filter(([, { value }]) => value !== 0).map(([id, { value }]) => [id, value])
    const known = await database.db.rows<{ id: string; features: number }>(
      `select frame_id::text as id, count(*)::int as features from feature_frame join dataset using (version)
       where layer_id = 'lyr_201' group by frame_id`,
      [],
    )
    assert.deepEqual(new Map(crossed as [string, number][]), new Map(known.map(({ id, features }) => [id, features])))
  })

  it('are an empty list where no frame lies, and are at no other addresses', async () => {
    const { status, text } = await askValues(member, `179/89${PEOPLE}`)
    assert.deepEqual([status, text], [200, '[]'])
    for (const path of ['180/0', '0/90', '-181/0', '00/0', '0.5/0', '1e1/0', 'x/0', 'country', 'block', '__proto__']) {
      const refused = await askValues(member, `${path}${PEOPLE}`)
      assert.equal(refused.status, 404, path)
      assert.match(refused.text, /A square has whole degrees|There are values of state, lga, ward and of squares/)
    }
  })
})
