/** Pages and lists of frames: PostgreSQL joins their rows into one text of JSON, which goes out as it came. */
import type { Database } from './database.js'
import { named, type SqlFunction, sqlText } from './statement.js'

export type Page = {
  /** GeoJSON features, separated by commas, as the database sent them. */
  features: Buffer
  /** Id of the last frame, where more come after it. */
  next?: string
}

/** The index being served. A database restored from a backup gives a number again: the time tells both apart. */
export type IndexGeneration = { generation: string; switchedAt: string }

/** Frames as JSON, separated by commas, as the database sent them, with the index that has them. */
type FrameList = { frames: Buffer; index: IndexGeneration }

export function listStatement(name: string) {
  const text = sqlText(name)
  return named(name, text, async (db: Pick<Database, 'rows'>, ids: readonly string[]): Promise<FrameList> => {
    const [row] = await db.rows<[frames: Buffer, generation: Buffer, switchedAt: Buffer]>(text, [ids], 'bytes')
    if (!row) throw new Error('A list is one row.')
    const [frames, generation, switchedAt] = row
    return { frames, index: { generation: generation.toString(), switchedAt: switchedAt.toString() } }
  })
}

/**
 * The last parameter of the file is the highest number of frames.
 *
 * The file joins the rows: PostgreSQL joins 5,000 in two milliseconds, and Node takes six to read as many.
 */
export function pageStatement<Args extends readonly unknown[]>(
  name: string,
): SqlFunction<[limit: number, ...Args], Page> {
  const text = sqlText(name)
  return named(name, text, async (db: Pick<Database, 'rows'>, limit: number, ...args: Args): Promise<Page> => {
    const [row] = await db.rows<[features: Buffer, next: Buffer | null]>(text, [...args, limit], 'bytes')
    if (!row) throw new Error('A page is one row.')
    const [features, next] = row
    return { features, ...(next && { next: next.toString() }) }
  })
}
