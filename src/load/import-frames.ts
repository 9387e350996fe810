/** Takes in an organisation's own grid. The work is in sql/import/. */
import { basename } from 'node:path'
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'
import { valuesOf } from './build.js'
import { frameFeature, type FrameSource } from './frame-features.js'
import { FileFault } from './json-values.js'
import type { Progress } from './patiently.js'
import { stage } from './stage.js'

const BATCH_BYTES = 1 << 20

export async function importFrames(
  db: Database,
  file: string,
  progress: Progress,
): Promise<{ frames: number; generation: string }> {
  let frames = 0
  const load = async () => {
    frames = await addFrames(db, file, progress)
    progress('checking shapes and ids')
    await refuseFaults(db)
    progress('making frames of them')
    await db.work(sqlText('import/frames_put'))
  }
  const generation = await stage(db, progress, { source: `imported from ${basename(file)}`, load })
  return { frames, generation }
}

async function addFrames(db: Database, file: string, progress: Progress): Promise<number> {
  const text = sqlText('import/frames_add')
  let taken = 0
  let bytes = 0
  let batch: FrameSource[] = []
  const send = async () => {
    if (batch.length > 0) await db.rows(text, [JSON.stringify(batch)])
    batch = []
    bytes = 0
  }
  for await (const value of valuesOf(file)) {
    batch.push(frameFeature(value))
    bytes += value.text.length
    taken += 1
    if (bytes >= BATCH_BYTES) await send()
    if (taken % 50_000 === 0) progress(`reading: ${taken} frames`)
  }
  await send()
  if (taken === 0) throw new FileFault(`${file}: there is no feature in it.`, 1)
  return taken
}

async function refuseFaults(db: Database): Promise<void> {
  type Fault = { number: string; line: string; reason: string }
  const faults = await db.rows<Fault>(sqlText('import/frames_faults'), [])
  const [first] = faults
  if (!first) return
  const lines = faults.map((fault) => `feature ${fault.number} (line ${fault.line}): ${fault.reason}`)
  throw new FileFault(lines.join('\n'), Number(first.line), Number(first.number))
}
