/** Ends and changes the sessions of a person, and removes passkeys. Each returns the rows that it changed. */
import { sql } from 'kysely'
import { builder, type RunQuery } from '../db/index.js'

/** `sessionId` is the beginning of the hash of its token. */
export const endSession = (run: RunQuery, personId: string, sessionId: string) =>
  run(
    builder
      .deleteFrom('session')
      .where('person_id', '=', personId)
      .where(sql<string>`left(encode(token_hash, 'hex'), 16)`, '=', sessionId)
      .returning('org_id'),
  )

export const endAllSessions = (run: RunQuery, personId: string) =>
  run(builder.deleteFrom('session').where('person_id', '=', personId).returning('org_id'))

type OwnSession = { personId: string; tokenHash: Buffer }

/** Only an organisation that the person is a member of is accepted. */
export const switchOrganisation = (run: RunQuery, { personId, tokenHash }: OwnSession, orgId: string) =>
  run(
    builder
      .updateTable('session')
      .from('membership')
      .set({ org_id: orgId })
      .where('session.token_hash', '=', tokenHash)
      .where('membership.person_id', '=', personId)
      .where('membership.org_id', '=', orgId)
      .returning('session.org_id'),
  )

export const removePasskey = (run: RunQuery, personId: string, credentialId: string) =>
  run(
    builder
      .deleteFrom('passkey')
      .where('person_id', '=', personId)
      .where('credential_id', '=', credentialId)
      .returning('credential_id'),
  )
