/** Starts the embedded database of a data directory, or finds it running in another process. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { waitAtMost } from '../../deadline.js'
import { lockHolder, takeLock } from '../../file-lock.js'
import type { SocketTarget } from '../database.js'
import { OWN_NAME } from '../driver/open.js'
import { sqlText } from '../statement.js'
import { refuseFullDisk, watchRoom } from './room.js'
import type { EmbeddedSettings } from './worker.js'

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>

const START_MS = 60_000
/** The worker may take this long to write its files before it is ended. */
const CLOSE_MS = 5000
/** The longest path that a Unix socket has on every system. */
const SOCKET_PATH_MAX = 100

/** Starts the database of `dataDir`. The error names the process that already runs it. */
export async function startEmbedded(dataDir: string, failed: (error: Error) => void) {
  const lock = lockIn(dataDir)
  if ('heldBy' in lock) {
    throw new Error(
      `Process ${lock.heldBy} is already running on the data directory ${resolve(dataDir)}. Stop it first.`,
    )
  }
  try {
    const target = socketTarget(dataDir)
    rmSync(socketPath(target), { force: true })
    // A process that was killed left its own.
    const removeAddress = () => rmSync(addressPath(dataDir), { force: true })
    removeAddress()
    const close = await startWorker(dataDir, socketPath(target), failed)
    return {
      target,
      /** Tells commands on the same data directory where people reach the web app. */
      keepAddress: ({ href }: URL): void => writeFileSync(addressPath(dataDir), href),
      close: (): Promise<void> => {
        removeAddress()
        return close().finally(lock.release)
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function lockIn(dataDir: string): ReturnType<typeof takeLock> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    refuseFullDisk(dataDir)
    return takeLock(lockPath(dataDir))
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (path === undefined) throw error
    throw new Error(
      `The data directory ${resolve(dataDir)} cannot be written (${code}). Set DATA_DIR to a folder that this user may write.`,
      { cause: error },
    )
  }
}

/** Returns the socket of the database if a living process runs it; waits while that process starts. */
export async function runningEmbedded(dataDir: string): Promise<SocketTarget | undefined> {
  const until = performance.now() + START_MS
  while (lockHolder(lockPath(dataDir)) !== undefined) {
    const target = socketTarget(dataDir)
    if (await answers(socketPath(target))) return target
    if (performance.now() > until) throw new Error(`The process that has ${resolve(dataDir)} does not answer.`)
    await new Promise((done) => setTimeout(done, 100))
  }
  return undefined
}

/** Returns the address of the web app if a living process serves the database of `dataDir`. */
export function runningAddress(dataDir: string): URL | undefined {
  const path = addressPath(dataDir)
  const isServed = lockHolder(lockPath(dataDir)) !== undefined && existsSync(path)
  return isServed ? new URL(readFileSync(path, 'utf8')) : undefined
}

const addressPath = (dataDir: string) => join(dataDir, 'server.address')
const lockPath = (dataDir: string) => join(dataDir, 'server.lock')
const socketPath = (target: SocketTarget) => `${target.host}/.s.PGSQL.${target.port}`

/** The socket lies in the data directory, or in the temporary folder if the path would be too long for a socket. */
function socketTarget(dataDir: string): SocketTarget {
  const inside = resolve(dataDir)
  const short = join(tmpdir(), `frames-${createHash('sha256').update(inside).digest('hex').slice(0, 12)}`)
  const host = inside.length + '/.s.PGSQL.5432'.length <= SOCKET_PATH_MAX ? inside : short
  mkdirSync(host, { recursive: true, mode: 0o700 })
  return { host, port: 5432, user: 'postgres', database: 'postgres' }
}

function startWorker(dataDir: string, path: string, failed: (error: Error) => void): Promise<() => Promise<void>> {
  return new Promise((done, refuse) => {
    const workerData: EmbeddedSettings = {
      dataDir: resolve(dataDir),
      socketPath: path,
      settings: sqlText('session/settings'),
      ownName: OWN_NAME,
    }
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData })
    let closing = false
    const fault = (error: unknown) => {
      if (closing) return
      const reason = error instanceof Error ? error : new Error(String(error))
      refuse(reason)
      failed(reason)
    }
    const watching = watchRoom(dataDir, fault)
    worker.on('error', fault)
    worker.on('exit', () => fault(new Error('The embedded database stopped.')))
    worker.once('message', () => {
      done(async () => {
        closing = true
        clearInterval(watching)
        const closed = new Promise((ended) => worker.once('message', ended).once('exit', ended))
        worker.postMessage('close')
        await waitAtMost(CLOSE_MS, closed)
        await worker.terminate()
      })
    })
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = dial(path)
    socket.once('connect', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
