import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { deadlineIn, DeadlinePassed } from '../../src/core/deadline.js'
import { explainSteps } from '../../src/api/inspect/explanation.js'
import { service } from '../support/service.js'

// The embedded database has no timers, and so no limit for a statement.
describe('the limits of the page of plans', () => {
  it('stop a statement, show its plan unmeasured, and leave no prepared statement', async () => {
    const db = connect(service().database.target, { connections: 1 })
    const slow = {
      name: 'slow',
      file: 'sql/slow.sql',
      text: '-- slow: nothing, after a while.\nselect pg_sleep(6)',
      args: [],
    }
    const quick = { ...slow, name: 'quick', text: '-- quick: one.\nselect 1' }
    const limits = { statementMs: 1000, deadline: deadlineIn(20_000) }
    const [first, between, last] = await explainSteps(db, [slow, quick, slow], limits)
    for (const stopped of [first, last]) {
      assert.equal(stopped?.measured, undefined)
      assert.match(stopped?.planText ?? '', /^Result /)
      assert.match(stopped?.sentences.join() ?? '', /was stopped: it may take 1 s at most/)
    }
    assert.ok(between?.measured)
    const left = await db.transaction((run) =>
      run<object>(`select name from pg_prepared_statements where name ~ '^explained'`, []),
    )
    assert.equal(left.length, 0)
    await assert.rejects(explainSteps(db, [quick], { ...limits, deadline: deadlineIn(-1) }), DeadlinePassed)
    await db.close()
  })
})
