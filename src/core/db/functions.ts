/** The functions of the database: sql/functions/ holds each in a file of its own, and `migrate` applies them. */
import { readdirSync } from 'node:fs'
import { projectFolder, sqlText } from './statement.js'

export type FunctionFile = {
  name: string
  /** The statements: "create or replace function", its comment, and its revoke. */
  text: string
}

/**
 * PostgreSQL resolves the names in a body of plain SQL when it makes the function: these come before the functions that
 * call them.
 */
const CALLED_IN_SQL = ['analyst_name', 'analyst_own_columns']

/** Lists the functions in an order in which PostgreSQL can make them. */
export function functionNames(): string[] {
  const names = readdirSync(new URL('sql/functions/', projectFolder))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -4))
    .sort()
  return [...CALLED_IN_SQL, ...names.filter((name) => !CALLED_IN_SQL.includes(name))]
}

export const functionFiles = (): FunctionFile[] =>
  functionNames().map((name) => ({ name, text: sqlText(`functions/${name}`) }))
