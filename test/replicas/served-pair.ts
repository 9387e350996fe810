/** A primary, a replica behind a proxy, and a service that reads from the replica. */
import assert from 'node:assert/strict'
import { startProxy, type Proxy } from '../support/proxy.js'
import { startPair, untilInUse, type Pair } from '../support/replica.js'
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
  stop: () => Promise<void>
}

export async function startServedPair(): Promise<ServedPair> {
  const pair = await startPair()
  const proxy = await startProxy(pair.replica.port)
  const lines: string[] = []
  const watch = (text: string, target: unknown) => {
    const name = /^-- (\w+):/.exec(text)?.[1] ?? text
    watched.sent.push([name, Number(new URL(String(target)).port)])
    watched.onSent(name)
  }
  const watched: Pick<ServedPair, 'sent' | 'onSent'> = { sent: [], onSent: () => {} }
  const service = await startService(pair.database, {
    watch,
    logged: (line) => lines.push(line),
    readDatabaseUrls: [pair.readUrl(proxy.port)],
    ops: true,
  })
  const served: ServedPair = Object.assign(watched, {
    pair,
    proxy,
    service,
    lines,
    watch,
    readFrom: async (name = 'states', path = '/v1/states') => {
      watched.sent = []
      assert.equal((await ask(service.url + path, { headers: bearer(service.secret) })).status, 200)
      const [, port] = watched.sent.find((each) => each[0] === name) ?? []
      return port === proxy.port ? ('replica' as const) : ('primary' as const)
    },
    stop: async () => {
      await service.stop()
      await proxy.close()
      await pair.stop()
    },
  })
  await untilInUse(service.replicas)
  return served
}
