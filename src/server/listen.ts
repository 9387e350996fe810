/** Listens, or says in a sentence why that cannot be. */
import { createServer, type AddressInfo, type Server } from 'node:net'

/** Answers with the port; `setting` is what a person changes to have another. */
export function listen(server: Server, host: string, port: number, setting: string): Promise<number> {
  return new Promise((done, refuse) => {
    const refused = ({ code, message }: NodeJS.ErrnoException) => {
      const why =
        code === 'EADDRINUSE'
          ? `Port ${port} of ${host} is taken by another program. Set ${setting} to another, or to 0 for any free one.`
          : `It is not possible to listen on port ${port} of ${host}: ${code ?? message}.`
      refuse(new Error(why))
    }
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      done((server.address() as AddressInfo).port)
    })
  })
}

/** Throws where a port cannot be listened on; all are tried together, so that one port wanted twice is found too. */
export async function refuseTaken(host: string, wanted: readonly { port: number; setting: string }[]): Promise<void> {
  const tried: Server[] = []
  try {
    for (const { port, setting } of wanted) {
      const server = createServer()
      await listen(server, host, port, setting)
      tried.push(server)
    }
  } finally {
    await Promise.all(tried.map((server) => new Promise((done) => server.close(done))))
  }
}
