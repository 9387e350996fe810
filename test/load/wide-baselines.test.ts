import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { CHECKS } from '../../src/core/doctor/checks.js'
import { examine } from '../../src/core/doctor/examine.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'
import { collection, feature, number, quiet, rectangle, temporaryFolder } from './files.js'

const FRAMES = 36
const names = (count: number) => Array.from({ length: count }, (_, i) => `a${i + 1}`)

describe('a wide baseline', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let db: Database
  let orgId: string

  before(async () => {
    database = await newDatabase()
    db = database.db
    orgId = await newOrganisation(db)
    await grid()
  })
  after(() => database.drop())

  const grid = () => {
    const cells = Array.from({ length: FRAMES }, (_, i) =>
      feature(i + 1, rectangle(500 + i, 500, 501 + i, 501), { state: 'a', lga: 'b' }),
    )
    return importFrames(db, folder.write('grid.geojson', collection(cells)), quiet)
  }
  const wide = (layerId: string, count: number) => {
    const row = (id: number) => [id, ...names(count).map((_, i) => i * id)].join()
    const text = `frame,${names(count).join()}\n${row(1)}\n${row(2)}\n`
    const wanted = { layerId, orgId, name: layerId, category: 'Tests' }
    return importBaseline(db, folder.write('wide.csv', text), wanted, quiet)
  }
  const columnsOf = (view: string) =>
    number(
      db,
      `select count(*)::int as n from pg_attribute where attrelid = to_regclass('analyst.${view}') and attnum > 0 and attname like 'a%'`,
    )
  const findings = async (check: string) => {
    const checks = CHECKS.filter(({ name }) => name === check)
    const { findings: found } = await examine(db, { checks, isEmbedded: false, isThorough: false, progress: quiet })
    return found.map(({ what, fix }) => ({ what, fix }))
  }

  it('has at most 1,500 attributes: more are refused with the limit and the number that came, and nothing is stored', async () => {
    const message = 'line 1: at most 1,500 attributes are accepted, 1,501 came.'
    await assert.rejects(wide('lyr_too_wide', 1501), { name: 'FileFault', message, line: 1 })
    assert.equal(await number(db, `select count(*)::int as n from dataset where layer_id = 'lyr_too_wide'`), 0)
  })

  it('is reported by the doctor if its view stayed as it was before an import, with the statement that makes it anew', async () => {
    await wide('lyr_grown', 2)
    await db.work(`
      insert into attribute (layer_id, name, place, label, type, summary)
      select 'lyr_grown', name, place, 'More', 'number', 'mean' from (values ('more', 3), ('it''s \\', 4)) as more (name, place)`)
    assert.deepEqual(await findings('analyst_views'), [
      {
        what: 'View analyst.lyr_grown lacks 2 attributes of its dataset, such as more.',
        fix: `select analyst_dataset('lyr_grown');`,
      },
    ])
    await db.work(`select analyst_dataset('lyr_grown')`)
    assert.deepEqual(await findings('analyst_views'), [])
  })

  it('has a view of 1,500 columns for 1,500 attributes, and the doctor is content', async () => {
    assert.equal((await wide('lyr_widest', 1500)).items, 2)
    assert.equal(await columnsOf('lyr_widest'), 1500)
    assert.equal(await number(db, 'select a1500::int as n from analyst.lyr_widest where a1500 > 1499'), 2998)
    assert.deepEqual(await findings('analyst_views'), [])
    const analysed = `select count(*)::int as n from pg_stats where tablename = 'attribute' and attname = 'layer_id'`
    assert.equal(await number(db, analysed), 1)
  })

  it('is sent in statements of 2 MiB and a row at most, so that its width takes no memory', async () => {
    const row = (id: number) => [id, ...names(15).map((_, i) => `"${'value '.repeat(2500)}${i} of ${id}"`)].join()
    const rows = Array.from({ length: FRAMES }, (_, i) => row(i + 1))
    const file = folder.write('wide.csv', `frame,${names(15).join()}\n${rows.join('\n')}\n`)
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
  })

  it('of an earlier version, with more attributes, breaks neither "migrate" nor an import of frames: its view shows 1,500 attributes', async () => {
    await db.work(`
      insert into attribute (layer_id, name, place, label, type, summary)
      select 'lyr_widest', 'a' || n, n, 'A' || n, 'number', 'mean' from generate_series(1501, 1700) as n;
      update baseline_row set recorded = (select json_object_agg('a' || n, n::text order by n) from generate_series(1, 1700) as n)
      where version = (select version from dataset where layer_id = 'lyr_widest');
      drop view analyst.lyr_widest`)
    const [missing] = await findings('analyst_views')
    assert.equal(missing?.what, 'Schema analyst lacks lyr_widest.')
    await db.work(sqlText('migrate/views'))
    assert.equal(await columnsOf('lyr_widest'), 1500)
    assert.equal(await number(db, `select max((recorded ->> 'a1700')::int) as n from analyst.lyr_widest`), 1700)
    await grid()
    assert.equal(await columnsOf('lyr_widest'), 1500)
    assert.deepEqual(await findings('analyst_views'), [])
  })
})
