import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { serve, type ServerOptions } from '../../src/server/http-server.js'
import { until } from '../support/until.js'
import { service } from '../support/service.js'
import { sideBySide } from '../support/side-by-side.js'

type At = { host: string; port: number }

const MiB = 1024 * 1024
const page = '/v1/frames?state=marembe'

const requestText = (path: string, secret: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${more}\r\n`
const client = ({ host, port }: At): Socket => connect({ host, port }).on('error', () => {})

/** Reads to the end, at most `bytesPerSecond` a second. */
async function readSlowly(socket: Socket, bytesPerSecond: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    await sleep((1000 * chunk.length) / bytesPerSecond)
  }
  return Buffer.concat(chunks)
}

type Read = { status: number; body: string }

/** Splits the bytes of a connection into answers, each as long as its Content-Length says. */
function answersIn(bytes: Buffer): Read[] {
  const answers: Read[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    const head = bytes.toString('latin1', at, end)
    const [, status] = /^HTTP\/1\.1 (\d+) /.exec(head) ?? []
    const [, length] = /^content-length: (\d+)$/im.exec(head) ?? []
    assert.ok(status !== undefined && length !== undefined, `no answer begins here: ${head.slice(0, 200)}`)
    at = end + 4 + Number(length)
    assert.ok(at <= bytes.length, `an answer of ${length} bytes was cut`)
    answers.push({ status: Number(status), body: bytes.toString('utf8', end + 4, at) })
  }
  return answers
}

async function allAnswers(text: string): Promise<Read[]> {
  const socket = client(service())
  socket.write(text)
  return answersIn(await readSlowly(socket, 1e9))
}

describe('requests that come before the answer to the one before them', () => {
  for (const [what, next] of [
    ['a good one', requestText('/v1/states', 'any')],
    ['500 of them', 'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500)],
    [
      'one with a body',
      `POST /v1/frames/insight HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n${'x'.repeat(40_000)}`,
    ],
    ['one whose body never ends', 'POST /v1/frames/insight HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
    ['text that is not HTTP', 'NONSENSE\r\n\r\n'],
    ['a request with two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n'],
  ] as const) {
    it(`are not handled, and end the connection behind that answer, which comes whole: ${what}`, async () => {
      const answers = await allAnswers(requestText(page, service().secret) + next)
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200],
      )
      assert.match(answers[0]?.body ?? '', /^\{"data":\{"type":"FeatureCollection".*\}\}$/s)
    })
  }
})

/** Far more than the buffers of both ends take: those hide up to 6 MiB of it from the server. */
const LARGE = 12 * MiB
const asking = (at: At, more = 'Connection: close\r\n'): Socket => {
  const socket = client(at)
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`)
  return socket
}

type Sending = { stop: () => Promise<void>; unread: () => number }

/** The server alone, whose every answer is large. */
async function sending(
  { makingMs = 0, ...http }: Partial<ServerOptions> & { makingMs?: number },
  work: (at: At, reasons: string[], server: Sending) => Promise<void>,
): Promise<void> {
  const reasons: string[] = []
  const app = express().use((_req, res) => {
    const body = Buffer.alloc(LARGE, 'x')
    setTimeout(() => res.setHeader('Content-Length', LARGE).end(body), makingMs)
  })
  let unread = () => 0
  const watchUnreadBytes: ServerOptions['watchUnreadBytes'] = (bytes) => (unread = bytes)
  const watched = { ...http, watchUnreadBytes, onDrop: (reason: string) => reasons.push(reason) }
  const { port, close, cut } = await serve(app, '127.0.0.1', 0, watched)
  try {
    await work({ host: '127.0.0.1', port }, reasons, { stop: close, unread: () => unread() })
  } finally {
    cut()
    await close().catch(() => {})
  }
}

describe('a client of large answers', () => {
  sideBySide({
    'that reads slowly and steadily gets all of it, while one that stalls is hung up on': () =>
      sending({ stallMs: 2000 }, async (at, reasons) => {
        const [slow, stalled] = [asking(at), asking(at)]
        await once(stalled, 'data')
        stalled.pause()
        const [answer] = answersIn(await readSlowly(slow, 4 * MiB))
        assert.deepEqual([answer?.status, answer?.body.length], [200, LARGE])
        await until(async () => reasons.length > 0)
        assert.deepEqual(reasons, ['slow_reader'])
        stalled.destroy()
      }),

    'is not hung up on for the time that the answer took to make': () =>
      sending({ stallMs: 2000, makingMs: 2500 }, async (at, reasons) => {
        const [answer] = answersIn(await readSlowly(asking(at), 1e9))
        assert.deepEqual([answer?.body.length, reasons], [LARGE, []])
      }),

    'gets the rest of its answer from a server that is told to stop': () =>
      sending({ drainMs: 100 }, async (at, _reasons, { stop }) => {
        const slow = asking(at, '')
        const read = readSlowly(slow, 8 * MiB)
        await once(slow, 'data')
        await Promise.all([stop(), read])
        assert.equal(answersIn(await read)[0]?.body.length, LARGE)
      }),
  })

  it('holds one answer, though it sends requests without end and reads nothing', () =>
    sending({}, async (at, _reasons, { unread }) => {
      const deaf = Array.from({ length: 4 }, () => asking(at, '').pause())
      for (const socket of deaf) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000))
      await until(async () => unread() > 2 * LARGE)
      await sleep(500)
      assert.ok(unread() < 5 * LARGE, `${unread()} bytes waited`)
      for (const socket of deaf) socket.destroy()
    }))

  it('is disconnected if it is the slowest while too many bytes wait; the others are not disturbed', () =>
    sending({ unreadMax: 4 * LARGE }, async (at, reasons, { unread }) => {
      const deaf = Array.from({ length: 8 }, () => asking(at).pause())
      await until(async () => reasons.includes('unread_limit'))
      await sleep(1200)
      const readers = Array.from({ length: 3 }, () => readSlowly(asking(at), 8 * MiB))
      for (const bytes of await Promise.all(readers)) assert.equal(answersIn(bytes)[0]?.body.length, LARGE)
      assert.deepEqual(new Set(reasons), new Set(['unread_limit']))
      assert.ok(unread() <= 5 * LARGE, `${unread()} bytes wait`)
      for (const socket of deaf) socket.destroy()
    }))
})
