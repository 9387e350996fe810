import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import * as statements from '../../src/core/db/statements.js'
import { measurePlan, type PlannerState } from '../../src/api/inspect/explained.js'
import { headerOf } from '../../src/api/inspect/header.js'
import { planFacts, type Facts } from '../../src/api/inspect/plan.js'
import { costSentence, verdictOf, verdictSentences, type PlanVerdict } from '../../src/api/inspect/verdict.js'
import { frames, settingsFor } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'

type Explained = PlanVerdict & {
  name: string
  file: string
  args: unknown[]
  queryPlan: { Settings: Record<string, string>; Plan: { 'Node Type': string } }
  facts: Facts
}

const point = 'GET /v1/frames/at?lat=0.105&lon=0.205'
const page = 'GET /v1/frames?state=marembe&limit=2'

const nothing: PlannerState = {
  indexes: new Set(),
  invalid: new Set(),
  withoutStatistics: new Set(),
  switchedOff: [],
  isScattered: false,
}

describe('frames explain', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let env: Record<string, string>
  before(async () => {
    database = await newDatabase('datasets')
    env = settingsFor(database.target)
  })
  after(() => database.drop())

  const json = async (...words: string[]): Promise<Explained[]> => {
    const { out, err } = await frames(['explain', ...words, '--json'], env)
    assert.notEqual(out, '', err)
    return JSON.parse(out) as Explained[]
  }
  const textOf = async (...words: string[]): Promise<string> => (await frames(['explain', ...words], env)).out
  /** The last statement that reads rows: the generation of the index is read again after them. */
  const last = async (call: string): Promise<Explained> => {
    const found = (await json(call)).findLast(({ name }) => name !== 'index_generation')
    assert.ok(found)
    return found
  }

  it('shows the plan of each statement as the sessions of the API have it, and says it in words', async () => {
    const value = await json(page)
    assert.deepEqual(
      value.map(({ name, file, args }) => [name, file, args]),
      [
        ['index_generation', 'sql/index_generation.sql', []],
        ['frames_in_state', 'sql/frames_in_state.sql', ['marembe', '-1', 2]],
        ['index_generation', 'sql/index_generation.sql', []],
      ],
    )
    for (const { queryPlan } of value) {
      assert.equal(queryPlan.Settings['plan_cache_mode'], 'force_generic_plan')
      assert.equal(queryPlan.Settings['jit'], 'off')
    }
    const { facts, budget, advice } = value[1] as Explained
    assert.deepEqual([facts.rows, facts.rowsRead, facts.indexes], [2, 3, ['frame_state_frame_id_idx']])
    assert.ok(facts.buffers >= 2 && facts.buffers <= 6 && facts.executionMs > 0)
    assert.deepEqual([budget, advice], ['kept', []])
    const said = await textOf(page)
    assert.match(said, /^-- GET \/v1\/frames\?state=marembe&limit=2\n-- asked by organisation demo /)
    assert.match(
      said,
      /frames_in_state, sql\/frames_in_state\.sql\n {3}Aggregate [\s\S]*Index Scan using frame_state_frame_id_idx on frame [\s\S]*\$1[\s\S]*Execution Time: ([\d.]+) ms\n=> 2 rows out, 3 rows read, \d buffers; planned in [\d.]+ ms, executed in \1 ms\.\n=> By frame_state_frame_id_idx\.\n=> Within its budget: buffers <= 6 \+ 0\.4 \* rows, rows read <= 1 \+ rows\n=> Nothing to do\.\n+index_generation, /,
    )
  })

  it('explains calls that would be charged, and charges nothing', async () => {
    const state = () =>
      database.db.rows(
        'select (select json_agg(account) from account), (select count(*) from credit_entry), (select count(*) from worded_hold)',
        [],
      )
    const before = await state()
    for (const call of [
      'GET /v1/frames/data?ids=324378020,324378021',
      'POST /v1/frames/insight {"frameIds": ["324378020"], "question": "How many schools?"}',
      'GET /v1/frames/at?lat=50&lon=3',
    ]) {
      const [value, said] = [await json(call), await textOf(call)]
      assert.ok(value.length > 0)
      for (const { name } of value) assert.ok(said.includes(`\n${name}, sql/${name}.sql\n`), name)
      // One statement reads no table.
      for (const { name, facts } of value)
        assert.ok(facts.buffers > 0 || facts.rows === 0 || name === 'words_of_question', name)
    }
    assert.deepEqual(await state(), before)
  })

  it('says that scans are switched off, and blames neither indexes nor statistics', async () => {
    const scans = ['enable_bitmapscan', 'enable_indexonlyscan', 'enable_indexscan']
    const admin = connect(database.adminTarget, { connections: 1 })
    const [here] = await admin.rows<{ name: string }>('select current_database() as name', [])
    const setting = (value: string) =>
      admin.work(scans.map((scan) => `alter database "${here?.name}" set ${scan} = ${value}`).join(';'))
    await setting('off')
    const found = await last(point)
    await setting('on')
    await admin.close()
    assert.deepEqual(found.facts.scans, [{ table: 'frame', rows: 12_411 }])
    assert.deepEqual(found.advice, [
      ...scans.map(
        (scan) =>
          `${scan} is off: the planner may not use what it would; no index is missing for that. Column "source" of pg_settings says where it is set.`,
      ),
      'frame is read from end to end, 12411 rows, for that reason.',
    ])
    assert.deepEqual((await last(point)).advice, [])
  })

  it('says that rows are scattered where no index helps, and that an index is invalid', async () => {
    const box = 'GET /v1/frames?bbox=0.2,0.1,0.9,0.8'
    assert.deepEqual((await last(box)).advice, [])
    await database.db.work('create index frame_by_hash on frame (hashint8(frame_id))')
    await database.db.work('cluster frame using frame_by_hash')
    await database.db.work('analyze frame')
    const found = await last(box)
    assert.notEqual(found.budget, 'kept')
    assert.equal(found.advice.length, 1)
    assert.match(
      found.advice[0] ?? '',
      /^Rows of frame lie scattered, .* which no index can mend\. A build or an import/,
    )
    await database.db.work('cluster frame using frame_geom_idx')
    await database.db.work('alter table frame set without cluster')
    await database.db.work('drop index frame_by_hash')
    assert.deepEqual((await last(box)).advice, [])
    const header = headerOf(statements.framesAt.text)
    const { facts } = await last(point)
    assert.deepEqual(verdictOf(header, [[1], [1]], facts, { ...nothing, invalid: new Set(header.indexes) }).advice, [
      'The index frame_geom_idx is invalid, and not read: reindex index concurrently frame_geom_idx;',
    ])
  })

  it('says which index is missing and how it is made, and what is read for want of it', async () => {
    await database.db.work('drop index frame_geom_idx')
    const found = await last(point)
    assert.deepEqual(found.facts.scans, [{ table: 'frame', rows: 12_411 }])
    assert.equal(found.budget, 'exceeded')
    const [making = '', then = ''] = found.advice
    assert.equal(making, 'The index frame_geom_idx is missing: CREATE INDEX frame_geom_idx ON frame USING gist (geom);')
    assert.equal(then, 'frame is read from end to end, 12411 rows: make the index, then analyze frame;')
    for (const advice of [making, then]) await database.db.work(advice.replace(/^.*(: |, then )/, ''))
    assert.deepEqual((await last(point)).advice, [])
    await database.db.work('alter table frame drop constraint frame_pkey')
    const [first] = (await last('GET /v1/frames?ids=324378020')).advice
    assert.equal(
      first,
      'The index frame_pkey is missing: alter table frame add constraint frame_pkey PRIMARY KEY (frame_id);',
    )
  })

  it('says what was too large for memory, too dear or without statistics', async () => {
    const text = 'select frame_id as id from frame order by md5(geojson)'
    const facts = await database.db.transaction(async (ran) => {
      await ran(`set local work_mem = '64kB'`, [])
      return planFacts(await measurePlan(ran, { text, args: [] }))
    })
    assert.ok(facts.spilled > 0)
    const around = { ...nothing, withoutStatistics: new Set(['frame', 'state']) }
    const verdict = verdictOf(headerOf(text), [], facts, around)
    assert.deepEqual(verdict.advice, [
      'frame is read from end to end, 12411 rows: renew its statistics: analyze frame;',
      'frame has no statistics to plan by: analyze frame;',
      `${facts.spilled} pages were sorted or hashed on disk: raise work_mem for the role of the service.`,
    ])
    assert.match(
      verdictSentences(facts, verdict, undefined).join('\n'),
      /On disk for want of memory: \d+ pages\.\nTo do: frame is read/,
    )
    const told = costSentence({ ...facts, planningMs: 0.04, executionMs: 1 })
    assert.match(told, /planned in 0\.040 ms, executed in 1\.000 ms\.$/, 'as PostgreSQL writes it')
    const cheap = { ...facts, scans: [], spilled: 0, buffers: 100, rowsRead: 1, rows: 1 }
    const header = headerOf(statements.framesAt.text)
    const judged = (buffers: number, rowsRead: number) =>
      verdictOf(header, [[1], [1]], { ...cheap, buffers, rowsRead }, { ...nothing, indexes: new Set(header.indexes) })
    assert.deepEqual(judged(8, 2), { budget: 'kept', advice: [] })
    assert.deepEqual(judged(9, 2), { budget: 'at worst', advice: [] })
    assert.deepEqual(judged(10, 5), {
      budget: 'exceeded',
      advice: [
        'It costs more than its header allows: clear away dead rows and renew statistics: vacuum analyze frame;',
      ],
    })
  })

  it('finds nothing wrong where a small table is read whole, as the planner does with those', async () => {
    await database.db.work('vacuum analyze lga')
    const { facts, budget, advice } = await last('GET /v1/lgas?state=marembe')
    assert.ok(facts.rowsRead >= facts.rows)
    assert.deepEqual([budget, advice], ['kept', []])
  })

  it('refuses a call as the API does', async () => {
    const refused = await frames(['explain', 'GET /v1/frames?state=a&limit=0'], env)
    assert.equal(refused.status, 1)
    assert.match(refused.err, /^400 invalid: limit: a whole number/)
  })
})
