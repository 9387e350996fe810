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
      for (const { failed } of batch) failed(error)
    } finally {
      away -= 1
      if (waiting.length > 0) void send()
    }
  }

  return (question) =>
    new Promise((done, failed) => {
      waiting.push({ question, done, failed })
      if (away < LANES) void send()
    })
}
