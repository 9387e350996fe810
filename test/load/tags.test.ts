import assert from 'node:assert/strict'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { description } from '../support/description.js'
import { everyRead, shapeOf } from '../support/every-call.js'
import { ask, bearer, mint, newOrganisation, startService, type Minted, type Service } from '../support/service.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from './files.js'

/** Frames of one state, from the same place on in both indexes. */
function index(firstId: number, lga: string, length: number): string {
  const frames = Array.from({ length }, (_, at) =>
    feature(firstId + at, rectangle(700 + at, 300, 701 + at, 301), { state: 'Alpha', lga, ward: `${lga} 1` }),
  )
  return collection(frames)
}

/** Each call, under the name of the statement that reads its rows. */
const calls = {
  frames_in_box: '/v1/frames?bbox=6.9,2.9,7.3,3.3',
  frames_listed: '/v1/frames?ids=1,2,101',
  frames_in_state: '/v1/frames?state=alpha',
  frames_in_lga: '/v1/frames?state=alpha&lga=old',
  frames_in_ward: '/v1/frames?state=alpha&lga=old&ward=old%201',
  states: '/v1/states',
  lgas: '/v1/lgas',
  lgas_of_state: '/v1/lgas?state=alpha',
  wards_of_state: '/v1/wards?state=alpha',
  wards_of_lga: '/v1/wards?state=alpha&lga=old',
  admin_tree: '/v1/frames/admin',
  admin_tree_of_state: '/v1/frames/admin?state=alpha',
  admin_tree_of_lga: '/v1/frames/admin?state=alpha&lga=old',
}
const DATA = '/v1/frames/data?ids=1'

/** Lists the shapes of the calls whose answers carry an ETag. An answer about prices reads no rows. */
const taggedShapes = everyRead.flatMap((path) => {
  const { pathname, searchParams } = new URL(path, 'http://any')
  const { headers = {} } = description.paths[pathname]?.['get']?.responses['200'] ?? {}
  return 'ETag' in headers && !searchParams.has('price') ? [shapeOf(path)] : []
})

describe('one ETag', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const [old, renewed] = [
    folder.write('old.geojson', index(1, 'Old', 4)),
    folder.write('new.geojson', index(101, 'New', 5)),
  ]
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let key: Minted
  let served = ''
  const take = async (file: string) => {
    await importFrames(database.db, file, quiet)
    served = file
  }
  let between: { statement: string; work: () => Promise<unknown> } | undefined

  before(async () => {
    database = await newDatabase()
    key = await mint(database.db, { org: await newOrganisation(database.db) })
    const watch = async (text: string) => {
      if (!between || !text.startsWith(`-- ${between.statement}:`)) return
      const { work } = between
      between = undefined
      await work()
    }
    service = await startService(database, { watch })
    await take(old)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const get = (path: string) => ask(service.url + path, { headers: bearer(key.secret) })

  /** Asks before a change, while it is made between the versions and the rows, and after it. */
  async function holdsOneBody(path: string, statement: string, change: () => Promise<unknown>): Promise<void> {
    const first = await get(path)
    between = { statement, work: change }
    const answers = [first, await get(path), await get(path)]
    assert.equal(between, undefined, `${statement} was not sent`)
    assert.notEqual(answers[2]?.text, first.text, 'nothing has changed')
    const bodies = new Map<string, string>()
    for (const { status, headers, text } of answers) {
      assert.equal(status, 200, text)
      const tag = headers.get('etag')
      if (tag === null) continue
      assert.equal(bodies.get(tag) ?? text, text, 'a second body under one tag')
      bodies.set(tag, text)
    }
    assert.equal(bodies.size, 2)
  }

  it('is on the answers of the calls that these tests make, and of no others', () => {
    assert.deepEqual(new Set([...Object.values(calls), DATA].map(shapeOf)), new Set(taggedShapes))
  })

  // A frame of data has a box, and its datasets.
  for (const [statement, path] of [...Object.entries(calls), ['frame_boxes', DATA] as const]) {
    it(`never stands for two bodies, even while an import replaces the index: ${path}`, async () => {
      const next = served === old ? renewed : old
      await holdsOneBody(path, statement, () => take(next))
    })
  }

  it('never stands for two bodies, even while an import replaces a dataset', async () => {
    if (served !== old) await take(old)
    const told = (value: string) =>
      importBaseline(
        database.db,
        folder.write('rows.csv', `id,told\n1,${value}\n`),
        { layerId: 'lyr_told', orgId: key.orgId, name: 'Told', category: 'Tests' },
        quiet,
      )
    await told('before')
    await holdsOneBody(DATA, 'records_of_baselines', () => told('after'))
  })
})
