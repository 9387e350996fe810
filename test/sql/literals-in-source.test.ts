import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { projectFolder } from '../../src/db/statement.js'

/** The start of a statement. Those that begin and end transactions do not count: the drivers send them too. */
const SQL =
  /^\s*(select\s+(?!all\b)[\w*(:$]|insert\s+into\b|update\s+\w+\s+set\b|delete\s+from\b|create\s+(table|index|temporary|unlogged|extension|function|view|schema)\b|drop\s+\w+\b|alter\s+\w+\b|truncate\b|set\s+(local\b|transaction\b|\w+\s*=)|analyze\s+\w+\b(?!,)|vacuum\b|copy\s+\w+\s+(from|to)\b|lock\s+table\b|explain\b|prepare\b|execute\b|deallocate\b|reset\s+\w|with\s+\w+\s+as\b|listen\b|notify\b)/i

/** Statements that stay in strings, each with its reason. */
const ALLOWED: [file: string, statement: RegExp, reason: string][] = [
  [
    'inspect/explained.ts',
    /^(explain|deallocate|analyze) /,
    'it runs a file under explain, which PostgreSQL takes as text alone',
  ],
  ['inspect/explanation.ts', /^deallocate /, 'it forgets a statement that its time limit stopped, by its name'],
  ['inspect/literals.ts', /^(prepare|execute) /, 'it writes what a person pastes into psql'],
  ['web/', /^select [^;]* from analyst\./, 'it writes what an analyst pastes into psql'],
  ['doctor/', /^(alter table|drop (index|trigger)) /, 'it writes fixes that a person pastes into psql'],
  ['db/pooler.ts', /^alter role /, 'it writes what a person pastes into psql'],
  ['access/key-use-writer.ts', /^\s*select key_id, /, 'it is part of a write of Kysely, whose rows come from arrays'],
  ['db/embedded/', /^(deallocate|reset) /, 'it ends what a client leaves behind, in messages of the protocol'],
]

const folder = new URL('src/', projectFolder)

/** The literals of a source text, without its comments. Regular expressions hold no quotes that would mislead it. */
function literalsOf(source: string): string[] {
  const pieces = source.matchAll(
    /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g,
  )
  return [...pieces].flatMap(([, single, double, template]) => single ?? double ?? template ?? [])
}

describe('no string in src/ is a statement', () => {
  it('except those that this test names, with a reason', () => {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .flatMap((file) =>
        literalsOf(readFileSync(new URL(file, folder), 'utf8'))
          .filter((literal) => SQL.test(literal.replace(/^(\$\{\w+\}\s*)+/, '')))
          .filter((literal) => !ALLOWED.some(([name, statement]) => file.startsWith(name) && statement.test(literal)))
          .map((literal) => `src/${file}: ${literal.trim().slice(0, 80)}`),
      )
    assert.deepEqual(found, [])
  })

  it('and the test finds one that is there', () => {
    const source =
      "const text = 'select 1'; // 'select 2'\nawait run(`set local x = ${value}`)\nconst word = 'selected'"
    assert.deepEqual(
      literalsOf(source).filter((literal) => SQL.test(literal)),
      ['select 1', 'set local x = ${value}'],
    )
  })
})
