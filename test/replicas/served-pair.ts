/** A primary, a replica behind a proxy, and a service that reads from the replica. */
import assert from 'node:assert/strict'
import { startProxy, type Proxy } from '../support/proxy.js'
import { startPair, untilInUse, type Pair } from '../support/replica.js'
import { until } from '../support/until.js'
import { ask, bearer, startService } from '../support/service.js'

export type Running = Awaited<ReturnType<typeof startService>>

export type ServedPair = {
  pair: Pair
  proxy: Proxy
  service: Running
  /** The lines that the service logged. */
  lines: string[]
  /** The statements that were sent, with the port of their server. A test may empty the list. */
  sent: [name: string, port: number][]
  onSent: (name: string) => void
  watch: (text: string, target: unknown) => void
  /** Says to which server a statement of this call went. */
  readFrom: (name?: string, path?: string) => Promise<'primary' | 'replica'>
}

/** Starts all of them before the tests of a suite. */
export function servedPair(): ServedPair {
  const served = { lines: [], sent: [], onSent: () => {}, watch, readFrom } as unknown as ServedPair
  let stop = async () => {}

  before(async () => {
    const pair = await startPair()
    const proxy = await startProxy(pair.replica.port)
    const service = await startService(pair.database, {
      watch,
      logged: (line) => served.lines.push(line),
      readDatabaseUrls: [pair.readUrl(proxy.port)],
      ops: true,
      retryMs: 300,
    })
    Object.assign(served, { pair, proxy, service })
    stop = async () => {
      await service.stop()
      await proxy.close()
      await pair.stop()
    }
    await untilInUse(service.replicas)
  })
  after(() => stop())

  function watch(text: string, target: unknown): void {
    const name = /^-- (\w+):/.exec(text)?.[1] ?? text
    served.sent.push([name, Number(new URL(String(target)).port)])
    served.onSent(name)
  }

  async function readFrom(name = 'states', path = '/v1/states'): Promise<'primary' | 'replica'> {
    const { service, proxy } = served
    served.sent = []
    assert.equal((await ask(service.url + path, { headers: bearer(service.secret) })).status, 200)
    const [, port] = served.sent.find((each) => each[0] === name) ?? []
    return port === proxy.port ? 'replica' : 'primary'
  }

  return served
}

/** A probe that is answered late takes the replica out of use for a moment. */
export const untilReadFromReplica = (served: ServedPair): Promise<boolean> =>
  until(async () => (await served.readFrom()) === 'replica')
