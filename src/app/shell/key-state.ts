/** How pages name the state of a key, its rights and its last days. */
import { presetOf, presetsWith, presetTitle } from '../../core/access/index.js'
import type { DatasetToChoose, DayOfKey, KeyOnPage, RefusalOfKey } from './rows.js'
import { badge, dayOf, distance } from './components.js'
import { html, type Html } from './html.js'
import { DAY_MS } from './period.js'

/** The list and the page of a key show this many days. */
export const LAST_DAYS = 14

/** A key that ends within these days needs somebody to act. */
const SOON_DAYS = 14
const IDLE_DAYS = 90

export const endsSoon = ({ isUsable, endsAt }: KeyOnPage, now = Date.now()) =>
  isUsable && endsAt.getTime() - now < SOON_DAYS * DAY_MS

export const isIdle = ({ isUsable, seenAt }: KeyOnPage, now = Date.now()) =>
  isUsable && seenAt !== null && now - seenAt.getTime() > IDLE_DAYS * DAY_MS

export const wasNeverUsed = (key: KeyOnPage) => key.isUsable && lastUse(key) === 'never'

/** Processes write their counts every 15 seconds, in a moment. */
const COUNTED_MS = 30_000

/** A key without an instant was not used, or its calls are not counted yet, or a process lost their counts. */
function lastUse({ seenAt, wasCharged, mintedAt }: KeyOnPage, now = Date.now()): Date | 'never' | 'uncounted' | 'lost' {
  if (seenAt) return seenAt
  if (wasCharged) return 'lost'
  return now - mintedAt.getTime() < COUNTED_MS ? 'uncounted' : 'never'
}

export function lastUseText(key: KeyOnPage): Html | string {
  const at = lastUse(key)
  return at instanceof Date ? distance(at) : LAST_USES[at]
}

const LAST_USES = { never: 'never', uncounted: 'not counted yet', lost: 'unknown: the counts were lost' }

export const readsEverything = ({ isUsable, datasets }: KeyOnPage) => isUsable && datasets === null

/** A key that was rolled or revoked ends at `revokedAt`, every other one when it expires. */
export function stateOf(key: KeyOnPage): Html {
  const { isUsable, revokedAt, rolledTo } = key
  if (!isUsable) return badge(revokedAt ? (rolledTo ? 'rolled' : 'revoked') : 'expired')
  if (rolledTo !== null) return badge('rolled, in its grace', 'warn')
  return endsSoon(key) ? badge('ends soon', 'warn') : badge('valid', 'good')
}

export function endOf(key: KeyOnPage): Html {
  if (!key.isUsable) return dayOf(key.endsAt)
  return endsSoon(key)
    ? html`<span class="soon">${distance(key.endsAt)}</span><br /><span class="quiet">${dayOf(key.endsAt)}</span>`
    : html`${distance(key.endsAt)}<br /><span class="quiet">${dayOf(key.endsAt)}</span>`
}

/** The name of the preset or, for another choice, the capabilities. */
export function rightsOf({ capabilities }: Pick<KeyOnPage, 'capabilities'>): string {
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

export const holdsFeatures = ({ kind }: Pick<DatasetToChoose, 'kind'>): boolean => kind !== 'frames'

type NamedReach = Pick<KeyOnPage, 'capabilities'> & { datasets?: readonly string[] | null }

/** Names the datasets of features that a key names, and whose features its scope does not open. */
export function unreadNote({ capabilities, datasets }: NamedReach, known: readonly DatasetToChoose[]): Html | false {
  if (capabilities.includes('feature.read')) return false
  const unread = known.filter((each) => holdsFeatures(each) && datasets?.includes(each.layerId))
  if (unread.length === 0) return false
  return html`<p class="notice warn">
    The key reads nothing of ${unread.map(({ name }) => name).join(', ')}:
    ${unread.length === 1 ? 'it holds' : 'they hold'} features, and the scope lacks <code>feature.read</code>. Mint a
    key of the scope ${presetsWith('feature.read').join(' or ')} to read ${unread.length === 1 ? 'it' : 'them'}.
  </p>`
}
