/** Makes one-time links by which people sign in. Only `makeLink` returns the token: the database keeps its hash. */
import { sql } from 'kysely'
import { builder, type RunQuery } from '../db/builder.js'
import { hashSecret, newLinkToken } from './secret.js'

export type NewLink = {
  orgId: string
  role: 'owner' | 'admin' | 'member'
  /** The name and the e-mail address of somebody new. */
  name: string
  email: string | undefined
  /** The person who invites. */
  createdBy: string | undefined
}

/** An invitation is valid for so long. */
const INVITATION_HOURS = 24

export async function makeInvitation(run: RunQuery, { orgId, role, name, email, createdBy }: NewLink): Promise<string> {
  const token = newLinkToken()
  const now = sql<Date>`statement_timestamp()`
  await run(
    builder.insertInto('sign_in_link').values({
      token_hash: hashSecret(token),
      org_id: orgId,
      role,
      name,
      email: email ?? null,
      created_by: createdBy ?? null,
      created_at: now,
      valid_until: sql<Date>`${now} + make_interval(hours => ${INVITATION_HOURS})`,
    }),
  )
  return token
}
