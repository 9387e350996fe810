/** Keeps a file for each version of a dataset, in a folder. A thread makes it when it is first asked for. */
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { MovingTarget, Target } from '../db/index.js'

/** The last has the catalogue of a baseline, as "import baseline --attributes" reads it. */
export const DATASET_FORMS = ['parquet', 'gpkg', 'csv', 'attributes.json'] as const
export type DatasetForm = (typeof DATASET_FORMS)[number]

export type DatasetFile = { layerId: string; version: string; form: DatasetForm }
/** The hash of its content is in its name. */
type KeptFile = { path: string; size: number; sha256: string }
export type FileJob = { target: Target; folder: string; layerId: string; form: DatasetForm }

export type FileStore = {
  /** Undefined for a file that is not made yet. */
  find: (file: DatasetFile) => Promise<KeptFile | undefined>
  /** Makes the file of the version that is served now. */
  make: (layerId: string, form: DatasetForm) => Promise<void>
  close: () => Promise<void>
}

export const beginsWith = ({ layerId, version, form }: DatasetFile) => `${layerId}.${form}.${version}.`

/** Without `given`, the files last as long as the process. */
export function openFileStore(target: MovingTarget, given: string | undefined): FileStore {
  const underWay = new Map<string, Promise<void>>()
  const workers = new Set<Worker>()
  let made: string | undefined
  let last: Promise<unknown> = Promise.resolve()
  const folder = () => {
    if (given !== undefined) mkdirSync(given, { recursive: true, mode: 0o700 })
    return (made ??= given ?? mkdtempSync(join(tmpdir(), 'frames-files-')))
  }
  const work = (layerId: string, form: DatasetForm) =>
    new Promise<void>((done, failed) => {
      const now = typeof target === 'function' ? target() : target
      const job: FileJob = { target: now, folder: folder(), layerId, form }
      const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: job })
      workers.add(worker)
      worker.once('error', failed)
      worker.once('exit', (code) => {
        workers.delete(worker)
        if (code === 0) done()
        else failed(new Error(`The thread that made ${layerId}.${form} ended with ${code}.`))
      })
    })
  return {
    find: async (file) => {
      const start = beginsWith(file)
      const name = (await readdir(folder())).find((each) => each.startsWith(start))
      if (name === undefined) return undefined
      const path = join(folder(), name)
      return { path, size: (await stat(path)).size, sha256: name.slice(start.length) }
    },
    make: (layerId, form) => {
      const key = `${layerId}.${form}`
      // One file at a time is made, whoever asks for it.
      const making = underWay.get(key) ?? last.then(() => work(layerId, form)).finally(() => void underWay.delete(key))
      underWay.set(key, making)
      last = making.catch(() => undefined)
      return making
    },
    close: async () => {
      await Promise.all(Array.from(workers, (worker) => worker.terminate()))
      if (given === undefined && made !== undefined) rmSync(made, { recursive: true, force: true })
    },
  }
}
