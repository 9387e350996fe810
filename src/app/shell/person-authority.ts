/** Says what a person may read and spend, and which buckets the requests of the person spend from. */
import type { Request, RequestHandler, Response } from 'express'
import type { Session } from './rows.js'
import { type Authority, PRESETS } from '../../core/access/index.js'
import { spend } from '../../api/http/meter.js'
import { bucketsOfPage, mapBuckets } from '../../core/limits/index.js'
import type { Services } from '../../services.js'
import { sessionOf } from './session.js'
import { purseOfPerson } from './statements.js'
import { countText } from './amounts.js'
import type { Visit } from './visit.js'

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

/** Rejects with the refusal of the bucket that is empty. */
export type Spending = (req: Request, res: Response) => Promise<void>

/** Pages spend from the organisation's bucket and, in place of a key's, from one of the person; tiles from their own. */
export function spendAsPerson(services: Services, kind: 'read' | 'insight' | 'map'): Spending {
  const { bucketSizes, limiter } = services
  return async (req, res) => {
    const person = personAuthority(sessionOf(req))
    const isQuestion = kind === 'insight'
    const buckets = kind === 'map' ? mapBuckets(bucketSizes, person) : bucketsOfPage(bucketSizes, person, isQuestion)
    if (buckets.length > 0) await spend(services, limiter.spend(buckets), res)
  }
}

export function meterPerson(services: Services, kind: 'read' | 'map'): RequestHandler {
  const spends = spendAsPerson(services, kind)
  return async (req, res, next) => {
    await spends(req, res)
    next()
  }
}

/** Pages that ask nothing spend nothing. */
export const readPurse: RequestHandler = async (req, _res, next) => {
  const { orgId, personId } = sessionOf(req)
  const mayOffer = req.method === 'POST' || req.path === '/take' || req.context.asked.has('question')
  if (mayOffer) [req.visit.purse] = await purseOfPerson(req.visit.db, orgId, personId)
  next()
}

/** Such as "The organisation has 48 credits, and you may spend 3 of them today." */
export function purseText({ purse }: Pick<Visit, 'purse'>): string {
  if (!purse) return 'The organisation pays.'
  const has = `The organisation has ${countText(purse.balance, 'credit')}`
  return purse.leftToday === null
    ? `${has}.`
    : `${has}, and you may spend ${countText(purse.leftToday, 'credit')} today.`
}
