/** Faults of a file: each names its line, so that the owner of the file can correct it. */
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'

export class FileFault extends Error {
  override name = 'FileFault'
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
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
