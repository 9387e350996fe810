/** Mints, rolls, lists and revokes keys. Only `mintKey` and `rollKey` return the secret. */
import { sql, type InferResult } from 'kysely'
import { builder, type RunQuery } from '../db/index.js'
import { type ValueKind, wordValue } from '../values.js'
import { type Preset, PRESETS } from './capabilities.js'
import { FieldFault } from './field-fault.js'
import { checkDatasets } from './licences.js'
import { findOrganisation } from './organisations.js'
import { hashSecret, newSecret, randomText } from './secret.js'

/** What a key may spend in a day and in a month, UTC. Null: all that its organisation has. */
export type Caps = Record<CapName, number | null>
export const CAP_NAMES = ['daily_credits', 'monthly_credits', 'daily_words', 'monthly_words'] as const
export type CapName = (typeof CAP_NAMES)[number]
export const CAP_MOST = 999_999_999

const capsOf = (row: Partial<Caps>): Caps =>
  Object.fromEntries(CAP_NAMES.map((name) => [name, row[name] ?? null])) as Caps

/** The key is valid for a number of days, or to the end of a day (UTC), written as 2027-03-31. */
export type Expiry = { days: number; until?: undefined } | { days?: undefined; until: string }

/** The page of a form makes the id, so that the same form sent twice mints one key. */
type Minting = Expiry & { keyId?: string | undefined; createdBy?: string | undefined }

/** The key has the capabilities of the preset, else those that are named. */
export type NewKey = Minting & {
  org: string
  name: string
  preset: Preset | undefined
  capabilities: string[] | undefined
  datasets: string[] | undefined
  caps?: Partial<Caps>
}

export type Key = ReturnType<typeof keyFrom>
export type KeyWithSecret = Key & { secret: string }

export const LIFETIME_DAYS = { least: 7, most: 365 }
/** How many hours the old key stays valid after a roll. */
export const GRACE_HOURS = { now: 0, '1h': 1, '24h': 24, '7d': 168 } as const
export type Grace = keyof typeof GRACE_HOURS
export const graceValue = wordValue('GRACE', Object.keys(GRACE_HOURS) as Grace[])

export const keyIdValue: ValueKind<string> = {
  name: 'KEY',
  accepts: 'an id such as key_AbCdEfGhIjKl',
  read: (text) => (/^key_[0-9A-Za-z]{12}$/.test(text) ? text : undefined),
}

export const newKeyId = () => `key_${randomText(12)}`

/** The same form came before. The secret went out with the first answer, and is not kept. */
export class AlreadyMinted extends Error {
  readonly keyId: string

  constructor(keyId: string) {
    super(`${keyId} is minted already.`)
    this.keyId = keyId
  }
}
/** Only a valid key is rolled, and once. */
export class NotRolled extends Error {}
export class UnknownKey extends Error {}

/** The API checks expiry by the clock of the database, so this clock also sets it. */
const now = sql<Date>`statement_timestamp()`
const keyState = sql<'valid' | 'expired' | 'revoked'>`case
  when revoked_for_good or revoked_at <= ${now} then 'revoked'
  when expires_at <= ${now} then 'expired'
  else 'valid'
end`.as('state')
const keyColumns = [
  'key_id',
  'org_id',
  'name',
  'last_four',
  'capabilities',
  'datasets',
  'expires_at',
  'revoked_at',
  'rolled_from',
  ...CAP_NAMES,
  keyState,
] as const
const allKeys = builder.selectFrom('api_key').select(keyColumns)

export async function mintKey(run: RunQuery, wanted: NewKey): Promise<KeyWithSecret> {
  const { org, name, preset, capabilities, datasets } = wanted
  if (datasets) await checkDatasets(run, datasets)
  const { orgId } = await findOrganisation(run, org)
  return await insertKey(run, wanted, {
    org_id: orgId,
    name,
    ...capsOf(wanted.caps ?? {}),
    capabilities: [...new Set(preset ? PRESETS[preset] : capabilities)],
    datasets: datasets ? [...new Set(datasets)] : null,
  })
}

/**
 * Mints a key with the rights of another. The other stays valid for the hours of grace, and never beyond its own
 * expiry. `run` is that of a transaction: a roll that is refused leaves no key.
 */
export async function rollKey(
  run: RunQuery,
  { keyId, orgId }: KeyOfOrganisation,
  wanted: Minting & { grace: Grace },
): Promise<KeyWithSecret> {
  const old = await findKey(run, { keyId, orgId })
  const { org_id, name, capabilities, datasets } = old
  const key = await insertKey(run, wanted, {
    ...capsOf(old),
    org_id,
    name,
    capabilities,
    datasets,
    rolled_from: keyId,
  })
  const [ending] = await run(
    builder
      .updateTable('api_key')
      .set({ revoked_at: sql<Date>`least(expires_at, ${now} + make_interval(hours => ${GRACE_HOURS[wanted.grace]}))` })
      .where('key_id', '=', keyId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('key_id'),
  )
  if (ending) return key
  const why = old.state === 'valid' ? 'was rolled before, or revoked' : `is ${old.state}`
  throw new NotRolled(`${keyId} ${why}: only a valid key is rolled, and once.`)
}

/** Sets the caps that are given. They hold from the next call on. */
export async function capKey(run: RunQuery, { keyId, orgId }: KeyOfOrganisation, caps: Partial<Caps>): Promise<Key> {
  const change = builder.updateTable('api_key').set(caps).where('key_id', '=', keyId).returning(keyColumns)
  const [row] = await run(orgId === undefined ? change : change.where('org_id', '=', orgId))
  if (!row) throw noSuchKey(keyId)
  return keyFrom(row)
}

type Rights = Caps & {
  org_id: string
  name: string
  capabilities: string[]
  datasets: string[] | null
  rolled_from?: string
}

async function insertKey(run: RunQuery, wanted: Minting, rights: Rights): Promise<KeyWithSecret> {
  const secret = newSecret()
  const keyId = wanted.keyId ?? newKeyId()
  const [row] = await run(
    builder
      .insertInto('api_key')
      .values({
        key_id: keyId,
        ...rights,
        secret_hash: hashSecret(secret),
        last_four: secret.slice(-4),
        created_by: wanted.createdBy ?? null,
        created_at: now,
        expires_at: expiryOf(wanted),
      })
      .onConflict((conflict) => conflict.column('key_id').doNothing())
      .returning(keyColumns),
  ).catch(translateLifetime)
  if (!row) throw new AlreadyMinted(keyId)
  return { ...keyFrom(row), secret }
}

const expiryOf = ({ days, until }: Expiry) =>
  until === undefined
    ? sql<Date>`${now} + make_interval(days => ${days})`
    : sql<Date>`(${until}::text::date + 1) at time zone 'UTC'`

/** The clock of the database decides how far a date is away. */
function translateLifetime(error: unknown): never {
  if ((error as { constraint_name?: string }).constraint_name !== 'lifetime_7_to_365_days') throw error
  const { least, most } = LIFETIME_DAYS
  throw new FieldFault('expires', `A key is valid for ${least} to ${most} days; this day is too near or too far.`)
}

export async function listKeys(run: RunQuery, org: string): Promise<Key[]> {
  const { orgId } = await findOrganisation(run, org)
  const rows = await run(allKeys.where('org_id', '=', orgId).orderBy('created_at').orderBy('key_id'))
  return rows.map(keyFrom)
}

/** Without an organisation, a key of any is meant. */
export type KeyOfOrganisation = { keyId: string; orgId?: string | undefined }

/** Revokes at once, also a key that a roll left some hours. A second revocation keeps the time of the first. */
export async function revokeKey(run: RunQuery, keyId: string, orgId?: string): Promise<Key> {
  const revoke = builder
    .updateTable('api_key')
    .set({ revoked_at: sql<Date>`least(revoked_at, ${now})` })
    .where('key_id', '=', keyId)
    .returning(keyColumns)
  const [row] = await run(orgId === undefined ? revoke : revoke.where('org_id', '=', orgId))
  if (!row) throw noSuchKey(keyId)
  return keyFrom(row)
}

async function findKey(run: RunQuery, { keyId, orgId }: KeyOfOrganisation): Promise<KeyRow> {
  const find = allKeys.where('key_id', '=', keyId)
  const [row] = await run(orgId === undefined ? find : find.where('org_id', '=', orgId))
  if (!row) throw noSuchKey(keyId)
  return row
}

/** Returns the hash of the secret in hexadecimal, as the API looks it up. */
export async function hashOfKey(run: RunQuery, keyId: string): Promise<string> {
  const [row] = await run(builder.selectFrom('api_key').select('secret_hash').where('key_id', '=', keyId))
  if (!row) throw noSuchKey(keyId)
  return row.secret_hash.toString('hex')
}

const noSuchKey = (keyId: string) =>
  new UnknownKey(`No key has the id "${keyId}". "keys list --org ORG" lists the ids.`)

type KeyRow = InferResult<typeof allKeys>[number]

const keyFrom = (row: KeyRow) => ({
  keyId: row.key_id,
  orgId: row.org_id,
  name: row.name,
  lastFour: row.last_four,
  capabilities: row.capabilities,
  /** Absent: the key reads every dataset that the organisation can read. */
  ...(row.datasets ? { datasets: row.datasets } : {}),
  expiresAt: row.expires_at.toISOString(),
  /** It may lie in the future: a key that was rolled is valid until then. */
  ...(row.revoked_at ? { revokedAt: row.revoked_at.toISOString() } : {}),
  ...(row.rolled_from ? { rolledFrom: row.rolled_from } : {}),
  ...capMembers(row),
  state: row.state,
})

/** A cap that the key does not have is absent. */
function capMembers(row: Caps) {
  const { daily_credits, monthly_credits, daily_words, monthly_words } = row
  return {
    ...(daily_credits !== null && { dailyCredits: daily_credits }),
    ...(monthly_credits !== null && { monthlyCredits: monthly_credits }),
    ...(daily_words !== null && { dailyWords: daily_words }),
    ...(monthly_words !== null && { monthlyWords: monthly_words }),
  }
}
