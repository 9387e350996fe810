/** A TCP link between two machines of a test. It can be cut: packets then vanish, and no side learns of it. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Link = {
  port: number
  /** From now on nothing passes. Connections stay open, and new ones open without an answer. */
  cut: () => void
  /** What was under way passes late, as TCP sends it again. */
  restore: () => void
  close: () => Promise<void>
}

export async function startLink(to: () => number): Promise<Link> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    const upstream = connect(to(), '127.0.0.1')
    const pair = [client, upstream] as const
    for (const socket of pair) {
      sockets.add(socket)
      if (isCut) socket.pause()
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          for (const end of pair) end.destroy()
        })
    }
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => client.write(data))
    if (isCut) for (const socket of pair) socket.pause()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    restore: () => {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
