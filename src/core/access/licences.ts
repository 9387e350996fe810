/** Licences let organisations read datasets of others, some at a price. */
import { defined } from '../defined.js'
import { builder, type RunQuery } from '../db/index.js'
import { didYouMean } from '../nearest.js'
import { wholeNumber } from '../values.js'
import { FieldFault } from './field-fault.js'
import { findOrganisation } from './organisations.js'

const EVERYONE = 'everyone'
export const priceValue = wholeNumber('PRICE', 1, 1_000_000)

/** `to` is the name of an organisation, or "everyone", which has no id. */
type Licensee = { to: string; orgId?: string }
type Prices = { price?: number; filePrice?: number }
export type Licence = { layerId: string } & Licensee & Prices
export type ListedDataset = Awaited<ReturnType<typeof listDatasets>>[number]

/** Grants a licence, or replaces the one that this licensee has. */
export async function license(run: RunQuery, layerId: string, to: string, price: number | undefined): Promise<Licence> {
  const owner = await ownerOf(run, layerId)
  const licensee = await findLicensee(run, to)
  const org_id = licensee.orgId ?? null
  if (org_id === owner) throw new Error(`${layerId} belongs to "${to}", which reads it without a licence.`)
  await run(
    builder
      .insertInto('licence')
      .values({ layer_id: layerId, org_id, price: price ?? null })
      .onConflict((conflict) =>
        conflict.constraint('licence_once').doUpdateSet({ price: price ?? null, file_price: null }),
      ),
  )
  return { layerId, ...licensee, ...(price === undefined ? {} : { price }) }
}

/** Sets the price of the dataset as a file for a licensee who pays by the call; undefined: it is no file any more. */
export async function sellFile(
  run: RunQuery,
  layerId: string,
  to: string,
  price: number | undefined,
): Promise<Licence> {
  await ownerOf(run, layerId)
  const licensee = await findLicensee(run, to)
  const org_id = licensee.orgId ?? null
  const [licence] = await run(
    builder
      .updateTable('licence')
      .set({ file_price: price ?? null })
      .where('layer_id', '=', layerId)
      .where('org_id', org_id === null ? 'is' : '=', org_id)
      .where('price', 'is not', null)
      .returning('price'),
  )
  if (!licence) throw new Error(`${layerId} is not licensed to ${to} at a price per query: its file has no price.`)
  return { layerId, ...licensee, ...defined({ price: licence.price ?? undefined, filePrice: price }) }
}

export async function unlicense(run: RunQuery, layerId: string, from: string): Promise<Licence> {
  await ownerOf(run, layerId)
  const licensee = await findLicensee(run, from)
  const org_id = licensee.orgId ?? null
  const [deleted] = await run(
    builder
      .deleteFrom('licence')
      .where('layer_id', '=', layerId)
      .where('org_id', org_id === null ? 'is' : '=', org_id)
      .returning('layer_id'),
  )
  if (!deleted) throw new Error(`${layerId} is not licensed to ${from}.`)
  return { layerId, ...licensee }
}

export async function listDatasets(run: RunQuery) {
  const datasets = await run(builder.selectFrom('dataset').selectAll().orderBy('layer_id'))
  const licences = await run(
    builder
      .selectFrom('licence')
      .leftJoin('organisation', 'organisation.org_id', 'licence.org_id')
      .select(['layer_id', 'licence.org_id', 'name', 'price', 'file_price'])
      .orderBy('name'),
  )
  return datasets.map((dataset) => ({
    layerId: dataset.layer_id,
    name: dataset.name,
    category: dataset.category,
    kind: dataset.kind,
    orgId: dataset.org_id,
    ...(dataset.vintage === null ? {} : { vintage: dataset.vintage }),
    /** The features that it records distances to: their licences are its own. */
    ...(dataset.distance_to === null ? {} : { distanceTo: dataset.distance_to }),
    ...(Object.keys(dataset.origin as object).length > 0 && { origin: dataset.origin }),
    items: Number(dataset.items),
    importedAt: dataset.imported_at.toISOString(),
    licences: licences
      .filter(({ layer_id }) => layer_id === (dataset.distance_to ?? dataset.layer_id))
      .map(({ org_id, name, price, file_price }): Licensee & Prices => ({
        ...(org_id === null || name === null ? { to: EVERYONE } : { to: name, orgId: org_id }),
        ...(price === null ? {} : { price }),
        ...(file_price === null ? {} : { filePrice: file_price }),
      })),
  }))
}

/** Lists what an organisation may read, each dataset with the licence that counts: its own before that of everyone. */
export async function datasetsOf(run: RunQuery, org: string): Promise<ListedDataset[]> {
  const { orgId } = await findOrganisation(run, org)
  return (await listDatasets(run)).flatMap((dataset) => {
    if (dataset.orgId === orgId) return [{ ...dataset, licences: [] }]
    const licence =
      dataset.licences.find((each) => each.orgId === orgId) ?? dataset.licences.find((each) => each.orgId === undefined)
    return licence ? [{ ...dataset, licences: [licence] }] : []
  })
}

/** Throws for distances, whose licences are those of their features. */
async function ownerOf(run: RunQuery, layerId: string): Promise<string> {
  const dataset = await datasetNamed(run, layerId)
  if (dataset.distance_to !== null) throw new Error(readAsFeatures(layerId, dataset.distance_to))
  return dataset.org_id
}

/** Throws for an id that no dataset has. */
export async function datasetNamed(run: RunQuery, layerId: string) {
  const datasets = await datasetsById(run)
  const dataset = datasets.get(layerId)
  if (!dataset) throw noSuchDataset(layerId, datasets)
  return dataset
}

const readAsFeatures = (layerId: string, features: string) =>
  `${layerId} may be read by those who may read ${features}: name that dataset.`

/** Throws for an id that no dataset has. The message begins with the option that the id came in. */
export async function checkDatasets(
  run: RunQuery,
  layerIds: readonly string[],
  option: 'datasets' | 'data' = 'datasets',
): Promise<void> {
  const datasets = await datasetsById(run)
  for (const layerId of layerIds) {
    const dataset = datasets.get(layerId)
    if (!dataset) throw new FieldFault(option, noSuchDataset(layerId, datasets).message)
    if (option === 'datasets' && dataset.distance_to !== null)
      throw new FieldFault(option, readAsFeatures(layerId, dataset.distance_to))
  }
}

/** Returns the datasets that the organisation neither owns nor has a licence for. */
export async function unreadableBy(run: RunQuery, orgId: string, layerIds: readonly string[]): Promise<string[]> {
  const licensed = await run(
    builder
      .selectFrom('licence')
      .select('layer_id')
      .where((either) => either.or([either('org_id', '=', orgId), either('org_id', 'is', null)])),
  )
  const readable = new Set(licensed.map(({ layer_id }) => layer_id))
  const datasets = await datasetsById(run)
  return layerIds.filter((layerId) => !readable.has(layerId) && datasets.get(layerId)?.org_id !== orgId)
}

/** Reads all datasets, of which there are tens. */
async function datasetsById(run: RunQuery) {
  const rows = await run(
    builder.selectFrom('dataset').select(['layer_id', 'org_id', 'distance_to']).orderBy('layer_id'),
  )
  return new Map(rows.map((row) => [row.layer_id, row]))
}

const noSuchDataset = (layerId: string, datasets: ReadonlyMap<string, unknown>) =>
  new Error(`No dataset has the id "${layerId}".${didYouMean(layerId, datasets.keys())} "datasets list" lists them.`)

async function findLicensee(run: RunQuery, to: string): Promise<Licensee> {
  if (to === EVERYONE) return { to }
  const { orgId, name } = await findOrganisation(run, to, [EVERYONE])
  return { to: name, orgId }
}
