import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { migrate } from '../../src/core/db/migrate.js'
import type { Attribute } from '../../src/tools/load/catalogue.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { feature, number } from '../load/files.js'
import { analystTarget } from '../support/database.js'
import { grid, smallCountry } from './country.js'

describe('schema analyst, when what it shows changes', function () {
  this.timeout(120_000)
  const country = smallCountry()

  const viewsLike = (pattern: string) =>
    number(
      country.db,
      `select count(*)::int as n from pg_views where schemaname = 'analyst' and viewname like '${pattern}'`,
    )

  it('gives attributes columns by their names, whatever these are', async () => {
    const long = `a_name_longer_than_sixty_three_bytes_${'é'.repeat(20)}`
    const names = ['id', 'recorded_id', 'geom', 'Two "Words"', 'select', `${long}1`, `${long}2`, 'Ünïcode']
    const layer = `lyr_${'very_long_'.repeat(9)}`
    const cells = (row: string) => names.map((name) => `"${name.replaceAll('"', '""')}${row}"`).join()
    await country.baseline(layer, `frame,${cells('')}\n1,${cells(' of 1')}\n2,${cells(' of 2')}\n`)
    const [view] = await country.db.rows<{ name: string }>(
      `select viewname as name from pg_views where schemaname = 'analyst' and viewname like 'lyr_very%'`,
      [],
    )
    assert.match(view?.name ?? '', /^lyr_very_long_.*_[0-9a-f]{8}$/)
    assert.equal(Buffer.byteLength(view?.name ?? ''), 63)
    const columns = (await country.columnsOf(view?.name ?? '')).map(([name]) => String(name))
    assert.deepEqual(columns.slice(0, 5), ['frame_id', 'geom', 'state', 'lga', 'ward'])
    assert.deepEqual(columns.slice(5, 10), ['recorded_id', 'recorded_id_2', 'recorded_geom', 'Two "Words"', 'select'])
    assert.deepEqual(columns.slice(12), ['Ünïcode', 'recorded'])
    assert.ok(columns.every((name) => Buffer.byteLength(name) <= 63) && new Set(columns).size === columns.length)
    const [row] = await country.db.rows<Record<string, unknown>>(
      `select * from analyst."${view?.name}" where frame_id = 2`,
      [],
    )
    assert.deepEqual(
      columns.slice(5, 13).map((name) => row?.[name]),
      names.map((name) => `${name} of 2`),
    )
  })

  it('gives numbers as numbers, leaves what is no plain number null, and keeps every text as it was stored', async () => {
    const attributes: Attribute[] = [
      { name: 'people', label: 'People', unit: 'persons', type: 'number', summary: 'sum' },
      { name: 'kind', label: 'Kind of land', type: 'category', summary: 'mode' },
    ]
    await country.baseline('lyr_numbers', 'frame,people,kind\n1,12.50,007\n2,"1,000",wood\n3,,\n4,1e3,x\n', attributes)
    assert.deepEqual(await country.columnsOf('lyr_numbers'), [
      ['frame_id', 'bigint', 'The frame.'],
      ['geom', 'geometry(MultiPolygon,4326)', 'Outline of the cell, WGS 84.'],
      ['state', 'text', 'State.'],
      ['lga', 'text', 'Local government area.'],
      ['ward', 'text', 'Ward.'],
      ['people', 'numeric', 'People (persons).'],
      ['kind', 'text', 'Kind of land.'],
      ['recorded', 'json', 'All attributes and their values, texts exactly as stored.'],
    ])
    const shown = await country.db.rows<{ people: string | null; kind: string; text: string }>(
      `select people::text, kind, recorded ->> 'people' as text from analyst.lyr_numbers order by frame_id`,
      [],
    )
    assert.deepEqual(
      shown.map(({ people, kind, text }) => [people, kind, text]),
      [
        ['12.50', '007', '12.50'],
        [null, 'wood', '1,000'],
        [null, '', ''],
        ['1000', 'x', '1e3'],
      ],
    )
  })

  it('gives features of one kind one type, and their commonest properties columns', async () => {
    const place = (lon: number) => ({ type: 'Point', coordinates: [lon, 0.505] })
    await country.features(
      'lyr_sites',
      feature('a', place(1.005), { name: 'One', depth: 12, code: '007', id: 'x', odd: '\u{1F600}' }),
      feature(
        'b',
        {
          type: 'MultiPoint',
          coordinates: [
            [1.015, 0.505],
            [1.016, 0.506],
          ],
        },
        { name: 'Two', depth: '7.5', code: '12' },
      ),
    )
    assert.deepEqual(
      (await country.columnsOf('lyr_sites')).map(([name, type]) => [name, type]),
      [
        ['id', 'integer'],
        ['geom', 'geometry(MultiPoint,4326)'],
        ['feature_id', 'text'],
        ['state', 'text'],
        ['lga', 'text'],
        ['ward', 'text'],
        ['frame_ids', 'bigint[]'],
        ['code', 'text'],
        ['depth', 'numeric'],
        ['recorded_id', 'text'],
        ['name', 'text'],
        ['odd', 'text'],
        ['properties', 'json'],
      ],
    )
    const shown = await country.db.rows<object>(
      `select id::int, feature_id, code, depth::text, name, ST_NumGeometries(geom) as places from analyst.lyr_sites order by id`,
      [],
    )
    assert.deepEqual(
      shown.map((row) => Object.values(row)),
      [
        [1, 'a', '007', '12', 'One', 1],
        [2, 'b', '12', '7.5', 'Two', 2],
      ],
    )
  })

  it('forgets a dataset that is gone, and keeps styles that were saved from QGIS: one of another name as the default', async () => {
    const layers = ['lyr_gone', 'lyr_styled', 'lyr_saved']
    for (const layer of layers) await country.baseline(layer, 'frame,a\n1,x\n')
    assert.equal(await viewsLike('lyr_gone'), 1)
    // QGIS writes the name of the person where it saves over a style.
    await country.db.work(`delete from dataset where layer_id = 'lyr_gone';
      update layer_styles set useasdefault = false where f_table_name = 'lyr_styled';
      insert into layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, stylename, styleqml, useasdefault, owner)
      values (current_database(), 'analyst', 'lyr_styled', 'geom', 'mine', '<qgis/>', true, 'someone');
      update layer_styles set styleqml = '<qgis/>', owner = 'someone' where f_table_name = 'lyr_saved'`)
    for (const layer of layers.slice(1)) await country.baseline(layer, 'frame,a\n1,y\n')
    await migrate(country.database.ownerTarget)
    assert.equal(await viewsLike('lyr_gone'), 0)
    const styles = await country.db.rows<{ layer: string; owner: string; is: boolean; text: string }>(
      `select f_table_name as layer, owner, useasdefault as is, left(styleqml::text, 7) as text from layer_styles
      where f_table_name = any($1::text[]) order by layer, owner collate "C"`,
      [layers],
    )
    assert.deepEqual(
      styles.map((style) => Object.values(style)),
      ['lyr_saved', 'lyr_styled'].flatMap((layer) => [
        [layer, 'frames', false, '<qgis v'],
        [layer, 'someone', true, '<qgis/>'],
      ]),
    )
  })

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

  it('waits for an analyst who is reading, lets callers go on meanwhile, and then shows the new index at once', async () => {
    const analyst = connect(analystTarget(country.database), { connections: 1 })
    await country.baseline('lyr_fresh', 'frame,a\n1,x\n')
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
      assert.equal((await run<{ lga: string }>('select min(lga) as lga from analyst.frame', []))[0]?.lga, 'CENTRE')
    })
    await importing
    assert.equal(await number(analyst, `select count(*)::int as n from frame where lga = 'PATIENT'`), 4)
    assert.equal(await number(analyst, `select count(*)::int as n from lyr_fresh where lga = 'PATIENT'`), 1)
    await analyst.close()
  })
})
