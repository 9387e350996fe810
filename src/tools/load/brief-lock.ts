/** Work that locks tables or views which callers read. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, LOCK_NOT_AVAILABLE, sqlText } from '../../core/db/index.js'
import type { Progress } from './progress.js'

/** New readers wait no longer for a switch. */
const LOCK_MS = 20
const RETRY_AFTER_MS = 250
/** About five seconds. */
const TRIES_BETWEEN_MESSAGES = 20

/**
 * Runs the work in a transaction that waits only 20 ms for a lock, again and again until it gets its locks. Readers
 * that are at work finish first, and new readers wait 20 ms at most.
 */
export async function lockBriefly<Answer>(
  db: Database,
  progress: Progress,
  work: (run: Database['rows']) => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(async (run) => {
        await run(sqlText('session/lock_limit'), [LOCK_MS])
        return await work(run)
      })
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      if (tries % TRIES_BETWEEN_MESSAGES === 0) progress('waiting for a reader that has been at work for long')
      await sleep(RETRY_AFTER_MS)
    }
  }
}
