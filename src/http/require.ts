/** Checks the capability that a call needs, after the key is accepted and before any data is read. */
import type { RequestHandler } from 'express'
import { presetsWith, type Capability } from '../access/capabilities.js'
import { insufficientScope } from '../errors.js'

export function needs(capability: Capability): RequestHandler {
  return (req, _res, next) => {
    if (!req.caller?.capabilities.includes(capability)) throw insufficientScope(capability, presetsWith(capability))
    next()
  }
}
