/**
 * Keys to try programs with. Each has a purpose, and the database knows none of them: their ids have a form that its
 * tables refuse. All act for one organisation that owns nothing, has no credits, and shares its buckets among all who
 * use them: they add the calls of one organisation, and no more.
 */
import type { Authority } from './authority.js'
import { CAPABILITIES } from './capabilities.js'
import { hashSecret, PREFIX, withChecksum } from './secret.js'

/** `credits`: datasets with a price are there, and its credits cover none. The others answer with this status. */
const PURPOSES = ['200', '401', '403', '429', '500', 'credits'] as const
type Purpose = (typeof PURPOSES)[number]

const KEY_ID = 'key_test_'

/** Minted secrets have no underscore after the prefix. */
const testSecret = (purpose: Purpose) => withChecksum(`${PREFIX}test_${purpose}_`)

const authorityOf = (purpose: Purpose): Authority => ({
  keyId: KEY_ID + purpose,
  orgId: 'org_test',
  plan: 'trial',
  capabilities: [...CAPABILITIES],
  datasets: null,
})

export const TEST_SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  PURPOSES.map((purpose) => [purpose, testSecret(purpose)]),
)
const secrets = new Set(Object.values(TEST_SECRETS))
const authorities = new Map(
  PURPOSES.map((purpose) => [hashSecret(testSecret(purpose)).toString('hex'), authorityOf(purpose)]),
)

export const isTestSecret = (secret: string): boolean => secrets.has(secret)

/** `keyHash` is the SHA-256 of the secret, in hexadecimal. Undefined for any other key. */
export const testAuthority = (keyHash: string): Authority | undefined => authorities.get(keyHash)

/** Undefined for a key that somebody minted, and for a person. */
export const testPurpose = ({ keyId }: { keyId: string }): Purpose | undefined =>
  keyId.startsWith(KEY_ID) ? PURPOSES.find((purpose) => keyId === KEY_ID + purpose) : undefined
