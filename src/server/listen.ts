/** Listens on a port, or fails with a sentence that says why it cannot. */
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Returns the port. `setting` is the variable that an operator changes to choose another port. */
export function listen(server: Server, host: string, port: number, setting: string): Promise<number> {
  return new Promise((done, fail) => {
    const refused = ({ code, message }: NodeJS.ErrnoException) => {
      const why =
        code === 'EADDRINUSE'
          ? `Port ${port} of ${host} is taken by another program. Set ${setting} to another, or to 0 for any free one.`
          : `It is not possible to listen on port ${port} of ${host}: ${code ?? message}.`
      fail(new Error(why))
    }
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      done((server.address() as AddressInfo).port)
    })
  })
}

/** Fails where a port is taken. All ports are held at the same time, so that a port that is set twice is found too. */
export async function refuseTaken(host: string, wanted: readonly { port: number; setting: string }[]): Promise<void> {
  const held: Server[] = []
  try {
    for (const { port, setting } of wanted) {
      const server = createServer()
      await listen(server, host, port, setting)
      held.push(server)
    }
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))))
  }
}
