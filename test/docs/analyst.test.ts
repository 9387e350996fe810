import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { projectFolder, sqlText } from '../../src/core/db/statement.js'
import { headerOf } from '../../src/api/inspect/header.js'
import { settingsFor } from '../support/cli.js'
import { analystTarget, urlOf } from '../support/database.js'
import { service } from '../support/service.js'

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
/** An analyst may not run these. */
const forOwner = recipes.filter(({ sql }) => sql.startsWith('create '))
const forAnalyst = recipes.filter((recipe) => !forOwner.includes(recipe))
const [forPsql = ''] = blocks(under('Run a statement'), 'sql')

/** Folders of statements that calls and pages run. */
const READS = ['', 'catalogue/', 'map/', 'tiles/', 'web/']

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

  it('is joined by the list of all files and functions that an analyst may run', async () => {
    const client = new pg.Client({ connectionString: analystUrl() })
    await client.connect()
    try {
      const runs: string[] = []
      for (const folder of READS) {
        for (const file of readdirSync(new URL(`sql/${folder}`, projectFolder)).filter((name) =>
          name.endsWith('.sql'),
        )) {
          const statement = sqlText(`${folder}${file.replace('.sql', '')}`)
          const { parameters, example = '' } = headerOf(statement)
          const prepared = `prepare example as ${statement}; explain execute example${parameters.length > 0 ? ` (${example})` : ''}`
          const ran = await client.query(prepared).then(
            () => true,
            () => false,
          )
          if (ran) runs.push(`${folder}${file}`)
          await client.query('deallocate all')
        }
      }
      const { rows } = await client.query<{ name: string }>(
        `select case nspname when 'analyst' then 'analyst.' else '' end || proname as name
        from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
        where nspname in ('public', 'analyst') and has_function_privilege(pg_proc.oid, 'execute')
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`,
      )
      const [, list = ''] = /of this folder it may run:\n([^]*?)\n\n(?!\|)/.exec(text) ?? []
      const named = Array.from(list.matchAll(/`([\w/.]+)`/g), ([, name = '']) => name)
      assert.deepEqual(named.toSorted(), [...runs, ...rows.map(({ name }) => name)].toSorted())
    } finally {
      await client.end()
    }
  })

  it('fills the table of points as its owner', async () => {
    const [recipe] = forOwner
    const { db } = service()
    assert.equal(forOwner.length, 2)
    try {
      await db.work(recipe?.sql ?? '')
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

  it('runs as frames_service where it reads the tables', async () => {
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
    const child = run('psql', ['-X', '-v', 'ON_ERROR_STOP=1', '-d', urlOf(service().database.ownerTarget)], {
      cwd: folder,
    })
    child.child.stdin?.end(forOwner[1]?.sql)
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
