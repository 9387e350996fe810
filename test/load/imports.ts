/** A service over a hundred frames, for tests that import datasets and read them over HTTP. */
import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { insightOf } from '../insight/ask.js'
import { newDatabase } from '../support/database.js'
import { once } from '../support/once.js'
import { ask, bearer, mint, newOrganisation, startService } from '../support/service.js'
import { collection, feature, quiet, rectangle, temporaryFolder, type Folder } from './files.js'

/** Frames side by side. */
export const [first, second, third] = ['324378020', '324378021', '324378022']

/** Imports ten by ten cells from 0.2° east, 0.1° north, where the fixture has frames of these ids, too. */
export const importGrid = (db: Database) => importFrames(db, temporaryFolder().write('grid.geojson', grid()), quiet)
const grid = () =>
  collection(
    Array.from({ length: 100 }, (_, at) => {
      const [column, row] = [at % 10, Math.floor(at / 10)]
      const unit = { state: 'Alpha', lga: 'Middle', ward: row < 5 ? 'South' : 'North' }
      return feature(
        Number(first) + row * 36_000 + column,
        rectangle(20 + column, 10 + row, 21 + column, 11 + row),
        unit,
      )
    }),
  )

type Entry = { layerId: string; values?: Record<string, string>; features?: unknown[] }
type Imported = ReturnType<typeof importFeatures>
type Data = { data: { frames: { id: string; datasets: Entry[] }[] } }

type Imports = {
  db: Database
  folder: Folder
  /** The entry of the catalogue for a dataset of the organisation whose key `recorded` uses. */
  wanted: (layerId: string) => { layerId: string; orgId: string; name: string; category: string }
  baseline: (
    layerId: string,
    text: string | Buffer,
    more?: Partial<Parameters<typeof importBaseline>[2]>,
    progress?: (step: string) => void,
  ) => Imported
  features: (layerId: string, text: string, name?: string) => Imported
  /** Asks the service a question about these frames. */
  headline: (frameIds: string[], question: string) => Promise<string>
  recorded: (ids: string[]) => Promise<Data['data']['frames']>
  entry: (id: string, layerId: string) => Promise<Entry | undefined>
  /** The answer as it is sent. */
  sent: (path: string, body?: string) => Promise<string>
}

/** Before the tests of a suite, starts the service; the suites of a process share it. */
export function serviceForImports(): Imports {
  const imports = {} as Imports
  before(async () => void Object.assign(imports, await startImports()))
  return imports
}

const startImports = once(async (): Promise<Imports> => {
  const folder = temporaryFolder()
  const database = await newDatabase()
  const { db } = database
  await importGrid(db)
  const service = await startService(database)
  const orgId = await newOrganisation(db)
  const { secret } = await mint(db, { org: orgId })
  const key = bearer(secret)
  const recorded = async (ids: string[]) => {
    const answer = await ask(`${service.url}/v1/frames/data?ids=${ids.join()}`, { headers: key })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as Data).data.frames
  }
  const sent = async (path: string, body?: string) => {
    const headers = { ...key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const answer = await ask(
      service.url + path,
      body === undefined ? { headers: key } : { method: 'POST', headers, body },
    )
    assert.equal(answer.status, 200, answer.text)
    return answer.text
  }
  const wanted = (layerId: string) => ({ layerId, orgId, name: `Name of ${layerId}`, category: 'Tests' })
  return {
    db,
    folder,
    wanted,
    baseline: (layerId, text, more = {}, progress = quiet) =>
      importBaseline(db, folder.write('rows.csv', text), { ...wanted(layerId), ...more }, progress),
    features: (layerId, text, name = 'features.geojson') =>
      importFeatures(db, folder.write(name, text), wanted(layerId), quiet),
    headline: async (frameIds, question) =>
      (await insightOf({ url: service.url, secret }, { frameIds, question })).headline,
    recorded,
    sent,
    entry: async (id, layerId) => (await recorded([id]))[0]?.datasets.find((dataset) => dataset.layerId === layerId),
  }
})
