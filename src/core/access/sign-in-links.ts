/** Makes one-time links by which people sign in. Only `makeSignInLink` returns the token: the database keeps its hash. */
import { sql } from 'kysely'
import { builder, type RunQuery } from '../db/index.js'
import type { MemberIds } from './people.js'
import type { Role } from './roles.js'
import { hashSecret, newLinkToken } from './secret.js'

/** The link is for a person whom the database has, or invites somebody new. */
type Invited =
  | { personId: string; name?: undefined; email?: undefined }
  | { personId?: undefined; name: string | undefined; email: string | undefined }

type NewLink = Invited & {
  orgId: string
  role: Role
  createdBy?: string | undefined
  /** How long the link is valid. An invitation is valid for a day. */
  minutes?: number
}

const INVITATION_MINUTES = 24 * 60

export async function makeSignInLink(run: RunQuery, wanted: NewLink): Promise<string> {
  const { orgId, role, personId, name, email, createdBy, minutes = INVITATION_MINUTES } = wanted
  const token = newLinkToken()
  const now = sql<Date>`statement_timestamp()`
  await run(
    builder.insertInto('sign_in_link').values({
      token_hash: hashSecret(token),
      org_id: orgId,
      role,
      person_id: personId ?? null,
      name: name ?? null,
      email: email ?? null,
      created_by: createdBy ?? null,
      created_at: now,
      valid_until: sql<Date>`${now} + make_interval(mins => ${minutes})`,
    }),
  )
  return token
}

type Withdrawn = { orgId: string; name: string; personId: string | undefined }

/** Withdraws the unused links of the command line for a person, or for somebody new of a name. */
export async function withdrawLinks(run: RunQuery, { orgId, name, personId }: Withdrawn): Promise<void> {
  await run(
    builder
      .deleteFrom('sign_in_link')
      .where('org_id', '=', orgId)
      .where('created_by', 'is', null)
      .where('used_at', 'is', null)
      .where((either) => either.or([either('name', '=', name), either('person_id', '=', personId ?? '')])),
  )
}

/** Withdraws an unused link of the organisation. `invitationId` is the beginning of its hash. */
export const withdrawLink = (run: RunQuery, { orgId, invitationId }: { orgId: string; invitationId: string }) =>
  run(
    builder
      .deleteFrom('sign_in_link')
      .where('org_id', '=', orgId)
      .where('used_at', 'is', null)
      .where(sql<string>`left(encode(token_hash, 'hex'), 16)`, '=', invitationId)
      .returning('role'),
  )

/**
 * Returns the role of a member, and whether only a provider or another organisation may sign the member in. The lock
 * makes a removal of the member wait: it then finds the link, and withdraws it.
 */
export async function memberForLink(run: RunQuery, { orgId, personId }: MemberIds) {
  const [member] = await run(
    builder
      .selectFrom('membership')
      .innerJoin('person', 'person.person_id', 'membership.person_id')
      .select((make) => [
        'membership.role',
        make
          .or([
            make('person.issuer', 'is not', null),
            make.exists(
              make
                .selectFrom('membership as elsewhere')
                .select('elsewhere.org_id')
                .where('elsewhere.person_id', '=', personId)
                .where('elsewhere.org_id', '<>', orgId),
            ),
          ])
          .as('is_of_others'),
      ])
      .where('membership.person_id', '=', personId)
      .where('membership.org_id', '=', orgId)
      .forKeyShare(['membership']),
  )
  return member
}
