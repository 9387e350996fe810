import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { pageMemory } from '../../src/core/db/driver/page-memory.js'
import { readingSocket, wholeMessages } from '../../src/core/db/driver/socket.js'

/** A longer message that arrives in several reads gets memory of its own. */
const LONG = 32 * 1024

function message(length: number): Buffer {
  const made = Buffer.concat([Buffer.from('D'), Buffer.alloc(4), randomBytes(length)])
  made.writeUInt32BE(4 + length, 1)
  return made
}

/** Returns the buffers that are handed on while these bytes arrive, so many at a time. */
function handedOn(bytes: Buffer, atATime: () => number): Buffer[] {
  const handed: Buffer[] = []
  const { space, arrived } = wholeMessages(pageMemory(), (messages) => handed.push(messages))
  for (let at = 0; at < bytes.length;) {
    const room = space()
    const count = bytes.copy(room, 0, at, at + Math.min(atATime(), room.length))
    assert.ok(count > 0, 'there must be room for more')
    at += count
    arrived(count)
  }
  return handed
}

/** Returns the lengths of the messages; throws if the last is not whole. */
function lengthsOf(bytes: Buffer): number[] {
  const lengths: number[] = []
  for (let at = 0; at < bytes.length; at += lengths.at(-1) ?? 0) lengths.push(1 + bytes.readUInt32BE(at + 1))
  assert.equal(
    lengths.reduce((sum, length) => sum + length, 0),
    bytes.length,
  )
  return lengths
}

describe('messages of PostgreSQL', () => {
  const few = () => message(randomInt(200))
  const streams = {
    'are small': () => few(),
    'are large': () => message(randomInt(3 * LONG)),
    'are of any size': () => (randomInt(10) === 0 ? message(randomInt(10 * LONG)) : few()),
    'are empty': () => message(0),
    'are about as long as the limit of large messages': () => message(LONG + randomInt(-20, 20)),
    'are about as long as one read': () => message(2 * LONG + randomInt(-20, 20)),
  }
  const reads = {
    'byte by byte': () => 1,
    'a few bytes at a time': () => randomInt(1, 20),
    'in pieces of any size': () => randomInt(1, 4 * LONG),
    'as much as there is room for': () => Number.MAX_SAFE_INTEGER,
  }

  for (const [are, make] of Object.entries(streams))
    for (const [how, atATime] of Object.entries(reads))
      it(`that ${are} are handed on whole and in order, read ${how}`, () => {
        const sent = Array.from({ length: how === 'byte by byte' ? 8 : 40 }, make)
        const handed = handedOn(Buffer.concat(sent), atATime)
        assert.deepEqual(
          handed.flatMap(lengthsOf),
          sent.map(({ length }) => length),
        )
        assert.ok(Buffer.concat(handed).equals(Buffer.concat(sent)))
      })

  it('are handed on as soon as they have arrived whole, and not before', () => {
    const handed: Buffer[] = []
    const { space, arrived } = wholeMessages(pageMemory(), (messages) => handed.push(messages))
    const arrive = (bytes: Buffer) => arrived(bytes.copy(space()))
    const [one, other] = [message(10), message(2 * LONG)]
    arrive(Buffer.concat([one, one.subarray(0, 3)]))
    assert.deepEqual(handed.splice(0), [one])
    arrive(Buffer.concat([one.subarray(3), other.subarray(0, LONG)]))
    assert.deepEqual(handed.splice(0), [one])
    arrive(other.subarray(LONG, other.length - 1))
    assert.deepEqual(handed, [])
    arrive(other.subarray(other.length - 1))
    assert.deepEqual(handed, [other])
  })
})

async function listening(answer: (peer: Socket) => unknown): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const addressOf = (server: Server) => ({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })

describe('a socket that reads messages', () => {
  it('hands on the messages of a server, and closes when the server does', async () => {
    const sent = [message(10), message(30 * LONG), message(0)]
    const server = await listening((peer) => peer.end(Buffer.concat(sent)))
    const received: Buffer[] = []
    const socket = readingSocket(addressOf(server), pageMemory())
    socket.on('data', (messages: Buffer) => received.push(messages))
    await once(socket, 'close')
    server.close()
    assert.ok(Buffer.concat(received).equals(Buffer.concat(sent)))
    assert.deepEqual(
      received.flatMap(lengthsOf),
      sent.map(({ length }) => length),
    )
  })

  it('reports a server that is not there to a listener that is added as late as that of postgres.js', async () => {
    for (const target of [{ port: 1, host: '127.0.0.1' }, { path: '/nowhere/.s.PGSQL.5432' }]) {
      const socket = await Promise.resolve(readingSocket(target, pageMemory()))
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
      assert.match(error.code ?? '', /^(ECONNREFUSED|ENOENT)$/)
    }
  })

  it('closes with an error if another program answers', async () => {
    for (const greeting of ['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-OpenSSH_9.2\r\n']) {
      const server = await listening((peer) => peer.on('error', () => {}).end(greeting))
      const socket = readingSocket(addressOf(server), pageMemory())
      socket.on('data', () => assert.fail('nothing may be handed on'))
      const [error] = (await once(socket, 'error')) as [Error]
      assert.match(error.message, /not PostgreSQL/)
      server.close()
    }
  })

  it('does not connect after it was destroyed', async () => {
    let connections = 0
    const server = await listening(() => (connections += 1))
    const socket = readingSocket(addressOf(server), pageMemory())
    socket.destroy()
    await once(socket, 'close')
    server.close()
    await once(server, 'close')
    assert.equal(connections, 0)
  })
})
