/** Refuses the datasets whose values an organisation cannot read from its database, and prices them. */
import { checkDatasets } from '../../core/access/licences.js'
import { findOrganisation } from '../../core/access/organisations.js'
import { counted } from '../../core/counted.js'
import { quoteCall } from '../../core/credits/charging.js'
import { pricedOn } from '../../core/datasets/priced.js'
import type { Database } from '../../core/db/connect.js'
import { datasetsInReach, datasetsServed, type DatasetRow } from '../../core/db/statements.js'
import type { QuoteData } from './database-api.js'

type Readable = { orgId: string; name: string; datasets: DatasetRow[] }

/** A database charges nothing: a dataset that costs something is read through the API, which enters the charge. */
export async function checkReadable(db: Database, org: string, layers: string[]): Promise<void> {
  const { name, datasets } = await licensedTo(db, org, layers)
  for (const { layerId, price, kind } of datasets) {
    if (price !== null)
      throw new Error(
        `--data: ${layerId} costs "${name}" ${counted(price, 'credit')} a call. Read it with --url and --key: the API charges for it.`,
      )
    checkBaseline(layerId, kind)
  }
}

/** Prices calls of the API by a key of this organisation, with the statements of `price=true`. */
export async function quoteFor(db: Database, org: string, layers: string[]): Promise<QuoteData> {
  const { orgId, datasets } = await licensedTo(db, org, layers)
  for (const { layerId, kind } of datasets) checkBaseline(layerId, kind)
  return async (ids) => await quoteCall(db, orgId, await pricedOn(db, ids, datasets))
}

async function licensedTo(db: Database, org: string, layers: string[]): Promise<Readable> {
  const { orgId, name } = await findOrganisation(db.run, org)
  await checkDatasets(db.run, layers, 'data')
  const prices = new Map((await datasetsInReach(db, orgId, null)).map(({ layerId, price }) => [layerId, price]))
  const datasets = (await datasetsServed(db, layers)).map((dataset) => {
    const price = prices.get(dataset.layerId)
    if (price !== undefined) return { ...dataset, price }
    throw new Error(
      `--data: "${name}" has no licence for ${dataset.layerId}. "datasets license" gives one; --org may name its owner.`,
    )
  })
  return { orgId, name, datasets: datasets.sort((a, b) => (a.layerId < b.layerId ? -1 : 1)) }
}

function checkBaseline(layerId: string, kind: string): void {
  if (kind !== 'frames')
    throw new Error(`--data: ${layerId} records ${kind}: baselines are accepted, which record values on frames.`)
}
