/**
 * Keeps a number of workers serving: replaces one that ends or hangs, and all of them in turn when it is told to. Node's
 * cluster module gives each new connection to the next worker.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { passOnLostConnections } from '../runtime/lost-connections.js'
import type { Answers, FromWorker, MetricsOfWorker, ToWorker } from './messages.js'

export type PoolOptions = {
  size: number
  /** Added to the environment of each worker. */
  env: Record<string, string>
  /** How long a worker may take to end after it was told to. */
  stopMs: number
  /** A sentence for the operator. */
  onEvent: (sentence: string) => void
  onEnded: (why: 'died' | 'stopped', metrics: MetricsOfWorker) => void
}

export type WorkerPool = ReturnType<typeof openPool>

/** The pause before a worker is replaced. It doubles with each worker that ends soon after its start. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** A worker that lived this long was well: the next pause is the first again. */
const WELL_MS = 60_000

/** A worker hangs that leaves this many questions in a row unanswered: one alone may come after a pause of the machine. */
const WATCH_WORKERS_MS = 5000
const UNANSWERED_MAX = 4

/** How long a worker that was cut may take to write its last lines. */
const CUT_MS = 700

type PoolContext = ReturnType<typeof newContext>

const newContext = (options: PoolOptions) => ({
  options,
  serving: new Set<PoolWorker>(),
  all: new Set<PoolWorker>(),
  /** The worker whose successor is being started: where it ends by itself, no other one is needed. */
  leaving: undefined as PoolWorker | undefined,
  /** Workers that were told to stop. */
  told: new WeakSet<PoolWorker>(),
  pauseMs: FIRST_PAUSE_MS,
  stopping: new AbortController(),
  /** Restarts run one after the other. */
  restarts: Promise.resolve(),
  cut: 0,
})

export function openPool(options: PoolOptions) {
  const context = newContext(options)
  let isRestartDue = false
  return {
    /** Resolves with the warnings of the first worker once all serve; rejects where the first one cannot start. */
    start: async (): Promise<string[]> => {
      // The first tells whether any can start: the others would fail for the same reason.
      const warnings = await (await launch(context)).serving
      await Promise.all(Array.from({ length: options.size - 1 }, () => launch(context)))
      void watch(context)
      return warnings
    },
    /** Replaces each worker: the next one serves before the old one is told to stop. */
    restart: async (): Promise<void> => {
      // A restart that has not begun does for several signals.
      if (isRestartDue) return
      isRestartDue = true
      context.restarts = context.restarts.then(() => {
        isRestartDue = false
        return replaceAll(context)
      })
      await context.restarts
    },
    /** Lets the workers answer what is open. Resolves with the number of requests that were cut. */
    stop: () => stopAll(context),
    /** Ends the workers at once: open requests are cut. */
    cut: (): void => {
      for (const member of context.all) {
        context.told.add(member)
        member.order('cut')
      }
      setTimeout(() => context.all.forEach((member) => member.kill()), CUT_MS).unref()
    },
    serving: (): readonly PoolWorker[] => [...context.serving],
    /** The workers that serve, and the workers that answer their last requests. */
    all: (): readonly PoolWorker[] => [...context.all],
  }
}

/** Resolves once the worker serves. */
async function launch(context: PoolContext): Promise<PoolWorker> {
  const member = startMember(context.options.env)
  context.all.add(member)
  void afterEnd(context, member)
  await member.serving
  // The pool may have been told to stop meanwhile.
  if (context.stopping.signal.aborted) void exitOf(context, member)
  else context.serving.add(member)
  return member
}

async function afterEnd(context: PoolContext, member: PoolWorker): Promise<void> {
  const { how, metrics, cut } = await member.ended
  context.all.delete(member)
  context.cut += cut
  context.options.onEnded(context.told.has(member) ? 'stopped' : 'died', metrics)
  if (context.serving.delete(member) && member !== context.leaving) await replace(context, member, how)
}

async function replace(context: PoolContext, { pid, startedAt }: PoolWorker, how: string): Promise<void> {
  const { signal } = context.stopping
  if (performance.now() - startedAt > WELL_MS) context.pauseMs = FIRST_PAUSE_MS
  let sentence = `worker ${pid} ${how}`
  while (!signal.aborted) {
    const pauseMs = context.pauseMs
    context.pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    context.options.onEvent(`${sentence}; another one starts in ${pauseMs / 1000} s`)
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    try {
      await launch(context)
      return
    } catch (error) {
      sentence = `a worker could not start: ${(error as Error).message}`
    }
  }
}

async function replaceAll(context: PoolContext): Promise<void> {
  const { options, serving, stopping } = context
  options.onEvent('replacing all workers, one after the other')
  const before = [...serving]
  for (const old of before) {
    if (stopping.signal.aborted) return
    // It may have died, and been replaced, meanwhile.
    if (!serving.has(old)) continue
    context.leaving = old
    const failure = await launch(context).then(
      () => undefined,
      (error: Error) => error,
    )
    context.leaving = undefined
    if (failure) {
      options.onEvent(`a worker could not start, so the others stay: ${failure.message}`)
      if (!serving.has(old)) void replace(context, old, 'ended meanwhile')
      return
    }
    serving.delete(old)
    await exitOf(context, old)
  }
  if (!stopping.signal.aborted) options.onEvent('all workers are replaced')
}

/** Tells a worker to stop, and kills it where it takes too long. */
async function exitOf({ told, options }: PoolContext, member: PoolWorker): Promise<void> {
  told.add(member)
  member.order('stop')
  const timer = setTimeout(member.kill, options.stopMs)
  await member.ended
  clearTimeout(timer)
}

async function stopAll(context: PoolContext): Promise<number> {
  context.stopping.abort()
  context.serving.clear()
  await Promise.all([...context.all].map((member) => exitOf(context, member)))
  return context.cut
}

/** A worker that hangs neither answers nor ends. */
async function watch({ serving, options, stopping }: PoolContext): Promise<void> {
  const unanswered = new WeakMap<PoolWorker, number>()
  const look = async (member: PoolWorker) => {
    // A worker that is killed leaves no counts behind but these.
    void member.ask('metrics')
    const isAlive = await member.ask('alive')
    const count = isAlive ? 0 : (unanswered.get(member) ?? 0) + 1
    unanswered.set(member, count)
    if (count < UNANSWERED_MAX) return
    const seconds = (UNANSWERED_MAX * WATCH_WORKERS_MS) / 1000
    options.onEvent(`worker ${member.pid} has not answered for ${seconds} s, and is killed`)
    member.kill()
  }
  while (!stopping.signal.aborted) {
    await sleep(WATCH_WORKERS_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    for (const member of serving) void look(member)
  }
}

type PoolWorker = ReturnType<typeof startMember>

const PRIMARY_ANSWER_MS = 1000

/** `env` is added to the environment of this process. */
function startMember(env: Record<string, string>) {
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

  const ended = new Promise<{ how: string; metrics: MetricsOfWorker; cut: number }>((done) => {
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

  /** Undefined where it does not answer within a second. Its metrics are then those that were last known. */
  async function ask<About extends keyof Answers>(about: About): Promise<Answers[About] | undefined> {
    if (!worker.isConnected()) return undefined
    const id = (nextId += 1)
    const answer = new Promise<unknown>((done) => {
      waiting.set(id, done)
      setTimeout(done, PRIMARY_ANSWER_MS).unref()
    })
    sendTo(worker, { kind: 'question', id, about })
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
    order: (kind: 'stop' | 'cut') => sendTo(worker, { kind }),
    kill: () => worker.process.kill('SIGKILL'),
    /** Resolves with the warnings of its start once it serves. Rejects where it ends before. */
    serving,
    /** Resolves when it has ended. `metrics` are its last known ones; `cut` counts the requests that it left. */
    ended,
  }
}

function sendTo(worker: Worker, message: ToWorker): void {
  // The channel of a worker that is ending may be closed.
  if (worker.isConnected()) worker.send(message, () => {})
}

export type MetricTotals = ReturnType<typeof openTotals>

export const addUp = (parts: readonly MetricsOfWorker[]): Registry => AggregatorRegistry.aggregate([...parts])

/** A gauge tells of the present: that of a worker that has ended counts no more. */
const isCounter = ({ type }: MetricsOfWorker[number]) => ['counter', 'histogram'].includes(String(type))

export function openTotals() {
  let ended: Promise<MetricsOfWorker> = Promise.resolve([])
  return {
    /** Keeps the counts of a worker that has ended. */
    keep: (metrics: MetricsOfWorker): void => {
      ended = ended.then(async (before) => (await addUp([before, metrics]).getMetricsAsJSON()).filter(isCounter))
    },
    /** The counts of all workers that have ended so far. */
    ended: () => ended,
  }
}
