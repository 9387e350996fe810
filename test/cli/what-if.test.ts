import assert from 'node:assert/strict'
import type { BuiltIndex, RemovedIndex } from '../../src/api/inspect/what-if.js'
import type { Facts } from '../../src/api/inspect/plan.js'
import { frames, settingsFor } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'

const point = 'GET /v1/frames/at?lat=0.105&lon=0.205'
const state = 'GET /v1/frames?state=marembe&limit=2'

type Measured = { facts: Facts; budget: string; queryPlan: object }
type Outcome = {
  built: BuiltIndex[]
  removed: RemovedIndex[]
  statements: { name: string; file: string; before: Measured; after: Measured }[]
}

describe('frames explain with other indexes', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let env: Record<string, string>
  before(async () => {
    database = await newDatabase('datasets')
    env = settingsFor(database.ownerTarget)
  })
  after(() => database.drop())

  const catalogue = () =>
    database.db.rows('select indexrelid::regclass::text as name, to_json(pg_index) as row from pg_index order by 1', [])

  async function outcome(call: string, ...words: string[]): Promise<Outcome> {
    const before = await catalogue()
    const { status, out, err } = await frames(['explain', call, ...words, '--json'], env)
    assert.equal(status, 0, err)
    assert.deepEqual(await catalogue(), before)
    return JSON.parse(out) as Outcome
  }

  const oneOf = ({ statements }: Outcome, name: string) => {
    const found = statements.find((each) => each.name === name)
    assert.ok(found, name)
    return found
  }

  for (const [kind, definition] of [
    ['GiST', 'using gist (geom)'],
    ['SP-GiST', 'using spgist (geom)'],
    ['BRIN', 'using brin (geom) with (pages_per_range = 4)'],
  ] as const) {
    it(`tries an index of kind ${kind} in the place of the one there is`, async () => {
      const tried = await outcome(
        point,
        '--with',
        `create index tried on frame ${definition}`,
        '--without',
        'frame_geom_idx',
      )
      const [index] = tried.built
      assert.equal(index?.name, 'tried')
      assert.equal(index.table, 'frame')
      assert.ok(index.definition.includes(definition.split(' ')[1] ?? ''), index.definition)
      assert.ok(index.bytes > 0 && index.buildMs > 0 && index.isReadable)
      assert.deepEqual(
        tried.removed.map(({ name, table }) => [name, table]),
        [['frame_geom_idx', 'frame']],
      )
      const { before, after } = oneOf(tried, 'frames_at')
      assert.deepEqual(before.facts.indexes, ['frame_geom_idx'])
      assert.ok(!after.facts.planned.includes('frame_geom_idx'))
      assert.equal(after.facts.rows, before.facts.rows)
      // The planner reads the small fixture whole rather than by a BRIN index.
      if (kind !== 'BRIN') assert.deepEqual(after.facts.indexes, ['tried'])
    })
  }

  it('tries an index that covers the columns that are read, and one more beside it', async () => {
    const both = await outcome(
      state,
      '--with',
      'create index "Covers all" on frame (state, frame_id) include (bbox);',
      '--with',
      'CREATE UNIQUE INDEX ON public.frame (frame_id)',
    )
    assert.deepEqual(
      both.built.map(({ name, table }) => [name, table]),
      [
        ['"Covers all"', 'frame'],
        ['frame_frame_id_idx', 'frame'],
      ],
    )
  })

  it('shows what a call costs without an index, and without a constraint', async () => {
    const { before, after } = oneOf(await outcome(point, '--without', 'frame_geom_idx'), 'frames_at')
    assert.deepEqual([before.budget, after.budget], ['kept', 'exceeded'])
    assert.deepEqual(after.facts.plannedScans, ['frame'])
    const byId = oneOf(await outcome('GET /v1/frames?ids=324378020', '--without', 'frame_pkey'), 'frames_listed')
    assert.deepEqual(byId.before.facts.indexes, ['frame_pkey'])
    assert.ok(!byId.after.facts.planned.includes('frame_pkey'))
  })

  it('puts both costs and the limit of the statement beside each other, in words', async () => {
    const { out, status } = await frames(['explain', point, '--without', 'frame_geom_idx'], env)
    assert.equal(status, 0)
    assert.match(
      out,
      /\n\nWithout frame_geom_idx on frame: calls that read frame waited \d+\.\d{3} s at most\.\n\nframes_at, sql\/frames_at\.sql\n {3}before:\n {6}Nested Loop [\s\S]* {3}=> By frame_geom_idx\.\n {3}=> Within its budget: [^\n]*\n {3}after:\n[\s\S]*Seq Scan on frame[\s\S]* {3}=> OVER ITS BUDGET: [^\n]*\n=> Buffers: \d+ before, \d+ after \(at most 10 are allowed\)\. Executed in [\d.]+ ms before, [\d.]+ ms after\.\n/,
    )
    assert.doesNotMatch(out, /To do/)
    const same = await frames(['explain', point, '--with', 'create index tried on frame (area_km2)'], env)
    assert.match(same.out, /With tried on frame: built in \d+\.\d{3} s, \d+ kB\.\n {3}CREATE INDEX tried ON /)
    assert.match(same.out, /\n {3}after, by the same plan:\n {3}=> 1 row out/)
    assert.match(same.out, /\n\nRolled back: the indexes are as they were\.\n$/)
  })

  it('accepts one statement that creates an index, and nothing else', async () => {
    const before = await catalogue()
    const refused = async (text: string, reason: RegExp) => {
      const ran = await frames(['explain', point, '--with', text], env)
      assert.deepEqual([ran.status, ran.out], [1, ''], text)
      assert.match(ran.err, reason, text)
    }
    const several = /^PostgreSQL refuses this change of frame: cannot insert multiple commands/
    await refused('create index on frame (state); commit', several)
    await refused('create index on frame (state); drop table frame;', several)
    await refused('create index on frame (nowhere)', /^PostgreSQL refuses .*: column "nowhere" does not exist\./)
    await refused('create index on nothing (state)', /^There is no table nothing\./)
    await refused(
      'create index if not exists frame_geom_idx on frame (state)',
      /^This statement made no index on frame:/,
    )
    assert.deepEqual(await catalogue(), before)
  })

  it('names the nearest index for a mistyped one, and says what depends on an index', async () => {
    const typed = await frames(['explain', point, '--without', 'frame_geom_id'], env)
    assert.deepEqual([typed.status, typed.err], [1, 'There is no index frame_geom_id. Did you mean frame_geom_idx?\n'])
    const needed = await frames(['explain', point, '--without', 'organisation_pkey'], env)
    assert.equal(needed.status, 1)
    assert.match(
      needed.err,
      /^PostgreSQL refuses this change of organisation: cannot drop constraint .* depend on it\.\n$/,
    )
  })
})
