/** Says what a person can spend, beside each button that spends. */
import type { RequestHandler } from 'express'
import { countText } from './amounts.js'
import { sessionOf } from './session.js'
import { purseOfPerson } from './statements.js'
import type { Visit } from './visit.js'

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
