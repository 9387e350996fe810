/** One worker, as the primary process sees it. */
import cluster, { type Worker } from 'node:cluster'
import { passOnLostConnections } from '../runtime/lost-connections.js'
import type { Answers, FromWorker, MetricsOfWorker, ToWorker } from './messages.js'

export type Member = {
  pid: number
  startedAt: number
  /** Undefined where it does not answer within a second. Its metrics are then those that were last known. */
  ask: <About extends keyof Answers>(about: About) => Promise<Answers[About] | undefined>
  order: (kind: 'stop' | 'cut') => void
  kill: () => void
  /** Resolves with the warnings of its start once it serves. Rejects where it ends before. */
  serving: Promise<string[]>
  /** Resolves when it has ended. `metrics` are its last known ones; `cut` counts the requests that it left. */
  ended: Promise<{ how: string; metrics: MetricsOfWorker; cut: number }>
}

const PRIMARY_ANSWER_MS = 1000

/** `env` is added to the environment of this process. */
export function startMember(env: Record<string, string>): Member {
  const worker: Worker = cluster.fork(env)
  passOnLostConnections(worker)
  const waiting = new Map<number, (answer: unknown) => void>()
  let nextId = 1
  let last: { metrics: MetricsOfWorker; cut: number } = { metrics: [], cut: 0 }

  const serving = new Promise<string[]>((done, failed) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'serving') done(message.warnings)
      else if (message.kind === 'failed') failed(new Error(message.message))
    })
    worker.process.once('close', () => failed(new Error('A worker ended while it started.')))
  })
  // Nobody may be waiting for it when it fails.
  serving.catch(() => {})

  const ended = new Promise<Awaited<Member['ended']>>((done) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ending') last = { metrics: message.metrics, cut: message.cut }
      if (message.kind !== 'answer') return
      waiting.get(message.id)?.(message.answer)
    })
    // The last message may be read after the exit, and has been read when the channel closes.
    worker.process.once('close', (code, signal) => {
      for (const answer of waiting.values()) answer(undefined)
      done({ how: signal === null ? `ended with status ${code}` : `ended by ${signal}`, ...last })
    })
  })

  const send = (message: ToWorker) => {
    // The channel of a worker that is ending may be closed.
    if (worker.isConnected()) worker.send(message, () => {})
  }

  async function ask<About extends keyof Answers>(about: About): Promise<Answers[About] | undefined> {
    if (!worker.isConnected()) return undefined
    const id = (nextId += 1)
    const answer = new Promise<unknown>((done) => {
      waiting.set(id, done)
      setTimeout(done, PRIMARY_ANSWER_MS).unref()
    })
    send({ kind: 'question', id, about })
    const answered = (await answer) as Answers[About] | undefined
    waiting.delete(id)
    if (about !== 'metrics') return answered
    if (answered) last.metrics = answered as MetricsOfWorker
    return last.metrics as Answers[About]
  }

  return {
    pid: worker.process.pid ?? 0,
    startedAt: performance.now(),
    ask,
    order: (kind) => send({ kind }),
    kill: () => worker.process.kill('SIGKILL'),
    serving,
    ended,
  }
}
