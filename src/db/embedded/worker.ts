/** The embedded database: PGlite with PostGIS in a thread of its own, since WebAssembly blocks the thread it runs on. */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import { createGateway } from './gateway.js'

export type EmbeddedSettings = { dataDir: string; socketPath: string; settings: string; ownName: string }

/** Exports of a library; nothing else in this thread has as many keys. */
const LONG = 5000

const { dataDir, socketPath, settings, ownName } = workerData as EmbeddedSettings
keepLongLists()
const db = await PGlite.create({ dataDir, extensions: { postgis } })
await db.exec(settings)

const gateway = createGateway(
  {
    exec: async (message, onRawData) => {
      await db.execProtocolRawStream(message, { onRawData })
    },
  },
  settings,
  ownName,
)
gateway.listen(socketPath, () => parentPort?.postMessage('ready'))

parentPort?.once('message', () => {
  gateway.close()
  void db.close().then(() => parentPort?.postMessage('closed'))
})

/**
 * To find one function of PostGIS, Emscripten lists all exports of its library, and "create extension" looks for 800 of them:
 * kept, the lists save five seconds of a first start. Nothing adds to a library that is loaded.
 */
function keepLongLists(): void {
  const keysOf = Object.keys
  const kept = new WeakMap<object, string[]>()
  Object.keys = (of: object) => {
    const known = kept.get(of)
    if (known) return known
    const keys = keysOf(of)
    if (keys.length >= LONG) kept.set(of, keys)
    return keys
  }
}
