/** Runs statements in a transaction that is always rolled back. */
import type { Database } from './database.js'

export async function rolledBack<Answer>(
  db: Pick<Database, 'transaction'>,
  work: Parameters<typeof db.transaction<Answer>>[0],
): Promise<Answer> {
  const done = new Error('rolled back')
  let answer: { is: Answer } | undefined
  try {
    await db.transaction(async (run, runSingle) => {
      answer = { is: await work(run, runSingle) }
      throw done
    })
  } catch (error) {
    if (error === done && answer) return answer.is
    throw error
  }
  throw new Error('A transaction that was to be rolled back was committed.')
}
