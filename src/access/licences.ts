/** Licences: who may read a dataset of another, and at what price. */
import type { Writes } from '../db/writes.js'
import { findOrganisation } from './organisations.js'

const EVERYONE = 'everyone'
const PRICE_MOST = 1_000_000

export type Licence = { layerId: string; to: string; price?: number }
export type ListedDataset = {
  layerId: string
  name: string
  category: string
  kind: string
  orgId: string
  vintage?: string
  items: number
  importedAt: string
  licences: { to: string; perQuery?: number }[]
}

/** Replaces the licence there was. */
export async function license(
  writes: Writes,
  layerId: string,
  to: string,
  price: number | undefined,
): Promise<Licence> {
  if (price !== undefined && !(Number.isInteger(price) && price >= 1 && price <= PRICE_MOST)) {
    throw new Error(`--per-query: whole credits from 1 to ${PRICE_MOST} are accepted, ${price} came.`)
  }
  const { owner } = await findDataset(writes, layerId)
  const org_id = await orgIdOf(writes, to)
  if (org_id === owner) throw new Error(`${layerId} belongs to "${to}", which reads it without a licence.`)
  await writes
    .insertInto('licence')
    .values({ layer_id: layerId, org_id, price: price ?? null })
    .onConflict((conflict) => conflict.constraint('licence_once').doUpdateSet({ price: price ?? null }))
    .execute()
  return { layerId, to: org_id ?? EVERYONE, ...(price === undefined ? {} : { price }) }
}

export async function unlicense(writes: Writes, layerId: string, from: string): Promise<Licence> {
  await findDataset(writes, layerId)
  const org_id = await orgIdOf(writes, from)
  const gone = await writes
    .deleteFrom('licence')
    .where('layer_id', '=', layerId)
    .where('org_id', org_id === null ? 'is' : '=', org_id)
    .returning('layer_id')
    .executeTakeFirst()
  if (!gone) throw new Error(`${layerId} is not licensed to ${from}.`)
  return { layerId, to: org_id ?? EVERYONE }
}

export async function listDatasets(writes: Writes): Promise<ListedDataset[]> {
  const datasets = await writes.selectFrom('dataset').selectAll().orderBy('layer_id').execute()
  const licences = await writes
    .selectFrom('licence')
    .leftJoin('organisation', 'organisation.org_id', 'licence.org_id')
    .select(['layer_id', 'name', 'price'])
    .orderBy('name')
    .execute()
  return datasets.map((dataset) => ({
    layerId: dataset.layer_id,
    name: dataset.name,
    category: dataset.category,
    kind: dataset.kind,
    orgId: dataset.org_id,
    ...(dataset.vintage === null ? {} : { vintage: dataset.vintage }),
    items: Number(dataset.items),
    importedAt: dataset.imported_at.toISOString(),
    licences: licences
      .filter(({ layer_id }) => layer_id === dataset.layer_id)
      .map(({ name, price }) => ({ to: name ?? EVERYONE, ...(price === null ? {} : { perQuery: price }) })),
  }))
}

async function findDataset(writes: Writes, layerId: string): Promise<{ owner: string }> {
  const found = await writes
    .selectFrom('dataset')
    .select('org_id as owner')
    .where('layer_id', '=', layerId)
    .executeTakeFirst()
  if (!found) throw new Error(`No dataset has the id "${layerId}". "datasets list" lists them.`)
  return found
}

const orgIdOf = async (writes: Writes, org: string) =>
  org === EVERYONE ? null : (await findOrganisation(writes, org)).orgId
