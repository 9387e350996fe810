/** Signs a person in by a one-time link: spends it, enters a new person, and opens a session, in one transaction. */
import { sql } from 'kysely'
import type { Session } from '../shell/rows.js'
import { hashSecret, nameActor, randomText, type Role } from '../../core/access/index.js'
import { builder, onlyRow, type RunQuery } from '../../core/db/index.js'
import { linkNotValid } from '../shell/refusals.js'
import { openSession } from '../shell/session.js'

/** The clock of the database also says until when a link is valid. */
const now = sql<Date>`statement_timestamp()`

export type SignInClient = { address: string | undefined; browser: string | undefined }

/** Returns the token of the session. Undefined for a link that is unknown, was used or has ended. */
export async function spendLink(run: RunQuery, token: string, client: SignInClient): Promise<string | undefined> {
  const link = await takeLink(run, hashSecret(token))
  if (!link) return undefined
  const person = link.person_id === null ? await enterPerson(run, link) : await findPerson(run, link.person_id)
  await nameActor(run, { ...person, address: client.address })
  await join(run, { personId: person.personId, orgId: link.org_id, role: link.role })
  return await openSession(run, { personId: person.personId, orgId: link.org_id, madeBy: 'link', ...client })
}

/**
 * Marks the link as used, so that a second sign-in finds none. The link of a person counts while that person is an owner:
 * the trigger that withdraws links does not see one that is made during the removal of its maker. Owners of one
 * organisation sign nobody in to another.
 */
export async function takeLink(run: RunQuery, tokenHash: Buffer) {
  await run(holdMemberships(tokenHash))
  const [link] = await run(
    builder
      .updateTable('sign_in_link')
      .set({ used_at: now })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('valid_until', '>', now)
      .where((either) =>
        either.or([
          either('created_by', 'is', null),
          either.and([either.exists(ownershipOfMaker), either.not(either.exists(membershipElsewhere))]),
        ]),
      )
      .returning(['org_id', 'role', 'person_id', 'name', 'email']),
  )
  return link
}

/**
 * Locks the memberships of the maker and of the person. A removal that is under way ends first, and withdraws the link; a
 * later one waits for the sign-in, and finds the session that it has to end.
 */
const holdMemberships = (tokenHash: Buffer) =>
  builder
    .selectFrom('membership')
    .innerJoin('sign_in_link', 'sign_in_link.org_id', 'membership.org_id')
    .select('membership.person_id')
    .where('sign_in_link.token_hash', '=', tokenHash)
    .where((either) =>
      either.or([
        either('membership.person_id', '=', either.ref('sign_in_link.created_by')),
        either('membership.person_id', '=', either.ref('sign_in_link.person_id')),
      ]),
    )
    .orderBy('membership.person_id')
    .forShare(['membership'])

const ownershipOfMaker = builder
  .selectFrom('membership')
  .select('membership.person_id')
  .whereRef('membership.person_id', '=', sql.ref('sign_in_link.created_by'))
  .whereRef('membership.org_id', '=', sql.ref('sign_in_link.org_id'))
  .where('membership.role', '=', 'owner')

const membershipElsewhere = builder
  .selectFrom('membership')
  .select('membership.person_id')
  .whereRef('membership.person_id', '=', sql.ref('sign_in_link.person_id'))
  .whereRef('membership.org_id', '<>', sql.ref('sign_in_link.org_id'))

type Person = { personId: string; name: string }

async function enterPerson(
  run: RunQuery,
  { name, email }: { name: string | null; email: string | null },
): Promise<Person> {
  const personId = `per_${randomText(12)}`
  const shown = name ?? email ?? 'Unnamed'
  await run(builder.insertInto('person').values({ person_id: personId, name: shown, email }))
  return { personId, name: shown }
}

export async function findPerson(run: RunQuery, personId: string): Promise<Person> {
  const { name } = onlyRow(await run(builder.selectFrom('person').select('name').where('person_id', '=', personId)))
  return { personId, name }
}

type Joining = {
  personId: string
  orgId: string
  role: Role
  /** The session that the person joins from. */
  present?: Buffer
}

/**
 * A member who comes by a link keeps the role: the members page changes it. Other sessions of a person who is new in the
 * organisation end: an owner elsewhere, who made a link for the person, may hold one.
 */
export async function join(run: RunQuery, { personId, orgId, role, present }: Joining): Promise<void> {
  const joined = await run(
    builder
      .insertInto('membership')
      .values({ person_id: personId, org_id: orgId, role })
      .onConflict((conflict) => conflict.columns(['person_id', 'org_id']).doNothing())
      .returning('org_id'),
  )
  if (joined.length === 0) return
  const sessions = builder.deleteFrom('session').where('person_id', '=', personId)
  await run(present ? sessions.where('token_hash', '<>', present) : sessions)
}

/** Spends a link for the person of a session, which shows the organisation from then on. */
export async function joinFromSession(run: RunQuery, token: string, { personId, tokenHash }: Session) {
  const link = await takeLink(run, hashSecret(token))
  // An error undoes the spending: the link stays for the person whom it names.
  if (link && link.person_id !== null && link.person_id !== personId) throw linkNotValid()
  if (!link) return undefined
  await join(run, { personId, orgId: link.org_id, role: link.role, present: tokenHash })
  await run(builder.updateTable('session').set({ org_id: link.org_id }).where('token_hash', '=', tokenHash))
  return link
}
