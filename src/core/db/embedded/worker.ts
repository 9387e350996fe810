/**
 * The embedded database: PGlite with PostGIS in a thread of its own, since WebAssembly blocks the thread that it runs
 * on.
 */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Extension, PGlite } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import { clusterExists, clusterIn, makeCluster } from './cluster.js'
import { type Backend, createGateway } from './gateway.js'
import { END_OF_ARCHIVE, tarEntries } from './tar.js'

/**
 * Fault: to find one function of a library, Emscripten lists all exports of the library. Steps: `create extension
 *   postgis`, which looks for 800 functions of PostGIS.
 * Link: emscripten-core/emscripten src/lib/libdylink.js, dlsym: Object.keys(lib.exports).indexOf(symbol).
 * Gain: `create extension postgis` takes 0.8 s of processor time instead of 4.9 s (three runs of each).
 * Delete it when the search of dlsym does not list the exports.
 */

/** Only the exports of a library have as many keys in the thread of the embedded database. */
const MANY = 5000

/** Keeps the keys of large objects. Nothing adds an export to a library that is loaded. */
export function keepKeysOfLibraries(): void {
  const { keys } = Object
  const kept = new WeakMap<object, string[]>()
  Object.keys = (object: object) => {
    const known = kept.get(object)
    if (known) return known
    const all = keys(object)
    if (all.length >= MANY) kept.set(object, all)
    return all
  }
}

/**
 * Fault: the package of PostGIS brings raster, topology, a geocoder and upgrade scripts in one bundle of 91 MB, and
 *   PGlite unpacks and compiles all of it at each start. Steps: `PGlite.create` with the extension, on a database that
 *   exists.
 * Link: electric-sql/pglite#916.
 * Gain: a start takes 0.9 s of processor time instead of 1.9 s, and a second instead of three (three runs of each).
 * Delete it when the package has a bundle of PostGIS alone.
 */

/** `create extension postgis` and the functions of geometry need no other file. */
const NEEDED =
  /^(\.\/)?(lib\/postgresql\/postgis-3\.so|share\/proj\/.*|share\/postgresql\/extension\/postgis(--[\d.]+\.sql|\.control))$/

/** PostGIS with the bundle in the data directory; the first start makes it, which takes a second. */
export const postgisIn = (dataDir: string): Extension => ({
  name: postgis.name,
  setup: async (db, options) => {
    const whole = await postgis.setup(db, options)
    return whole.bundlePath ? { ...whole, bundlePath: pathToFileURL(bundleIn(dataDir, whole.bundlePath)) } : whole
  },
})

function bundleIn(dataDir: string, original: URL): string {
  // The bundle of another version of the package has another size.
  const path = join(dataDir, `postgis-${statSync(original).size}.tar.gz`)
  if (existsSync(path)) return path
  // A process that is killed meanwhile leaves no half of a bundle.
  writeFileSync(`${path}.new`, gzipSync(neededFiles(gunzipSync(readFileSync(original))), { level: 1 }))
  renameSync(`${path}.new`, path)
  return path
}

function neededFiles(archive: Buffer): Buffer {
  const kept = [...tarEntries(archive)].filter(({ name }) => NEEDED.test(name))
  return Buffer.concat([...kept.map(({ blocks }) => blocks), END_OF_ARCHIVE])
}

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

const exec: Backend['exec'] = async (message, onRawData) => {
  await db.execProtocolRawStream(message, { onRawData })
}
const gateway = createGateway({ exec }, settings, ownName)
gateway.listen(socketPath, () => parentPort?.postMessage('ready'))

parentPort?.once('message', () => {
  gateway.close()
  void db.close().then(() => parentPort?.postMessage('closed'))
})
