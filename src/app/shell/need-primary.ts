/** Forms write to the primary. A form that comes while the primary is away is refused before it changes anything. */
import type { RequestHandler } from 'express'
import { primaryAway } from './refusals.js'
import type { Web } from './web.js'

export function needPrimary({ isPrimaryAway }: Web): RequestHandler {
  return (req, _res, next) => {
    if (isPrimaryAway()) throw primaryAway()
    req.visit.mayHaveChanged = true
    next()
  }
}
