import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/core/db/connect.js'
import { migrate } from '../../src/core/db/migrate.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { totalsOfUnit } from '../../src/core/db/statements.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from '../load/files.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'

const SUM = [{ name: 'people', label: 'People', type: 'number', summary: 'sum' } as const]

/** Makes cells side by side, from 5° east and 3° north, in wards of four. */
const grid = (cells: number) =>
  collection(
    Array.from({ length: cells }, (_, at) =>
      feature(1 + at, rectangle(500 + at, 300, 501 + at, 301), {
        state: 'Alpha',
        lga: `Area ${Math.floor(at / 8)}`,
        ward: `Ward ${Math.floor(at / 4)}`,
      }),
    ),
  )
const rows = (cells: number, people: number) =>
  `frame,people\n${Array.from({ length: cells }, (_, at) => `${1 + at},${people}`).join('\n')}\n`

describe('totals while datasets and indexes are imported', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  let db: Database
  let orgId: string

  before(async () => {
    database = await newDatabase()
    db = database.db
    orgId = await newOrganisation(db)
    await frames(16)
    await people(16, 1)
  })
  after(async () => {
    folder.remove()
    await database.drop()
  })

  const wanted = (layerId: string) => ({ layerId, orgId, name: layerId, category: 'Tests' })
  const frames = (cells: number, through: Database = db) =>
    importFrames(through, folder.write(`grid-${cells}.geojson`, grid(cells)), quiet)
  const people = (cells: number, each: number, through: Database = db) =>
    importBaseline(
      through,
      folder.write(`rows-${cells}-${each}.csv`, rows(cells, each)),
      { ...wanted('lyr_people'), catalogue: SUM },
      quiet,
    )
  const country = async () => {
    const [total] = await totalsOfUnit(db, 'country', null, null, null, null, ['lyr_people'])
    return { number: total?.number, recorded: total?.recorded, frames: total?.frames }
  }
  const numberIn = async (lga: string, ward: string | null, layer: string) => {
    const totals = await totalsOfUnit(db, ward ? 'ward' : 'lga', 'alpha', lga, ward, null, [layer])
    return totals.map(({ attribute, number, recorded }) => [attribute, number, recorded])
  }
  const content = () =>
    db.rows<object>(
      `select 'unit' as of, unit::text as row from unit union all select 'total', unit_total::text from unit_total
       union all select 'spread', attribute_spread::text from attribute_spread
       union all select 'class', block_class::text from block_class
       union all select 'feature', block_feature::text from block_feature order by 1, 2`,
      [],
    )

  /** Fails at the statement of this name, as a crash there would. */
  const failingAt = (name: string): Database => ({
    ...db,
    transaction: (work) =>
      db.transaction((run, runSingle) =>
        work(
          (text, args, as) =>
            text.startsWith(`-- ${name}:`) ? Promise.reject(new Error('crashed')) : run(text, args, as),
          runSingle,
        ),
      ),
  })

  it('never show the totals of another version than the rows, to readers of both', async () => {
    const loading = { isOn: true }
    const seen = new Set<string>()
    const readers = Array.from({ length: 2 }, async () => {
      while (loading.isOn) {
        const [row] = await db.rows<{ total: string; sum: string; spread: string }>(
          `select unit_total.number::text as total, (select highest::text from attribute_spread as spread
             where spread.version = dataset.version and attribute = 'people' and level = 'frame') as spread,
             (select sum(plain_number(recorded ->> 'people'))::text from baseline_row where baseline_row.version = dataset.version) as sum
           from dataset left join unit_total on unit_total.version = dataset.version and unit_id = 0 and attribute = 'people'
           where layer_id = 'lyr_people'`,
          [],
        )
        assert.equal(row?.total, row?.sum)
        assert.equal(Number(row?.spread) * 16, Number(row?.total))
        seen.add(row?.total ?? '')
        await sleep(5)
      }
    })
    const imports = (async () => {
      for (const turn of [2, 3]) await people(16, turn)
      loading.isOn = false
    })()
    await Promise.all([imports, ...readers]).finally(() => (loading.isOn = false))
    assert.ok(seen.size > 1, [...seen].join())
    assert.deepEqual(await country(), { number: '48', recorded: 16, frames: 16 })
  })

  it('stay as they are, rows and all, when an import of a dataset breaks off', async () => {
    const before = await content()
    await assert.rejects(people(16, 4, failingAt('totals_keep')), /crashed/)
    assert.deepEqual(await content(), before)
    assert.deepEqual(await country(), { number: '48', recorded: 16, frames: 16 })
    await people(16, 5)
    assert.deepEqual(await country(), { number: '80', recorded: 16, frames: 16 })
    const [left] = await db.rows<{ versions: number }>(
      'select count(distinct version)::int as versions from unit_total where version not in (select version from dataset)',
      [],
    )
    assert.equal(left?.versions, 0)
  })

  it('stay as they are when an import of frames breaks off', async () => {
    const before = await content()
    for (const step of ['totals', 'switch']) {
      await assert.rejects(frames(8, failingAt(step)), /crashed/)
      assert.deepEqual(await content(), before)
    }
  })

  it('are made by the migration, for datasets that are there', async () => {
    await importFeatures(
      db,
      folder.write(
        'points.geojson',
        collection([feature('a', { type: 'Point', coordinates: [5.005, 3.005] }, { name: 'A' })]),
      ),
      wanted('lyr_points'),
      quiet,
    )
    const before = await content()
    await db.work('drop table unit, frame_unit, unit_total, block_class, block_feature, attribute_spread cascade')
    for (const name of ['010_totals', '013_box_totals', '014_frame_units'])
      await db.work(readFileSync(new URL(`migrations/${name}.sql`, projectFolder), 'utf8'))
    await migrate(database.ownerTarget)
    assert.deepEqual(await content(), before)
  })

  it('count a feature once in each unit that it touches, and the part of a line in each', async () => {
    // Along the middle of twelve cells: three wards, of two areas.
    const line = {
      type: 'LineString',
      coordinates: [
        [5, 3.005],
        [5.12, 3.005],
      ],
    }
    const lines = (...all: object[]) =>
      importFeatures(
        db,
        folder.write('lines.geojson', collection(all.map((each, at) => feature(at, each)))),
        wanted('lyr_lines'),
        quiet,
      )
    await lines(line)
    const whole = await totalsOfUnit(db, 'country', null, null, null, null, ['lyr_lines'])
    assert.deepEqual(
      whole.map(({ attribute, number, recorded }) => [attribute, number, recorded]),
      [
        ['features', '1', 13],
        ['km', '13.34', 13],
      ],
    )
    assert.deepEqual(await numberIn('area 0', null, 'lyr_lines'), [
      ['features', '1', 8],
      ['km', '8.89', 8],
    ])
    assert.deepEqual(await numberIn('area 1', null, 'lyr_lines'), [
      ['features', '1', 5],
      ['km', '4.45', 5],
    ])
  })

  it('are those of the frames of the index, while an import replaces it', async () => {
    await people(16, 1)
    const loading = { isOn: true }
    const readers = Array.from({ length: 2 }, async () => {
      while (loading.isOn) {
        const total = await country()
        assert.equal(total.number, String(total.frames))
        assert.equal(total.recorded, total.frames)
        await sleep(5)
      }
    })
    const imports = (async () => {
      for (const cells of [8, 12]) await frames(cells)
      loading.isOn = false
    })()
    await Promise.all([imports, ...readers]).finally(() => (loading.isOn = false))
    assert.deepEqual(await country(), { number: '12', recorded: 12, frames: 12 })
    assert.deepEqual(await numberIn('area 1', null, 'lyr_people'), [['people', '4', 4]])
    assert.deepEqual(await numberIn('area 0', 'ward 1', 'lyr_people'), [['people', '4', 4]])
  })

  it('count a line on the edge of two frames once, in the unit of the lower id, and keep units of one name in two states apart', async () => {
    const named = { lga: 'Bende', ward: 'Central' }
    const cells = [
      feature(1, rectangle(500, 300, 501, 301), { state: 'Alpha', ...named }),
      feature(2, rectangle(500, 301, 501, 302), { state: 'Beta', ...named }),
      feature(3, rectangle(501, 301, 502, 302), { state: 'Beta', ...named }),
    ]
    await importFrames(db, folder.write('two.geojson', collection(cells)), quiet)
    await people(3, 7)
    const along = (from: number, to: number) => ({
      type: 'LineString',
      coordinates: [
        [from, 3.01],
        [to, 3.01],
      ],
    })
    const edges = [along(5.002, 5.007), along(4.9, 5.01)].map((line, at) => feature(at, line))
    await importFeatures(db, folder.write('edge.geojson', collection(edges)), wanted('lyr_edge'), quiet)
    const inState = async (state: string, ward: string | null, layer: string) => {
      const totals = await totalsOfUnit(db, ward ? 'ward' : 'lga', state, 'bende', ward, null, [layer])
      return totals.map(({ number, recorded }) => [number, recorded])
    }
    for (const ward of [null, 'central']) {
      assert.deepEqual(await inState('alpha', ward, 'lyr_people'), [['7', 1]])
      assert.deepEqual(await inState('beta', ward, 'lyr_people'), [['14', 2]])
    }
    // Half of the second line lies off the index.
    const measured = async (state: string) => (await inState(state, null, 'lyr_edge')).map(([number]) => number)
    assert.deepEqual(await measured('alpha'), ['2', '1.67'])
    assert.deepEqual(await measured('beta'), ['2', '0'])
  })

  it('sort the names of a baseline by unit, also by those of a new index', async () => {
    const index = (first: string) =>
      importFrames(
        db,
        folder.write(
          'units.geojson',
          collection(
            [first, 'Central', 'Central'].map((ward, at) =>
              feature(1 + at, rectangle(500 + at, 300, 501 + at, 301), {
                state: at === 0 ? 'Alpha' : 'Beta',
                lga: 'Bende',
                ward,
              }),
            ),
          ),
        ),
        quiet,
      )
    const kept = async () => {
      const classes = await db.rows<{ value: string }>(
        `select value || ' ' || items as value from class where layer_id = 'lyr_wards' order by value`,
        [],
      )
      const [total] = await totalsOfUnit(db, 'country', null, null, null, null, ['lyr_wards'])
      return [...classes.map(({ value }) => value), `most common: ${total?.class} ${total?.classFrames}`]
    }
    const [alpha, beta] = ['Central of BENDE, ALPHA', 'Central of BENDE, BETA']
    await index('Central')
    await importBaseline(
      db,
      folder.write('wards.csv', 'frame,ward\n1,Central\n2, Central\n3,Central\n'),
      { ...wanted('lyr_wards'), catalogue: [{ name: 'ward', label: 'Ward', type: 'category', summary: 'mode' }] },
      quiet,
    )
    const apart = [`${alpha} 1`, `${beta} 2`, `most common: ${beta} 2`]
    assert.deepEqual(await kept(), apart)
    await index('Other')
    assert.deepEqual(await kept(), ['Central 3', 'most common: Central 3'])
    await index('Central')
    assert.deepEqual(await kept(), apart)
    // A database of an older release has neither.
    await db.work(
      `update attribute set repeats = null, shared = null; delete from class; delete from unit_total where class is not null`,
    )
    await migrate(database.ownerTarget)
    assert.deepEqual(await kept(), apart)
  })
})
