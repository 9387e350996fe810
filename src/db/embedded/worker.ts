/**
 * The embedded database: PGlite with PostGIS in a thread of its own, since WebAssembly blocks the thread that it runs
 * on.
 */
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { postgisIn } from './bundle.js'
import { keepKeysOfLibraries } from './exports.js'
import { createGateway } from './gateway.js'

/** The cluster lies in `dataDir`/postgres. */
export type EmbeddedSettings = { dataDir: string; socketPath: string; settings: string; ownName: string }

const { dataDir, socketPath, settings, ownName } = workerData as EmbeddedSettings
keepKeysOfLibraries()
const db = await PGlite.create({ dataDir: join(dataDir, 'postgres'), extensions: { postgis: postgisIn(dataDir) } })
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
