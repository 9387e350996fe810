/** How pages name the state of a key, its rights and its last days. */
import { presetOf, presetTitle } from '../../core/access/capabilities.js'
import { badge, dayOf, distance } from './components.js'
import { html, type Html } from './html.js'
import type { DayOfKey, KeyRow, RefusalOfKey } from './statements.js'

/** The list and the page of a key show this many days. */
export const LAST_DAYS = 14

const DAY_MS = 24 * 3600 * 1000
/** A key that ends within these days needs somebody to act. */
const SOON_DAYS = 14
const IDLE_DAYS = 90

export const endsSoon = ({ isUsable, endsAt }: KeyRow, now = Date.now()) =>
  isUsable && endsAt.getTime() - now < SOON_DAYS * DAY_MS

export const isIdle = ({ isUsable, seenAt }: KeyRow, now = Date.now()) =>
  isUsable && seenAt !== null && now - seenAt.getTime() > IDLE_DAYS * DAY_MS

export const wasNeverUsed = ({ isUsable, seenAt }: KeyRow) => isUsable && seenAt === null

export const readsEverything = ({ isUsable, datasets }: KeyRow) => isUsable && datasets === null

/** A key that was rolled or revoked ends at `revokedAt`, every other one when it expires. */
export function stateOf(key: KeyRow): Html {
  const { isUsable, revokedAt, rolledTo } = key
  if (!isUsable) return badge(revokedAt ? (rolledTo ? 'rolled' : 'revoked') : 'expired')
  if (rolledTo !== null) return badge('rolled, in its grace', 'warn')
  return endsSoon(key) ? badge('ends soon', 'warn') : badge('valid', 'good')
}

export function endOf(key: KeyRow): Html {
  if (!key.isUsable) return dayOf(key.endsAt)
  return endsSoon(key)
    ? html`<span class="soon">${distance(key.endsAt)}</span><br /><span class="quiet">${dayOf(key.endsAt)}</span>`
    : html`${distance(key.endsAt)}<br /><span class="quiet">${dayOf(key.endsAt)}</span>`
}

/** The name of the preset or, for another choice, the capabilities. */
export function rightsOf({ capabilities }: Pick<KeyRow, 'capabilities'>): string {
  const preset = presetOf(capabilities)
  return preset === undefined ? capabilities.join(', ') : presetTitle(preset)
}

/** One entry for each of the last days, zeros where the key was not used. */
export function lastDaysOf(keyId: string, used: readonly DayOfKey[]): { calls: number; unanswered: number }[] {
  const days = Array.from({ length: LAST_DAYS }, () => ({ calls: 0, unanswered: 0 }))
  for (const { place, calls, unanswered, keyId: of } of used) if (of === keyId) days[place] = { calls, unanswered }
  return days
}

/** Such as "rate_limited (key bucket)". */
export const refusalName = ({ outcome, bucket }: Pick<RefusalOfKey, 'outcome' | 'bucket'>) =>
  bucket === '' ? outcome : `${outcome} (${bucket} bucket)`
