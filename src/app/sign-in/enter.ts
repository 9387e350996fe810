/**
 * Signs in a person whom the OpenID provider proved, in one transaction. Issuer and subject identify the person. An
 * e-mail address identifies nobody: providers let people change it, and some do not verify it.
 */
import { nameActor } from '../../core/access/actor.js'
import { builder, onlyRow, type RunQuery } from '../../core/db/builder.js'
import { randomText } from '../../core/access/secret.js'
import { linkNotValid } from '../shell/refusals.js'
import type { Role } from '../../core/access/roles.js'
import { openSession } from '../shell/session.js'
import { followClaim } from '../openid/follow-claim.js'
import { join, takeLink, type SignInClient } from './link.js'
import type { ProvedIdentity } from '../openid/provider.js'
import { noAccess, otherAccount } from './refusals.js'

export type ProvedSignIn = {
  identity: ProvedIdentity
  /** The roles that the claims give by organisation. Undefined where no claim gives roles. */
  roles: ReadonlyMap<string, Role> | undefined
  /** The invitation that the person opened before the provider was asked. */
  linkHash: Buffer | undefined
  client: SignInClient
}

/**
 * Returns the token of the session. Undefined where the last membership of a person ended with a claim: that end
 * is kept, and every other refusal makes nothing.
 */
export async function enterProved(run: RunQuery, signIn: ProvedSignIn): Promise<string | undefined> {
  const { identity, roles, linkHash, client } = signIn
  const known = await personOf(run, identity)
  const link = linkHash && (await takeLink(run, linkHash))
  if (linkHash && !link) throw linkNotValid()
  const invited = link?.person_id ?? undefined
  if (invited !== undefined) await bindPerson(run, invited, known, identity)
  const { personId, name } = await writePerson(run, identity, link?.name ?? undefined)
  await nameActor(run, { personId, name, address: client.address })
  if (roles) await followClaim(run, personId, roles)
  if (link) await join(run, { personId, orgId: link.org_id, role: link.role })
  const orgId = link?.org_id ?? (await organisationToShow(run, personId))
  if (orgId === undefined) {
    if (known === undefined) throw noAccess()
    return undefined
  }
  return await openSession(run, { personId, orgId, madeBy: 'openid', ...client })
}

async function personOf(run: RunQuery, { issuer, subject }: ProvedIdentity): Promise<string | undefined> {
  const [person] = await run(
    builder.selectFrom('person').select('person_id').where('issuer', '=', issuer).where('subject', '=', subject),
  )
  return person?.person_id
}

/** A link for a person who is there binds the person to the account at the provider, once. */
async function bindPerson(
  run: RunQuery,
  invited: string,
  known: string | undefined,
  { issuer, subject }: ProvedIdentity,
): Promise<void> {
  if (known === invited) return
  if (known !== undefined) throw otherAccount('This account at the provider belongs to another person here.')
  const bound = await run(
    builder
      .updateTable('person')
      .set({ issuer, subject })
      .where('person_id', '=', invited)
      .where('issuer', 'is', null)
      .returning('person_id'),
  )
  if (bound.length === 0) throw otherAccount('The link is for a person who signs in with another account.')
}

/** Enters the person, or brings name and e-mail up to date. Two sign-ins at once enter one person. */
async function writePerson(run: RunQuery, { issuer, subject, claims }: ProvedIdentity, invitedName?: string) {
  const name = clientText(claims['name'])
  const email = claims['email_verified'] === false ? undefined : clientText(claims['email'])
  const shown = name ?? invitedName ?? clientText(claims['preferred_username']) ?? email ?? 'Unnamed'
  const row = onlyRow(
    await run(
      builder
        .insertInto('person')
        .values({ person_id: `per_${randomText(12)}`, name: shown, email: email ?? null, issuer, subject })
        .onConflict((conflict) =>
          conflict.columns(['issuer', 'subject']).doUpdateSet((make) => ({
            name: name ?? make.ref('person.name'),
            email: email ?? make.ref('person.email'),
          })),
        )
        .returning(['person_id', 'name']),
    ),
  )
  return { personId: row.person_id, name: row.name }
}

const CLIENT_TEXT_MAX = 200

/** A text of the provider, without characters that a page cannot show. PostgreSQL stores no NUL. */
function clientText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return value.replace(/\p{C}/gu, '').trim().slice(0, CLIENT_TEXT_MAX) || undefined
}

/** The organisation that the person saw last or, without a session, joined first. */
export async function organisationToShow(run: RunQuery, personId: string): Promise<string | undefined> {
  const [first] = await run(
    builder
      .selectFrom('membership')
      .leftJoin('session', (on) =>
        on.onRef('session.person_id', '=', 'membership.person_id').onRef('session.org_id', '=', 'membership.org_id'),
      )
      .select('membership.org_id')
      .where('membership.person_id', '=', personId)
      .orderBy('session.seen_at', (order) => order.desc().nullsLast())
      .orderBy('membership.created_at')
      .limit(1),
  )
  return first?.org_id
}
