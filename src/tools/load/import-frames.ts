/** Imports a grid of your own as the frame index. The work is in sql/import/. */
import { basename } from 'node:path'
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'
import { refuseStagedFaults } from './faults.js'
import { sendFeatures } from './feature-file.js'
import { frameFeature } from './frame-features.js'
import { replaceIndex, type ServedIndex } from './new-index.js'
import type { Progress } from './progress.js'

export async function importFrames(
  db: Database,
  file: string,
  progress: Progress,
): Promise<{ frames: number } & ServedIndex> {
  let frames = 0
  const load = async () => {
    const noun = 'frames'
    frames = await sendFeatures(db, file, { statement: 'import/frames_add', rowOf: frameFeature, progress, noun })
    progress('checking shapes and ids')
    await refuseStagedFaults(db, 'import/frames_faults')
    progress('making frames of them')
    await db.work(sqlText('import/frames_put'))
  }
  const served = await replaceIndex(db, progress, { source: `imported from ${basename(file)}`, load })
  return { frames, ...served }
}
