import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { importRaster, type RasterEntry } from '../../src/tools/load/import-raster.js'
import { openRaster } from '../../src/tools/load/raster-file.js'
import { framesOf, newFigures, stageFrames, STATISTICS } from '../../src/tools/load/raster-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { randomNumbers } from '../support/random-numbers.js'
import { sample } from '../support/sample.js'
import { newOrganisation } from '../support/service.js'
import { collection, feature, quiet, temporaryFolder } from './files.js'
import { geoKeys, tiff, type Tiff } from './tiff.js'

const unit = { state: 'Alpha', lga: 'Middle', ward: 'South' }
const box = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

/** Cells, one cut, one with a hole, one in two parts, and shapes of other grids. */
const shapes = [
  ...Array.from({ length: 16 }, (_, i) => [
    box(0.2 + (i % 4) / 100, 0.1 + Math.floor(i / 4) / 100, 0.21 + (i % 4) / 100, 0.11 + Math.floor(i / 4) / 100),
  ]),
  [
    [
      [0.24, 0.1],
      [0.25, 0.1],
      [0.2434, 0.1087],
      [0.24, 0.11],
      [0.24, 0.1],
    ],
  ],
  [box(0.25, 0.1, 0.27, 0.12), box(0.2533, 0.1033, 0.2612, 0.1177).reverse()],
  [
    [
      [0.2, 0.14],
      [0.2731, 0.1512],
      [0.2412, 0.1933],
      [0.2033, 0.171],
      [0.2, 0.14],
    ],
  ],
].map((coordinates) => ({
  type: 'Polygon',
  coordinates: coordinates.map((ring) =>
    ring.map(([x = 0, y = 0]) => [Math.round(x * 1e7) / 1e7, Math.round(y * 1e7) / 1e7]),
  ),
}))
const parts = {
  type: 'MultiPolygon',
  coordinates: [[box(0.24, 0.13, 0.2441, 0.1377)], [box(0.2462, 0.1301, 0.25, 0.1399)]],
}
const frames = collection([...shapes, parts].map((geometry, i) => feature(i + 1, geometry, unit)))

/** What PostGIS makes of the same pixels, each a polygon of its own. */
const BY_POSTGIS = `with pixel as (
  select (row_number() over () - 1)::int as i, number
  from unnest($1::float8[]) with ordinality as given (number, place) order by place
), placed as materialized (
  select number, ST_MakeEnvelope(x + i % width * across, y - (i / width + 1) * down, x + (i % width + 1) * across, y - i / width * down, 0) as geom
  from pixel, (select $2::float8 as x, $3::float8 as y, $4::float8 as across, $5::float8 as down, $6::int as width) as grid where number <> 'nan'
), shape as materialized (
  select frame_id, ST_SetSRID(ST_Transform(geom, $7::int), 0) as geom from frame
), covered as materialized (
  select frame_id, number, ST_Area(ST_Intersection(shape.geom, placed.geom)) / ST_Area(placed.geom) as cover
  from shape join placed on shape.geom && placed.geom
), class as (
  select frame_id, json_object_agg(number, own) as classes
  from (select frame_id, number, sum(cover) as own from covered where cover > 1e-6 group by frame_id, number) as each group by frame_id
)
select frame_id::text as id, sum(cover) as weight, sum(number * cover) as sum,
  min(number) filter (where cover > 1e-6) as least, max(number) filter (where cover > 1e-6) as most, (array_agg(classes))[1] as classes
from covered left join class using (frame_id) where cover > 1e-12 group by frame_id order by frame_id`

type Expected = {
  id: string
  weight: number
  sum: number
  least: number
  most: number
  classes: Record<string, number> | null
}

describe('a raster by frames', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let orgId: string
  before(async () => {
    database = await newDatabase()
    await importFrames(database.db, folder.write('frames.geojson', frames), quiet)
    orgId = await newOrganisation(database.db)
  })
  after(() => database.drop())

  const options = { bands: [], nodata: undefined, crs: undefined }
  const entry = (more: Partial<RasterEntry> = {}): RasterEntry => ({
    ...options,
    layerId: 'lyr_people',
    orgId,
    name: 'People',
    category: 'Population',
    statistic: 'sum',
    classes: new Map<number, string>(),
    ...more,
  })
  const write = (file: Tiff) => folder.write('raster.tif', tiff(file))
  const valuesOf = (db: Database) =>
    db.rows<{ id: string; recorded: Record<string, string> }>(
      `select frame_id::text as id, recorded from baseline_row join dataset using (version) where layer_id = 'lyr_people' order by frame_id`,
      [],
    )

  async function tallied(path: string) {
    const raster = await openRaster(path, options)
    await database.db.work(sqlText('import/open'))
    try {
      const figures = newFigures(raster, 'majority')
      const gathering = { raster, statistic: 'majority' as const, progress: quiet, figures }
      const made = []
      for await (const { id, tallies } of framesOf(database.db, await stageFrames(database.db, raster), gathering))
        if (tallies[0]!.weight > 0) made.push({ id, ...tallies[0]! })
      return { made: made.toSorted((one, other) => Number(one.id) - Number(other.id)), band: figures.bands[0]! }
    } finally {
      await raster.close()
      await database.db.work(sqlText('staging/close'))
    }
  }

  it('is what PostGIS makes of the same pixels, for random rasters in degrees and in metres', async () => {
    const random = randomNumbers(20_261_129)
    const between = (least: number, most: number) => least + random() * (most - least)
    const near = (one: number, other: number, what: string) =>
      assert.ok(
        Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)),
        `${what}: ${one}, and PostGIS has ${other}`,
      )
    for (let turn = 0; turn < sample(40, 1000); turn += 1) {
      const [width, height] = [1 + Math.floor(random() * 30), 1 + Math.floor(random() * 30)]
      const isProjected = turn % 3 === 2
      // UTM 31 north has a metre for about nine millionths of a degree here.
      const [x, y, scale] = isProjected
        ? [between(186_000, 192_000), between(16_000, 24_000), 111_000]
        : [between(0.18, 0.24), between(0.12, 0.22), 1]
      const place = [x, y, between(0.0007, 0.02) * scale, between(0.0007, 0.02) * scale] as const
      const isClass = turn % 2 === 0
      const numbers = Array.from({ length: width * height }, () =>
        random() < 0.1 ? -1 : isClass ? Math.floor(between(0, 4)) : between(0, 1000),
      )
      const crs = isProjected ? 32631 : 4326
      const path = write({ width, height, bands: [numbers], place, crs, isProjected, nodata: '-1' })
      const known = numbers.map((number) => (number === -1 ? NaN : number))
      const expected = await database.db.rows<Expected>(BY_POSTGIS, [known, ...place, width, crs])
      if (expected.length === 0) continue
      const { made, band } = await tallied(path)
      assert.deepEqual(
        made.map(({ id }) => id),
        expected.map(({ id }) => id),
        `turn ${turn}`,
      )
      for (const [i, { id, ...tally }] of expected.entries()) {
        const own = made[i]!
        for (const name of ['weight', 'sum'] as const)
          near(own[name], tally[name], `turn ${turn}, frame ${id}, ${name}`)
        const extremes = [own.least, own.most].map((each) => (Number.isFinite(each) ? each : null))
        assert.deepEqual(extremes, [tally.least, tally.most], `turn ${turn}, frame ${id}`)
        if (!isClass) continue
        for (const [number, weight] of own.classes)
          near(weight, tally.classes?.[String(number)] ?? 0, `turn ${turn}, frame ${id}, class ${number}`)
        assert.equal(own.classes.size, Object.keys(tally.classes ?? {}).length)
      }
      near(band.sumOutside + made.reduce((sum, { sum: own }) => sum + own, 0), band.sum, `turn ${turn}, all`)
    }
  })

  it('is the same whatever window of it is read at once', async () => {
    const numbers = Array.from({ length: 40 * 40 }, (_, i) => (i * 7919) % 101)
    const path = write({ width: 40, height: 40, bands: [numbers], place: [0.195, 0.205, 0.0033, 0.0033] })
    const whole = await tallied(path)
    const raster = await openRaster(path, options)
    for (const window of [
      { columns: 7, rows: 5 },
      { columns: 40, rows: 1 },
      { columns: 16, rows: 40 },
    ]) {
      await database.db.work(sqlText('import/open'))
      const cut = { ...raster, window }
      const figures = newFigures(cut, 'sum')
      const staged = await stageFrames(database.db, cut)
      const sums = new Map<string, number>()
      for await (const { id, tallies } of framesOf(database.db, staged, {
        raster: cut,
        statistic: 'sum',
        progress: quiet,
        figures,
      }))
        sums.set(id, tallies[0]!.sum)
      for (const { id, sum } of whole.made) assert.ok(Math.abs((sums.get(id) ?? NaN) - sum) < 1e-9 * sum, `frame ${id}`)
      assert.equal(sums.size, whole.made.length)
      await database.db.work(sqlText('staging/close'))
    }
    await raster.close()
  })

  it('takes scale, offset, bands by number and by name, middles of pixels, and what stands for no data', async () => {
    const bands = [
      [1, 2, 3, 255],
      [10, 20, 30, 40],
      [7, 7, 7, 7],
    ]
    const metadata =
      '<GDALMetadata><Item name="SCALE" sample="0" role="scale">0.5</Item><Item name="OFFSET" sample="0" role="offset">100</Item><Item name="DESCRIPTION" sample="1" role="description">homes</Item></GDALMetadata>'
    // The middle of the first pixel, where the tags count from middles.
    const path = write({
      width: 2,
      height: 2,
      bands,
      place: [0.205, 0.135, 0.01, 0.01],
      format: 'u8',
      nodata: '255',
      tags: { 42112: [2, metadata], 34735: [3, geoKeys(false, 4326, 2)] },
    })
    const made = await importRaster(database.db, path, entry({ bands: [2, 1] }), quiet)
    assert.deepEqual(
      made.columns?.map(({ name, total }) => [name, total]),
      [
        ['homes', '100'],
        ['people_1', '303'],
      ],
    )
    assert.deepEqual(
      (await valuesOf(database.db)).map(({ id, recorded }) => [id, recorded]),
      [
        ['9', { homes: '30', people_1: '101.5' }],
        ['10', { homes: '40', people_1: '' }],
        ['13', { homes: '10', people_1: '100.5' }],
        ['14', { homes: '20', people_1: '101' }],
      ],
    )
    assert.deepEqual(
      made.raster.bands.map(({ nodata, sum, sumInFrames, outside }) => [
        nodata,
        sum,
        Math.round(sumInFrames),
        Math.round(outside),
      ]),
      [
        [0, 100, 100, 0],
        [1, 303, 303, 0],
      ],
    )
  })

  it('gives each statistic its columns, with a summary that fits', async () => {
    const numbers = [1, 1, 2, 3, 1, 2, 2, 2, 5, 5, 5, 5, 6, 6, 6, 6]
    const path = write({ width: 4, height: 4, bands: [numbers], place: [0.2, 0.12, 0.005, 0.005], format: 'i16' })
    const said: Record<string, unknown> = {}
    for (const statistic of STATISTICS) {
      await importRaster(
        database.db,
        path,
        entry({ statistic, classes: new Map([[1, 'Forest']]), resetsAttributes: true }),
        quiet,
      )
      const attributes = await database.db.rows<{ text: string }>(
        `select concat_ws(' ', name, type, summary, weight) as text from attribute where layer_id = 'lyr_people' order by place`,
        [],
      )
      const rows = await valuesOf(database.db)
      said[statistic] = [
        attributes.map(({ text }) => text),
        ...rows.map(({ id, recorded }) => `${id}: ${Object.values(recorded).join(' ')}`),
      ]
    }
    assert.deepEqual(said, {
      sum: [['people number sum'], '1: 22', '2: 22', '5: 5', '6: 9'],
      mean: [['people number weighted_mean area'], '1: 5.5', '2: 5.5', '5: 1.25', '6: 2.25'],
      min: [['people number mean'], '1: 5', '2: 5', '5: 1', '6: 2'],
      max: [['people number mean'], '1: 6', '2: 6', '5: 2', '6: 3'],
      majority: [['people category mode'], '1: 5', '2: 5', '5: Forest', '6: 2'],
      share: [
        ['Forest number weighted_mean area', ...[2, 3, 5, 6].map((n) => `people_${n} number weighted_mean area`)],
        '1: 0 0 0 0.5 0.5',
        '2: 0 0 0 0.5 0.5',
        '5: 0.75 0.25 0 0 0',
        '6: 0 0.75 0.25 0 0',
      ],
    })
  })
})
