/** Organisations: entered and listed. */
import type { Writes } from '../db/writes.js'
import { randomText } from './secret.js'

const PLANS = ['trial', 'pro', 'scale']

export type Organisation = { orgId: string; name: string; plan: string }

export async function createOrganisation(writes: Writes, name: string, plan: string): Promise<Organisation> {
  if (name.trim() === '') throw new Error('--name: say what the organisation is called; it is blank.')
  if (!PLANS.includes(plan)) throw new Error(`--plan: ${PLANS.join(', ')} are accepted, "${plan}" came.`)
  const row = await writes
    .insertInto('organisation')
    .values({ org_id: `org_${randomText(12)}`, name: name.trim(), plan })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Error(`An organisation named "${name.trim()}" is there already.`)
  return organisationOf(row)
}

export async function listOrganisations(writes: Writes): Promise<Organisation[]> {
  return (await writes.selectFrom('organisation').selectAll().orderBy('name').execute()).map(organisationOf)
}

const organisationOf = ({ org_id, name, plan }: { org_id: string; name: string; plan: string }): Organisation => ({
  orgId: org_id,
  name,
  plan,
})
