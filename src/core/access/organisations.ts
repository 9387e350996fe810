/** Creates, finds and lists organisations. */
import { builder, type Database, type RunQuery } from '../db/index.js'
import { didYouMean } from '../nearest.js'
import { randomText } from './secret.js'

/** The organisation that the fixture makes in the embedded database. */
export const DEMO_ORGANISATION = 'demo'

export const PLANS = ['trial', 'pro', 'scale'] as const
export type Plan = (typeof PLANS)[number]

export type Organisation = { orgId: string; name: string; plan: string; credits: number }

export async function createOrganisation(
  db: Pick<Database, 'change'>,
  name: string,
  plan: Plan,
): Promise<Organisation> {
  return await db.change('organisations.create', async (run) => {
    const [created] = await run(
      builder
        .insertInto('organisation')
        .values({ org_id: `org_${randomText(12)}`, name, plan })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning(['org_id', 'name', 'plan']),
    )
    if (!created) throw new Error(`An organisation named "${name}" already exists.`)
    await run(builder.insertInto('account').values({ org_id: created.org_id }))
    return organisationOf({ ...created, balance: '0' })
  })
}

const withCredits = builder
  .selectFrom('organisation')
  .innerJoin('account', 'account.org_id', 'organisation.org_id')
  .select(['organisation.org_id', 'name', 'plan', 'balance'])

export const listOrganisations = async (run: RunQuery): Promise<Organisation[]> =>
  (await run(withCredits.orderBy('name'))).map(organisationOf)

/** The name of the demo organisation, or of the first one where there is none. */
export async function demoOrAny(run: RunQuery): Promise<string | undefined> {
  const names = builder.selectFrom('organisation').select('name')
  const [first] = await run(
    names
      .orderBy((each) => each('name', '=', DEMO_ORGANISATION), 'desc')
      .orderBy('name')
      .limit(1),
  )
  return first?.name
}

/**
 * Finds an organisation by id or name. The id comes first, since a name may equal the id of another organisation. The
 * caller accepts the words of `others` as well: the message may suggest one.
 */
export async function findOrganisation(
  run: RunQuery,
  org: string,
  others: readonly string[] = [],
): Promise<Organisation> {
  const [found] = await run(
    withCredits
      .where((either) => either.or([either('organisation.org_id', '=', org), either('name', '=', org)]))
      .orderBy((either) => either('organisation.org_id', '=', org), 'desc'),
  )
  if (!found) {
    const names = (await listOrganisations(run)).map(({ name }) => name)
    const suggestion = didYouMean(org, [...others, ...names])
    throw new Error(`No organisation has the id or name "${org}".${suggestion} "orgs list" lists them.`)
  }
  return organisationOf(found)
}

export async function unknownOrganisations(run: RunQuery, orgIds: readonly string[]): Promise<string[]> {
  if (orgIds.length === 0) return []
  const found = await run(builder.selectFrom('organisation').select('org_id').where('org_id', 'in', orgIds))
  return [...new Set(orgIds)].filter((orgId) => !found.some(({ org_id }) => org_id === orgId))
}

type OrganisationRow = { org_id: string; name: string; plan: string; balance: string }

const organisationOf = ({ org_id, name, plan, balance }: OrganisationRow): Organisation => ({
  orgId: org_id,
  name,
  plan,
  credits: Number(balance),
})
