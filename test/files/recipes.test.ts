/** The lines of docs/files.md: what they write comes in again, and programs read it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { frames, settingsFor, wordsOf } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { newFolder } from '../support/temporary.js'
import { mint, startService } from '../support/service.js'
import { blocks, page, section } from '../docs/curls.js'
import { read } from './read.js'

const text = page('docs/files.md')
const run = promisify(execFile)

describe('the page about files', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let secret: string
  const folder = newFolder('recipes')
  const pasted = (line: string) => line.replaceAll('http://127.0.0.1:3000', running.url)
  const inFolder = async (program: string, ...words: string[]) =>
    (await run(program, words, { cwd: folder, env: { ...process.env, KEY: secret } })).stdout
  const fetched = async (name: string, to = name) =>
    writeFileSync(join(folder, to), (await read(`${running.url}/files/${name}`, { secret })).bytes)
  const rowsOf = (sql: string) => database.db.rows<Record<string, unknown>>(sql, [])

  before(async () => {
    database = await newDatabase('datasets')
    running = await startService(database)
    secret = (await mint(database.db, { org: 'demo' })).secret
  })
  after(async () => {
    await running.stop()
    await database.drop()
  })

  it('has lines of curl that bring the list and the files', async () => {
    const [lines = ''] = blocks(text, 'sh')
    const list = await inFolder('sh', '-ec', pasted(lines.replaceAll('curl ', 'curl -sSf ')))
    assert.ok(JSON.parse(list), list)
    assert.match(readFileSync(join(folder, 'people.csv'), 'utf8'), /^frame_id,.*,pop_demest26/)
  })

  it('has a recipe for DuckDB, whose sums are those of the database', async () => {
    await fetched('lyr_population.parquet', 'people.parquet')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const [sql = ''] = blocks(text, 'sql')
    const file = join(folder, 'people.parquet')
    const answer = await connection.runAndReadAll(sql.replace('people.parquet', file))
    const stored = await rowsOf(
      `select state, sum((recorded ->> 'pop_demest26')::numeric)::text as people
      from baseline join frame using (frame_id) where layer_id = 'lyr_population' group by state order by state collate "C"`,
    )
    assert.deepEqual(
      answer.getRowObjectsJson(),
      stored.map((row) => ({ ...row })),
    )
  })

  it('has a recipe for GDAL, which reads parts of the file', async () => {
    const line = blocks(text, 'sh')[1] ?? ''
    const [count] = await rowsOf(`select items from dataset where layer_id = 'lyr_schools'`)
    const said = await inFolder('sh', '-ec', pasted(line))
    assert.match(said, new RegExp(`Feature Count: ${String(count?.['items'])}\n`))
    assert.match(said, /^feature_id: String/m)
  })

  it('has a recipe for pandas', async () => {
    const [program = ''] = blocks(text, 'python')
    const said = await inFolder('/usr/bin/python3', '-c', pasted(program))
    const [row] = await rowsOf(
      `select sum((recorded ->> 'pop_demest26')::numeric)::text as people
      from baseline join frame using (frame_id) where layer_id = 'lyr_population' and state = 'MAREMBE'`,
    )
    assert.match(said, new RegExp(`^MAREMBE +${String(row?.['people'])}`, 'm'))
  })

  it('has a recipe for R, where it is installed', async function () {
    const hasR = await run('Rscript', ['-e', 'library(sf)']).then(Boolean, () => false)
    if (!hasR) return this.skip()
    const [program = ''] = blocks(text, 'r')
    const said = await inFolder('Rscript', '-e', pasted(program))
    const [row] =
      await rowsOf(`select items, (select feature_id from feature where feature.version = dataset.version and feature_no = 1) as first
      from dataset where layer_id = 'lyr_schools'`)
    assert.equal(said, `${String(row?.['items'])} schools, the first is ${String(row?.['first'])} \n`)
  })

  it('has lines that bring a file in again: ids, values, catalogue, shapes and properties', async () => {
    await fetched('lyr_population.csv', 'people.csv')
    await fetched('lyr_population.attributes.json', 'people.attributes.json')
    await fetched('lyr_schools.csv', 'schools.csv')
    await comesBack('people.csv', 'schools.csv')
    for (const name of ['lyr_population.parquet', 'lyr_schools.parquet', 'lyr_schools.gpkg']) await fetched(name)
    await comesBack('lyr_population.parquet', 'lyr_schools.gpkg')
    await comesBack('lyr_population.parquet', 'lyr_schools.parquet')
  })

  /** Runs the lines of the page with these files, and compares all that is kept. */
  async function comesBack(people: string, schools: string): Promise<void> {
    for (const line of (blocks(section(text, '## Back in'), 'text')[0] ?? '').trimEnd().split('\n')) {
      const named = line.replace('people.csv', people).replace('schools.csv', schools)
      const words = wordsOf(named.replace('npm run -s frames -- ', '')).map((word) =>
        /\.(csv|json|gpkg|parquet)$/.test(word) ? join(folder, word) : word,
      )
      const { status, err } = await frames(words, settingsFor(database.ownerTarget))
      assert.equal(status, 0, err)
    }
    const rows = (layer: string, column: string) =>
      rowsOf(`select json_agg(json_build_array(frame_id, recorded ->> '${column}') order by frame_id)::text as rows
        from baseline where layer_id = '${layer}'`)
    assert.deepEqual(await rows('lyr_people', 'pop_demest26'), await rows('lyr_population', 'pop_demest26'))
    const entry = (layer: string) =>
      rowsOf(`select to_jsonb(attribute) - '{layer_id,lower,upper,draws,place}'::text[] as entry from attribute
        where layer_id = '${layer}' and name = 'pop_demest26'`)
    assert.deepEqual(await entry('lyr_people'), await entry('lyr_population'))
    const features = (layer: string) =>
      rowsOf(`select json_agg(json_build_array(feature_id, geojson,
          (select json_object_agg(key, value order by key) from json_each_text(properties) where value <> '')) order by feature_no)::text as features
        from feature join dataset using (version) where layer_id = '${layer}'`)
    assert.deepEqual(await features('lyr_all_schools'), await features('lyr_schools'))
  }
})
