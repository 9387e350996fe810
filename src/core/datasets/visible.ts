/** Finds the datasets that are visible to a call. */
import { type Authority, testPurpose } from '../access/index.js'
import type { DatasetRow, Reader, Replicas } from '../db/index.js'
import { datasetsInReach, datasetsServed } from '../db/statements.js'

/**
 * The primary says which datasets a key may read, and at what price. The server that the rows come from says what those
 * datasets are. A dataset that this server does not have yet is not visible, and is not charged for.
 */
export async function visibleDatasets(
  authorityReader: Replicas['authorityReader'],
  reader: Reader,
  caller: Authority,
): Promise<DatasetRow[]> {
  const reach = await datasetsInReach(authorityReader, caller.orgId, caller.datasets)
  const prices = new Map(reach.map(({ layerId, price }) => [layerId, price]))
  const served = await servedBy(reader, [...prices.keys()])
  const priced = served.map((dataset) => ({ ...dataset, price: prices.get(dataset.layerId) ?? null }))
  const test = testPurpose(caller)
  // Everybody knows the test keys: what costs others something is not there for them, or not covered.
  const visible = test === undefined || test === 'credits' ? priced : priced.filter(({ price }) => price === null)
  if (caller.capabilities.includes('feature.read')) return visible
  return visible.filter(({ kind, distanceTo }) => kind === 'frames' && distanceTo === null)
}

/** False where an import replaced one of the datasets since it was read. */
export async function areUnchanged(reader: Reader, datasets: readonly DatasetRow[]): Promise<boolean> {
  const now = await servedBy(
    reader,
    datasets.map(({ layerId }) => layerId),
  )
  return JSON.stringify(now) === JSON.stringify(datasets.map(({ price: _price, ...dataset }) => dataset))
}

const servedBy = async (reader: Reader, layerIds: string[]) =>
  layerIds.length === 0 ? [] : await datasetsServed(reader, layerIds)
