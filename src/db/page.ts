/** Statements that answer with frames by the thousand: their rows come joined into one text of GeoJSON. */
import type { Database } from './connect.js'
import { bound, type Statement } from './statement.js'

export type Page = {
  /** GeoJSON features, parted by commas, as the database sent them. */
  features: Buffer
  frames: number
  /** Id of the last frame, where more come after it. */
  next?: string
}

/** As a statement is, but for its answer. */
type PageStatement<Args extends readonly unknown[]> = Pick<Statement<Args, Page>, 'name' | 'text' | 'sent'> &
  ((db: Pick<Database, 'rows'>, limit: number, ...args: Args) => Promise<Page>)

/** What each feature begins with; then comes its id. No geometry has this in it. */
const FEATURE = '{"type":"Feature","id":"'

/**
 * Of a file whose rows are frames in order, and whose last parameter is how many at the most. One more than the limit is asked
 * for: it tells whether there are more.
 */
export function pageStatement<Args extends readonly unknown[]>(name: string): PageStatement<Args> {
  const { text, sent } = bound(name, withRowsJoined)
  const run = async (db: Pick<Database, 'rows'>, limit: number, ...args: Args): Promise<Page> => {
    const [row] = await db.rows<[features: Buffer, frames: Buffer]>(sent, [...args, limit + 1], 'bytes')
    if (!row) throw new Error('A page is one row.')
    const [features, count] = row
    const frames = Number(count.toString())
    return frames > limit ? withoutLast(features, limit) : { features, frames }
  }
  Object.defineProperty(run, 'name', { value: name })
  return Object.assign(run, { text, sent })
}

/** Five thousand rows: PostgreSQL joins them in two milliseconds, taking them in one by one costs this process six. */
function withRowsJoined(text: string): string {
  const [header = ''] = /^(--.*\n)+/.exec(text) ?? []
  return `${header}select
  coalesce(string_agg('${FEATURE}' || id || '","geometry":' || geometry || ',"properties":{}}', ','), '') as features,
  count(*)::int as frames
from (
${text.slice(header.length)}
) as in_order`
}

function withoutLast(features: Buffer, frames: number): Page {
  const kept = features.subarray(0, features.lastIndexOf(FEATURE) - 1)
  const id = kept.lastIndexOf(FEATURE) + FEATURE.length
  return { features: kept, frames, next: kept.toString('latin1', id, kept.indexOf('"', id)) }
}
