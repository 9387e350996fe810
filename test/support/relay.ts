/** A relay to the service that holds each call for a while. */
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'

type Relay = { url: string; close: () => Promise<void> }

export async function startSlowRelay(to: string, ms: number): Promise<Relay> {
  const server = createServer((from, back) => {
    setTimeout(() => {
      const onward = ask(to + (from.url ?? ''), { method: from.method, headers: from.headers }, (answer) => {
        back.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(back)
      })
      onward.on('error', () => back.destroy())
      from.pipe(onward)
    }, ms)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
