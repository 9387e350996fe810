import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { projectFolder, sqlText } from '../../src/db/statement.js'
import { analystTarget, onPostgres, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { blocks, page, section } from './curls.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0
const linesOf = (title: string) =>
  [...(page('sql/README.md').split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map(
    ([, block = '']) => block.split('\n').filter(Boolean),
  )

const sqlBlocks = blocks(page('sql/README.md'), 'sql')
const forPsql = sqlBlocks.filter((block) => block.startsWith('\\'))
/** An analyst may not run these. */
const forOwner = sqlBlocks.filter((block) => block.startsWith('create '))
const forAnalyst = sqlBlocks.filter((block) => !forOwner.includes(block))

describe('every block of SQL on the page for analysts runs as frames_analyst', function () {
  this.timeout(60_000)
  let client: pg.Client
  before(async () => {
    const target = analystTarget(service().database)
    client = new pg.Client(typeof target === 'string' ? { connectionString: target } : target)
    await client.connect()
  })
  after(() => client.end())

  it('which there are at least a dozen of', () => assert.ok(sqlBlocks.length >= 12 && forPsql.length > 0))

  for (const block of forAnalyst.filter((each) => !forPsql.includes(each))) {
    const [first = ''] = /from analyst\.\w+[^;]*/.exec(block) ?? []
    it(`and finds rows: ${block.split('\n')[0]} ... ${first.split('\n')[0]}`, async () => {
      const { rows } = await client.query<Record<string, unknown>>(block)
      assert.ok(rows.length > 0)
      const isTelling = (value: unknown) => value !== null && value !== '0'
      assert.ok(
        rows.some((row) =>
          Object.entries(row).every(([name, value]) => /^(unit|weight)$/.test(name) || isTelling(value)),
        ),
      )
    })
  }

  it('and takes a statement from its file', async () => {
    const [block = ''] = forPsql
    const statements = block
      .replace(/^\\set .*\n/, '')
      .replace(':text', sqlText(/cat sql\/(\w+)\.sql/.exec(block)?.[1] ?? ''))
      .split(/;\s/)
      .map((part) => part.trim())
      .filter(Boolean)
    assert.equal(statements.length, 4)
    await client.query('begin')
    for (const statement of statements) {
      const { rows } = await client.query(statement.replace(/^set /, 'set local '))
      assert.ok(rows.length > 0 || /^(prepare|set) /.test(statement), statement)
    }
    await client.query('deallocate lgas')
    await client.query('commit')
  })

  it('and takes each statement that it says an analyst may run', async () => {
    const [, list = ''] = /An analyst may run the statements [^:]*:([^]*?)\n\n/.exec(page('sql/README.md')) ?? []
    const files = [...list.matchAll(/`(\w+)\.sql`/g)].map(([, file = '']) => file)
    assert.equal(files.length, 8)
    for (const file of files) {
      const text = sqlText(file)
      const [, example = ''] = /^-- example: (.*)$/m.exec(text) ?? []
      const values = [...example.matchAll(/'([^']*)'/g)].map(([, value]) => value)
      assert.ok((await client.query(text, values)).rows.length > 0, file)
    }
  })

  it('but for the table of points, which its owner fills', async () => {
    const [block = ''] = forOwner
    const { db } = service()
    assert.equal(forOwner.length, 1)
    try {
      await db.work(block)
      const wells = await db.rows<{ name: string; id: string | null }>(
        'select name, frame_id::text as id from survey.well order by name',
        [],
      )
      assert.deepEqual(
        Array.from(wells, ({ name, id }) => [name, id]),
        [
          ['buoy', null],
          ['pump', '322074005'],
          ['well', '324378020'],
        ],
      )
    } finally {
      await db.work('drop schema survey cascade')
    }
  })

  if (onPostgres) {
    const psql = async (input: string, words: string[]) => {
      const options = { cwd: projectFolder, maxBuffer: 1 << 26 }
      const child = execFile('psql', ['-X', '-v', 'ON_ERROR_STOP=1', ...words], options)
      const said: string[] = []
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: string) => said.push(data))
      child.stdin?.end(input)
      const status = await new Promise((done) => child.once('close', done))
      assert.equal(status, 0, said.join(''))
      return said.join('')
    }

    it('and in psql, pasted as it stands', async () => {
      const said = await psql(forAnalyst.join('\n'), ['-d', urlOf(analystTarget(service().database))])
      assert.match(said, /LAKESIDE[\s\S]*QUERY PLAN[\s\S]*Buffers/)
    })

    it('but for the statements that read the tables, which run as frames_service', async () => {
      const [line = ''] = blocks(section(page('sql/README.md'), '## Run a statement'), 'sh')
      const as = line.replace('psql -d frames -U frames_service', `psql -X -d '${urlOf(service().database.target)}'`)
      assert.notEqual(as, line)
      const { stdout } = await run('sh', ['-ec', as], { cwd: projectFolder })
      assert.match(stdout, /324378020[\s\S]*frame_geom_idx/)
    })
  }
})

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
    assert.equal(lines.length, 6)
    const target = analystTarget(service().database)
    const { hostname, port, username, pathname } = new URL(typeof target === 'string' ? target : 'file:///')
    const database =
      typeof target === 'string'
        ? `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username}`
        : `host=${target.host} port=${target.port} dbname=${target.database} user=${target.user}`
    const { stdout } = await paste(lines.map((line) => line.replace(/^DB=.* (schemas=\w+)"$/, `DB='${database} $1'`)))
    assert.match(
      stdout,
      /^\d+: (analyst\.)?frame \(Multi Polygon\)$[\s\S]*^\d+: (analyst\.)?lyr_schools \(Multi Point\)$/m,
    )
    assert.doesNotMatch(stdout, /public\.|^\d+: (baseline_row|feature|unit_area)/m, 'only the views are listed')
    assert.match(stdout, /Geometry: Multi Polygon[\s\S]*frame_id: Integer64[\s\S]*pop_demest26: Real/)
    assert.match(readFileSync(join(folder, 'density.csv'), 'utf8'), /^state,lga,people\n[\s\S]*MAREMBE,LAKESIDE,\d+\n/)
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

  it('of export with values write the files, and ogr2ogr makes FlatGeobuf of one', async function () {
    const [, lines = [], ogr = []] = linesOf('Export')
    assert.equal(lines.length, 3)
    const { ownerTarget: target } = service().database
    const words = lines.map((line) =>
      line.replace(
        'npm run -s frames -- export',
        `'${process.execPath}' '${program}' export ${line.includes('--org') ? '' : `--url ${service().url}`}`,
      ),
    )
    const database = typeof target === 'string' ? `DATABASE_URL='${target}'` : `DATA_DIR='${target.host}'`
    await paste([`export ${database} FRAMES_KEY=${service().secret}`, ...words])
    const people = readFileSync(join(folder, 'people.csv'), 'utf8').trimEnd().split('\n')
    assert.match(people[0] ?? '', /,wkt,pop_demest25,pop_demest26$/)
    assert.equal(people.length - 1, await count(`select frames::int as n from lga where lga = 'LAKESIDE'`))
    assert.equal(readFileSync(join(folder, 'marembe.parquet')).subarray(-4).toString(), 'PAR1')
    if (!hasOgr && process.env['CI'] !== 'true') return this.skip()
    await paste(ogr)
    const { stdout } = await run('ogrinfo', ['-so', join(folder, 'marembe.fgb'), 'frame'])
    assert.match(stdout, /using driver `FlatGeobuf'[\s\S]*pop_demest26: Integer/)
    assert.equal(
      await counted('marembe.fgb', 'frame'),
      await count(`select frames::int as n from state where state = 'MAREMBE'`),
    )
  })

  it('of locate write the frame of each point beside its row', async () => {
    const [lines = []] = linesOf('Locate points')
    assert.equal(lines.length, 4)
    const { ownerTarget: target } = service().database
    writeFileSync(join(folder, 'sites.csv'), 'name,longitude,latitude\nwell,0.205,0.105\nbuoy,50,50\n')
    const words = lines.map((line) =>
      line
        .replace('npm run -s frames --', `'${process.execPath}' '${program}'`)
        .replace('http://127.0.0.1:3000', service().url),
    )
    const database = typeof target === 'string' ? `DATABASE_URL='${target}'` : `DATA_DIR='${target.host}'`
    await paste([`export ${database} FRAMES_KEY=${service().secret}`, ...words])
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    assert.match(
      read('located.csv'),
      /^name,longitude,latitude,frame_id,state,[^]*^well,0\.205,0\.105,324378020,MAREMBE,/m,
    )
    assert.match(read('people.csv'), /,frame_id,pop_demest25,pop_demest26,phy_\w+[^]*^buoy,50,50,,,,/m)
    assert.match(read('through-api.csv'), /,frame_id,pop_demest25,pop_demest26\nwell,0\.205,0\.105,324378020,\d+,\d+\n/)
    assert.equal(read('piped.csv'), 'name,longitude,latitude,frame_id\nwell,0.205,0.105,324378020\nbuoy,50,50,\n')
  })
})
