/**
 * Keeps a link to one server of Redis. A command waits at most a second for its reply, and fails at once while the
 * server is known to be away. A link that failed is closed, and a new one is tried four times a second.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export type Reply = boolean | number | string | Reply[]
export type RedisLink = {
  send: (...command: string[]) => Promise<Reply>
  close: () => Promise<void>
}
export type LinkOptions = {
  /** A link is used once this succeeds on it. */
  probe: (send: RedisLink['send']) => Promise<unknown>
  /** A link failed, or the first one could not be made. */
  onLost: (reason: string) => void
  onReady: () => void
}

const REPLY_MS = 1000
const RETRY_MS = 250

/** One connection. It is used while `isReady`, and ends when `failure` resolves with the reason. */
type RedisConnection = {
  client: { isOpen: boolean; connect: () => Promise<unknown>; destroy: () => void }
  send: RedisLink['send']
  isReady: boolean
  fail: (reason: unknown) => void
  failure: Promise<unknown>
}

/** `findUrl` is called before each connection. */
export function linkToServer(findUrl: () => Promise<string>, { probe, onLost, onReady }: LinkOptions): RedisLink {
  let connection: RedisConnection | undefined
  const closing = new AbortController()

  /** Returns the reason for which the connection ended, and whether it was ready before. */
  async function useOneConnection(): Promise<{ reason: unknown; wasReady: boolean }> {
    const url = await findUrl().catch((reason: unknown) => ({ reason }))
    if (typeof url !== 'string') return { ...url, wasReady: false }
    const current = (connection = await newConnection(url))
    // The link may have been closed while `findUrl` asked: nothing would end this connection.
    if (closing.signal.aborted) current.fail(new Error('closing'))
    try {
      await untilFailure(current, withTimeout(REPLY_MS, current.client.connect()))
      await untilFailure(current, probe(current.send))
      current.isReady = true
      onReady()
      return { reason: await current.failure, wasReady: true }
    } catch (reason) {
      return { reason, wasReady: false }
    } finally {
      current.isReady = false
      // Rejects the commands that wait on this connection.
      if (current.client.isOpen) current.client.destroy()
    }
  }

  async function keepConnected(): Promise<void> {
    let isReported = false
    while (!closing.signal.aborted) {
      const { reason, wasReady } = await useOneConnection()
      if (closing.signal.aborted) return
      if (wasReady || !isReported) onLost(reason instanceof Error ? reason.message : String(reason))
      isReported = true
      await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  const ended = keepConnected()

  return {
    send: (...command) => sendOn(connection, command),
    close: async () => {
      closing.abort()
      connection?.fail(new Error('closing'))
      await ended
    },
  }
}

async function sendOn(current: RedisConnection | undefined, command: string[]): Promise<Reply> {
  if (!current?.isReady) throw new Error('Redis is away.')
  try {
    return await current.send(...command)
  } catch (error) {
    if (!isFaultOfCommand(error)) current.fail(error)
    throw error
  }
}

/** The package of Redis has 650 files: only a service that has a Redis loads it. */
async function newConnection(url: string): Promise<RedisConnection> {
  const { createClient } = await import('redis')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // 0 spares an abort signal for each command: `withTimeout` does its work.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: REPLY_MS, reconnectStrategy: false },
  })
  let fail: (reason: unknown) => void = () => {}
  const failure = new Promise<unknown>((resolve) => (fail = resolve))
  client.on('error', fail)
  client.on('end', () => fail(new Error('the connection was closed')))
  const send = (...command: string[]) => withTimeout(REPLY_MS, client.sendCommand<Reply>(command))
  return { client, send, isReady: false, fail, failure }
}

/** Asks a server one thing, on a connection of its own. */
export async function askServer(url: string, ...command: string[]): Promise<Reply> {
  const connection = await newConnection(url)
  try {
    await untilFailure(connection, withTimeout(REPLY_MS, connection.client.connect()))
    return await untilFailure(connection, connection.send(...command))
  } finally {
    if (connection.client.isOpen) connection.client.destroy()
  }
}

/**
 * Rejects as soon as the connection fails. The failure is an event, not a deadline, so src/core/deadline.ts has no part in
 * it.
 */
const untilFailure = <Answer>({ failure }: RedisConnection, answer: Promise<Answer>): Promise<Answer> =>
  Promise.race([answer, failure.then((reason) => Promise.reject(reason as Error))])

/**
 * The fault lies in the command, and the link is good: the script is not loaded (it is then sent as text), a key has
 * another type, or the script is wrong. Every other error (out of memory, read-only, no password, a server of a cluster)
 * is the state of the server.
 */
const isFaultOfCommand = (error: unknown) =>
  error instanceof Error && /^(NOSCRIPT|WRONGTYPE|ERR user_script)/.test(error.message)

/**
 * A process that was busy for longer than the timeout finds its timer due before it has read a reply that is there
 * already. Two more turns of the event loop read the network before the promise is rejected; `byDeadline` of
 * src/core/deadline.ts rejects without them.
 */
function withTimeout<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`Redis did not answer within ${ms} ms`))
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
