/**
 * Batches: questions that wait at the same time are sent as one, both those of one turn of the event loop and those that came
 * while other batches were under way. There is no timer: alone, a question goes at the end of its turn. A question is only
 * ever answered by a batch that was sent after it came. At its deadline a question is refused; it is not sent after that.
 */
import { DeadlinePassed, hasPassed, msLeft, type Deadline } from './deadline.js'

/** Batches under way at once. */
const LANES = 2
/**
 * Up to 16 go at once, and of more, half: while one batch is being worked on, the answers to the other are written. Of 32
 * clients, 9,000 are served a second where all go at once 7,900 are.
 */
const SMALL = 16
const LARGEST = 500

type Waiting<Question, Answer> = {
  question: Question
  deadline: Deadline | undefined
  done: (answer: Answer) => void
  failed: (error: unknown) => void
}

/** `deadline` of a batch: the last one of its questions; none where a question has none. */
type AskBatch<Question, Answer> = (questions: Question[], deadline?: Deadline) => Promise<Answer[]>

export function batch<Question, Answer>(
  ask: AskBatch<Question, Answer>,
): (question: Question, deadline?: Deadline) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = []
  const underWay = new Set<readonly Waiting<Question, Answer>[]>()
  const watch = watchFor(() => {
    waiting = waiting.filter(isInTime)
    return [...waiting, ...[...underWay].flatMap((sent) => sent.filter(isInTime))]
  })
  let isDue = false

  /** Sent at the first question of a turn, the others of the same turn would find the lanes taken, each by a single one. */
  function sendSoon(): void {
    if (isDue || underWay.size >= LANES) return
    isDue = true
    setImmediate(() => {
      isDue = false
      if (waiting.length > 0 && underWay.size < LANES) void send()
    })
  }

  async function send(): Promise<void> {
    const size = Math.min(LARGEST, Math.max(SMALL, Math.ceil(waiting.length / 2)))
    const sent = waiting.splice(0, size).filter(isInTime)
    underWay.add(sent)
    try {
      if (sent.length > 0) await answer(sent)
    } finally {
      underWay.delete(sent)
      if (waiting.length > 0) sendSoon()
    }
  }

  async function answer(sent: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const questions = sent.map(({ question }) => question)
      const answers = await ask(questions, lastOf(sent))
      sent.forEach(({ done }, place) => done(answers[place] as Answer))
    } catch (error) {
      if (sent.length > 1 && isOfOne(error)) await oneByOne(sent)
      else for (const { failed } of sent) failed(error)
    }
  }

  async function oneByOne(sent: readonly Waiting<Question, Answer>[]): Promise<void> {
    for (const one of sent) if (isInTime(one)) await answer([one])
  }

  return (question, deadline) =>
    new Promise((done, failed) => {
      waiting.push({ question, deadline, done, failed })
      if (deadline) watch(deadline)
      sendSoon()
    })
}

type Late = Pick<Waiting<never, never>, 'deadline' | 'failed'>

/** Refuses it where it comes too late to be sent. */
function isInTime({ deadline, failed }: Late): boolean {
  if (!deadline || !hasPassed(deadline)) return true
  failed(new DeadlinePassed(deadline))
  return false
}

/**
 * One timer for all questions: one for each would be started and stopped thousands of times a second. It is left running when
 * the questions are answered, and finds nothing to refuse.
 */
function watchFor(refuseLate: () => readonly Late[]): (deadline: Deadline) => void {
  let watched: { until: number; timer: NodeJS.Timeout } | undefined

  function watch(deadline: Deadline): void {
    if (watched && watched.until <= deadline.at) return
    clearTimeout(watched?.timer)
    const timer = setTimeout(due, Math.max(1, msLeft(deadline)))
    timer.unref()
    watched = { until: deadline.at, timer }
  }

  function due(): void {
    watched = undefined
    for (const { deadline } of refuseLate()) if (deadline) watch(deadline)
  }

  return watch
}

function lastOf(sent: readonly Late[]): Deadline | undefined {
  return sent.reduce<Deadline | undefined>(
    (last, { deadline }) => (last && deadline && deadline.at > last.at ? deadline : deadline && last),
    sent[0]?.deadline,
  )
}

/** A value that PostgreSQL could not work with, or a row that it could not read: the other questions are good. */
const isOfOne = (error: unknown) => /^(22|XX)/.test((error as { code?: string }).code ?? '')
