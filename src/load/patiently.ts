/** Work that takes tables or views away from their readers for an instant. */
import type { Database } from '../db/connect.js'

export type Progress = (step: string) => void

/** How long readers may be kept waiting, and how long to leave them alone before the next try. */
const LOCK_MS = 20
const PAUSE_MS = 250

/** Readers under way finish first; new ones wait at most LOCK_MS, then go on with what there was while we try again. */
export async function patiently<Answer>(
  db: Database,
  progress: Progress,
  work: (run: Database['rows']) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(async (run) => {
        await run(`set local lock_timeout = ${LOCK_MS}`, [])
        return await work(run)
      })
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error
      if (tries % 20 === 0) progress('waiting for a reader that has been at work for long')
      await new Promise((done) => setTimeout(done, PAUSE_MS))
    }
  }
}
