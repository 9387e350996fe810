import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import * as statements from '../../src/core/db/statements.js'
import { headerOf } from '../../src/api/inspect/header.js'
import { newDatabase, onPostgres, type TestDatabase, urlOf } from '../support/database.js'
import { bindingsOf, ROOMS } from './bindings.js'
import { type Held, nullFaults } from './guard.js'
import { tablesOf } from './tables.js'

const folder = new URL('sql/', projectFolder)
const everyFile = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .sort()
const filesIn = (name: string) => everyFile.filter((file) => (file.includes('/') ? file.split('/')[0] : '') === name)
const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8').trimEnd()

type Run = Database['rows']
type Parameter = { number: string; name: string; type: string }
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Loops'?: number
  Plans?: Plan[]
}

/** The comment lines that a statement begins with. */
function headOf(text: string): string[] {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  return lines.slice(0, end)
}

function beginsWithItsName(file: string): boolean {
  const first = textOf(file).split('\n')[0] ?? ''
  return first.startsWith(`-- ${basename(file, '.sql')}: `) && /: \S.*[^.]\.$/.test(first)
}

/** The CTEs of a statement that no comment describes, beside their opening parenthesis or in the line below it. */
function ctesWithoutComment(text: string): string[] {
  const opening =
    /(?:\bwith(?: recursive)?|\),) (\w+)(?: \([\w, ]+\))? as (?:(?:not )?materialized )?\((?! *(?:\n *)?-- )/g
  return Array.from(text.matchAll(opening), ([, name = '']) => name)
}

function parametersOf(head: readonly string[]): Parameter[] {
  return head
    .filter((line) => line.includes('$') && line.startsWith('--   '))
    .map((line) => {
      const [, number, name, type] = /^-- {3}\$(\d+) ([a-z_]+) +(\S+)( {2,}\S.*)?$/.exec(line) ?? []
      assert.ok(number && name && type, `not of the form "--   $n name  type  remark": ${line}`)
      return { number, name, type }
    })
}

function indexesOf(head: readonly string[]): string[] {
  const lines = head.filter((line) => /^-- index(es)?\b/.test(line))
  return lines.flatMap((line) => {
    assert.match(line, /^-- index: \w+(, \w+)*$/)
    return line.slice('-- index: '.length).split(', ')
  })
}

/** The statement without comments, its texts and quoted names blanked. */
function codeOf(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"/g, (piece) => {
    if (piece.startsWith("'")) return "''"
    return piece.startsWith('"') ? 'quoted' : ' '
  })
}

/** Lists the output columns of the selects outside all parentheses. */
function outputColumns(code: string): string[] {
  let outside = code
  while (/[([]/.test(outside)) {
    const less = outside.replace(/\([^()[\]]*\)|\[[^()[\]]*\]/g, '')
    assert.notEqual(less, outside, 'the parentheses do not match')
    outside = less
  }
  const selects = [...outside.matchAll(/\bselect\b(?:\s+distinct\b(?:\s+on\b)?)?([\s\S]*?)(?:\b(?:from|where)\b|$)/g)]
  assert.ok(selects.length > 0, 'there is no select')
  return selects.flatMap(([, columns = '']) => columns.split(',').map((column) => column.trim()))
}

/** A fresh copy: in a database that other tests wrote to, small tables have other plans. */
let database: TestDatabase
before(async () => (database = await newDatabase('datasets')))
after(() => database.drop())

let made = 0

/** Prepares a text in a session of its own settings, asks about it, and forgets it. */
function prepared<Answer>(text: string, ask: (run: Run, name: string) => Promise<Answer>): Promise<Answer> {
  return database.db.transaction(async (run) => {
    const name = `held_to_its_header_${(made += 1)}`
    await run(`prepare ${name} as ${text}`, [])
    const answer = await ask(run, name)
    await run(`deallocate ${name}`, [])
    return answer
  })
}

const inferredTypes = (text: string) =>
  prepared(text, async (run, name) => {
    const [row] = await run<{ types: string[] }>(
      'select parameter_types::text[] as types from pg_prepared_statements where name = $1::text',
      [name],
    )
    return row?.types
  })

/** The one plan for all values; prepared anew each time, as a prepared statement keeps the plan it has. */
const genericPlan = (text: string, parameters: number, { seqscan }: { seqscan: boolean }) =>
  prepared(text, async (run, name) => {
    await run('set local plan_cache_mode = force_generic_plan', [])
    if (!seqscan) await run('set local enable_seqscan = off', [])
    const nulls = parameters === 0 ? '' : ` (${Array(parameters).fill('null').join(', ')})`
    const [row] = await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) execute ${name}${nulls}`, [])
    assert.ok(row, 'no plan came')
    return nodesOf(row['QUERY PLAN'][0].Plan)
  })

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const rowsOfExample = (text: string) =>
  prepared(text, async (run, name) => {
    const { example } = headerOf(text)
    return await run<object>(`execute ${name}${example === undefined ? '' : ` (${example})`}`, [])
  })

function assertHouseStyle(text: string, keywords: ReadonlySet<string>): void {
  const code = codeOf(text)
  assert.ok(!code.includes(';'), 'a semicolon: a file is one statement, without one at its end')
  const shouted = code
    .match(/\b[a-z_]\w*/gi)
    ?.filter((word) => word !== word.toLowerCase() && keywords.has(word.toLowerCase()))
  assert.deepEqual(shouted ?? [], [], 'keywords are in lower case')
  for (const column of outputColumns(code))
    assert.match(column, /\bas \w+$/, `the output column "${column}" has no "as"`)
}

async function assertParameters(text: string, parameters: readonly Parameter[]): Promise<void> {
  const numbers = parameters.map(({ number }) => number)
  assert.deepEqual(
    numbers,
    parameters.map((_, i) => String(i + 1)),
    'parameters are described in order',
  )
  assert.equal(new Set(parameters.map(({ name }) => name)).size, parameters.length, 'two parameters have one name')
  const described = await database.db.rows<{ type: string | null }>(
    'select to_regtype(type)::text as type from unnest($1::text[]) with ordinality as given (type, place) order by place',
    [parameters.map(({ type }) => type)],
  )
  const types = described.map(({ type }) => type)
  assert.deepEqual(types, await inferredTypes(text), 'described and inferred parameter types')
}

async function assertIndexes(text: string, parameters: number, indexes: readonly string[]): Promise<void> {
  const known = await database.db.rows<{ name: string }>(
    `select indexname as name from pg_indexes where schemaname = 'public' and indexname = any($1::text[])`,
    [indexes],
  )
  assert.deepEqual(known.map(({ name }) => name).sort(), [...indexes].sort(), 'every index named exists')
  const forced = await genericPlan(text, parameters, { seqscan: false })
  const used = forced.map((node) => node['Index Name'])
  for (const index of indexes)
    assert.ok(used.includes(index), `${index} is not in the plan, which uses ${used.join(' ')}`)
}

async function assertNoScan(text: string, parameters: number): Promise<void> {
  const free = await genericPlan(text, parameters, { seqscan: true })
  const scans = free.filter((node) => node['Relation Name'] === 'frame' && node['Node Type'] === 'Seq Scan')
  assert.equal(scans.length, 0, 'frame is read from end to end')
}

async function assertNoTable(text: string, parameters: number): Promise<void> {
  const nodes = await genericPlan(text, parameters, { seqscan: true })
  const tables = nodes.flatMap((node) => node['Relation Name'] ?? [])
  assert.deepEqual(tables, [], 'it reads a table')
}

describe('the statements of sql/', () => {
  let keywords: Set<string>

  before(async () => {
    const rows = await database.db.rows<{ word: string }>('select word from pg_get_keywords()', [])
    keywords = new Set(rows.map(({ word }) => word))
  })

  for (const file of Object.keys(ROOMS).flatMap(filesIn)) {
    it(`${file} is what its header says`, async () => {
      const text = textOf(file)
      const head = headOf(text)
      assert.ok(beginsWithItsName(file), `the first line is not "-- ${basename(file, '.sql')}: one sentence."`)
      const ofRows = head.findIndex((line) => /^-- (null|null together|kind|json|columns|csv): /.test(line))
      const bytes = Buffer.byteLength(head.slice(0, ofRows < 0 ? head.length : ofRows).join('\n'))
      assert.ok(bytes < 600, `the header has ${bytes} bytes, under 600 are allowed`)
      assertHouseStyle(text, keywords)
      const parameters = parametersOf(head)
      await assertParameters(text, parameters)
      const indexes = indexesOf(head)
      const readsAll = head.includes('-- Reads the whole table, which is small.')
      const readsNone = head.includes('-- Reads no table.')
      assert.ok(
        indexes.length > 0 || parameters.length === 0 || readsAll || readsNone,
        'a statement with parameters has a line "-- index: ...", "-- Reads the whole table, which is small." or "-- Reads no table."',
      )
      if (readsNone) await assertNoTable(text, parameters.length)
      await assertIndexes(text, parameters.length, indexes)
      await assertNoScan(text, parameters.length)
      assert.deepEqual(nullFaults(await rowsOfExample(text), text), [])
    })
  }

  for (const file of filesIn('doctor')) {
    it(`${file} is what its header says, and answers as every check does`, async () => {
      const text = textOf(file)
      const head = headOf(text)
      const bytes = Buffer.byteLength(head.join('\n'))
      assert.ok(bytes < 600, `the header has ${bytes} bytes, under 600 are allowed`)
      assertHouseStyle(text, keywords)
      const columns = outputColumns(codeOf(text)).map((column) => /\bas (\w+)$/.exec(column)?.[1])
      assert.deepEqual([...new Set(columns)], ['severity', 'what', 'fix'])
      const parameters = parametersOf(head)
      await assertParameters(text, parameters)
      await assertIndexes(text, parameters.length, indexesOf(head))
    })
  }

  it('begin with their name and a sentence, in the subfolders too', () => {
    assert.ok(everyFile.length > filesIn('').length)
    assert.deepEqual(
      everyFile.filter((file) => !beginsWithItsName(file)),
      [],
    )
  })

  it('describe each CTE in a comment', () => {
    assert.deepEqual(
      everyFile.flatMap((file) => ctesWithoutComment(textOf(file)).map((name) => `${file}: ${name}`)),
      [],
    )
    // The rule would hold of itself if the pattern found no CTE.
    const bare = everyFile.flatMap((file) => ctesWithoutComment(textOf(file).replace(/ *-- .*/g, '')))
    assert.ok(bare.length > 150, String(bare.length))
  })

  for (const [name, where] of Object.entries(ROOMS))
    it(`of folder "${name}" are each bound once in ${where}, and sent as they stand`, async () => {
      const bindings = (await import(`../../${where.replace('.ts', '.js')}`)) as Record<string, Held>
      const sent = Object.values(bindings).map((each) => ({ file: `${each.name}.sql`, text: each.text }))
      assert.deepEqual(sent.map(({ file }) => file).sort(), filesIn(name))
      for (const { file, text } of sent) assert.equal(text, textOf(file))
    })

  if (onPostgres)
    it('have the types that "npm run schema" writes', async () => {
      for (const [path, text] of Object.entries(await bindingsOf(urlOf(database.adminTarget))))
        assert.equal(readFileSync(new URL(path, projectFolder), 'utf8'), text)
      const tables = readFileSync(new URL('src/core/db/tables.ts', projectFolder), 'utf8')
      assert.equal(tables, await tablesOf(urlOf(database.adminTarget)))
    })

  it('lie in the folders that sql/README.md lists', () => {
    const text = readFileSync(new URL('README.md', folder), 'utf8')
    const list = /^The folders hold the other statements:\n([\s\S]*?)\n## /m.exec(text)?.[1] ?? ''
    const named = Array.from(list.matchAll(/`(\w+)\/`/g), ([, name = '']) => name)
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    assert.deepEqual(named.sort(), folders.map(({ name }) => name).sort())
  })
})

/** A few datasets, whose statistics tell the planner that there are a few. */
const onlySix = `
  delete from licence;
  delete from attribute where layer_id not in (select layer_id from dataset order by kind <> 'frames', layer_id limit 6);
  delete from dataset where layer_id not in (select layer_id from dataset order by kind <> 'frames', layer_id limit 6);
  analyze dataset`

describe('where there are six datasets, of which a call asks for two', () => {
  for (const { name, text } of [statements.recordsOfBaselines, statements.figuresOfBaselines])
    it(`${name} visits the rows of those two alone`, async () => {
      const undone = new Error('undone')
      let visits = 0
      const work = async (run: Run) => {
        for (const step of onlySix.split(';')) await run(step, [])
        const [asked] = await run<{ ids: string; layers: string }>(
          `select (select array_agg(frame_id) from (select frame_id from frame order by 1 limit 100) as asked)::text as ids,
            (select array_agg(layer_id) from (select layer_id from dataset where kind = 'frames' order by 1 limit 2) as few)::text as layers`,
          [],
        )
        await run(`prepare few (bigint[], text[]) as ${text}`, [])
        const [row] = await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, format json) execute few ('${asked?.ids}', '${asked?.layers}')`,
          [],
        )
        await run('deallocate few', [])
        const nodes = row ? nodesOf(row['QUERY PLAN'][0].Plan) : []
        for (const node of nodes) if (node['Relation Name'] === 'baseline_row') visits += node['Actual Loops'] ?? 0
        throw undone
      }
      await database.db.transaction(work).catch((error: unknown) => assert.equal(error, undone))
      assert.equal(visits, 200)
    })
})
