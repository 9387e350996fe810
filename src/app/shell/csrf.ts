/** Refuses a form that a page of another site sent with a person's cookie (CSRF). */
import type { RequestHandler } from 'express'
import { crossSite } from './refusals.js'

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
