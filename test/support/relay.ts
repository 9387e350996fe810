/** A relay to the service that can fail a call, hold it, or act between two. It passes every other call as it is. */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What happens to a call: true passes it on, a status answers it, false leaves it without an answer, `lost` passes it
 * on and hangs up in place of the answer.
 */
type Outcome = boolean | number | 'lost'
/** Decides on each call, counted from 1. */
export type Fate = (call: number, path: string) => Outcome | Promise<Outcome>
export type Relay = { url: string; calls: () => string[]; close: () => Promise<void> }

export async function startRelay(to: string, fate: Fate = () => true): Promise<Relay> {
  const calls: string[] = []
  const pass = (from: IncomingMessage, back: ServerResponse, isLost: boolean) => {
    const onward = ask(to + (from.url ?? ''), { method: from.method, headers: from.headers }, (answer) => {
      if (isLost) return void answer.resume().on('end', () => back.destroy())
      back.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(back)
    })
    onward.on('error', () => back.destroy())
    from.pipe(onward)
  }
  const server = createServer((from, back) => {
    calls.push(from.url ?? '')
    void (async () => {
      const what = await fate(calls.length, from.url ?? '')
      if (what === true || what === 'lost') pass(from, back, what === 'lost')
      else if (what !== false) back.writeHead(what).end('{"error":{"code":"internal","message":"Something broke."}}')
    })()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => [...calls],
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
