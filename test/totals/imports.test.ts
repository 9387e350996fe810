import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/core/db/connect.js'
import { migrate } from '../../src/core/db/migrate.js'
import { whatIsMissing } from '../../src/core/db/missing.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { profile } from '../../src/core/db/statements.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { collection, feature, quiet, rectangle, temporaryFolder } from '../load/files.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newOrganisation } from '../support/service.js'
import { plays } from '../support/transcript.js'

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
    const [total] = await profile(db, ['unit'], ['lyr_people'])
    return { number: total?.number, recorded: total?.recorded, frames: total?.frames }
  }
  const numberIn = async (lga: string, ward: string | null, layer: string) => {
    const totals = await profile(db, ['unit', 'alpha', lga, ...(ward ? [ward] : [])], [layer])
    return totals.map(({ attribute, number, recorded }) => [attribute, number, recorded])
  }
  const content = () =>
    db.rows<object>(
      `select 'unit' as of, unit::text as row from unit union all select 'total', unit_total::text from unit_total
       union all select 'spread', attribute_spread::text from attribute_spread
       union all select 'block class', block_class::text from block_class union all select 'class', class::text from class
       union all select 'property', property::text from property union all select 'array', value_array::text from value_array
       union all select 'values', value_row::text from value_row
       union all select 'order', frame_order::text from frame_order
       union all select 'pair', feature_frame::text from feature_frame where number is not null
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

  it('are made by migrate for an index of an older release, also where it was interrupted; nobody reads it before', async () => {
    const line = [
      [5.001, 3.002],
      [5.018, 3.003],
    ]
    for (const [layer, geometry] of [
      ['lyr_lines', { type: 'LineString', coordinates: line }],
      ['lyr_points', { type: 'Point', coordinates: [5.005, 3.005] }],
    ] as const) {
      const file = folder.write(`${layer}.geojson`, collection([feature('a', geometry, { name: 'A' })]))
      await importFeatures(db, file, wanted(layer), quiet)
    }
    const complete = await content()
    await db.work(
      'drop table unit, frame_unit, frame_order, value_array, value_row, unit_total, block_class, block_feature, attribute_spread, class, property cascade; alter table feature_frame drop column number cascade, drop column extent cascade',
    )
    for (const name of [
      '006_classes',
      '010_totals',
      '013_box_totals',
      '014_frame_units',
      '026_kept_arrays',
      '027_feature_extents',
      '028_value_rows',
    ])
      await db.work(readFileSync(new URL(`migrations/${name}.sql`, projectFolder), 'utf8'))
    for (const moment of [
      'placing the frames in their units',
      'adding up lyr_lines, 1 of 5',
      'adding up lyr_points_distance, 5 of 5',
    ]) {
      const interrupted = migrate(database.ownerTarget, (step) => assert.notEqual(step, moment, 'interrupted'))
      await assert.rejects(interrupted, /interrupted/)
      assert.deepEqual(await content(), [])
      assert.match(
        (await whatIsMissing(db)) ?? '',
        /^An older release made this index, .* Run "npm run -s frames -- migrate"/,
      )
    }
    for (const turn of ['first', 'second']) {
      await migrate(database.ownerTarget)
      assert.deepEqual(await content(), complete, turn)
      assert.equal(await whatIsMissing(db), undefined)
    }
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
})

plays('totals/units', 'empty', { 'sixteen.geojson': grid(16) })
