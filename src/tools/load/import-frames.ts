/** Imports a grid of your own as the frame index. The work is in sql/import/. */
import { basename } from 'node:path'
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'
import { sendInBatches } from './batches.js'
import { FileFault, refuseStagedFaults } from './faults.js'
import { frameFeature, type FrameSource } from './frame-features.js'
import { valuesOf } from './feature-file.js'
import { replaceIndex, type ServedIndex } from './new-index.js'
import type { Progress } from './progress.js'

export async function importFrames(
  db: Database,
  file: string,
  progress: Progress,
): Promise<{ frames: number } & ServedIndex> {
  let frames = 0
  const load = async () => {
    frames = await addFrames(db, file, progress)
    progress('checking shapes and ids')
    await refuseStagedFaults(db, 'import/frames_faults')
    progress('making frames of them')
    await db.work(sqlText('import/frames_put'))
  }
  const served = await replaceIndex(db, progress, { source: `imported from ${basename(file)}`, load })
  return { frames, ...served }
}

async function addFrames(db: Database, file: string, progress: Progress): Promise<number> {
  const text = sqlText('import/frames_add')
  const count = await sendInBatches(framesOf(file), {
    bytesOf: ({ geometry }) => geometry.length,
    send: (frames) => db.rows(text, [JSON.stringify(frames)]),
    progress,
    noun: 'frames',
  })
  if (count === 0) throw new FileFault(`${file}: there is no feature in it.`, 1)
  return count
}

async function* framesOf(file: string): AsyncGenerator<FrameSource> {
  for await (const value of valuesOf(file)) yield frameFeature(value)
}
