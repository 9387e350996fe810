/** The objects that the migrations make, and those of a database. */
import { readFileSync } from 'node:fs'
import { projectFolder, sqlText } from './statement.js'

/** sql/schema/objects.sql has a row for each. */
export type SchemaObject = {
  kind:
    | 'table'
    | 'view'
    | 'sequence'
    | 'schema'
    | 'column'
    | 'not null'
    | 'default'
    | 'index'
    | 'unique'
    | 'constraint'
    | 'trigger'
    | 'rule'
    | 'policy'
    | 'child'
    | 'function'
    | 'grant'
  /** The table, view, function or schema that it is, or belongs to. */
  relation: string
  name: string
  /** PostgreSQL writes this text; blank for an object that is known by its name. */
  definition: string
  /** Makes the object, with its comment; null for a table, and for a function, which has a file. */
  statement: string | null
}

/** An object of one database. */
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
