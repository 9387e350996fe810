/**
 * A process of a soak loads this with --import. At SIGUSR2 the process collects its garbage, and writes what it holds
 * into the folder of SOAK_FOLDER, as a file that is named by its process id.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

export type Held = { heapBytes: number; externalBytes: number; residentBytes: number; handles: Record<string, number> }

if (isMainThread && process.env['SOAK_FOLDER'] !== undefined) {
  const file = join(process.env['SOAK_FOLDER'], String(process.pid))
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  process.on('SIGUSR2', () => {
    collect()
    // The second collection takes the objects that finalizers released.
    setImmediate(() => {
      collect()
      writeFileSync(`${file}.part`, JSON.stringify(held()))
      renameSync(`${file}.part`, file)
    })
  })
}

function held(): Held {
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1
  return { heapBytes: heapUsed, externalBytes: external, residentBytes: rss, handles }
}
