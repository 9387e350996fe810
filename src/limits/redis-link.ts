/**
 * The way to Redis: a command waits at most a second for its answer, and not at all while Redis is known to be away. A link that failed is thrown away whole, and another is tried several times a second.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'

export type Reply = boolean | number | string | Reply[]
export type RedisLink = {
  send: (...command: string[]) => Promise<Reply>
  close: () => Promise<void>
}
export type LinkOptions = {
  /** A link is used once this succeeds on it. */
  probe: (send: RedisLink['send']) => Promise<unknown>
  lost: (reason: string) => void
  found: () => void
}

const ANSWER_MS = 1000
const RETRY_MS = 250

type Client = { sendCommand: (command: string[]) => Promise<unknown> }

export function linkToRedis(url: string, { probe, lost, found }: LinkOptions): RedisLink {
  let link: { client: Client; fail: (reason: unknown) => void } | undefined
  let giveUp: (reason: unknown) => void = () => {}
  const closing = new AbortController()

  const sendOn = async (on: Client, command: string[]): Promise<Reply> =>
    (await within(ANSWER_MS, on.sendCommand(command))) as Reply

  /** Ends when a link that worked has failed, with the reason; throws when it never worked. */
  async function use(): Promise<unknown> {
    const client = createClient({
      url,
      disableOfflineQueue: true,
      // An abort signal a command, for what `within` does already.
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: ANSWER_MS, reconnectStrategy: false },
    })
    let fail: (reason: unknown) => void = () => {}
    const failure = new Promise<unknown>((failed) => (giveUp = fail = failed))
    const failed = failure.then((reason) => Promise.reject(reason as Error))
    client.on('error', fail)
    client.on('end', () => fail(new Error('the connection was closed')))
    try {
      await within(ANSWER_MS, Promise.race([client.connect(), failed]))
      await Promise.race([probe((...command) => sendOn(client, command)), failed])
      link = { client, fail }
      found()
      return await failure
    } finally {
      link = undefined
      // Everything that waits on this link is let go at once.
      if (client.isOpen) client.destroy()
    }
  }

  async function keep(): Promise<void> {
    let said = false
    while (!closing.signal.aborted) {
      const worked = await use().then(
        (reason) => ({ reason, before: true }),
        (reason: unknown) => ({ reason, before: false }),
      )
      if (closing.signal.aborted) return
      if (worked.before || !said) lost(worked.reason instanceof Error ? worked.reason.message : String(worked.reason))
      said = true
      await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  const kept = keep()

  return {
    send: async (...command) => {
      const used = link
      if (!used) throw new Error('Redis is away.')
      try {
        return await sendOn(used.client, command)
      } catch (error) {
        if (!isOfCommand(error)) used.fail(error)
        throw error
      }
    },
    close: async () => {
      closing.abort()
      giveUp(new Error('closing'))
      await kept
    },
  }
}

/**
 * The command failed, and another on the same link may not: the script is not loaded (it is sent again as text), met a key
 * of another type, or has a fault of its own. Everything else (out of memory, read-only, no password) is the server's state.
 */
const isOfCommand = (error: unknown) =>
  error instanceof Error && /^(NOSCRIPT|WRONGTYPE|ERR user_script)/.test(error.message)

/**
 * A process that is busy for longer than the limit finds its timer due before it has read an answer that is there: the
 * network is read once more before giving up.
 */
function within<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((done, failed) => {
    const late = () => failed(new Error(`Redis did not answer within ${ms} ms`))
    const timer = setTimeout(() => setImmediate(() => setImmediate(late)), ms)
    answer.then(done, failed).finally(() => clearTimeout(timer))
  })
}
