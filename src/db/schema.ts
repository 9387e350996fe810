/** The objects that the migrations make, and those that a database has. */
import { readFileSync } from 'node:fs'
import { projectFolder, sqlText } from './statement.js'

/** sql/schema/objects.sql has a row for each. */
export type SchemaObject = {
  kind: 'table' | 'column' | 'index' | 'unique' | 'constraint' | 'trigger' | 'view'
  /** The table or view that it is, or belongs to. */
  relation: string
  name: string
  /** As PostgreSQL writes it; blank for a table, which is known by its name. */
  definition: string
  /** Makes it, with its comment; null for a table. */
  statement: string | null
}

/** As one database has it. */
export type PresentObject = SchemaObject & { state: '' | 'not validated' | 'off'; owner: string }

export const OBJECTS = sqlText('schema/objects')

/** "npm run schema" writes the file from a new database, and a test compares both. */
export const expectedObjects = (): SchemaObject[] =>
  JSON.parse(readFileSync(new URL('migrations/schema.json', projectFolder), 'utf8')) as SchemaObject[]
