import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { migrate } from '../../src/core/db/migrate.js'
import type { Attribute } from '../../src/tools/load/catalogue.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { feature, number } from '../load/files.js'
import { analystTarget } from '../support/database.js'
import { grid, smallCountry } from './country.js'

describe('schema analyst, under views of others and open sessions', function () {
  this.timeout(120_000)
  const country = smallCountry()

  it('keeps the views of others over its own through imports of the index and of datasets', async () => {
    const attributes: Attribute[] = [
      { name: 'people', label: 'People', type: 'number', summary: 'sum' },
      { name: 'kind', label: 'Kind', type: 'category', summary: 'mode' },
    ]
    await country.baseline('lyr_numbers', 'frame,people,kind\n1,12.50,007\n2,"1,000",wood\n3,,\n4,1e3,x\n', attributes)
    await country.db.work(
      'create view public.mine as select frame_id, people, geom from analyst.lyr_numbers where people is not null',
    )
    try {
      await country.frames(grid('Centre'))
      assert.equal(await number(country.db, `select count(*)::int as n from analyst.frame where lga = 'CENTRE'`), 4)
      assert.equal(await number(country.db, `select count(*)::int as n from analyst.lga where lga = 'CENTRE'`), 1)
      assert.equal(
        await number(country.db, `select count(*)::int as n from analyst.lyr_numbers where lga = 'CENTRE'`),
        4,
      )
      assert.equal(await number(country.db, 'select count(*)::int as n from mine'), 2)
      await country.baseline('lyr_numbers', 'frame,people,kind\n1,1,a\n2,2,b\n3,3,c\n', attributes)
      assert.equal(await number(country.db, 'select count(*)::int as n from mine'), 3)

      // Other columns: the view cannot be made anew under the one that reads it. The rows are served all the same.
      const other = country.baseline('lyr_numbers', 'frame,houses\n1,5\n')
      await assert.rejects(other, /lyr_numbers is being served, but its view.*stays as it was[\s\S]*mine depends on/)
      assert.equal(await number(country.db, `select items::int as n from dataset where layer_id = 'lyr_numbers'`), 1)
    } finally {
      await country.db.work('drop view public.mine')
    }
    await migrate(country.database.ownerTarget)
    assert.deepEqual(
      (await country.columnsOf('lyr_numbers')).map(([name]) => name),
      ['frame_id', 'geom', 'state', 'lga', 'ward', 'houses', 'recorded'],
    )
  })

  it('is not migrated over a view of others that reads columns which change: a sentence names it, and all stays as it was', async () => {
    const site = { type: 'Point', coordinates: [1.005, 0.505] }
    await country.features('lyr_renamed', feature('a', site, { name: 'Site' }))
    // A release whose view has another name for a column leaves the view so.
    await country.db.work(`alter view analyst.lyr_renamed rename column name to title;
      create view public.mine as select id, title from analyst.lyr_renamed`)
    await assert.rejects(
      migrate(country.database.ownerTarget),
      /columns of analyst\.lyr_renamed change, .*view mine depends on .*Drop them, run "npm run -s frames -- migrate", then create them again/,
    )
    assert.equal(await number(country.db, `select count(*)::int as n from public.mine where title = 'Site'`), 1)
    await country.db.work('drop view public.mine')
    await migrate(country.database.ownerTarget)
    assert.equal(await number(country.db, `select count(*)::int as n from analyst.lyr_renamed where name = 'Site'`), 1)
  })

  it('refuses to begin a new index over a view of others that reads the tables themselves', async () => {
    await country.db.work('create view public.mine as select frame_id from frame')
    try {
      await assert.rejects(
        country.frames(grid()),
        /these views read the frame index and would be lost with it: public\.mine/,
      )
    } finally {
      await country.db.work('drop view public.mine')
    }
  })

  it('lets an analyst read a new dataset and a new index at once', async () => {
    const analyst = connect(analystTarget(country.database), { connections: 1 })
    try {
      await country.baseline('lyr_fresh', 'frame,a\n1,x\n')
      assert.equal(await number(analyst, 'select count(*)::int as n from analyst.lyr_fresh'), 1)
      await country.frames(grid('Later'))
      assert.equal(await number(analyst, `select count(*)::int as n from lyr_fresh where lga = 'LATER'`), 1)
    } finally {
      await analyst.close()
    }
  })

  it('waits for an analyst who is reading, and lets callers go on meanwhile', async () => {
    const analyst = connect(analystTarget(country.database), { connections: 1 })
    let importing: Promise<unknown> | undefined
    let ended = false
    await analyst.transaction(async (run) => {
      await run('select count(*) from analyst.frame', [])
      let waits: () => void = () => {}
      const waiting = new Promise<void>((done) => (waits = done))
      const file = country.folder.write('waits.geojson', grid('Patient'))
      const heard = (step: string) => (step.includes('putting the new index') ? waits() : undefined)
      importing = importFrames(country.db, file, heard).then(() => (ended = true))
      await waiting
      for (let calls = 0; calls < 20; calls += 1) {
        assert.equal(await number(country.db, 'select count(*)::int as n from frame'), 4)
      }
      assert.equal(ended, false)
      assert.equal((await run<{ lga: string }>('select min(lga) as lga from analyst.frame', []))[0]?.lga, 'LATER')
    })
    await importing
    assert.equal(await number(analyst, `select count(*)::int as n from frame where lga = 'PATIENT'`), 4)
    await analyst.close()
  })
})
