/** What every new index goes through: staged beside the one being served, then put in its place at once. */
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'
import { patiently, type Progress } from './patiently.js'

export type Loading = {
  /** What the index is made from, kept in index_generation. */
  source: string
  /** Finds schema "staging" empty and fills staging.frame. */
  load: () => Promise<void>
  /** Looks at what was staged, once its units are counted. */
  look?: () => Promise<void>
}

/** Runs one loading at a time; answers with the new generation. */
export async function stage(db: Database, progress: Progress, { source, load, look }: Loading): Promise<string> {
  return await db.alone('Another build or import is under way on this database. Wait for it to end.', async () => {
    await db.work('select staging_open()')
    try {
      await load()
      for (const step of ['state', 'lga', 'ward', 'run', 'feature_frame']) await db.work(sqlText(`staging/${step}`))
      progress('uniting the frames of each unit')
      for (const step of ['ward_land', 'unit_area']) await db.work(sqlText(`staging/${step}`))
      await look?.()
      progress('making indexes')
      for (const table of ['state', 'lga', 'ward', 'frame_run', 'frame', 'feature_frame', 'unit_area'])
        await db.work(`select staging_index('${table}')`)
      progress('putting the new index in place')
      return await putInPlace(db, source, progress)
    } finally {
      await db.work('select staging_close()')
    }
  })
}

const putInPlace = (db: Database, source: string, progress: Progress): Promise<string> =>
  patiently(db, progress, async (run) => {
    const [row] = await run<{ generation: string }>('select staging_switch($1::text)::text as generation', [source])
    return row?.generation ?? ''
  })
