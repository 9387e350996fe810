import { whenPrimaryFails } from './primary-fails.js'
import { whenReplicaFails } from './replica-fails.js'
import { servedPair } from './served-pair.js'
import { whileReplicaStandsIn } from './web-app.js'

/** To start two servers takes seconds: these suites share them. */
describe('a primary and its replica', function () {
  this.timeout(120_000)
  const served = servedPair()

  describe('when the replica fails', () => whenReplicaFails(served))
  describe('the web app, while the primary is away and a replica stands in,', () => whileReplicaStandsIn(served))
  describe('when the primary fails', () => whenPrimaryFails(served))
})
