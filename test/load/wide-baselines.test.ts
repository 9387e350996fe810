import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { newDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'
import { plays } from '../support/transcript.js'
import { collection, feature, number, quiet, rectangle, temporaryFolder } from './files.js'
import { first, importGrid } from './imports.js'

const FRAMES = 36
const names = (count: number) => Array.from({ length: count }, (_, i) => `a${i + 1}`)
const wide = (count: number) => {
  const row = (id: number) => [id, ...names(count).map((_, i) => i * id)].join()
  return `frame,${names(count).join()}\n${row(1)}\n${row(2)}\n`
}
const cells = [500, 501].map((west, i) => feature(i + 1, rectangle(west, 500, west + 1, 501), { state: 'a', lga: 'b' }))

plays('load/wide', 'empty', { 'grid.geojson': collection(cells), '1500.csv': wide(1500), '1501.csv': wide(1501) })

describe('a baseline of long values', () => {
  it('is sent in statements of 2 MiB and a row at most, so that its width takes no memory', async () => {
    const { db, drop } = await newDatabase()
    await importGrid(db)
    const orgId = await newOrganisation(db)
    const row = (id: number) => [id, ...names(15).map((_, i) => `"${'value '.repeat(2500)}${i} of ${id}"`)].join()
    const rows = Array.from({ length: FRAMES }, (_, i) => row(Number(first) + 36_000 * Math.floor(i / 10) + (i % 10)))
    const file = temporaryFolder().write('wide.csv', `frame,${names(15).join()}\n${rows.join('\n')}\n`)
    const sent: number[] = []
    const watched: Database = {
      ...db,
      rows: (text, args, as) => {
        if (text.startsWith('-- baseline_add')) sent.push(JSON.stringify(args).length)
        return db.rows(text, args, as)
      },
    }
    await importBaseline(watched, file, { layerId: 'lyr_bytes', orgId, name: 'Wide', category: 'Tests' }, quiet)
    // Quoted once more as JSON, a row of 225 KB takes a little more here.
    assert.ok(sent.length > 3 && Math.max(...sent) < 1.25 * 2 ** 21, sent.join())
    assert.equal(await number(db, 'select count(*)::int as n from analyst.lyr_bytes where a15 is not null'), FRAMES)
    await drop()
  })
})
