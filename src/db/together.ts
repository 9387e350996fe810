/**
 * Questions that wait together are sent as one. The next batch goes when one returns, without a timer: alone, a question
 * goes at once; under load, a batch holds what came while the last was away. A question is only ever answered by a
 * query sent after it came.
 */
const LANES = 2
const LARGEST = 500

type Waiting<Question, Answer> = {
  question: Question
  done: (answer: Answer) => void
  failed: (error: unknown) => void
}

export function together<Question, Answer>(
  ask: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = []
  let away = 0

  async function send(): Promise<void> {
    away += 1
    const batch = waiting.splice(0, LARGEST)
    try {
      const answers = await ask(batch.map(({ question }) => question))
      batch.forEach(({ done }, place) => done(answers[place] as Answer))
    } catch (error) {
      if (batch.length > 1 && isOfOne(error)) await oneByOne(batch)
      else for (const { failed } of batch) failed(error)
    } finally {
      away -= 1
      if (waiting.length > 0) void send()
    }
  }

  async function oneByOne(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    for (const { question, done, failed } of batch) {
      await ask([question]).then(([answer]) => done(answer as Answer), failed)
    }
  }

  return (question) =>
    new Promise((done, failed) => {
      waiting.push({ question, done, failed })
      if (away < LANES) void send()
    })
}

/** A value that PostgreSQL could not work with, or a row that it could not read: the other questions are good. */
const isOfOne = (error: unknown) => /^(22|XX)/.test((error as { code?: string }).code ?? '')
