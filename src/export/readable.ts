/** Refuses the datasets whose values an organisation cannot read from its database. */
import { checkDatasets } from '../access/licences.js'
import { findOrganisation } from '../access/organisations.js'
import type { Database } from '../db/connect.js'
import { datasetsInReach, datasetsServed } from '../db/statements.js'

/** A database charges nothing: a dataset that costs something is read through the API, which enters the charge. */
export async function checkReadable(db: Database, org: string, layers: string[]): Promise<void> {
  const { orgId, name } = await findOrganisation(db.run, org)
  await checkDatasets(db.run, layers, 'data')
  const prices = new Map((await datasetsInReach(db, orgId, null)).map(({ layerId, price }) => [layerId, price]))
  for (const { layerId, kind } of await datasetsServed(db, layers)) {
    const price = prices.get(layerId)
    const reason =
      price === undefined
        ? `"${name}" has no licence for ${layerId}. "datasets license" gives one; --org may name its owner.`
        : price !== null
          ? `${layerId} costs "${name}" ${price} ${price === 1 ? 'credit' : 'credits'} a call. Read it with --url and --key: the API charges for it.`
          : kind === 'frames'
            ? undefined
            : `${layerId} records ${kind}: baselines are accepted, which record values on frames.`
    if (reason !== undefined) throw new Error(`--data: ${reason}`)
  }
}
