/** Checks the capability that a call needs, after the key is accepted and before any data is read. */
import type { RequestHandler } from 'express'
import type { Authority } from '../../core/access/authority.js'
import { presetsWith, type Capability } from '../../core/access/capabilities.js'
import { insufficientScope } from '../../core/errors.js'

export function needs(capability: Capability): RequestHandler {
  return (req, _res, next) => {
    requireCapability(req.context.caller, capability)
    next()
  }
}

export function requireCapability(caller: Authority | undefined, capability: Capability): void {
  if (!caller?.capabilities.includes(capability)) throw insufficientScope(capability, presetsWith(capability))
}
