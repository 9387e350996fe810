import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { frames, settingsFor, wordsOf } from '../support/cli.js'
import { analystTarget, newLogin, urlOf } from '../support/database.js'
import { fixture, service } from '../support/service.js'
import { sqlReadme } from '../sql/readme.js'
import { blocks, page, printed, section, shellLines } from './curls.js'

const run = promisify(execFile)
const text = page('sql/README.md')
const under = (title: string) => section(text, `## ${title}`)
const analystUrl = () => urlOf(analystTarget(service().database))

/** Each statement of the recipes, with the output that stands below it. */
const recipes = Array.from(
  page('sql/recipes.md').matchAll(/```sql\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/g),
  ([, sql = '', output]) => ({ sql, output }),
)
/** These make tables, which needs a login of one's own. */
const forLogin = recipes.filter(({ sql }) => sql.startsWith('create '))
const forAnalyst = recipes.filter((recipe) => !forLogin.includes(recipe))
const [forPsql = ''] = blocks(under('Run a statement'), 'sql')

describe('every block of SQL on the pages for analysts', function () {
  this.timeout(60_000)

  it('is pasted into psql by frames_analyst, and prints what the page shows', async () => {
    const script = [...forAnalyst.map(({ sql }) => sql), forPsql].map((sql) => `\\echo ###\n${sql}`).join('\n')
    const child = run('psql', ['-X', '-v', 'ON_ERROR_STOP=1', '-d', analystUrl()], {
      cwd: projectFolder,
      maxBuffer: 1 << 26,
    })
    child.child.stdin?.end(script)
    const lines = (await child).stdout.split('\n').map((line) => line.trimEnd())
    const parts = lines.join('\n').split('###\n').slice(1)
    assert.ok(forAnalyst.length >= 20 && forAnalyst.filter(({ output }) => output === undefined).length <= 1)
    for (const [i, { sql, output }] of forAnalyst.entries()) {
      const [head = '', tail = ''] = output?.split('...\n') ?? []
      const came = `${parts[i]?.trimEnd()}\n`
      assert.ok(came.startsWith(head) && came.endsWith(tail || head), `${sql}${came.slice(0, 2000)}`)
      assert.doesNotMatch(came, /^\(0 rows\)$/m)
    }
    assert.match(parts.at(-1) ?? '', /LAKESIDE[^]*QUERY PLAN[^]*Buffers/)
  })

  it('fills the table of points with the login that the page makes, and prints what the page shows', async () => {
    const [recipe] = forLogin
    assert.equal(forLogin.length, 2)
    const admin = urlOf(service().database.adminTarget)
    const [line = ''] = blocks(under('A login of your own'), 'sh')
    const pasted = line.replace('PASSWORD=...', 'PASSWORD=secret').replace(/-d \S+/, `-d '${admin}'`)
    await run('sh', ['-ec', pasted], { cwd: projectFolder })
    const loginUrl = admin.replace('//postgres@', '//ada@')
    const { stdout } = await run('psql', ['-X', '-q', '-d', loginUrl, '-c', recipe?.sql ?? ''])
    const trimmed = (some = '') =>
      some
        .split('\n')
        .map((each) => each.trimEnd())
        .join('\n')
        .trimEnd()
    assert.equal(trimmed(stdout), trimmed(recipe?.output))
  })

  it('runs as frames_service where it reads the tables', async () => {
    const [line = ''] = blocks(under('Run a statement'), 'sh')
    const as = line.replace('psql -d frames -U frames_service', `psql -X -d '${urlOf(service().database.target)}'`)
    assert.notEqual(as, line)
    const { stdout } = await run('sh', ['-ec', as], { cwd: projectFolder })
    assert.match(stdout, /324378020[\s\S]*frame_geom_idx/)
  })
})

/** The commands of GDAL run in analyst-gdal.test.ts, as the role. */
describe('every other command of the page for analysts', function () {
  this.timeout(60_000)
  const lines = shellLines(text.replaceAll(' \\\n', ' ')).filter((line) => !/^(DB=|ogr|gdal)/.test(line))
  const ofFrames = lines.filter((line) => line.startsWith('npm run -s frames -- '))
  const sectionOf = (line: string) => text.split('\n## ').find((each) => each.includes(line)) ?? ''

  it('names the role that it needs: in its own line, or in its section and in what it says to frames_analyst', async () => {
    assert.ok(ofFrames.length >= 10)
    for (const line of lines.filter((each) => !ofFrames.includes(each)))
      assert.match(line, /^(LOGIN_PASSWORD=\.\.\. )?psql .*(-U |\/\/)(postgres|frames_service)\b/)
    for (const line of ofFrames) {
      const words = wordsOf(line.replace('area.geojson', fixture('outline.geojson'))).slice(5)
      const { status, err } = await frames(words, settingsFor(analystUrl()))
      const [, roles = ''] = /^"[\w ]+" needs the rights of (frames_[\w ]+)\. Set DATABASE_URL/.exec(err) ?? []
      assert.deepEqual([status, roles === ''], [1, false], `${line}: ${err}`)
      // Only an owner tries an index, as "explain" says to frames_service.
      for (const role of line.includes(' --with ') ? ['frames_owner'] : roles.split(' or '))
        assert.ok(sectionOf(line).includes(`\`${role}\``), `${line}: ${role}`)
    }
  })
})

describe('the page for analysts is right', function () {
  this.timeout(60_000)
  const asService = () => settingsFor(service().database.target)
  const asOwner = () => settingsFor(service().database.ownerTarget)

  it('about the statements, and about those that an analyst may run; "npm run schema" writes both tables', async () => {
    assert.equal(text, await sqlReadme(analystUrl()))
  })

  it('about what a call runs', async () => {
    const lines = shellLines(under('See what a call runs'))
    assert.equal(lines.length, 4)
    const said = await Promise.all(lines.map((line) => printed(line, asService())))
    const [first = '', question = '', data = '', prepared = ''] = said
    for (const piece of blocks(under('See what a call runs'), 'text')[0]?.split('...\n') ?? [''])
      assert.ok(first.includes(piece), piece)
    assert.match(question, /-- words_of_question: [\s\S]* from unnest\(array\['#count', 'people'\]/)
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

  /** Runs a line with its files in the folder. */
  function recipe(line: string): Promise<string> {
    const isOfFile = (word: string) => /^[\w-]+\.(csv|geojson|geojsonl|gpkg|parquet)$/.test(word)
    return printed(line, settingsFor(service().database.ownerTarget), (word) =>
      isOfFile(word) ? join(folder, word) : word,
    )
  }

  it('of export write the files', async () => {
    const exports = shellLines(under('Export')).filter((line) => line.includes(' export '))
    assert.equal(exports.length, 5)
    const ring = '[[0.2,0.1],[0.3,0.1],[0.3,0.2],[0.2,0.2],[0.2,0.1]]'
    writeFileSync(join(folder, 'area.geojson'), `{"type":"Polygon","coordinates":[${ring}]}`)
    for (const line of exports) await recipe(line)
    const lakeside = await framesWhere(`state = 'MAREMBE' and lga = 'LAKESIDE'`)
    assert.equal(linesOf('lakeside.geojsonl'), lakeside)
    assert.equal(
      linesOf('area.csv') - 1,
      await framesWhere('ST_Intersects(geom, ST_MakeEnvelope(0.2, 0.1, 0.3, 0.2, 4326))'),
    )
    assert.equal(linesOf('marembe.geojsonl'), await framesWhere(`state = 'MAREMBE'`))
    assert.equal(readFileSync(join(folder, 'marembe.parquet')).subarray(-4).toString(), 'PAR1')
    assert.equal(readFileSync(join(folder, 'marembe.gpkg')).subarray(68, 72).toString(), 'GPKG')
  })

  it('of a CSV file of points write their frames and values beside its rows', async () => {
    writeFileSync(
      join(folder, 'sites.csv'),
      'name,longitude,latitude\nwell,0.205,0.105\n"a, b",0.055,-0.535\nbuoy,50,50\n',
    )
    const child = run('psql', ['-X', '-v', 'ON_ERROR_STOP=1', '-d', newLogin(service().database, 'ada')], {
      cwd: folder,
    })
    child.child.stdin?.end(forLogin[1]?.sql)
    await child
    const [names, ...lines] = read('located.csv').trimEnd().split('\n')
    assert.equal(names, 'name,lon,lat,frame_id,state,lga,ward,pop_demest26')
    assert.deepEqual(lines.toSorted(), [
      '"a, b",0.055,-0.535,322074005,CÔTE ÉVORA,MERIDIAN BAY,WEST QUAY,10782',
      'buoy,50,50,,,,,',
      'well,0.205,0.105,324378020,MAREMBE,LAKESIDE,LAKE ISLAND,0',
    ])
  })
})
