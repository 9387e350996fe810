import assert from 'node:assert/strict'
import * as statements from '../../src/core/db/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'

type Node = { 'Relation Name'?: string; 'Actual Loops': number; Plans?: Node[] }

const loopsOn = (tables: readonly string[], { Plans = [], ...node }: Node): number =>
  (tables.includes(node['Relation Name'] ?? '') ? node['Actual Loops'] : 0) +
  Plans.reduce((sum, each) => sum + loopsOn(tables, each), 0)

/** A few datasets, whose statistics tell the planner that there are a few. */
const onlySix = `
  delete from licence;
  delete from attribute where layer_id not in (select layer_id from dataset order by kind <> 'frames', layer_id limit 6);
  delete from dataset where layer_id not in (select layer_id from dataset order by kind <> 'frames', layer_id limit 6);
  analyze dataset`

describe('where there are six datasets, of which a call asks for two', () => {
  let database: TestDatabase
  before(async () => (database = await newDatabase('datasets')))
  after(() => database.drop())

  for (const { name, text, kind } of [
    { ...named(statements.recordsOfBaselines), kind: 'frames' },
    { ...named(statements.figuresOfBaselines), kind: 'frames' },
  ]) {
    it(`${name} visits the rows of those two alone`, async () => {
      const { db } = database
      const undone = new Error('undone')
      let visits = 0
      await db
        .transaction(async (run) => {
          for (const step of onlySix.split(';')) await run(step, [])
          const ids = await run<{ id: string }>(
            'select frame_id::text as id from frame order by frame_id limit 100',
            [],
          )
          const layers = await run<{ id: string }>(
            'select layer_id as id from dataset where kind = $1::text order by layer_id limit 2',
            [kind],
          )
          const list = (rows: { id: string }[]) => `'{${rows.map(({ id }) => id).join(',')}}'`
          await run(`prepare few (bigint[], text[]) as ${text}`, [])
          const [plan] = await run<{ 'QUERY PLAN': { Plan: Node }[] }>(
            `explain (analyze, format json) execute few (${list(ids)}, ${list(layers)})`,
            [],
          )
          await run('deallocate few', [])
          const [top] = plan?.['QUERY PLAN'] ?? []
          if (top) visits = loopsOn(['baseline_row', 'feature_frame'], top.Plan)
          throw undone
        })
        .catch((error: unknown) => assert.equal(error, undone))
      assert.equal(visits, 200)
    })
  }
})

function named({ name, text }: { name: string; text: string }): { name: string; text: string } {
  return { name, text }
}
