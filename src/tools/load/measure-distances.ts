/** Measures the distances of frames to features that were imported without. The work is in sql/import/. */
import { datasetNamed } from '../../core/access/index.js'
import { type Database, sqlText } from '../../core/db/index.js'
import { ANOTHER_LOAD, gatherStatistics, makeView, serveDistances } from './datasets.js'
import type { Progress } from './progress.js'

/** Returns the dataset of the distances. */
export async function measureDistances(
  db: Database,
  layerId: string,
  progress: Progress,
): Promise<{ layerId: string; distanceTo: string }> {
  return await db.alone(ANOTHER_LOAD, async () => {
    await datasetNamed(db.run, layerId)
    const [served] = await db.rows<{ kind: string; version: string }>(sqlText('import/dataset_version'), [layerId])
    if (!served || served.kind === 'frames')
      throw new Error(`${layerId} is a baseline: distances are measured to points, lines and polygons.`)
    progress('measuring the distance of each frame to the nearest feature')
    await db.work(sqlText('import/open'))
    try {
      const distances = await db.transaction((run) => serveDistances(run, layerId, served.version))
      await gatherStatistics(db, 'frames')
      await makeView(db, distances, progress)
      return { layerId: distances, distanceTo: layerId }
    } finally {
      await db.work(sqlText('staging/close'))
    }
  })
}
