import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { risen, sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { ask, bearer, service, startService } from '../support/service.js'

type Running = Awaited<ReturnType<typeof startService>>
const big = '/v1/frames?state=marembe'

const requestText = (path: string, { secret }: { secret: string }, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${more}\r\n`
const client = ({ host, port }: Running, options: { allowHalfOpen?: boolean } = {}): Socket =>
  connect({ host, port, ...options }).on('error', () => {})

describe('a client that', () => {
  const closed = (socket: Socket) => new Promise((done) => socket.once('close', done))

  async function serving(http: Parameters<typeof startService>[1] & object, work: (running: Running) => Promise<void>) {
    const running = await startService(service().database, { ops: true, ...http })
    try {
      await work(running)
    } finally {
      await running.stop()
    }
  }

  it('never reads its answers is hung up on, and holds nothing any more', () =>
    serving({ http: { stallMs: 400 } }, async (running) => {
      const rises = await risen(running.opsUrl, async () => {
        const deaf = client(running).pause()
        const counted = async (name: string) => sampleOf(await scrape(running.opsUrl), name) ?? 0
        // It asks once the answer before has gone, until answers fill the buffers of both ends.
        for (let asked = 1; (await counted(key('slow_reader'))) === 0; asked += 1) {
          deaf.write(requestText(big, running))
          await until(async () => (await counted(sent)) >= asked || (await counted(key('slow_reader'))) > 0)
        }
        deaf.destroy()
      })
      assert.equal(rises[key('slow_reader')], 1)
      const cut = 'frames_http_requests_total{route="/v1/frames",status="499"}'
      assert.ok((rises[cut] ?? 0) > 0, JSON.stringify(rises))
      const read = await ask(running.url + big, { headers: bearer(running.secret) })
      assert.equal(read.status, 200)
    }))

  it('sent its request in time is answered, though the process was too busy to read it', () =>
    serving({ http: { requestTimes: { headersMs: 1500, wholeMs: 2500, checkEveryMs: 100 } } }, async (running) => {
      const half = requestText('/v1/states', running)
      const socket = client(running)
      const [slow, answers] = [client(running), [] as string[]]
      socket.on('data', (data) => answers.push(String(data)))
      socket.write(half.slice(0, 20))
      slow.write(half.slice(0, 20))
      // The server has read the first half of both.
      await new Promise((done) => setTimeout(done, 150))
      await new Promise<void>((done) => {
        // Timers come next, and the check of Node with them, before any socket is read.
        setImmediate(() => {
          socket.write(half.slice(20))
          const busyUntil = performance.now() + 2000
          while (performance.now() < busyUntil);
          done()
        })
      })
      await until(async () => answers.join('').includes('\r\n\r\n'))
      assert.match(answers.join(''), /^HTTP\/1\.1 200 /)
      const refused: string[] = []
      slow.on('data', (data) => refused.push(String(data)))
      await closed(slow)
      assert.match(refused.join(''), /^HTTP\/1\.1 408 /)
      socket.destroy()
    }))

  it('dribbles or says nothing is hung up on, while others are answered', () =>
    serving({ http: { requestTimes: { headersMs: 300, wholeMs: 500, checkEveryMs: 100 } } }, async (running) => {
      const begun = {
        'says nothing': '',
        'dribbles headers': 'GET /v1/states HTTP/1.1\r\nHost: x\r\nX: ',
        'dribbles a body': [
          'POST /v1/frames/insight HTTP/1.1',
          'Host: x',
          `Authorization: Bearer ${running.secret}`,
          'Content-Type: application/json',
          'Content-Length: 50000\r\n\r\n{',
        ].join('\r\n'),
        'stays after it was refused': 'NONSENSE\r\n\r\n',
      }
      const sockets = Object.entries(begun).flatMap(([what, text]) =>
        Array.from({ length: 12 }, () => {
          const isSilent = what === 'says nothing'
          const socket = client(running, { allowHalfOpen: !isSilent }).resume()
          socket.write(text)
          const drip = isSilent ? undefined : setInterval(() => socket.write(' '), 100)
          return closed(socket).then(() => clearInterval(drip))
        }),
      )
      const others = async () => (await ask(`${running.url}/v1/states`, { headers: bearer(running.secret) })).status
      assert.equal(await others(), 200)
      await Promise.all(sockets)
      assert.equal(await others(), 200)
      const metrics = await scrape(running.opsUrl)
      assert.ok((sampleOf(metrics, key('slow_request')) ?? 0) >= 36)
      assert.ok((sampleOf(metrics, key('broken_request')) ?? 0) >= 12)
    }))

  it('stays half open after it was refused is hung up on, though it says nothing more', () =>
    serving({ http: { connectionsMax: 1 } }, async (running) => {
      const refused = client(running, { allowHalfOpen: true }).resume()
      // Node takes a request without a Host for a valid one, which waits for its answer.
      refused.write('GET /v1/states HTTP/1.1\r\n\r\n')
      await once(refused, 'end')
      // The refused client held the only connection that the server accepts.
      await until(async () => {
        const next = client(running)
        next.write(requestText('/v1/states', running, 'Connection: close\r\n'))
        let answer = ''
        next.on('data', (data) => (answer += data.toString()))
        await closed(next)
        return answer.startsWith('HTTP/1.1 200 ')
      })
      refused.destroy()
    }))

  it('comes when no connection is left is let in at its next try, as idle ones are closed for it', () =>
    serving({ http: { connectionsMax: 20 } }, async (running) => {
      const idle = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const socket = client(running)
          socket.write(requestText('/v1/states', running))
          await once(socket, 'data')
          return socket.resume()
        }),
      )
      const allClosed = Promise.all(idle.map(closed))
      const late = client(running).resume()
      await closed(late)
      await allClosed
      const again = client(running)
      again.write(requestText('/v1/states', running, 'Connection: close\r\n'))
      const [answer] = (await once(again, 'data')) as [Buffer]
      assert.match(answer.toString(), /^HTTP\/1\.1 200 /)
      again.resume()
      await closed(again)
      assert.equal(sampleOf(await scrape(running.opsUrl), key('connection_limit')), 1)
    }))
})

const sent = 'frames_http_requests_total{route="/v1/frames",status="200"}'
const key = (reason: string) => `frames_http_connections_dropped_total{reason="${reason}"}`
