import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { examine } from '../../src/core/doctor/examine.js'
import { whenPrimaryFails } from './primary-fails.js'
import { whenReplicaFails } from './replica-fails.js'
import { servedPair } from './served-pair.js'
import { whileReplicaStandsIn } from './web-app.js'

/** To start two servers takes seconds: these suites share them. */
describe('a primary and its replica', function () {
  this.timeout(120_000)
  const served = servedPair()

  it('are told apart by the doctor, which makes all checks but the slow ones on the replica', async () => {
    const checks = CHECKS.filter(({ readsAll, samples }) => !readsAll && !samples)
    const db = connect(served.pair.replica.url('template_datasets', 'frames_owner'), { connections: 2 })
    try {
      // The replay of a change would end the sessions of readers.
      await served.pair.whilePaused(async () => {
        const { findings, unchecked } = await examine(db, { isEmbedded: false, checks })
        assert.ok(findings.some(({ check }) => check === 'read_only'))
        assert.deepEqual(unchecked, [])
      })
    } finally {
      await db.close()
    }
  })

  describe('when the replica fails', () => whenReplicaFails(served))
  describe('the web app, while the primary is away and a replica stands in,', () => whileReplicaStandsIn(served))
  describe('when the primary fails', () => whenPrimaryFails(served))
})
