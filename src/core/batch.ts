/**
 * Batches send questions that wait at the same time as one statement: those of one turn of the event loop, and those
 * that arrive while another batch is under way. No timer delays a question: a single one is sent at the end of its
 * turn. A batch never answers a question that arrived after the batch was sent. A question is refused at its deadline,
 * and not sent after it.
 */
import { DeadlinePassed, hasPassed, msLeft, type Deadline } from './deadline.js'

/** Up to 32 questions go at once, and half of a longer queue. */
const SMALL_BATCH = 32
const LARGEST_BATCH = 500
/** A second batch goes beside one that takes longer: its connection may hang. */
const SLOW_MS = 100

type Queued<Question, Answer> = {
  question: Question
  deadline: Deadline | undefined
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/** The deadline of a batch is the last of its questions; a batch has none if a question has none. */
type AskBatch<Question, Answer> = (questions: Question[], deadline?: Deadline) => Promise<Answer[]>

export function batch<Question, Answer>(
  ask: AskBatch<Question, Answer>,
): (question: Question, deadline?: Deadline) => Promise<Answer> {
  let queue: Queued<Question, Answer>[] = []
  // No Set: core/runtime/registry.ts describes the fault.
  const underWay: (readonly Queued<Question, Answer>[])[] = []
  const watch = deadlineWatch(() => {
    queue = queue.filter(isInTime)
    return [...queue, ...underWay.flatMap((sent) => sent.filter(isInTime))]
  })
  let isDue = false
  let sentAt = 0
  const maySend = () => underWay.length === 0 || (underWay.length === 1 && performance.now() - sentAt > SLOW_MS)

  /** Waits for the end of the turn: sent at once, the first question of a turn would go alone. */
  function sendSoon(): void {
    if (isDue || !maySend()) return
    isDue = true
    setImmediate(() => {
      isDue = false
      if (queue.length > 0) void send()
    })
  }

  async function send(): Promise<void> {
    const size = Math.min(LARGEST_BATCH, Math.max(SMALL_BATCH, Math.ceil(queue.length / 2)))
    const sent = queue.splice(0, size).filter(isInTime)
    underWay.push(sent)
    sentAt = performance.now()
    try {
      if (sent.length > 0) await answer(sent)
    } finally {
      underWay.splice(underWay.indexOf(sent), 1)
      if (queue.length > 0) sendSoon()
    }
  }

  async function answer(sent: readonly Queued<Question, Answer>[]): Promise<void> {
    try {
      const questions = sent.map(({ question }) => question)
      const answers = await ask(questions, lastDeadline(sent))
      sent.forEach(({ resolve }, place) => resolve(answers[place] as Answer))
    } catch (error) {
      if (sent.length > 1 && isFaultOfOneQuestion(error)) await answerOneByOne(sent)
      else for (const { reject } of sent) reject(error)
    }
  }

  async function answerOneByOne(sent: readonly Queued<Question, Answer>[]): Promise<void> {
    for (const one of sent) if (isInTime(one)) await answer([one])
  }

  return (question, deadline) =>
    new Promise((resolve, reject) => {
      queue.push({ question, deadline, resolve, reject })
      if (deadline) watch(deadline)
      sendSoon()
    })
}

type Timed = Pick<Queued<never, never>, 'deadline' | 'reject'>

/** Rejects the question if its deadline has passed. */
function isInTime({ deadline, reject }: Timed): boolean {
  if (!deadline || !hasPassed(deadline)) return true
  reject(new DeadlinePassed(deadline))
  return false
}

/**
 * Watches all deadlines of a batch with one timer: a timer for each question would start and stop thousands of times a
 * second. The timer keeps running when the questions are answered, and then finds nothing to refuse.
 */
function deadlineWatch(refuseLate: () => readonly Timed[]): (deadline: Deadline) => void {
  let watched: { until: number; timer: NodeJS.Timeout } | undefined

  function watch(deadline: Deadline): void {
    if (watched && watched.until <= deadline.at) return
    clearTimeout(watched?.timer)
    const timer = setTimeout(onTimer, Math.max(1, msLeft(deadline)))
    timer.unref()
    watched = { until: deadline.at, timer }
  }

  function onTimer(): void {
    watched = undefined
    for (const { deadline } of refuseLate()) if (deadline) watch(deadline)
  }

  return watch
}

function lastDeadline(sent: readonly Timed[]): Deadline | undefined {
  return sent.reduce<Deadline | undefined>(
    (last, { deadline }) => (last && deadline && deadline.at > last.at ? deadline : deadline && last),
    sent[0]?.deadline,
  )
}

/** PostgreSQL refused a value, or could not read a row: the other questions of the batch have answers. */
const isFaultOfOneQuestion = (error: unknown) => /^(22|XX)/.test((error as { code?: string }).code ?? '')
