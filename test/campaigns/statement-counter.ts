/** Relays connections to PostgreSQL, and counts the prepared statements that each open connection holds. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type StatementCounter = {
  port: number
  /** Over all open connections: the statements, the texts that differ, and texts that a connection has twice. */
  counts: () => { prepared: number; texts: number; twice: number }
  close: () => Promise<void>
}

export async function startStatementCounter(to: number): Promise<StatementCounter> {
  const statements = new Map<Socket, Map<string, string>>()
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1')
    const own = new Map<string, string>()
    const read = readerOf(own)
    statements.set(client, own)
    for (const socket of [client, upstream])
      socket
        .on('error', () => {})
        .on('close', () => {
          statements.delete(client)
          client.destroy()
          upstream.destroy()
        })
    client.on('data', read)
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    counts: () => {
      const each = [...statements.values()].map((own) => [...own.values()])
      const prepared = each.flat().length
      const distinct = each.reduce((sum, texts) => sum + new Set(texts).size, 0)
      return { prepared, texts: new Set(each.flat()).size, twice: prepared - distinct }
    },
    close: async () => {
      for (const socket of statements.keys()) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Follows the messages Parse and Close of a client. The first message of a connection has no letter. */
function readerOf(statements: Map<string, string>): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  let letterBytes = 0
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= letterBytes + 4) {
      const length = letterBytes + rest.readInt32BE(letterBytes)
      if (rest.length < length) return
      const letter = letterBytes === 1 ? String.fromCharCode(rest[0] ?? 0) : ''
      const body = rest.subarray(letterBytes + 4, length)
      if (letter === 'P') statements.set(textAt(body, 0), textAt(body, body.indexOf(0) + 1))
      else if (letter === 'C' && body[0] === 'S'.charCodeAt(0)) statements.delete(textAt(body, 1))
      // The statement without a name lasts until the next one.
      statements.delete('')
      letterBytes = 1
      rest = rest.subarray(length)
    }
  }
}

const textAt = (body: Buffer, from: number) => body.subarray(from, body.indexOf(0, from)).toString()
