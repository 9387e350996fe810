/** Refuses a form that a page of another site sent with a person's cookie. */
import type { RequestHandler } from 'express'
import { badAddress, crossSite, primaryAway } from './refusals.js'
import type { Web } from './web.js'

/**
 * Browsers write Sec-Fetch-Site, and no page can change it. Without it, Origin decides. Go's CrossOriginProtection has
 * the same rule, but lets a request pass that has neither header; here it is refused, since every browser sends one.
 * Host plays no part: whoever runs the name server of a site chooses it.
 */
export const refuseCrossSite: RequestHandler = (req, _res, next) => {
  const fetchSite = req.get('Sec-Fetch-Site')
  const isSameOrigin =
    fetchSite === undefined ? req.get('Origin') === req.visit.place.origin : fetchSite === 'same-origin'
  if (!isSameOrigin) throw crossSite()
  next()
}

export const knownParameters =
  (...names: readonly string[]): RequestHandler =>
  ({ context: { asked } }, _res, next) => {
    const unknown = [...asked.keys()].find((name) => !names.includes(name))
    if (unknown === undefined) return next()
    const accepted = names.length === 0 ? 'none is' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`
    throw badAddress(`${unknown.slice(0, 20)}: this page has no such parameter; ${accepted} accepted.`)
  }

export function needPrimary({ isPrimaryAway }: Web): RequestHandler {
  return (req, _res, next) => {
    if (isPrimaryAway()) throw primaryAway()
    req.visit.mayHaveChanged = true
    next()
  }
}
