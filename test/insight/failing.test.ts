import assert from 'node:assert/strict'
import { license } from '../../src/access/licences.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { until } from '../support/replica.js'
import { mint, service, startService } from '../support/service.js'
import { postInsight } from './ask.js'

describe('a question that fails after its charge', () => {
  it('gets its credits back', async () => {
    const { db, database } = service()
    const { secret, orgId } = await mint(db)
    await credit(db, orgId, 10)
    await license(db.run, 'lyr_population', orgId, 3)
    const entries = async () => {
      const rows = await db.rows<{ credits: string }>(
        'select credits from credit_entry where org_id = $1::text order by entry_id',
        [orgId],
      )
      return rows.map(({ credits }) => Number(credits))
    }
    const failing = await startService(database, {
      watch: (text) => {
        // The service reads the table after it charges.
        if (text.startsWith('-- records_of_baselines')) throw new Error('the statement fails')
      },
    })
    try {
      const question = { frameIds: [ids[0]], question: 'how many people live here' }
      const answer = await postInsight({ url: failing.url, secret }, question)
      assert.equal(answer.status, 500, answer.text)
      await until(async () => (await entries()).length === 3)
      assert.deepEqual(await entries(), [10, -3, 3])
      assert.equal(await balanceOf(db, orgId), 10)
    } finally {
      await failing.stop()
    }
  })
})
