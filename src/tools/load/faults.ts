/** Faults of a file: each names its line, so that the owner of the file can correct it. */
import { type Database, sqlText } from '../../core/db/index.js'
import { FileFault } from '../../core/text-file/index.js'

/** A fault of a value: who reads the file adds its place. */
export class ValueRefusal extends Error {}

export function inPlace<Value>(place: string, line: number, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof ValueRefusal) throw new FileFault(`${place}: ${error.message}`, line)
    throw error
  }
}

/** Adds the name of the file to a fault that lacks it. */
export const ofFile = (file: string, error: unknown): unknown =>
  error instanceof FileFault && !error.message.startsWith(file)
    ? new FileFault(`${file}, ${error.message}`, error.line)
    : error

export const inFile = <Value>(file: string, work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw ofFile(file, error)
  })

/**
 * Names are in indexes, whose entries have at most 2,704 bytes. A value that is longer is no class: see classes_keep.
 */
const NAME_MOST = 300
export const UNIT_NAME_MOST = 200
export const CLASS_MOST = 250

/** Characters as PostgreSQL counts them, blanks around the text left out. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length

/** Says that a name is too long; undefined for one that is not. */
export function longName(what: string, text: string, most = NAME_MOST): string | undefined {
  const came = lengthOf(text)
  return came > most
    ? `${what} may have up to ${most} characters, and one of ${came} came, which begins "${text.trim().slice(0, 40)}"`
    : undefined
}

type StagedFault = { number?: string; line: string; reason: string }

/** Throws the faults that a file of sql/import/ finds among the staged rows. */
export async function refuseStagedFaults(db: Database, file: string, args: readonly unknown[] = []): Promise<void> {
  const faults = await db.rows<StagedFault>(sqlText(file), args)
  const [first] = faults
  if (!first) return
  const lines = faults.map(({ number, line, reason }) =>
    number === undefined ? `line ${line}: ${reason}` : `feature ${number} (line ${line}): ${reason}`,
  )
  throw new FileFault(lines.join('\n'), Number(first.line))
}
