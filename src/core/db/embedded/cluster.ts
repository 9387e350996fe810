/**
 * Fault: PGlite makes a cluster with initdb in a second PGlite, whose memory of 128 MB it copies for each program that
 *   initdb runs, and writes the cluster into the folder that the next start takes for a whole one. Steps: kill the
 *   process while `PGlite.create` makes a data directory. The next start fails.
 * Link: electric-sql/pglite packages/pglite/src/pglite.ts, loadTar; packages/pglite-prepopulatedfs has the cluster.
 * Gain: a new database is ready after 2.0 s of processor time instead of 4.6 s, and never by half.
 * Delete it when PGlite makes a cluster as fast, and a killed PGlite leaves none.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { dataDir as preparedCluster } from '@electric-sql/pglite-prepopulatedfs'
import { tarEntries } from './tar.js'

/** PostgreSQL's files under a data directory. */
export const clusterIn = (dataDir: string) => join(dataDir, 'postgres')

export const clusterExists = (dataDir: string) => existsSync(join(clusterIn(dataDir), 'PG_VERSION'))

/** Makes the cluster of a new data directory: whole, or not at all. */
export async function makeCluster(dataDir: string): Promise<void> {
  const cluster = clusterIn(dataDir)
  // A process that was killed meanwhile leaves its part in this folder.
  const part = `${cluster}.new`
  rmSync(part, { recursive: true, force: true })
  const archive = gunzipSync(await (await preparedCluster()).arrayBuffer())
  mkdirSync(part, { mode: 0o700 })
  for (const { name, isFolder, content } of tarEntries(archive)) {
    if (isFolder) mkdirSync(join(part, name), { recursive: true })
    else writeFileSync(join(part, name), content)
  }
  renameSync(part, cluster)
}
