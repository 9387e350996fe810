import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { projectFolder, sqlText } from '../../src/db/statement.js'
import { settingsFor } from '../support/cli.js'
import { analystTarget, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { blocks, page, printed, section, shellLines } from './curls.js'

const run = promisify(execFile)
const text = page('sql/README.md')
const under = (title: string) => section(text, `## ${title}`)
const analystUrl = () => urlOf(analystTarget(service().database))

const sqlBlocks = blocks(text, 'sql')
const forPsql = sqlBlocks.filter((block) => block.startsWith('\\'))
/** An analyst may not run these. */
const forOwner = sqlBlocks.filter((block) => block.startsWith('create '))
const forAnalyst = sqlBlocks.filter((block) => !forOwner.includes(block))

describe('every block of SQL on the page for analysts runs as frames_analyst', function () {
  this.timeout(60_000)
  let client: pg.Client
  before(async () => {
    client = new pg.Client({ connectionString: analystUrl() })
    await client.connect()
  })
  after(() => client.end())

  it('which there are at least a dozen of', () => assert.ok(sqlBlocks.length >= 12 && forPsql.length > 0))

  for (const block of forAnalyst.filter((each) => !forPsql.includes(each))) {
    const [first = ''] = /from analyst\.\w+[^;]*/.exec(block) ?? []
    it(`and finds rows: ${block.split('\n')[0]} ... ${first.split('\n')[0]}`, async () => {
      const { rows } = await client.query<Record<string, unknown>>(block)
      const isTelling = (value: unknown) => value !== null && value !== '0'
      assert.ok(
        rows.some((row) =>
          Object.entries(row).every(([name, value]) => /^(unit|weight)$/.test(name) || isTelling(value)),
        ),
      )
    })
  }

  it('and takes each statement that it says an analyst may run', async () => {
    const [, list = ''] = /An analyst may run the statements [^:]*:([^]*?)\n\n/.exec(text) ?? []
    const files = [...list.matchAll(/`(\w+)\.sql`/g)].map(([, file = '']) => file)
    assert.equal(files.length, 8)
    for (const file of files) {
      const [, example = ''] = /^-- example: (.*)$/m.exec(sqlText(file)) ?? []
      const values = [...example.matchAll(/'([^']*)'/g)].map(([, value]) => value)
      assert.ok((await client.query(sqlText(file), values)).rows.length > 0, file)
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

  it('and in psql, pasted as it stands', async () => {
    const child = run('psql', ['-X', '-v', 'ON_ERROR_STOP=1', '-d', analystUrl()], {
      cwd: projectFolder,
      maxBuffer: 1 << 26,
    })
    child.child.stdin?.end(forAnalyst.join('\n'))
    assert.match((await child).stdout, /LAKESIDE[\s\S]*QUERY PLAN[\s\S]*Buffers/)
  })

  it('but for the statements that read the tables, which run as frames_service', async () => {
    const [line = ''] = blocks(under('Run a statement'), 'sh')
    const as = line.replace('psql -d frames -U frames_service', `psql -X -d '${urlOf(service().database.target)}'`)
    assert.notEqual(as, line)
    const { stdout } = await run('sh', ['-ec', as], { cwd: projectFolder })
    assert.match(stdout, /324378020[\s\S]*frame_geom_idx/)
  })
})

describe('the page for analysts is right', function () {
  this.timeout(60_000)
  const asService = () => settingsFor(service().database.target)
  const asOwner = () => settingsFor(service().database.ownerTarget)

  it('about the statements: it names every one', () => {
    const files = readdirSync(new URL('sql/', projectFolder)).filter((file) => file.endsWith('.sql'))
    assert.deepEqual(
      files.filter((file) => !text.includes(file)),
      [],
    )
  })

  it('about what a call runs', async () => {
    const lines = shellLines(under('See what a call runs'))
    assert.equal(lines.length, 4)
    const said = await Promise.all(lines.map((line) => printed(line, asService())))
    const [first = '', question = '', data = '', prepared = ''] = said
    for (const piece of blocks(under('See what a call runs'), 'text')[0]?.split('...\n') ?? [''])
      assert.ok(first.includes(piece), piece)
    assert.match(question, /-- words_of_question: [\s\S]*'\{how,many,people[,}]/)
    assert.match(data, /asked by organisation Rich Survey [\s\S]*'\{lyr_population\}'::text\[\]/)
    assert.match(
      prepared,
      /\nprepare frames_at \(float8\[\], float8\[\]\) as\n[\s\S]*\nexecute frames_at \('\{0\.205\}', '\{0\.105\}'\);/,
    )
  })

  it('about plans, and about other indexes', async () => {
    const [plan = ''] = shellLines(under('Read its plans'))
    assert.match(
      await printed(plan, asService()),
      /Index Scan using frame_state_frame_id_idx[\s\S]*=> Within its budget: buffers[\s\S]*=> Nothing to do\.\n$/,
    )
    const [trial = ''] = shellLines(under('Try an index'))
    assert.match(
      await printed(trial, asOwner()),
      /^With frame_geom_idx1 on frame: built in [\s\S]*\nRolled back: the indexes are as they were\.\n$/m,
    )
  })

  it('about budgets, which are those of a file', () => {
    const [budget = ''] = blocks(under('Budgets'), 'text')
    assert.ok(page('sql/frames_in_state.sql').includes(budget))
  })
})

describe('the recipes for analysts', function () {
  this.timeout(60_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-recipes-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const linesOf = (file: string) => read(file).trimEnd().split('\n').length
  const framesWhere = async (condition: string) =>
    (await service().db.rows<{ n: number }>(`select count(*)::int as n from frame where ${condition}`, []))[0]?.n

  /** Runs a line with its files in the folder. A line that names no organisation asks the API. */
  function recipe(line: string): Promise<string> {
    const isOfFile = (word: string) => /^[\w-]+\.(csv|geojsonl|parquet)$/.test(word)
    const url = line.includes(' export ') && !line.includes('--org') ? ` --url ${service().url}` : ''
    const settings = { ...settingsFor(service().database.ownerTarget), FRAMES_KEY: service().secret }
    return printed(line.replace('http://127.0.0.1:3000', service().url) + url, settings, (word) =>
      isOfFile(word) ? join(folder, word) : word,
    )
  }

  it('of export write the files', async () => {
    const [set, ...lines] = shellLines(under('Export'))
    assert.equal(set, 'export FRAMES_KEY=svc_sk_...')
    const exports = lines.filter((line) => line.includes(' export ') && !line.includes('.gpkg'))
    assert.equal(exports.length, 5)
    for (const line of exports) await recipe(line)
    const lakeside = await framesWhere(`state = 'MAREMBE' and lga = 'LAKESIDE'`)
    assert.equal(linesOf('lakeside.geojsonl'), lakeside)
    assert.equal(
      linesOf('box.csv') - 1,
      await framesWhere('ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))'),
    )
    assert.equal(linesOf('people.csv') - 1, lakeside)
    assert.match(read('people.csv'), /,wkt,pop_demest25,pop_demest26\n/)
    assert.equal(linesOf('marembe.geojsonl'), await framesWhere(`state = 'MAREMBE'`))
    assert.equal(readFileSync(join(folder, 'marembe.parquet')).subarray(-4).toString(), 'PAR1')
  })

  it('of locate write the frame of each point beside its row', async () => {
    const lines = shellLines(under('Locate points'))
    assert.equal(lines.length, 4)
    writeFileSync(join(folder, 'sites.csv'), 'name,longitude,latitude\nwell,0.205,0.105\nbuoy,50,50\n')
    for (const line of lines.filter((each) => !each.includes('<'))) await recipe(line)
    assert.match(
      read('located.csv'),
      /^name,longitude,latitude,frame_id,state,[^]*^well,0\.205,0\.105,324378020,MAREMBE,/m,
    )
    assert.match(read('people.csv'), /,frame_id,pop_demest25,pop_demest26,phy_\w+[^]*^buoy,50,50,,,,/m)
    assert.match(read('through-api.csv'), /,frame_id,pop_demest25,pop_demest26\nwell,0\.205,0\.105,324378020,\d+,\d+\n/)
    const program = `'${process.execPath}' '${fileURLToPath(new URL('dist/src/main.js', projectFolder))}'`
    const piped = lines.find((line) => line.includes('<'))?.replace('npm run -s frames --', program) ?? ''
    await run('sh', ['-ec', piped], { cwd: folder, env: settingsFor(service().database.ownerTarget) })
    assert.equal(read('piped.csv'), 'name,longitude,latitude,frame_id\nwell,0.205,0.105,324378020\nbuoy,50,50,\n')
  })
})
