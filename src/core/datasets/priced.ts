/** The datasets that a data call on some frames would pay for. */
import type { Reader } from '../db/replicas/reader.js'
import { datasetsContributing, type DatasetRow } from '../db/statements.js'

/** Returns the priced datasets that record something on these frames. Reads no record. */
export async function pricedOn(
  reader: Reader,
  frameIds: string[],
  datasets: readonly DatasetRow[],
): Promise<DatasetRow[]> {
  const priced = datasets.filter(({ price }) => price !== null)
  if (priced.length === 0) return []
  const layers = priced.map(({ layerId }) => layerId)
  const contributing = new Set((await datasetsContributing(reader, frameIds, layers)).map(({ layerId }) => layerId))
  return priced.filter(({ layerId }) => contributing.has(layerId))
}
