/** Clients that keep their connections, as a balancer or a program does. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns the status, or the code of the error. */
export function sendOnce(url: string, agent: Agent, secret: string): Promise<string> {
  return new Promise((done) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${secret}` } }, (answer) => {
      answer.resume()
      answer.once('end', () => done(String(answer.statusCode)))
      answer.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    sent.end()
  })
}

type Clients = { count: number; pauseMs: number }

/** Sends until it is stopped, each client with a pause after an answer, and returns the number of each outcome. */
export function startClients(
  url: string,
  secret: string,
  { count, pauseMs }: Clients,
): () => Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true })
  const outcomes: Record<string, number> = {}
  const going = { on: true }
  const client = async () => {
    while (going.on) {
      const outcome = await sendOnce(url, agent, secret)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      await sleep(pauseMs)
    }
  }
  const done = Promise.all(Array.from({ length: count }, client))
  return async () => {
    going.on = false
    await done
    agent.destroy()
    return outcomes
  }
}
