import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { PIPELINED_MAX, serve } from '../../src/server/http-server.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { mint, service, startService } from '../support/service.js'
import { sideBySide } from '../support/side-by-side.js'

type Running = Awaited<ReturnType<typeof startService>>
type Http = NonNullable<NonNullable<Parameters<typeof startService>[1]>['http']>

const MiB = 1024 * 1024
const page = '/v1/frames?state=marembe'
const UNREAD = 'frames_http_unread_bytes'
const dropped = (reason: string) => `frames_http_connections_dropped_total{reason="${reason}"}`

const requestText = (path: string, secret: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${more}\r\n`
const client = ({ host, port }: Pick<Running, 'host' | 'port'>): Socket => connect({ host, port }).on('error', () => {})

async function serving(http: Http, work: (running: Running) => Promise<void>): Promise<void> {
  const running = await startService(service().database, { ops: true, http })
  try {
    await work(running)
  } finally {
    await running.stop()
  }
}

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

async function allAnswers(text: string, running: Pick<Running, 'host' | 'port'> = service()): Promise<Read[]> {
  const socket = client(running)
  socket.write(text)
  return answersIn(await readSlowly(socket, 1e9))
}

describe('pipelined requests', () => {
  it('are answered in their order, each with its own answer', async () => {
    const { secret } = service()
    const bad = (i: number) => requestText(`/v1/frames?state=marembe&limit=x${i}`, secret)
    const texts = Array.from({ length: 60 }, (_, i) => bad(i))
    const answers = await allAnswers(`${texts.join('')}${requestText('/v1/states', secret, 'Connection: close\r\n')}`)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...texts.map(() => 400), 200],
    )
    for (const [i, { body }] of answers.slice(0, 60).entries()) assert.match(body, new RegExp(`"x${i}\\\\"`))
  })

  it('are read whole if they have bodies, whatever waits before them', async () => {
    const { secret } = service()
    const post = (body: string, more = '') =>
      [
        'POST /v1/frames/insight HTTP/1.1\r\nHost: x\r\nContent-Type: application/json',
        `Authorization: Bearer ${secret}\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`,
      ].join('\r\n')
    const long = JSON.stringify({ frameIds: ['324378020'], question: 'a', format: 'x'.repeat(40_000) })
    const answers = await allAnswers(
      [requestText(page, secret), post(long), post('{"frameIds":["1"]}'), post(long, 'Connection: close\r\n')].join(''),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400, 200, 400],
    )
  })

  it(`wait at most ${PIPELINED_MAX} at a time: those are answered, and the connection ends`, async () => {
    const { secret } = service()
    const answers = await allAnswers(
      `${requestText('/v1/states', secret)}${'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(500)}`,
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, ...Array<number>(PIPELINED_MAX).fill(404), 400],
    )
    assert.match(answers.at(-1)?.body ?? '', /More than 100 requests of this connection wait/)
  })

  for (const [what, broken, status] of [
    ['text that is not HTTP', 'NONSENSE\r\n\r\n', 400],
    ['a request with two Hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n', 417],
  ] as const) {
    it(`are answered first and whole if ${what} follows them`, async () => {
      const { secret } = service()
      const good = requestText(page, secret) + requestText('/v1/states', secret)
      const answers = await allAnswers(`${good}${broken}${good}`)
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [200, 200, status],
      )
      assert.match(answers[0]?.body ?? '', /^\{"data":\{"type":"FeatureCollection".*\}\}$/s)
    })
  }

  it('are refused in their turn if their body never ends', () =>
    serving({ requestTimes: { headersMs: 300, wholeMs: 500, checkEveryMs: 100 } }, async (running) => {
      const { secret } = running
      const post = `POST /v1/frames/insight HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n`
      const begun = `${post}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
      const answers = await allAnswers(requestText(page, secret) + begun, running)
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 408],
      )
    }))

  it('hold one page for each connection while their organisations read nothing', () =>
    serving({}, async (running) => {
      const keys = await Promise.all(Array.from({ length: 8 }, () => mint(service().db)))
      const deaf = keys.map(({ secret }) => {
        const socket = client(running).pause()
        socket.write(requestText(page, secret).repeat(PIPELINED_MAX))
        return socket
      })
      let most = 0
      const unreadBytes = async () => sampleOf(await scrape(running.opsUrl), UNREAD) ?? 0
      await until(async () => (await unreadBytes()) > 2 * MiB)
      for (let at = 0; at < 10; at += 1) {
        await sleep(50)
        most = Math.max(most, await unreadBytes())
      }
      for (const socket of deaf) socket.destroy()
      assert.ok(most < 12 * MiB, `${most} bytes waited`)
    }))
})

/** Far more than the buffers of both ends take: those hide up to 6 MiB of it from the server. */
const LARGE = 12 * MiB
const asking = (at: Pick<Running, 'host' | 'port'>, more = 'Connection: close\r\n'): Socket => {
  const socket = client(at)
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${more}\r\n`)
  return socket
}

/** The server alone, whose every answer is large. */
async function sending(
  { makingMs = 0, ...http }: Http & { makingMs?: number },
  work: (at: { host: string; port: number }, reasons: string[], stop: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const reasons: string[] = []
  const app = express().use((_req, res) => {
    const body = Buffer.alloc(LARGE, 'x')
    setTimeout(() => res.setHeader('Content-Length', LARGE).end(body), makingMs)
  })
  const { port, close, cut } = await serve(app, '127.0.0.1', 0, { ...http, onDrop: (reason) => reasons.push(reason) })
  try {
    await work({ host: '127.0.0.1', port }, reasons, close)
  } finally {
    cut()
    await close().catch(() => {})
  }
}

/**
 * Reads 8 KiB twenty times a second for so many seconds, prints how much that was, and hangs up. Its receive buffer is
 * small and of one size, which Node cannot ask for: in a large one the client's kernel may acknowledge nothing for
 * seconds.
 */
const slowReader = (port: number, seconds: number) =>
  spawn('perl', [
    '-MSocket',
    '-e',
    `socket(S, PF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, SO_RCVBUF, 32768);
     connect(S, pack_sockaddr_in(${port}, INADDR_LOOPBACK)) or die $!;
     syswrite(S, "GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n");
     for (1 .. ${seconds * 20}) { $read += sysread(S, $bytes, 8192) || 0; select(undef, undef, undef, 0.05) }
     print $read`,
  ])

describe('a client of large answers', () => {
  const pages = (secret: string, count: number) =>
    requestText(page, secret).repeat(count - 1) + requestText(page, secret, 'Connection: close\r\n')

  sideBySide({
    'that reads slowly and steadily gets all of it, while one that stalls is hung up on': () =>
      sending({ stallMs: 2000, bytesPerSecond: 1000 }, async (at, reasons) => {
        const [slow, stalled] = [asking(at), asking(at)]
        await once(stalled, 'data')
        stalled.pause()
        const [answer] = answersIn(await readSlowly(slow, 4 * MiB))
        assert.deepEqual([answer?.status, answer?.body.length], [200, LARGE])
        assert.deepEqual(reasons, ['slow_reader'])
        stalled.destroy()
      }),

    'that takes little at a time, all of it out of the buffer of the kernel, is not hung up on': () =>
      sending({ stallMs: 1500, bytesPerSecond: 10_000 }, async (at, reasons) => {
        const slow = slowReader(at.port, 4)
        const [out] = (await once(slow.stdout.setEncoding('utf8'), 'data')) as [string]
        const read = Number(out)
        assert.ok(read > 50_000 && read < 2 * MiB, `${read} bytes read`)
        assert.deepEqual(reasons, [], `${read} bytes read`)
      }),

    'that takes less than the least pace is hung up on, though it never stalls': () =>
      sending({ stallMs: 800, bytesPerSecond: 40 * MiB }, async (at, reasons) => {
        const bytes = await readSlowly(asking(at), 4 * MiB)
        assert.ok(bytes.length < LARGE)
        assert.deepEqual(reasons, ['slow_reader'])
      }),

    'is not hung up on for the time that the answer took to make': () =>
      sending({ stallMs: 2000, bytesPerSecond: 1000, makingMs: 2500 }, async (at, reasons) => {
        const [answer] = answersIn(await readSlowly(asking(at), 1e9))
        assert.deepEqual([answer?.body.length, reasons], [LARGE, []])
      }),

    'gets the rest of its answer from a server that is told to stop': () =>
      sending({ drainMs: 100 }, async (at, _reasons, stop) => {
        const slow = asking(at, '')
        const read = readSlowly(slow, 8 * MiB)
        await once(slow, 'data')
        await Promise.all([stop(), read])
        assert.equal(answersIn(await read)[0]?.body.length, LARGE)
      }),
  })

  it('is disconnected if it is the slowest while too many bytes wait; the others are not disturbed', () =>
    serving({ unreadMax: 8 * MiB }, async (running) => {
      const deaf = Array.from({ length: 14 }, () => {
        const socket = client(running).pause()
        socket.write(pages(running.secret, 10))
        return socket
      })
      await until(async () => (sampleOf(await scrape(running.opsUrl), dropped('unread_limit')) ?? 0) > 0)
      const readers = Array.from({ length: 2 }, async () => {
        const socket = client(running)
        socket.write(pages(running.secret, 5))
        return answersIn(await readSlowly(socket, 8 * MiB))
      })
      for (const answers of await Promise.all(readers)) {
        assert.deepEqual(
          answers.map(({ status }) => status),
          Array<number>(5).fill(200),
        )
      }
      const metrics = await scrape(running.opsUrl)
      assert.ok((sampleOf(metrics, UNREAD) ?? Infinity) <= 9 * MiB)
      for (const socket of deaf) socket.destroy()
    }))
})
