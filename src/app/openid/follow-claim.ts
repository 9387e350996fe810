/** Brings the memberships that claims gave into line with the claims of this sign-in. */
import { builder, type RunQuery } from '../../core/db/builder.js'
import type { Role } from '../../core/access/roles.js'

/** Memberships that people gave stay as they are, whatever the claims say. */
export async function followClaim(run: RunQuery, personId: string, roles: ReadonlyMap<string, Role>): Promise<void> {
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
