/** The datasets that a call sees. */
import type { Authority } from '../access/authority.js'
import type { Reads, Replicas } from '../db/replicas/replicas.js'
import { datasetsInReach, datasetsServed, type DatasetRow } from '../db/statements.js'

/**
 * What the caller may read, and at what price, the primary says; what those datasets are, the server that their rows come
 * from. One that this server does not have yet is not seen, and so not charged for.
 */
export async function datasetsSeen(
  authorityReader: Replicas['authorityReader'],
  reads: Reads,
  caller: Authority,
): Promise<DatasetRow[]> {
  const reach = await datasetsInReach(authorityReader, caller.orgId, caller.datasets)
  const served = await servedBy(
    reads,
    reach.map(({ layerId }) => layerId),
  )
  const seen = served.map(({ place, ...dataset }) => ({ ...dataset, price: reach[place - 1]?.price ?? null }))
  return caller.capabilities.includes('feature.read') ? seen : seen.filter(({ kind }) => kind === 'frames')
}

/** Whether the server still has these datasets as they were when they were read: an import may have come since. */
export async function areStillServed(reads: Reads, seen: readonly DatasetRow[]): Promise<boolean> {
  const layers = seen.map(({ layerId }) => layerId)
  const now = (await servedBy(reads, layers)).map(({ place: _place, ...dataset }) => dataset)
  return JSON.stringify(now) === JSON.stringify(seen.map(({ price: _price, ...dataset }) => dataset))
}

const servedBy = async (reads: Reads, layers: string[]) =>
  layers.length === 0 ? [] : await datasetsServed(reads, layers)
