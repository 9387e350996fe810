/**
 * Keeps the answers of forms that spend, so that the same form sent twice gets the first answer: it spends no call from a
 * bucket, and no credits. A form that is sent again while its answer is made waits for it.
 */
import type { DatasetRow } from '../../core/db/statements.js'
import type { InsightAnswer } from '../../core/insight/answer.js'

export type KeptAnswer = { answer: InsightAnswer; datasets: readonly DatasetRow[] }

export type KeptAnswers = {
  find: (key: string) => Promise<KeptAnswer> | undefined
  keep: (key: string, making: Promise<KeptAnswer>) => Promise<KeptAnswer>
}

/** An answer takes some 20 kB. */
const KEPT_MAX = 200

export function keepAnswers(): KeptAnswers {
  const kept = new Map<string, Promise<KeptAnswer>>()
  return {
    find: (key) => kept.get(key),
    keep: async (key, making) => {
      const [oldest] = kept.keys()
      if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      kept.set(key, making)
      try {
        return await making
      } catch (error) {
        // A form that was refused, or whose answer failed, may be sent again.
        kept.delete(key)
        throw error
      }
    },
  }
}
