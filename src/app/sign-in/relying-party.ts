/** The name by which authenticators know this service. A passkey works for that name only. */
import { isIP } from 'node:net'
import type { ServedAt } from '../../core/origin.js'

export type RelyingParty = { id: string; origin: string }

/** Undefined at an IP address: browsers refuse passkeys there. */
export function relyingPartyOf({ origin }: ServedAt): RelyingParty | undefined {
  const { hostname } = new URL(origin)
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isAddress ? undefined : { id: hostname, origin }
}

/** Tells a person why there are none. */
export const WHY_NO_PASSKEYS =
  'Browsers refuse passkeys at an IP address. On this machine, set PUBLIC_URL to http://localhost and the port.'
