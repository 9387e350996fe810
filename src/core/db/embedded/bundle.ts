/**
 * Fault: the package of PostGIS brings raster, topology, a geocoder and upgrade scripts in one bundle of 91 MB, and
 *   PGlite unpacks and compiles all of it at each start. Steps: `PGlite.create` with the extension, on a database that
 *   exists.
 * Link: electric-sql/pglite#916.
 * Gain: a start takes 0.9 s of processor time instead of 1.9 s, and a second instead of three (three runs of each).
 * Delete it when the package has a bundle of PostGIS alone.
 */
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Extension } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import { END_OF_ARCHIVE, tarEntries } from './tar.js'

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

/** Copies the needed files of an archive. */
function neededFiles(archive: Buffer): Buffer {
  const kept = [...tarEntries(archive)].filter(({ name }) => NEEDED.test(name))
  return Buffer.concat([...kept.map(({ blocks }) => blocks), END_OF_ARCHIVE])
}
