import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { CLASS_COLOURS, classColours } from '../../src/app/map/class-colours.js'
import { framesFrom } from '../../src/app/tiles/frames-from.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { quiet, temporaryFolder } from '../load/files.js'
import { signIn, type Visitor } from '../support/browse.js'
import { sharedWorld } from '../support/datasets.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { cellsOf } from './pages.js'
import { seenDifference } from './seen-difference.js'
import { memberOf, rows, signedIn } from './visitors.js'

describe('the legend of the map', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db) })))

  async function classesOf(query: string): Promise<Map<string, string[]>> {
    const { text } = await visitor.get(`/app/map?part=panel${query}`)
    const lists = text.replace(/\s+/g, ' ').matchAll(/data-level="(\w+)">(.*?)<\/div>/g)
    return new Map(
      Array.from(lists, ([, level = '', list = '']) => [
        level,
        Array.from(list.matchAll(/ramp-\d">([^<]*)</g), ([, label = '']) => label),
      ]),
    )
  }

  it('counts whole numbers from one above the class before', async () => {
    for (const query of ['&dataset=lyr_population&attribute=pop_demest26', '&dataset=lyr_schools&attribute=features'])
      for (const [level, labels] of await classesOf(query)) {
        const bounds = labels.map((label) => label.replaceAll(',', '').split('–').map(Number))
        assert.ok(bounds.flat().every(Number.isInteger), labels.join('; '))
        for (const [i, [from]] of bounds.entries())
          if (i > 0) assert.equal(from, (bounds[i - 1]?.at(-1) ?? 0) + 1, `${level}: ${labels.join('; ')}`)
      }
  })

  it('lets classes of other numbers, and of means of whole ones, touch', async () => {
    const index = await classesOf('&dataset=lyr_urban&attribute=urb_index')
    const ends = (index.get('frame') ?? []).map((label) => label.split('–'))
    assert.ok(ends.length > 2)
    for (const [i, [from]] of ends.entries()) if (i > 0) assert.equal(from, ends[i - 1]?.at(-1))
  })
})

describe('the commonest class of several frames', () => {
  it('has its share of the frames that record one, and is left out below a quarter', async () => {
    const demo = await memberOf()
    const box = async (west: number, south: number, east: number, north: number) => {
      const page = await demo.get(`/app/map?box=${[west, south, east, north].join()}`)
      const cells = cellsOf(page.text, 'Totals by dataset').flatMap(([name = '', total = '']) =>
        name.endsWith(' commonest') ? [[name.replace(' commonest', ''), total] as const] : [],
      )
      const classes = await rows<{ label: string; total: string; share: number }>(
        `select distinct on (label) label, class || ' (' || round(100 * share) || '\u00a0%)' as total, share::float8 as share
           from (
             select label, recorded ->> name as class, count(*) / sum(count(*)) over (partition by label) as share
             from attribute join baseline using (layer_id) join frame using (frame_id)
             where summary = 'mode' and recorded ->> name <> ''
               and ST_Intersects(geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))
             group by label, class
           ) as class
           order by label, share desc, class collate "C"`,
        west,
        south,
        east,
        north,
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
    const folder = temporaryFolder()
    const { database } = await sharedWorld()
    const running = await startService(database, { publicUrl: 'listening' })
    const orgId = await newOrganisation(database.db)
    const owner = await signIn(running.url, database.db, { orgId })
    const frames = await database.db.rows<{ id: string }>('select frame_id::text as id from frame limit 201', [])
    const pageOf = async (values: number) => {
      const lines = frames.map(({ id }, i) => `${id},plot ${i % values}`)
      const file = folder.write(`${values}.csv`, ['id,plot', ...lines].join('\n'))
      const entry = { layerId: `lyr_plots_${values}`, orgId, name: 'Plots', category: 'Tests' }
      await importBaseline(database.db, file, entry, quiet)
      return (await owner.get(`/app/map?dataset=lyr_plots_${values}&attribute=plot`)).text
    }
    try {
      const few = await pageOf(200)
      assert.match(few, /188 others/)
      assert.doesNotMatch(few, /more than 200|no total/)
      const many = await pageOf(201)
      assert.match(many, /more than 200 different values/)
      const totals = new Set(cellsOf(many, 'plot by unit, the largest first').map(([, total]) => total))
      assert.deepEqual(totals, new Set(['no total', 'no value']))
    } finally {
      await running.stop()
      folder.remove()
    }
  })
})

describe('the colours of classes', () => {
  it('fit the usual classes of land, whatever their order', () => {
    const names = ['Bare rock', 'Built-up', 'Cropland', 'Forest', 'Grassland', 'Shrub', 'Water', 'Wetland', 'Woodland']
    const colours = new Map(names.map((name, i) => [name, classColours(names)[i]]))
    const turned = names.toReversed()
    for (const name of ['Bare rock', 'Built-up', 'Cropland', 'Grassland', 'Water'])
      assert.equal(classColours(turned)[turned.indexOf(name)], colours.get(name), name)
    assert.deepEqual([colours.get('Water'), colours.get('Forest'), colours.get('Built-up')], [1, 6, 9])
  })

  it('are different for each of twelve classes, and blue comes last', () => {
    const names = Array.from({ length: 15 }, (_, i) => `class ${i}`)
    const colours = classColours(names)
    assert.equal(new Set(colours).size, CLASS_COLOURS)
    assert.deepEqual(colours.slice(-2), [5, 1])
    const woods = Array.from({ length: 12 }, (_, i) => `forest ${i}`)
    assert.equal(new Set(classColours(woods)).size, CLASS_COLOURS)
  })

  it('differ from one another and from the ground for all kinds of colour vision', () => {
    const css = readFileSync(new URL('src/app/browser/map.css', projectFolder), 'utf8')
    const classes = Array.from(css.matchAll(/--class-(\w+): (#[0-9a-f]{6});/g), ([, name = '', colour = '']) => ({
      name,
      colour,
    }))
    const grounds = Array.from(css.matchAll(/--map-ground: (#[0-9a-f]{6});/g), ([, colour = '']) => ({
      name: 'ground',
      colour,
    }))
    assert.deepEqual([classes.length, grounds.length], [CLASS_COLOURS + 1, 2])
    for (const [i, one] of classes.entries())
      for (const other of [...classes.slice(i + 1), ...grounds]) {
        const difference = seenDifference(one.colour, other.colour)
        assert.ok(difference >= 19, `${one.name} and ${other.name}: ${difference.toFixed(1)}`)
      }
  })
})

describe('the zooms of tiles', () => {
  it('of frames begin later in an index of many frames', async () => {
    assert.deepEqual([framesFrom({ runs: 79 }), framesFrom({ runs: 80 })], [8, 9])
    const { database } = await sharedWorld()
    const running = await startService(database, { publicUrl: 'listening' })
    const visitor = await signIn(running.url, database.db, { orgId: await newOrganisation(database.db) })
    assert.equal((await visitor.get('/app/tiles/frames/8/128/127')).status, 200)
    await database.db.rows(
      `insert into frame_run select last_id + 1000 + 2 * turn, last_id + 1001 + 2 * turn, extent
       from (select last_id, extent from frame_run order by last_id desc limit 1) as last, generate_series(1, 80) as turn`,
      [],
    )
    const { status, text } = await visitor.get('/app/tiles/frames/8/128/127')
    assert.deepEqual([status, text], [404, 'Tiles of frames have zooms from 9 to 14: "8" was asked for.\n'])
    assert.equal((await visitor.get('/app/tiles/frames/9/256/255')).status, 200)
    await database.db.rows(`delete from frame_run where last_id > (select max(frame_id) from frame)`, [])
    await running.stop()
  })
})
