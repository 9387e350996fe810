import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attribute, completeCatalogue } from '../../src/tools/load/catalogue.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { newDatabase } from '../support/database.js'
import { ask, bearer, mint, startService } from '../support/service.js'
import { plays } from '../support/transcript.js'
import { quiet, temporaryFolder } from './files.js'
import { first, importGrid } from './imports.js'

plays('load/baselines', importGrid)
plays('load/features', importGrid, { 'points.tsv': 'X\ty\n.205\t0.105\n' })

type Data = { data: { frames: { datasets: { values: { tag: string } }[] }[] } }

describe('importing a baseline again', function () {
  this.timeout(120_000)

  it('gives two years of one count the unit that one of them says', () => {
    const entry = (label: string, unit?: string): Attribute => ({
      name: label,
      label,
      type: 'number',
      summary: 'sum',
      unit,
    })
    const unitsOf = (...entries: Attribute[]) => {
      const columns = entries.map(({ name }) => name)
      return completeCatalogue(columns, [], { entries, before: [] }).map(({ unit }) => unit)
    }
    assert.deepEqual(unitsOf(entry('People, 2015'), entry('People, 2025', 'people')), ['people', 'people'])
    assert.deepEqual(unitsOf(entry('People, 2015'), entry('Homes, 2025', 'homes')), [undefined, 'homes'])
  })

  it('lets readers see the old rows or the new ones, never a mixture', async () => {
    const database = await newDatabase()
    await importGrid(database.db)
    const service = await startService(database)
    const { secret, orgId } = await mint(database.db)
    const ids = Array.from({ length: 10 }, (_, i) => Number(first) + i)
    const entry = { layerId: 'lyr_turns', orgId, name: 'Turns', category: 'Tests' }
    const folder = temporaryFolder()
    const take = (tag: string) => {
      const csv = `id,tag\n${ids.map((id) => `${id},${tag}`).join('\n')}`
      return importBaseline(database.db, folder.write('rows.csv', csv), entry, quiet)
    }
    await take('v0')
    const reading = { on: true }
    let reads = 0
    const tags = new Set<string>()
    const reader = async () => {
      for (; reading.on; await sleep(5)) {
        const { body } = await ask(`${service.url}/v1/frames/data?ids=${ids.join()}`, { headers: bearer(secret) })
        const seen = new Set((body as Data).data.frames.map(({ datasets }) => datasets[0]?.values.tag))
        assert.equal(seen.size, 1, [...seen].join())
        tags.add([...seen][0] ?? 'none')
        reads += 1
      }
    }
    const readers = Promise.all([reader(), reader()])
    // The embedded database answers few readers during an import.
    const haveRead = () => reads > 10
    for (let turn = 1; turn <= 2 || (!haveRead() && turn < 20); turn += 1) await take(`v${turn}`)
    reading.on = false
    await readers
    assert.ok(reads > 10 && tags.size > 1 && !tags.has('none'), `${reads} reads of ${[...tags].join()}`)
    await service.stop()
    await database.drop()
  })
})
