/** Ends and changes the sessions of a person, and removes passkeys. Signing in, which opens sessions, is in the app. */
import { sql } from 'kysely'
import { builder, type RunQuery } from '../db/builder.js'

/** `sessionId` is the beginning of the hash of its token. */
export async function endSession(run: RunQuery, personId: string, sessionId: string) {
  const [ended] = await run(
    builder
      .deleteFrom('session')
      .where('person_id', '=', personId)
      .where(sql<string>`left(encode(token_hash, 'hex'), 16)`, '=', sessionId)
      .returning('org_id'),
  )
  return ended
}

export const endAllSessions = (run: RunQuery, personId: string) =>
  run(builder.deleteFrom('session').where('person_id', '=', personId))

/** Only an organisation that the person is a member of is accepted. */
export async function switchOrganisation(
  run: RunQuery,
  { personId, tokenHash }: { personId: string; tokenHash: Buffer },
  orgId: string,
) {
  const [switched] = await run(
    builder
      .updateTable('session')
      .from('membership')
      .set({ org_id: orgId })
      .where('session.token_hash', '=', tokenHash)
      .where('membership.person_id', '=', personId)
      .where('membership.org_id', '=', orgId)
      .returning('session.org_id'),
  )
  return switched
}

export async function removePasskey(run: RunQuery, personId: string, credentialId: string) {
  const remove = builder.deleteFrom('passkey').where('person_id', '=', personId)
  return (await run(remove.where('credential_id', '=', credentialId).returning('credential_id')))[0]
}
