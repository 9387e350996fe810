/** Signs a person in by a one-time link: spends it, enters a new person, and opens a session, in one transaction. */
import { sql } from 'kysely'
import { nameActor } from '../../access/actor.js'
import { hashSecret, randomText } from '../../access/secret.js'
import { builder, onlyRow, type RunQuery } from '../../db/builder.js'
import type { Role } from '../roles.js'
import { openSession } from '../session.js'

/** The clock of the database also says until when a link is valid. */
const now = sql<Date>`statement_timestamp()`

export type SignInClient = { address: string | undefined; browser: string | undefined }

/** Answers with the token of the session. Undefined for a link that is unknown, was used or has ended. */
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
 * the trigger that withdraws links does not see one that is made during the removal of its maker.
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
      .where((either) => either.or([either('created_by', 'is', null), either.exists(ownershipOfMaker)]))
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

async function findPerson(run: RunQuery, personId: string): Promise<Person> {
  const { name } = onlyRow(await run(builder.selectFrom('person').select('name').where('person_id', '=', personId)))
  return { personId, name }
}

/** A member who comes by a link keeps the role: the members page changes it. */
export async function join(
  run: RunQuery,
  { personId, orgId, role }: { personId: string; orgId: string; role: Role },
): Promise<void> {
  await run(
    builder
      .insertInto('membership')
      .values({ person_id: personId, org_id: orgId, role })
      .onConflict((conflict) => conflict.columns(['person_id', 'org_id']).doNothing()),
  )
}
