/** A service over the frames of the fixture, for tests that import datasets and read them over HTTP. */
import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import { newDatabase } from '../support/database.js'
import { once } from '../support/once.js'
import { ask, bearer, mint, newOrganisation, startService } from '../support/service.js'
import { temporaryFolder, type Folder } from './files.js'

/** Frames of the fixture, side by side. */
export const [first, second, third] = ['324378020', '324378021', '324378022']

type Entry = { layerId: string; values?: Record<string, string>; features?: unknown[] }
type Data = { data: { frames: { id: string; datasets: Entry[] }[] } }

type Imports = {
  db: Database
  folder: Folder
  /** The entry of the catalogue for a dataset of the organisation whose key `recorded` uses. */
  wanted: (layerId: string) => { layerId: string; orgId: string; name: string; category: string }
  recorded: (ids: string[]) => Promise<Data['data']['frames']>
  entry: (id: string, layerId: string) => Promise<Entry | undefined>
}

/** Before the tests of a suite, starts the service; the suites of a process share it. */
export function serviceForImports(): Imports {
  const imports = {} as Imports
  before(async () => void Object.assign(imports, await startImports()))
  return imports
}

const startImports = once(async (): Promise<Imports> => {
  const folder = temporaryFolder()
  const database = await newDatabase('frames')
  const { db } = database
  const service = await startService(database)
  const orgId = await newOrganisation(db)
  const key = bearer((await mint(db, { org: orgId })).secret)
  const recorded = async (ids: string[]) => {
    const answer = await ask(`${service.url}/v1/frames/data?ids=${ids.join()}`, { headers: key })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as Data).data.frames
  }
  return {
    db,
    folder,
    wanted: (layerId) => ({ layerId, orgId, name: `Name of ${layerId}`, category: 'Tests' }),
    recorded,
    entry: async (id, layerId) => (await recorded([id]))[0]?.datasets.find((dataset) => dataset.layerId === layerId),
  }
})
