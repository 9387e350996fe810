/** Removes a dataset that was imported by mistake. The work is in sql/import/. */
import { datasetNamed } from '../../core/access/index.js'
import { type Database, sqlText } from '../../core/db/index.js'
import { lockBriefly } from './brief-lock.js'
import { ANOTHER_LOAD, type DatasetKind, gatherStatistics } from './datasets.js'
import type { Progress } from './progress.js'

/** `view` is the name of its view for analysts. */
export type RemovedDataset = { layerId: string; kind: DatasetKind; items: number; licences: number; view: string }

/**
 * Returns the dataset, and that of its distances after it. Callers find both or neither. Entries of the ledger and keys
 * that are narrowed to the dataset keep its id.
 */
export async function removeDataset(db: Database, layerId: string, progress: Progress): Promise<RemovedDataset[]> {
  return await db.alone(ANOTHER_LOAD, async () => {
    const { distance_to: features } = await datasetNamed(db.run, layerId)
    if (features !== null)
      throw new Error(
        `${layerId} has the distances to ${features}: they go with that dataset, or where it is imported again with --no-distances.`,
      )
    const removed = await lockBriefly(db, progress, (run) =>
      run<RemovedDataset>(sqlText('import/datasets_drop'), [[layerId], []]),
    )
    progress('gathering statistics')
    for (const kind of new Set(removed.map((each) => each.kind))) await gatherStatistics(db, kind)
    return [...removed]
  })
}
