import assert from 'node:assert/strict'
import * as statements from '../../src/core/db/statements.js'
import { measurePlan, type PlannerState } from '../../src/api/inspect/explained.js'
import { headerOf, type Header } from '../../src/api/inspect/header.js'
import { planFacts, type Facts } from '../../src/api/inspect/plan.js'
import { costSentence, verdictOf, verdictSentences } from '../../src/api/inspect/verdict.js'
import { service } from '../support/service.js'
import { plays } from '../support/transcript.js'

plays('cli/explain', 'datasets')

const nothing: PlannerState = {
  indexes: new Set(),
  invalid: new Set(),
  withoutStatistics: new Set(),
  switchedOff: [],
  isScattered: false,
}

describe('the verdict on a plan', () => {
  it('says what was too large for memory, too dear, without statistics or invalid', async () => {
    const text = 'select frame_id as id from frame order by md5(geojson)'
    const facts = await service().db.transaction(async (ran) => {
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
    assert.deepEqual(verdictOf(header, [[1], [1]], cheap, { ...nothing, invalid: new Set(header.indexes) }).advice, [
      'The index frame_geom_idx is invalid, and not read: reindex index concurrently frame_geom_idx;',
    ])
    const judgedBy = (held: Header, cost: Partial<Facts>) =>
      verdictOf(held, [[1], [1]], { ...cheap, ...cost }, { ...nothing, indexes: new Set(held.indexes) })
    const judged = (buffers: number, rowsRead: number) => judgedBy(header, { buffers, rowsRead })
    assert.deepEqual(judged(8, 2), { budget: 'kept', advice: [] })
    assert.deepEqual(judged(9, 2), { budget: 'at worst', advice: [] })
    assert.deepEqual(judged(10, 5), {
      budget: 'exceeded',
      advice: [
        'It costs more than its header allows: clear away dead rows and renew statistics: vacuum analyze frame;',
      ],
    })
    const ofOneRow = headerOf(statements.indexGeneration.text)
    assert.deepEqual(judgedBy(ofOneRow, { buffers: 8, rowsRead: 300 }), { budget: 'few', advice: [] })
    assert.equal(judgedBy(ofOneRow, { buffers: 9, rowsRead: 300 }).budget, 'exceeded')
    const times = { table: 'class', rows: 217, times: 58 }
    assert.equal(judgedBy(header, { buffers: 8, rowsRead: 2 + 217 * 58, scans: [times] }).budget, 'kept')
  })
})
