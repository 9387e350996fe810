/**
 * The embedded database: PGlite with PostGIS in a thread of its own, since WebAssembly blocks the thread that it runs
 * on.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { postgisIn } from './bundle.js'
import { clusterExists, clusterIn, makeCluster } from './cluster.js'
import { keepKeysOfLibraries } from './exports.js'
import { createGateway } from './gateway.js'

export type EmbeddedSettings = { dataDir: string; socketPath: string; settings: string; ownName: string }

const { dataDir, socketPath, settings, ownName } = workerData as EmbeddedSettings
keepKeysOfLibraries()
if (!clusterExists(dataDir)) await makeCluster(dataDir)
const db = await PGlite.create({
  dataDir: clusterIn(dataDir),
  extensions: { postgis: postgisIn(dataDir) },
  // With PostgreSQL's 128 MB, the process keeps 110 MB more. The files are in the cache of the operating system.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'],
})
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
