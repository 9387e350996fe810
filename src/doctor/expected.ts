/** The indexes, constraints and triggers that the migrations make, and the functions of sql/functions/. */
import { functionFiles } from '../db/functions.js'

export type Expected = {
  kind: 'index' | 'constraint' | 'trigger'
  name: string
  table: string
  /** Of an index: as PostgreSQL writes it, in lower case, without schema and access method "btree". */
  definition: string
  /** The statements that make it. */
  mend: string
  /** The statement that removes one that is otherwise. */
  undoing: string
}

/** Migrations in their order; what a later one drops is not expected any more. */
export function expectedOf(migrations: readonly string[]): Expected[] {
  const expected = new Map<string, Expected>()
  const put = (one: Expected) => expected.set(one.name, one)
  for (const statement of migrations.flatMap(statementsOf)) {
    const [, table = '', body = ''] = /^create table (?:if not exists )?(\S+) \((.*)\)$/.exec(statement) ?? []
    for (const element of elementsOf(body)) constraintsOf(table, element).forEach(put)
    const [, altered = '', change = ''] = /^alter table (?:only )?(\S+) (.*)$/.exec(statement) ?? []
    for (const action of elementsOf(change)) {
      const [, added] = /^add (?:column )?(.*)$/.exec(action) ?? []
      if (added) constraintsOf(altered, added).forEach(put)
      expected.delete(/^drop constraint (?:if exists )?(\w+)/.exec(action)?.[1] ?? '')
    }
    const [, index, of] =
      /^create (?:unique )?index (?:concurrently )?(?:if not exists )?(\w+) on (\w+)/.exec(statement) ?? []
    if (index && of) put(indexOf(index, of, statement))
    const [, trigger, on] = /^create trigger (\w+) .*? on (\w+)/.exec(statement) ?? []
    if (trigger && on)
      put({ kind: 'trigger', name: trigger, table: on, definition: '', mend: `${statement};`, undoing: '' })
    const [, commented = ''] = /^comment on (?:index|trigger) (\w+)/.exec(statement) ?? []
    const one = expected.get(commented)
    if (one) one.mend += `\n${statement};`
    expected.delete(/^drop (?:index|trigger) (?:if exists )?(\w+)/.exec(statement)?.[1] ?? '')
    const [, gone] = /^drop table (?:if exists )?(\w+)/.exec(statement) ?? []
    for (const { name, table: itsTable } of expected.values()) if (itsTable === gone) expected.delete(name)
  }
  return [...expected.values()]
}

const indexOf = (name: string, table: string, statement: string): Expected => ({
  kind: 'index',
  name,
  table,
  definition: statement.toLowerCase(),
  mend: `${statement};`,
  undoing: `drop index ${name};`,
})

/** The named constraints of a column or a table, each as "alter table" makes it. */
function constraintsOf(table: string, element: string): Expected[] {
  const [column = ''] = element.split(' ')
  return element
    .split(/\bconstraint (?=\w)/)
    .slice(1)
    .map((words) => {
      const [, name = '', rest = ''] = /^(\w+) (.*)$/.exec(words.trim()) ?? []
      const rule = column === 'constraint' ? rest : ruleOf(column, rest)
      return {
        kind: /^(primary key|unique)/.test(rule) ? 'index' : 'constraint',
        name,
        table,
        definition: rule.toLowerCase(),
        mend: `alter table ${table} add constraint ${name} ${rule};`,
        undoing: `alter table ${table} drop constraint ${name};`,
      }
    })
}

function ruleOf(column: string, words: string): string {
  if (words.startsWith('references')) return `foreign key (${column}) ${words}`
  return words.startsWith('check') ? words : `${words} (${column})`
}

/** What stands between the commas outside all parentheses and texts. */
function elementsOf(body: string): string[] {
  return cut(body, ',')
}

/** The statements of a file without its remarks, each on one line; the bodies of functions are kept whole. */
function statementsOf(text: string): string[] {
  return cut(text, ';')
}

const piece = /--[^\n]*|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[\s\S]/g

const cut = (text: string, at: string) =>
  partsOf(text, at).map((part) => part.replace(/('(?:[^']|'')*')|\s+/g, (_, quoted?: string) => quoted ?? ' '))

/** As they are written, but for remarks outside of texts. */
function partsOf(text: string, at: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(piece)) {
    if (token.startsWith('--')) continue
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === at && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}

export type ExpectedFunction = {
  name: string
  /** The statements that make it, with its comment and its revoke. */
  mend: string
  /** The statement that makes a copy in the temporary schema of the session. */
  copy: string
}

export const expectedFunctions = (): ExpectedFunction[] =>
  functionFiles().map(({ name, text }) => {
    const mend = text.replace(/^(--.*\n)*/, '')
    const [definition = ''] = mend.split(/^(?=comment on function )/m)
    return { name, mend, copy: definition.replace('function ', 'function pg_temp.') }
  })
