import assert from 'node:assert/strict'
import { signIn, type Visitor } from '../support/browse.js'
import { importBaseline } from '../../src/load/import-baseline.js'
import { quiet, temporaryFolder } from '../load/files.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { startService } from '../support/service.js'
import { cellsOf } from './pages.js'

describe('the commonest class of several frames', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let demo: Visitor
  let orgId: string
  const folder = temporaryFolder()

  before(async () => {
    database = await newDatabase('datasets')
    running = await startService(database, { publicUrl: 'listening' })
    const [row] = await database.db.rows<{ orgId: string }>(
      `select org_id as "orgId" from organisation where name = 'demo'`,
      [],
    )
    orgId = row?.orgId ?? ''
    demo = await signIn(running.url, database.db, { orgId, role: 'member' })
  })
  after(async () => {
    await running.stop()
    await database.drop()
    folder.remove()
  })

  it('has its share of the frames that record one, and is left out below a quarter', async () => {
    const box = async (west: number, south: number, east: number, north: number) => {
      const page = await demo.get(`/app/map?box=${[west, south, east, north].join()}`)
      const cells = cellsOf(page.text, 'Totals by dataset').flatMap(([name = '', total = '']) =>
        name.endsWith(' commonest') ? [[name.replace(' commonest', ''), total] as const] : [],
      )
      const classes = await database.db.rows<{ label: string; total: string; share: number }>(
        `select distinct on (label) label, class || ' (' || round(100 * share) || '\u00a0%)' as total, share::float8 as share
           from (
             select label, recorded ->> name as class, count(*) / sum(count(*)) over (partition by label) as share
             from attribute join baseline using (layer_id) join frame using (frame_id)
             where summary = 'mode' and recorded ->> name <> ''
               and ST_Intersects(geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))
             group by label, class
           ) as class
           order by label, share desc, class collate "C"`,
        [west, south, east, north],
      )
      return { cells: new Map(cells), classes }
    }
    let leftOut = 0
    for (const place of [await box(0.201, 0.101, 0.219, 0.119), await box(0.001, 0.001, 0.429, 0.429)]) {
      assert.ok(place.cells.size > 0)
      for (const { label, total, share } of place.classes) {
        assert.equal(
          place.cells.get(label)?.replace('\u00a0', ' '),
          share >= 0.25 ? total.replace('\u00a0', ' ') : undefined,
          label,
        )
        if (share < 0.25) leftOut += 1
      }
    }
    assert.ok(leftOut > 0)
  })

  it('has no colours and no totals where an attribute has more than 200 values, and says so', async () => {
    const frames = await database.db.rows<{ id: string }>('select frame_id::text as id from frame limit 201', [])
    const pageOf = async (values: number) => {
      const file = folder.write(
        `${values}.csv`,
        ['id,plot', ...frames.map(({ id }, i) => `${id},plot ${i % values}`)].join('\n'),
      )
      await importBaseline(
        database.db,
        file,
        { layerId: `lyr_plots_${values}`, orgId, name: 'Plots', category: 'Tests' },
        quiet,
      )
      return (await demo.get(`/app/map?dataset=lyr_plots_${values}&attribute=plot`)).text
    }
    const few = await pageOf(200)
    assert.match(few, /188 others/)
    assert.doesNotMatch(few, /more than 200|no total/)
    const many = await pageOf(201)
    assert.match(many, /more than 200 different values/)
    const totals = new Set(cellsOf(many, 'plot by unit, the largest first').map(([, total]) => total))
    assert.deepEqual(totals, new Set(['no total', 'no value']))
  })
})
