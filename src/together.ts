/**
 * Questions that wait together are sent as one: those that came in one turn of the event loop, and those that came while
 * others were away. Without a timer: alone, a question goes at the end of its turn. A question is only ever answered by
 * one that was sent after it came.
 */
const LANES = 2
/**
 * Up to 16 go at once, and of more, half: while one batch is being worked on, the answers to the other are written. Of 32
 * clients, 9,000 are served a second where all go at once 7,900 are.
 */
const SMALL = 16
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
  let isDue = false

  /** Sent at the first question of a turn, the others of the same turn would find the lanes taken, each by a single one. */
  function sendSoon(): void {
    if (isDue || away >= LANES) return
    isDue = true
    setImmediate(() => {
      isDue = false
      if (waiting.length > 0 && away < LANES) void send()
    })
  }

  async function send(): Promise<void> {
    away += 1
    const size = Math.min(LARGEST, Math.max(SMALL, Math.ceil(waiting.length / 2)))
    const batch = waiting.splice(0, size)
    try {
      const answers = await ask(batch.map(({ question }) => question))
      batch.forEach(({ done }, place) => done(answers[place] as Answer))
    } catch (error) {
      if (batch.length > 1 && isOfOne(error)) await oneByOne(batch)
      else for (const { failed } of batch) failed(error)
    } finally {
      away -= 1
      if (waiting.length > 0) sendSoon()
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
      sendSoon()
    })
}

/** A value that PostgreSQL could not work with, or a row that it could not read: the other questions are good. */
const isOfOne = (error: unknown) => /^(22|XX)/.test((error as { code?: string }).code ?? '')
