/**
 * Fault: PGlite on a full disk neither fails nor goes on. Steps: start on a tmpfs of 60 MB, or of 90. One core is busy
 *   for ever, or the process sits idle; no port opens.
 * Link: electric-sql/pglite; not reported.
 * Gain: the process ends with a sentence. PostgreSQL's files are whole after that, as after kill -9.
 * Delete it when a statement on a full disk fails with PostgreSQL's "could not extend file".
 */
import { statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { clusterExists } from './cluster.js'

const MB = 1024 * 1024
/** A new database takes 116 MB with the invented country, and the files beside it 20 while they are made. */
const NEW_MB = 160
/** A segment of the log takes 16 MB. */
const LEAST_MB = 20
const WATCH_DISK_MS = 500

export class FullDisk extends Error {}

export function refuseFullDisk(dataDir: string): void {
  const needed = clusterExists(dataDir) ? LEAST_MB : NEW_MB
  const free = freeMb(dataDir)
  if (free < needed)
    throw new FullDisk(
      `The disk of the data directory ${resolve(dataDir)} has ${free} MB left, and ${needed} MB are needed. Make room, or set DATA_DIR to a folder on another disk.`,
    )
}

/** Calls `full` as soon as the next segment of the log may not fit. */
export function watchRoom(dataDir: string, full: (error: Error) => void): NodeJS.Timeout {
  return setInterval(() => {
    const free = freeMb(dataDir)
    if (free < LEAST_MB)
      full(
        new FullDisk(
          `The disk of the data directory ${resolve(dataDir)} has only ${free} MB left, so the database stops. Nothing is lost: make room, and start again.`,
        ),
      )
  }, WATCH_DISK_MS).unref()
}

function freeMb(dataDir: string): number {
  const { bavail, bsize } = statfsSync(dataDir)
  return Math.floor((bavail * bsize) / MB)
}
