/** What every new index goes through: staged beside the one being served, then put in its place at once. */
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'

export type Progress = (step: string) => void

/** How long readers may be kept waiting for the tables, and how long to leave them alone before the next try. */
const LOCK_MS = 20
const PAUSE_MS = 250

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
      await look?.()
      progress('making indexes')
      for (const table of ['state', 'lga', 'ward', 'frame_run', 'frame', 'feature_frame'])
        await db.work(`select staging_index('${table}')`)
      progress('putting the new index in place')
      return await putInPlace(db, source, progress)
    } finally {
      await db.work('select staging_close()')
    }
  })
}

/** Readers under way finish first; new ones wait at most LOCK_MS, then go on with the old index while we try again. */
async function putInPlace(db: Database, source: string, progress: Progress): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const [row] = await db.transaction(async (run) => {
        await run(`set local lock_timeout = ${LOCK_MS}`, [])
        return run<{ generation: string }>('select staging_switch($1::text)::text as generation', [source])
      })
      return row?.generation ?? ''
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error
      if (tries % 20 === 0) progress('waiting for a reader that has been at work for long')
      await new Promise((done) => setTimeout(done, PAUSE_MS))
    }
  }
}
