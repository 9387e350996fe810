/** The objects that the migrations make, and those that a database has. */
import { readFileSync } from 'node:fs'
import { projectFolder, sqlText } from './statement.js'

/** sql/schema/objects.sql has a row for each. */
export type SchemaObject = {
  kind: 'table' | 'column' | 'index' | 'unique' | 'constraint' | 'trigger' | 'view'
  /** The table or view that it is, or belongs to. */
  relation: string
  name: string
  /** PostgreSQL writes this text; blank for a table, which is known by its name. */
  definition: string
  /** Makes the object, with its comment; null for a table. */
  statement: string | null
}

/** An object of one database, with its state there. */
export type PresentObject = SchemaObject & { state: '' | 'not validated' | 'off'; owner: string }

export const OBJECTS = sqlText('schema/objects')

/** "npm run schema" writes the file from a new database, and a test compares both. */
export const expectedObjects = (): SchemaObject[] =>
  JSON.parse(readFileSync(new URL('migrations/schema.json', projectFolder), 'utf8')) as SchemaObject[]
