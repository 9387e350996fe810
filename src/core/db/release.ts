/** Lists what this release makes in a database: migrations, functions, styles and objects. */
import { readdirSync, readFileSync } from 'node:fs'
import { projectFolder, sqlText } from './statement.js'

const namesIn = (folder: string, ending: string): string[] =>
  readdirSync(new URL(folder, projectFolder))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()

export const migrationNames = () => namesIn('migrations/', '.sql').filter((name) => /^\d{3}_/.test(name))

/**
 * PostgreSQL resolves the names in a body of plain SQL when it makes the function: these come before the functions that
 * call them.
 */
const CALLED_IN_SQL = ['analyst_name', 'analyst_own_columns']

/** Lists the functions in an order in which PostgreSQL can make them. */
export function functionNames(): string[] {
  const others = namesIn('sql/functions/', '.sql').filter((name) => !CALLED_IN_SQL.includes(name))
  return [...CALLED_IN_SQL, ...others]
}

export type FunctionFile = {
  name: string
  /** The statements: "create or replace function", its comment, and its revoke. */
  text: string
}

export const functionFiles = (): FunctionFile[] =>
  functionNames().map((name) => ({ name, text: sqlText(`functions/${name}`) }))

export function styleFiles(): [names: string[], texts: string[]] {
  const names = namesIn('sql/styles/', '.qml')
  return [names, names.map((name) => readFileSync(new URL(`sql/styles/${name}.qml`, projectFolder), 'utf8'))]
}

/** sql/schema/objects.sql has a row for each. */
export type SchemaObject = {
  kind: string
  /** The table, view, function or schema that it is, or belongs to. */
  relation: string
  name: string
  /** PostgreSQL writes this text; blank for an object that is known by its name. */
  definition: string
  /** Makes the object, with its comment; null for a table, and for a function, which has a file. */
  statement: string | null
}

export type PresentObject = SchemaObject & {
  /** Takes the object away. */
  removal: string | null
  /** The end of a sentence about what is wrong with it in any database; blank where nothing is. */
  state: string
  repair: string
  owner: string | null
}

export const OBJECTS = sqlText('schema/objects')

/** Views of datasets follow the datasets. */
export const isOfDataset = ({ relation }: SchemaObject): boolean => relation.startsWith('analyst.lyr_')

/** "npm run schema" writes the file from a new database, and a test compares both. */
export const expectedObjects = (): SchemaObject[] =>
  JSON.parse(readFileSync(new URL('migrations/schema.json', projectFolder), 'utf8')) as SchemaObject[]
