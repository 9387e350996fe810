/**
 * Fault: the primary process of Node's cluster hands a connection to a worker, and waits until the worker says that it
 *   took it. If the worker ends before that, nobody answers or closes the connection. Steps: stop a worker with
 *   SIGSTOP, open connections, kill it.
 * Link: nodejs/node-v0.x-archive#7006
 * Gain: another worker answers such a client. It waits for ever otherwise, and the primary process keeps its file open.
 * Delete it when: `remove` in Node's lib/internal/cluster/round_robin_handle.js gives back what its worker did not take.
 */
import cluster, { type Worker } from 'node:cluster'

type Connection = { close: () => void }
/** The message of Node's cluster that goes with a connection. */
type Handover = { cmd?: string; act?: string; seq?: number; ack?: number }
type Send = (message: Handover, connection?: Connection) => boolean

/** A worker reads nothing of a connection before it says that it took it, so another one can take its place. */
export function passOnLostConnections(worker: Worker): void {
  const untaken = new Map<number, { message: Handover; connection: Connection }>()
  const channel = worker.process as unknown as { send: Send }
  const send = channel.send.bind(channel)
  channel.send = (message, connection, ...rest) => {
    if (connection && message.act === 'newconn' && message.seq !== undefined)
      untaken.set(message.seq, { message, connection })
    return send(message, connection, ...rest)
  }
  worker.process.on('internalMessage', ({ ack }: Handover) => {
    if (ack !== undefined) untaken.delete(ack)
  })
  // All that the worker said has been read by then. Node never says that the channel of such a worker is disconnected.
  worker.process.once('close', () => {
    for (const { message, connection } of untaken.values()) {
      const next = Object.values(cluster.workers ?? {}).find((each) => each !== worker && each?.isConnected())
      // Under the number of the first message, Node closes its side once the other worker says that it took it.
      if (next) (next.process as unknown as { send: Send }).send(message, connection)
      else connection.close()
    }
    untaken.clear()
  })
}
