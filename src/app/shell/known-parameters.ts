/** Refuses parameters that a page does not have: a page that left out a filter would show more than was asked. */
import type { RequestHandler } from 'express'
import { badAddress } from './refusals.js'

export const knownParameters =
  (...names: readonly string[]): RequestHandler =>
  ({ context: { asked } }, _res, next) => {
    const unknown = [...asked.keys()].find((name) => !names.includes(name))
    if (unknown === undefined) return next()
    const accepted = names.length === 0 ? 'none is' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`
    throw badAddress(`${unknown.slice(0, 20)}: this page has no such parameter; ${accepted} accepted.`)
  }
