/** Makes the file of a dataset in a thread of its own: calls wait for none of its work. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { workerData } from 'node:worker_threads'
import { connect, type Database } from '../db/index.js'
import { datasetsServed, filesOfDatasets } from '../db/statements.js'
import { whileUnchanged } from './pages.js'
import { beginsWith, type FileJob } from './store.js'
import { writeItems } from './write.js'

/** A thread that is killed leaves its folder. */
const LEFT_MS = 86_400_000
/** A page of frames may wait for an import. */
const PAGE_MS = 120_000
const silent = () => undefined

async function makeFile(db: Database, { folder, layerId, form }: FileJob, part: string): Promise<void> {
  const layers = [layerId]
  const path = join(part, 'file')
  const isCatalogue = form === 'attributes.json'
  const made = await whileUnchanged({ db, layers, progress: silent }, async () => {
    const [[dataset], [file]] = await Promise.all([datasetsServed(db, layers), filesOfDatasets(db, layers)])
    if (!dataset || !file) return undefined
    const place = dataset.kind === 'frames' ? { unit: [] } : undefined
    const { name, orgId, vintage, version } = dataset
    const { origin } = file
    const about = JSON.stringify({ layerId, name, orgId, vintage, version, origin: JSON.parse(origin) as object })
    const content = { place, units: place !== undefined, layers, guards: true, onlyRecorded: true, about }
    const { catalogue } = await writeItems(db, { ...content, form: isCatalogue ? undefined : form }, path, silent)
    return { version, from: isCatalogue ? catalogue : path }
  })
  if (made?.from === undefined) return
  const { version, from } = made
  const hash = createHash('sha256')
  await pipeline(createReadStream(from), hash)
  const changed = new Date(version.replace(/^(....)(..)(..T..)(..)(..)(...).*/, '$1-$2-$3:$4:$5.$6Z'))
  await utimes(from, changed, changed)
  await rename(from, join(folder, beginsWith({ layerId, version, form }) + hash.digest('hex')))
}

/** Removes the files of versions that are not served any more. Another process may know a later one already. */
async function removeOld(db: Database, folder: string): Promise<void> {
  const all = await readdir(folder)
  for (const name of all.filter((each) => each.startsWith('part-')))
    if (Date.now() - (await stat(join(folder, name))).mtimeMs > LEFT_MS)
      await rm(join(folder, name), { recursive: true, force: true })
  const names = all.filter((name) => name.startsWith('lyr_'))
  const layers = [...new Set(names.map((name) => name.split('.')[0] ?? ''))]
  const versions = new Map((await datasetsServed(db, layers)).map(({ layerId, version }) => [layerId, version]))
  for (const name of names) {
    const [layerId = ''] = name.split('.')
    const version = name.split('.').at(-2) ?? ''
    if (version < (versions.get(layerId) ?? 'Z')) await rm(join(folder, name), { force: true })
  }
}

const job = workerData as FileJob
const db = connect(job.target, { deadlineMs: PAGE_MS })
const part = await mkdtemp(join(job.folder, 'part-'))
try {
  await makeFile(db, job, part)
  await removeOld(db, job.folder)
} finally {
  await rm(part, { recursive: true, force: true })
  await db.close()
}
