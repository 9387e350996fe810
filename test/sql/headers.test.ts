import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Database } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import * as statements from '../../src/core/db/statements.js'
import * as webStatements from '../../src/app/shell/statements.js'
import * as unitStatements from '../../src/core/insight/unit/statements.js'
import * as catalogueStatements from '../../src/app/catalogue/statements.js'
import * as mapStatements from '../../src/app/map/statements.js'
import * as tileStatements from '../../src/app/tiles/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'

const folder = new URL('sql/', projectFolder)
const everyFile = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .sort()
const readFiles = everyFile.filter((file) => basename(file) === file)
const webFiles = everyFile.filter((file) => file.startsWith('web/'))
const tileFiles = everyFile.filter((file) => file.startsWith('tiles/'))
const catalogueFiles = everyFile.filter((file) => file.startsWith('catalogue/'))
const askFiles = everyFile.filter((file) => file.startsWith('ask/'))
const mapFiles = everyFile.filter((file) => file.startsWith('map/'))
const checkFiles = everyFile.filter((file) => file.startsWith('doctor/'))
const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8').trimEnd()

type Run = Database['rows']
type Parameter = { number: string; name: string; type: string }
type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }

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

  for (const file of [...readFiles, ...webFiles, ...tileFiles, ...mapFiles, ...askFiles, ...catalogueFiles]) {
    it(`${file} is what its header says`, async () => {
      const text = textOf(file)
      const head = headOf(text)
      assert.ok(beginsWithItsName(file), `the first line is not "-- ${basename(file, '.sql')}: one sentence."`)
      const bytes = Buffer.byteLength(head.join('\n'))
      assert.ok(bytes < 600, `the header has ${bytes} bytes, under 600 are allowed`)
      assertHouseStyle(text, keywords)
      const parameters = parametersOf(head)
      await assertParameters(text, parameters)
      const indexes = indexesOf(head)
      const readsAll = head.includes('-- Reads the whole table, which is small.')
      const readsNone = head.includes('-- Reads no table.')
      assert.ok(
        indexes.length > 0 || parameters.length === 0 || readsAll || readsNone,
        'a statement with parameters names its index',
      )
      if (readsNone) await assertNoTable(text, parameters.length)
      await assertIndexes(text, parameters.length, indexes)
      await assertNoScan(text, parameters.length)
    })
  }

  for (const file of checkFiles) {
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
    assert.ok(everyFile.length > readFiles.length)
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

  for (const { where, bindings, files } of [
    {
      where: 'the top folder are each bound once in src/core/db/statements.ts',
      bindings: statements,
      files: readFiles,
    },
    {
      where: 'folder web are each bound once in src/app/shell/statements.ts',
      bindings: webStatements,
      files: webFiles,
    },
    {
      where: 'folder tiles are each bound once in src/app/tiles/statements.ts',
      bindings: tileStatements,
      files: tileFiles,
    },
    {
      where: 'folder catalogue are each bound once in src/app/catalogue/statements.ts',
      bindings: catalogueStatements,
      files: catalogueFiles,
    },
    {
      where: 'folder ask are each bound once in src/core/insight/unit/statements.ts',
      bindings: unitStatements,
      files: askFiles,
    },
    { where: 'folder map are each bound once in src/app/map/statements.ts', bindings: mapStatements, files: mapFiles },
  ])
    it(`of ${where}, and sent as they stand`, () => {
      const bound = Object.values(bindings).map(({ name, text }) => ({ file: `${name}.sql`, text }))
      assert.deepEqual(bound.map(({ file }) => file).sort(), files)
      for (const { file, text } of bound) assert.equal(text, textOf(file))
    })
})
