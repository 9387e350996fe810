/** Says what a person may read, and which buckets their requests spend from. */
import type { RequestHandler } from 'express'
import type { Authority } from '../../core/access/authority.js'
import { PRESETS } from '../../core/access/capabilities.js'
import { meterBuckets } from '../../api/http/meter.js'
import { bucketsOfPage, mapBuckets } from '../../core/limits/buckets.js'
import type { Services } from '../../services.js'
import { sessionOf } from './session.js'
import type { Session } from './statements.js'

/**
 * A member of any role reads all that the organisation of the session reads, as one of its keys would that may do
 * everything. The person's id stands where the id of the key does.
 */
export const personAuthority = ({ personId, orgId, plan }: Session): Authority => ({
  keyId: personId,
  orgId,
  plan,
  capabilities: [...PRESETS['full-read']],
  datasets: null,
})

/** Pages spend from the organisation's bucket and, in place of a key's, from one of the person; tiles from their own. */
export function meterPerson(services: Services, kind: 'read' | 'insight' | 'map'): RequestHandler {
  const { bucketSizes } = services
  return meterBuckets(services, (req) => {
    const person = personAuthority(sessionOf(req))
    return kind === 'map' ? mapBuckets(bucketSizes, person) : bucketsOfPage(bucketSizes, person, kind === 'insight')
  })
}
