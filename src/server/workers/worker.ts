/** The side of a worker: it takes orders from the primary process, and answers its questions. */
import cluster from 'node:cluster'
import type { Answers, FromWorker, ToWorker } from './messages.js'

export const isWorker = () => cluster.isWorker

/** Resolves once the message is on its way: a process that ends then loses it no more. */
export const tellPrimary = (message: FromWorker): Promise<void> =>
  new Promise((done) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => done())
    else done()
  })

/** A question that cannot be answered is answered with undefined. */
export function answerQuestions(answers: {
  [About in keyof Answers]: () => Promise<Answers[About]> | Answers[About]
}): void {
  process.on('message', (message: ToWorker) => {
    if (message.kind !== 'question') return
    void Promise.resolve(answers[message.about]())
      .catch(() => undefined)
      .then((answer) => tellPrimary({ kind: 'answer', id: message.id, answer }))
  })
}

export type StopOrders = { stop: Promise<void>; cut: Promise<void> }

/**
 * A worker stops at the order of the primary, at a SIGTERM of its own, and when the primary is gone. Signals that a
 * terminal or a service manager sends to all processes at once come here too: the primary handles them, and its order
 * to stop is no second signal.
 */
export function stopOrders(): StopOrders {
  let [stop, cut] = [() => {}, () => {}]
  const orders = { stop: new Promise<void>((done) => (stop = done)), cut: new Promise<void>((done) => (cut = done)) }
  let signals = 0
  process.on('SIGTERM', () => {
    signals += 1
    if (signals > 1) cut()
    stop()
  })
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('message', ({ kind }: ToWorker) => {
    if (kind === 'cut') cut()
    if (kind === 'cut' || kind === 'stop') stop()
  })
  process.once('disconnect', stop)
  return orders
}

/**
 * By default a worker ends at once when its primary is gone, whatever it was answering. Before it serves, that is right:
 * nobody is left to tell it on which port.
 */
export function outliveThePrimary(): void {
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
}
