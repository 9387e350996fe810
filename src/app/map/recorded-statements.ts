/** Records the statements that a panel reads with, so that "Show the SQL" shows those that answered and no others. */
import type { Database, Reader } from '../../core/db/index.js'
import * as apiStatements from '../../core/db/statements.js'
import * as mapStatements from './statements.js'
import type { NamedStatement } from '../shell/show-sql.js'

const fileNames: ReadonlyMap<string, string> = new Map(
  [...Object.values(apiStatements), ...Object.values(mapStatements)].map(({ text, name }) => [text, name]),
)

/** `statements` has each statement once, in the order in which they were sent. */
export function recordStatements(reader: Reader): { reader: Reader; statements: NamedStatement[] } {
  const statements: NamedStatement[] = []
  const rows: Database['rows'] = (text, args, as, deadline) => {
    const name = fileNames.get(text)
    if (name === undefined) throw new Error(`This statement is no file of sql/: ${text.slice(0, 100)}`)
    const sent = { name, args }
    if (!statements.some((each) => JSON.stringify(each) === JSON.stringify(sent))) statements.push(sent)
    return reader.rows(text, args, as, deadline)
  }
  return { reader: { ...reader, rows }, statements }
}
