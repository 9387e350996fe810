/** The objects that the migrations make, and those of a database. */
import { readFileSync } from 'node:fs'
import { projectFolder, sqlText } from './statement.js'

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

export const objectKey = ({ kind, relation, name }: SchemaObject) => `${kind} ${relation} ${name}`
/** The role that a right is given to. */
export const granteeOf = (right: string) => right.slice(right.lastIndexOf(' to ') + 4)

/** The parameters and the result of a function: PostgreSQL replaces one by another of the same. */
export const resultOf = ({ definition }: SchemaObject) => definition.split(' language ')[0]

export const OBJECTS = sqlText('schema/objects')

/** Views of datasets follow the datasets. */
export const isOfDataset = ({ relation }: SchemaObject): boolean => relation.startsWith('analyst.lyr_')

/** "npm run schema" writes the file from a new database, and a test compares both. */
export const expectedObjects = (): SchemaObject[] =>
  JSON.parse(readFileSync(new URL('migrations/schema.json', projectFolder), 'utf8')) as SchemaObject[]
