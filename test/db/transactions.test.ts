import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { builder } from '../../src/core/db/builder.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { service } from '../support/service.js'

const read = (db: Database) => db.rows('select layer_id from dataset', [])
const change = (db: Database) =>
  db.change('test/db/transactions.test.ts', (run) => run(builder.selectFrom('dataset').select('layer_id')))

describe('a transaction', () => {
  // postgres.js does not reserve a connection whose pipeline BEGIN fills.
  it('has a connection to itself, wherever it stands in a long queue of reads', async () => {
    for (let before = 98; before <= 102; before += 1) {
      const db = connect(service().database.target, { connections: 4 })
      try {
        const slow = () => Promise.all(Array.from({ length: 4 }, () => db.rows('select pg_sleep(0.03)', [])))
        await slow()
        const slowly = slow()
        await nextTurn()
        const reads = Array.from({ length: 4 * before }, () => read(db))
        await nextTurn()
        const changes = Array.from({ length: 8 }, () => change(db))
        for (const rows of await Promise.all([slowly, ...reads, ...changes])) assert.ok(rows.length > 0)
        const open = `select from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`
        assert.deepEqual([...(await service().db.rows(open, []))], [])
      } finally {
        await db.close()
      }
    }
  })
})
