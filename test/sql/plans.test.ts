import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import * as statements from '../../src/core/db/statements.js'
import * as catalogueStatements from '../../src/app/catalogue/statements.js'
import * as mapStatements from '../../src/app/map/statements.js'
import * as ogcStatements from '../../src/api/ogc/statements.js'
import * as tileStatements from '../../src/app/tiles/statements.js'
import { headerOf } from '../../src/api/inspect/header.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { COLUMNS, ROWS } from '../support/grid.js'
import { sample } from '../support/sample.js'
import { casesOf } from './cases.js'
import { faultsOf, largeTables, type Held } from './guard.js'

type Run = Database['rows']

const every = Object.values({
  ...statements,
  ...tileStatements,
  ...mapStatements,
  ...catalogueStatements,
  ...ogcStatements,
}).map(({ name, text }): Held => ({
  name,
  text,
}))
const named = (name: string): Held => {
  const found = every.find((statement) => statement.name === name)
  assert.ok(found, name)
  return found
}
const naming = (index: string) => every.filter(({ text }) => headerOf(text).indexes.includes(index))

/** Indexes of tables that calls read. No call needs them; the work beside each does. */
const NOT_FOR_READS = [
  'api_key_created_by_idx', // people deleted
  'api_key_org_id_idx', // keys list, and organisations deleted
  'api_key_rolled_from_idx', // the successors of keys, in the web app
  'credit_entry_key_id_idx', // the entries of a key or a person, in the web app
  'credit_entry_org_id_entered_at_idx', // the credits of a month, in the web app
  'dataset_distance_to_once', // datasets deleted
  'dataset_org_id_idx', // organisations deleted
  'dataset_version_once', // rows of an import that is replaced, and the next version
  'feature_lines_idx', // maps
  'feature_points_idx', // maps
  'feature_polygons_idx', // maps
  'frame_multipolygon_idx', // maps
  'frame_run_pkey', // all runs are read
  'index_generation_pkey', // one row
  'licence_org_id_idx', // organisations deleted
  'organisation_name_key', // the command line's --org
  'paid_walk_paid_at_idx', // walks that the service removes
]

describe(`on a grid of ${COLUMNS * ROWS} frames`, function () {
  this.timeout(180_000)
  let database: TestDatabase
  let large: Set<string>
  before(async () => {
    database = await newDatabase('grid')
    large = await largeTables(database.db.rows)
  })
  after(() => database.drop())

  /** Breaks something, looks for faults, and rolls back. */
  async function faultsWhen(breaking: string, held: readonly Held[], cases = casesOf): Promise<string[]> {
    const undone = new Error('undone')
    const faults: string[] = []
    const work = async (run: Run) => {
      for (const step of breaking.split(';').filter((text) => text.trim())) await run(step, [])
      for (const statement of held) faults.push(...(await faultsOf(run, statement, cases[statement.name], large)))
      throw undone
    }
    await database.db.transaction(work).catch((error: unknown) => assert.equal(error, undone))
    return faults
  }

  it('the tables are large enough to need their indexes, and are planned for as the API plans', async () => {
    assert.deepEqual(
      TABLES.filter((table) => large.has(table)),
      [
        'api_key',
        'baseline_row',
        'credit_entry',
        'feature',
        'feature_frame',
        'frame',
        'paid_walk',
        'unit_area',
        'ward',
      ],
    )
    const [mode] = await database.db.rows<{ mode: string }>(`select current_setting('plan_cache_mode') as mode`, [])
    assert.equal(mode?.mode, 'force_generic_plan')
  })

  for (const statement of every) {
    it(`${statement.name} costs what its header allows`, async () => {
      assert.deepEqual(await faultsWhen('', [statement]), [])
    })
  }

  it('every index of the tables that calls read is named by a header, or is there for other work', async () => {
    const rows = await database.db.rows<{ index: string }>(
      `select indexname as index from pg_indexes where schemaname = 'public' and tablename = any($1::text[])`,
      [TABLES],
    )
    const unnamed = rows.map(({ index }) => index).filter((index) => naming(index).length === 0)
    assert.deepEqual(unnamed.sort(), NOT_FOR_READS)
  })

  describe('the guard notices', () => {
    it('that an index is gone, and names each statement that needs it', async () => {
      const indexes = [...new Set(every.flatMap(({ text }) => headerOf(text).indexes))]
      for (const index of indexes.filter((_index, i) => i % sample(6, 1) === 0)) {
        const faults = await faultsWhen(await dropping(index), naming(index))
        for (const { name } of naming(index))
          assert.ok(
            faults.some((fault) => fault.startsWith(`${name}, `) && fault.includes(index)),
            `${name} was not noticed: ${faults.join('\n')}`,
          )
      }
    })

    async function dropping(index: string): Promise<string> {
      const [row] = await database.db.rows<{ table: string; isConstraint: boolean }>(
        `select conrelid::regclass::text as table, true as "isConstraint" from pg_constraint where conname = $1::text`,
        [index],
      )
      return row ? `alter table ${row.table} drop constraint ${index} cascade` : `drop index ${index}`
    }

    it('that the planner scans a table instead of using an index', async () => {
      const standing = every.filter(({ text }) => headerOf(text).indexes.length > 0)
      const faults = await faultsWhen(
        'set local enable_indexscan = off; set local enable_indexonlyscan = off; set local enable_bitmapscan = off; set local statement_timeout = 0',
        standing,
      )
      for (const { name } of standing)
        assert.ok(
          faults.some((fault) => fault.startsWith(`${name}, `)),
          name,
        )
    })

    it('that a box is sorted and cut in one', async () => {
      const text = named('frames_in_box').text.replace(
        /with asked[\s\S]*/,
        `select frame_id::text as id, geojson as geometry from frame
        where ST_Intersects(geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))
        order by frame_id limit $5::int`,
      )
      const faults = await faultsWhen('set local statement_timeout = 0', [{ name: 'frames_in_box', text }])
      assert.ok(faults.length > 0 && faults.every((fault) => fault.startsWith('frames_in_box, ')), faults.join('\n'))
    })

    it('that a statement costs more than its header allows, by one buffer or one row', async () => {
      const { name, text } = named('frames_by_id')
      const tight = (budget: string) => [{ name, text: text.replace(/^-- budget: .*$/m, `-- budget: ${budget}`) }]
      assert.deepEqual(await faultsWhen('', tight('buffers <= 4 * ids, rows read <= ids')), [])
      assert.deepEqual(await faultsWhen('', tight('buffers <= 4 * ids, rows read <= 0 * ids')), [
        'frames_by_id, typical: 1 rows read, 0 are allowed',
        'frames_by_id, worst: 100 rows read, 0 are allowed',
      ])
      assert.match(
        (await faultsWhen('', tight('buffers <= 2 * ids, rows read <= ids'))).join(),
        /buffers, 2 are allowed/,
      )
    })
  })
})

/** The statements of sql/ read these tables. */
const TABLES = [
  'account',
  'api_key',
  'attribute',
  'baseline_row',
  'credit_entry',
  'dataset',
  'feature',
  'feature_frame',
  'frame',
  'frame_run',
  'index_generation',
  'lga',
  'licence',
  'organisation',
  'paid_walk',
  'state',
  'unit_area',
  'ward',
]
