/** Mints, lists and revokes keys. Only `mintKey` returns the secret. */
import { sql } from 'kysely'
import { builder, onlyRow, type RunQuery } from '../db/builder.js'
import { CAPABILITIES, PRESETS, type Preset } from './capabilities.js'
import { checkDatasets } from './licences.js'
import { findOrganisation } from './organisations.js'
import { hashSecret, newSecret, randomText } from './secret.js'

export type NewKey = {
  org: string
  name: string
  preset: Preset | undefined
  capabilities: string[] | undefined
  datasets: string[] | undefined
  days: number
}

export type Key = {
  keyId: string
  orgId: string
  name: string
  lastFour: string
  capabilities: string[]
  /** Absent: the key reads every dataset that the organisation can read. */
  datasets?: string[]
  expiresAt: string
  revokedAt?: string
  state: 'valid' | 'expired' | 'revoked'
}

/** Every key expires. */
export const LIFETIME_DAYS = { least: 7, most: 365 }

/** The API checks expiry by the clock of the database, so this clock also sets it. */
const now = sql<Date>`statement_timestamp()`
const keyState = sql<Key['state']>`case
  when revoked_at <= ${now} then 'revoked'
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
  keyState,
] as const

export async function mintKey(run: RunQuery, wanted: NewKey): Promise<Key & { secret: string }> {
  const capabilities = capabilitiesOf(wanted)
  if (wanted.name.trim() === '') throw new Error('--name: say who holds the key; it is blank.')
  const { least, most } = LIFETIME_DAYS
  if (!Number.isInteger(wanted.days) || wanted.days < least || wanted.days > most) {
    throw new Error(`--expires: from ${least}d to ${most}d is accepted, ${wanted.days}d came.`)
  }
  if (wanted.datasets?.length === 0) throw new Error('--datasets: name at least one, or leave it out for all.')
  if (wanted.datasets) await checkDatasets(run, wanted.datasets)
  const { orgId: org_id } = await findOrganisation(run, wanted.org)
  const secret = newSecret()
  const row = onlyRow(
    await run(
      builder
        .insertInto('api_key')
        .values({
          key_id: `key_${randomText(12)}`,
          org_id,
          secret_hash: hashSecret(secret),
          last_four: secret.slice(-4),
          name: wanted.name.trim(),
          capabilities,
          datasets: wanted.datasets ? [...new Set(wanted.datasets)] : null,
          created_at: now,
          expires_at: sql<Date>`${now} + make_interval(days => ${wanted.days})`,
        })
        .returning(keyColumns),
    ),
  )
  return { ...keyFrom(row), secret }
}

function capabilitiesOf({ preset, capabilities }: NewKey): string[] {
  if (preset && capabilities) throw new Error('--preset and --capabilities: one of them is accepted, not both.')
  if (preset) return [...PRESETS[preset]]
  if (!capabilities || capabilities.length === 0) {
    throw new Error(`--preset: one of ${Object.keys(PRESETS).join(', ')} is needed, or --capabilities.`)
  }
  const unknown = capabilities.find((capability) => !CAPABILITIES.includes(capability))
  if (unknown !== undefined) {
    throw new Error(`--capabilities: ${CAPABILITIES.join(', ')} are accepted, "${unknown}" came.`)
  }
  return [...new Set(capabilities)]
}

export async function listKeys(run: RunQuery, org: string): Promise<Key[]> {
  const { orgId } = await findOrganisation(run, org)
  const rows = await run(
    builder
      .selectFrom('api_key')
      .select(keyColumns)
      .where('org_id', '=', orgId)
      .orderBy('created_at')
      .orderBy('key_id'),
  )
  return rows.map(keyFrom)
}

/** A second revocation keeps the time of the first. */
export async function revokeKey(run: RunQuery, keyId: string): Promise<Key> {
  const [row] = await run(
    builder
      .updateTable('api_key')
      .set({ revoked_at: sql<Date>`least(revoked_at, ${now})` })
      .where('key_id', '=', keyId)
      .returning(keyColumns),
  )
  if (!row) throw noSuchKey(keyId)
  return keyFrom(row)
}

/** Returns the hash of the secret in hexadecimal, as the API looks it up. */
export async function hashOfKey(run: RunQuery, keyId: string): Promise<string> {
  const [row] = await run(builder.selectFrom('api_key').select('secret_hash').where('key_id', '=', keyId))
  if (!row) throw noSuchKey(keyId)
  return row.secret_hash.toString('hex')
}

const noSuchKey = (keyId: string) => new Error(`No key has the id "${keyId}". "keys list --org ORG" lists the ids.`)

type KeyRow = {
  key_id: string
  org_id: string
  name: string
  last_four: string
  capabilities: string[]
  datasets: string[] | null
  expires_at: Date
  revoked_at: Date | null
  state: Key['state']
}

const keyFrom = (row: KeyRow): Key => ({
  keyId: row.key_id,
  orgId: row.org_id,
  name: row.name,
  lastFour: row.last_four,
  capabilities: row.capabilities,
  ...(row.datasets ? { datasets: row.datasets } : {}),
  expiresAt: row.expires_at.toISOString(),
  ...(row.revoked_at ? { revokedAt: row.revoked_at.toISOString() } : {}),
  state: row.state,
})
