/**
 * Signs in a person whom the OpenID provider proved, in one transaction. Issuer and subject identify the person. An
 * e-mail address identifies nobody: providers let people change it, and some do not verify it.
 */
import { nameActor, randomText, type Role } from '../../core/access/index.js'
import { builder, onlyRow, type RunQuery } from '../../core/db/index.js'
import { linkNotValid } from '../shell/refusals.js'
import { openSession } from '../shell/session.js'
import { join, type SignInClient, takeLink } from './link.js'
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

/** Brings memberships that claims gave into line with the claims of this sign-in. Those that people gave stay. */
async function followClaim(run: RunQuery, personId: string, roles: ReadonlyMap<string, Role>): Promise<void> {
  const present = await run(
    builder.selectFrom('membership').select(['org_id', 'role', 'from_claim']).where('person_id', '=', personId),
  )
  for (const { org_id: orgId, role, from_claim: isFromClaim } of present) {
    const wanted = roles.get(orgId)
    if (!isFromClaim || wanted === role) continue
    await (wanted === undefined
      ? endMembership(run, personId, orgId)
      : changeRole(run, { personId, orgId, role: wanted }))
  }
  const joined = new Set(present.map(({ org_id: orgId }) => orgId))
  for (const [orgId, role] of roles) if (!joined.has(orgId)) await joinByClaim(run, { personId, orgId, role })
}

type Membership = { personId: string; orgId: string; role: Role }

const changeRole = (run: RunQuery, { personId, orgId, role }: Membership) =>
  run(builder.updateTable('membership').set({ role }).where('person_id', '=', personId).where('org_id', '=', orgId))

/** The sessions of the person in this organisation end with the membership. */
const endMembership = (run: RunQuery, personId: string, orgId: string) =>
  run(builder.deleteFrom('membership').where('person_id', '=', personId).where('org_id', '=', orgId))

/** The settings may name an organisation that was deleted: nobody joins it. */
const joinByClaim = (run: RunQuery, { personId, orgId, role }: Membership) =>
  run(
    builder
      .insertInto('membership')
      .columns(['person_id', 'org_id', 'role', 'from_claim'])
      .expression(
        builder
          .selectFrom('organisation')
          .select((make) => [
            make.val(personId).as('person_id'),
            'org_id',
            make.val(role).as('role'),
            make.val(true).as('from_claim'),
          ])
          .where('org_id', '=', orgId),
      ),
  )

/** Answers whether a claim gave a role of the person. */
export async function hasRoleByClaim(run: RunQuery, personId: string): Promise<boolean> {
  const [given] = await run(
    builder.selectFrom('membership').select('org_id').where('person_id', '=', personId).where('from_claim', '=', true),
  )
  return given !== undefined
}
