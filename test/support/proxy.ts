/** A proxy of PostgreSQL that a test can cut at the worst moment, such as between a commit and its answer. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Proxy = {
  port: number
  /** The next commit reaches the server, and its answer does not reach the client. */
  cutNextCommit: () => void
  cuts: () => number
  /** Every connection breaks. New ones work. */
  cutAll: () => void
  /** Connections stay open and carry nothing any more, as if the machine hung. */
  hang: () => void
  /** New connections work again. */
  wake: () => void
  /** Present connections carry nothing any more, as if their machine were gone. New ones work. */
  silence: () => void
  /** Every piece that the server sends arrives that much later, in order. */
  delay: (ms: () => number) => void
  close: () => Promise<void>
}

export async function startProxy(port: number): Promise<Proxy> {
  let armed = false
  let cuts = 0
  let hangs = false
  const sockets = new Set<Socket>()
  let mute = new Set<Socket>()
  let delayOf = () => 0
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    client.on('data', (data) => hangs || mute.has(client) || upstream.write(data))
    let free = 0
    upstream.on('data', (data) => {
      if (mute.has(client)) return
      free = Math.max(free, performance.now() + delayOf())
      const wait = free - performance.now()
      if (wait > 0) return void setTimeout(() => client.write(data), wait)
      // The client must not learn that the server committed.
      if (!armed || !data.includes('COMMIT\0')) return void client.write(data)
      armed = false
      cuts += 1
      client.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    cutNextCommit: () => (armed = true),
    cuts: () => cuts,
    cutAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    hang: () => (hangs = true),
    wake: () => (hangs = false),
    silence: () => (mute = new Set(sockets)),
    delay: (ms) => (delayOf = ms),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
