/** Lists the members of organisations, changes their roles, and removes them. */
import { builder, type RunQuery } from '../db/index.js'
import { didYouMean } from '../nearest.js'
import { findOrganisation } from './organisations.js'
import type { Role } from './roles.js'

export type Member = { personId: string; name: string; email?: string; role: Role; joinedAt: string }

const memberships = builder
  .selectFrom('membership')
  .innerJoin('person', 'person.person_id', 'membership.person_id')
  .select(['membership.person_id', 'name', 'email', 'role', 'membership.created_at'])

export async function listMembers(run: RunQuery, org: string): Promise<Member[]> {
  const { orgId } = await findOrganisation(run, org)
  const rows = await run(
    memberships.where('org_id', '=', orgId).orderBy('membership.created_at').orderBy('membership.person_id'),
  )
  return rows.map(({ person_id, name, email, role, created_at }) => ({
    personId: person_id,
    name,
    ...(email === null ? {} : { email }),
    role,
    joinedAt: created_at.toISOString(),
  }))
}

/** `person` is an id, an e-mail address or a name. */
type MemberOf = { org: string; person: string }

export async function checkPerson(run: RunQuery, personId: string): Promise<void> {
  const [person] = await run(builder.selectFrom('person').select('person_id').where('person_id', '=', personId))
  if (!person) throw new Error(`No person has the id "${personId}". "people list --org ORG" lists ids.`)
}

export async function membersWithEmail(run: RunQuery, orgId: string, email: string): Promise<Member[]> {
  const members = await listMembers(run, orgId)
  return members.filter((member) => member.email?.toLowerCase() === email.toLowerCase())
}

/** Finds a member by id, e-mail address or name. Two members may have the same name: then only an id is accepted. */
async function findMember(run: RunQuery, { org, person }: MemberOf): Promise<Member & { orgId: string }> {
  const { orgId, name } = await findOrganisation(run, org)
  const members = await listMembers(run, orgId)
  const byId = members.filter(({ personId }) => personId === person)
  const found = byId.length > 0 ? byId : members.filter((each) => each.email === person || each.name === person)
  const [member, another] = found
  if (another) throw new Error(`${found.length} members of ${name} are called "${person}". Name one by id.`)
  if (member) return { ...member, orgId }
  const known = members.flatMap((each) => [each.name, each.email ?? []]).flat()
  throw new Error(`${name} has no member "${person}".${didYouMean(person, known)} "people list" lists them.`)
}

export async function changeRoleOf(run: RunQuery, of: MemberOf, role: Role): Promise<Member> {
  const { orgId, ...member } = await findMember(run, of)
  await changeMember(run, { orgId, ...member }, { role })
  return { ...member, role }
}

export async function removeFrom(run: RunQuery, of: MemberOf): Promise<Member> {
  const { orgId, ...member } = await findMember(run, of)
  await removeMember(run, { orgId, ...member })
  return member
}

export type MemberIds = { orgId: string; personId: string }

/** Returns the row that it changed: none where the organisation has no such member. */
export const changeMember = (
  run: RunQuery,
  { orgId, personId }: MemberIds,
  change: { role: Role } | { daily_credits: number | null },
) =>
  run(
    builder
      .updateTable('membership')
      .set(change)
      .where('person_id', '=', personId)
      .where('org_id', '=', orgId)
      .returning('role'),
  )

/** The sessions of the member in this organisation end with the membership. */
export const removeMember = (run: RunQuery, { orgId, personId }: MemberIds) =>
  run(builder.deleteFrom('membership').where('person_id', '=', personId).where('org_id', '=', orgId).returning('role'))

/** A trigger keeps the last owner of an organisation, and refuses the transaction at its end. */
export const leavesNoOwner = (error: unknown) =>
  (error as { constraint_name?: string }).constraint_name === 'membership_keeps_owner'
