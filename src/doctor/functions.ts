/** The functions that a database must have: those of sql/functions/. */
import { functionFiles } from '../db/functions.js'

export type ExpectedFunction = {
  name: string
  /** The statements that make it, with its comment and its revoke. */
  fix: string
  /** The statement that makes a copy in the temporary schema of the session. */
  copy: string
}

export const expectedFunctions = (): ExpectedFunction[] =>
  functionFiles().map(({ name, text }) => {
    const fix = text.replace(/^(--.*\n)*/, '')
    const [definition = ''] = fix.split(/^(?=comment on function )/m)
    return { name, fix, copy: definition.replace('function ', 'function pg_temp.') }
  })
