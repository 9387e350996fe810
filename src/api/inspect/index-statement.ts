/** Reads the statement of an index that is to be tried. */

/** `table`: the name of the table, as the statement has it. */
export type IndexStatement = { text: string; table: string }

const NAME = String.raw`(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_$]*)`
const FORM = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?(?!concurrently\b)(?:${NAME}\s+)?on\s+(?:only\s+)?(${NAME}(?:\.${NAME})?)\s*(?:using\s|\()`,
  'iu',
)

/**
 * A statement that begins so is a "create index" and nothing else for PostgreSQL, which itself refuses a second
 * statement in the text.
 */
export function readIndexStatement(given: string): IndexStatement {
  const text = given.trim().replace(/;$/, '')
  const table = FORM.exec(text)?.[1]
  if (table !== undefined) return { text, table }
  const reason = /\bconcurrently\b/i.test(text) ? ' Leave "concurrently" out: nothing stays of the index.' : ''
  throw new Error(
    `"create index on frame using spgist (geom)" is the form of a statement to try, "${text.replace(/\s+/g, ' ').slice(0, 100)}" came.${reason}`,
  )
}
