/** Reads items of a collection, which PostgreSQL joins into texts of JSON: they go out as they came. */
import type { Database, RowOf, Statement } from '../../core/db/index.js'
import type { itemsOfFrames } from './statements.js'

/** Items of a collection, after those of the pages before. */
export type Chunk = {
  /** GeoJSON features as the database sent them, in pieces; in a piece they are separated by commas. */
  features: Buffer[]
  shown: number
  /** Id of the last item in `features`; blank where there is none. */
  lastShown: string
  hasMore: boolean
  /** The next chunk begins after this one. */
  last: string
  looked: number
  /** Values that the filter compares with numbers, and that are none. */
  odd: number
}

export async function chunkOf<Args extends readonly unknown[]>(
  { text }: Statement<Args, RowOf<typeof itemsOfFrames>>,
  db: Pick<Database, 'rows'>,
  ...args: Args
): Promise<Chunk> {
  const chunk: Chunk = { features: [], shown: 0, lastShown: '', hasMore: false, last: '', looked: 0, odd: 0 }
  const numberIn = (bytes?: Buffer) => Number(String(bytes))
  for (const [features, shown, lastShown, hasMore, last, looked, odd] of await db.rows<Buffer[]>(text, args, 'bytes')) {
    if (features && features.length > 0) {
      chunk.features.push(features)
      chunk.lastShown = String(lastShown)
    }
    chunk.shown += numberIn(shown)
    chunk.hasMore ||= numberIn(hasMore) === 1
    chunk.last = String(last)
    chunk.looked += numberIn(looked)
    chunk.odd += numberIn(odd)
  }
  return chunk
}
