import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/db/statement.js'
import { analystTarget } from '../support/database.js'
import { service } from '../support/service.js'
import { page } from './curls.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0
const linesOf = (title: string) =>
  [...(page('sql/README.md').split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, block = '']) => block.split('\n').filter(Boolean),
  )

describe('the recipes for analysts', function () {
  this.timeout(120_000)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-recipes-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const paste = (lines: string[]) => run('sh', ['-ec', lines.join('\n')], { cwd: folder })
  const count = async (text: string) => (await service().db.rows<{ n: number }>(text, []))[0]?.n
  const counted = async (file: string, layer: string) =>
    Number(/Feature Count: (\d+)/.exec((await run('ogrinfo', ['-so', join(folder, file), layer])).stdout)?.[1])

  it('of ogr2ogr read the views, as an analyst', async function () {
    if (!hasOgr && process.env['CI'] !== 'true') return this.skip()
    const [lines = []] = linesOf('With ogr2ogr')
    assert.equal(lines.length, 4)
    const target = analystTarget(service().database)
    const { hostname, port, username, pathname } = new URL(typeof target === 'string' ? target : 'file:///')
    const database =
      typeof target === 'string'
        ? `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username}`
        : `host=${target.host} port=${target.port} dbname=${target.database} user=${target.user}`
    const { stdout } = await paste(lines.map((line) => line.replace(/^DB=.*/, `DB='${database}'`)))
    assert.match(stdout, /Geometry: Multi Polygon[\s\S]*pop_demest26: Real/)
    assert.equal(
      await counted('marembe.gpkg', 'frame'),
      await count(`select frames::int as n from state where state = 'MAREMBE'`),
    )
    assert.equal(
      await counted('people.gpkg', 'people'),
      await count(
        `select count(*)::int as n from analyst.lyr_population where ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))`,
      ),
    )
  })

  it('of export write the files', async function () {
    const [[, ...lines] = []] = linesOf('Export')
    assert.equal(lines.length, 3)
    const words = lines
      .filter((line) => hasOgr || process.env['CI'] === 'true' || !line.includes('.gpkg'))
      .map((line) =>
        line.replace('npm run -s frames -- export', `'${process.execPath}' '${program}' export --url ${service().url}`),
      )
    await paste([`export FRAMES_KEY=${service().secret}`, ...words])
    const lengthOf = (file: string) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').length
    assert.equal(lengthOf('lakeside.geojsonl'), await count(`select frames::int as n from lga where lga = 'LAKESIDE'`))
    assert.equal(
      lengthOf('box.csv') - 1,
      await count(
        'select count(*)::int as n from frame where ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))',
      ),
    )
    if (words.length === 3) {
      assert.equal(
        await counted('marembe.gpkg', 'frame'),
        await count(`select frames::int as n from state where state = 'MAREMBE'`),
      )
    }
  })
})
