import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { settingsFor } from '../support/cli.js'
import { analystTarget, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { blocks, page, printed, section, shellLines } from './curls.js'

const run = promisify(execFile)
const text = page('sql/README.md')
const blocksOf = (title: string) =>
  blocks(section(text, `## ${title}`), 'sh').map((block) => block.split('\n').filter(Boolean))

describe('the recipes for analysts with GDAL', function () {
  this.timeout(120_000)
  let folder: string
  let ofMarembe: number | undefined
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'frames-recipes-'))
    ofMarembe = await count(`select frames::int as n from state where state = 'MAREMBE'`)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const paste = (lines: string[], env: Record<string, string> = {}) =>
    run('sh', ['-ec', lines.join('\n')], { cwd: folder, env: { ...process.env, ...env } })
  const count = async (sql: string) => (await service().db.rows<{ n: number }>(sql, []))[0]?.n
  const summary = async (file: string, layer: string) =>
    (await run('ogrinfo', ['-so', join(folder, file), layer])).stdout
  const counted = async (file: string, layer: string) =>
    Number(/Feature Count: (\d+)/.exec(await summary(file, layer))?.[1])

  it('read the views, as an analyst', async () => {
    const [lines = []] = blocksOf('With ogr2ogr')
    assert.equal(lines.length, 7)
    const { hostname, port, username, pathname } = new URL(urlOf(analystTarget(service().database)))
    const database = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username}`
    const { stdout, stderr } = await paste(
      lines.map((line) => line.replace(/^DB=.* (schemas=\w+)"$/, `DB='${database} $1'`)),
    )
    assert.equal(stderr, '', 'GDAL warns of nothing')
    assert.match(
      stdout,
      /^\d+: (analyst\.)?frame \(Multi Polygon\)$[\s\S]*^\d+: (analyst\.)?lyr_schools \(Multi Point\)$/m,
    )
    assert.doesNotMatch(stdout, /public\.|^\d+: (baseline_row|feature|unit_area)/m, 'only the views are listed')
    assert.match(stdout, /Geometry: Multi Polygon[\s\S]*frame_id: Integer64[\s\S]*pop_demest26: Real/)
    assert.match(readFileSync(join(folder, 'density.csv'), 'utf8'), /^state,lga,people\n[\s\S]*MAREMBE,LAKESIDE,\d+\n/)
    assert.equal(await counted('marembe.gpkg', 'frame'), ofMarembe)
    assert.equal(
      await counted('people.gpkg', 'people'),
      await count(
        'select count(*)::int as n from analyst.lyr_population where ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))',
      ),
    )
  })

  it('make a raster that has each value in its pixel, and no value where there is none', async () => {
    const { stdout } = await run('gdalinfo', ['-stats', join(folder, 'people.tif')])
    const stated = (name: string) => Number(new RegExp(`${name}=([-\\d.]+)`).exec(stdout)?.[1])
    const [, width = NaN, height = NaN] = /Size is (\d+), (\d+)/.exec(stdout)?.map(Number) ?? []
    const [held] = await service().db.rows<{ n: number; sum: number }>(
      'select count(pop_demest26)::int as n, sum(pop_demest26)::float8 as sum from analyst.lyr_population',
      [],
    )
    const pixels = Math.round((stated('STATISTICS_VALID_PERCENT') / 100) * width * height)
    assert.ok(held && Math.abs(pixels - held.n) < 2, `${pixels} pixels`)
    assert.equal(Math.round(stated('STATISTICS_MEAN') * held.n), held.sum)
    assert.equal(stated('STATISTICS_MINIMUM'), 0)
  })

  it('export a GeoPackage, and make FlatGeobuf of an export with values', async () => {
    const lines = shellLines(section(text, '## Export'))
    const settings = settingsFor(service().database.ownerTarget)
    const inFolder = (word: string) => (/\.(gpkg|geojsonl)$/.test(word) ? join(folder, word) : word)
    const [ofState = ''] = lines.filter((line) => line.endsWith('.gpkg'))
    rmSync(join(folder, 'marembe.gpkg'), { force: true })
    await printed(ofState, settings, inFolder)
    assert.equal(await counted('marembe.gpkg', 'frame'), ofMarembe)
    const [withValues = ''] = lines.filter((line) => line.endsWith('marembe.geojsonl'))
    await printed(withValues, settings, inFolder)
    await paste(lines.filter((line) => line.startsWith('ogr2ogr ')))
    assert.match(await summary('marembe.fgb', 'frame'), /using driver `FlatGeobuf'[\s\S]*pop_demest26: Integer/)
    assert.equal(await counted('marembe.fgb', 'frame'), ofMarembe)
  })
})
