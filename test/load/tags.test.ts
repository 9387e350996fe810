import assert from 'node:assert/strict'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { description } from '../support/description.js'
import { everyRead } from '../support/every-call.js'
import { ask, bearer, mint, newOrganisation, startService, type Minted, type Service } from '../support/service.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from './files.js'

/** Frames of one state, from the same place on in both indexes: the examples of the description choose some of them. */
function index(firstId: number, lga: string, length: number): string {
  const frames = Array.from({ length }, (_, at) =>
    feature(firstId + at, rectangle(20 + at, 10, 21 + at, 11), { state: 'Marembe', lga, ward: 'Lake Island' }),
  )
  return collection(frames)
}

/** The calls whose answers carry an ETag. An answer about prices reads no rows. */
const tagged = everyRead.filter((path) => {
  const { pathname, searchParams } = new URL(path, 'http://any')
  const { headers = {} } = description.paths[pathname]?.['get']?.responses['200'] ?? {}
  return 'ETag' in headers && !searchParams.has('price')
})
/** The statements before the one that reads the rows, and behind it. */
const OF_EVERY_CALL = /^-- (key_authority|index_generation|datasets_in_reach):/

describe('one ETag', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const [old, renewed] = [
    folder.write('old.geojson', index(1, 'Lakeside', 4)),
    folder.write('new.geojson', index(324378020, 'New', 5)),
  ]
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let key: Minted
  let served = ''
  const take = async (file: string) => {
    await importFrames(database.db, file, quiet)
    served = file
  }
  /** The first statement that reads rows. */
  let reading: string | undefined
  let between: { statement: string; work: () => Promise<unknown> } | undefined

  before(async () => {
    database = await newDatabase()
    key = await mint(database.db, { org: await newOrganisation(database.db) })
    const watch = async (text: string) => {
      if (!OF_EVERY_CALL.test(text)) reading ??= /^-- (\w+):/.exec(text)?.[1]
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

  for (const path of tagged) {
    it(`never stands for two bodies, even while an import replaces the index: ${path}`, async () => {
      const next = served === old ? renewed : old
      reading = undefined
      await get(path)
      await holdsOneBody(path, reading ?? 'none', () => take(next))
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
    await holdsOneBody('/v1/frames/data?ids=1', 'records_of_baselines', () => told('after'))
  })
})
