/** The statements of sql/ogc/ with the types of what goes in and comes out. */
import type { Database } from '../../core/db/database.js'
import { named, type SqlFunction, sqlText, statement } from '../../core/db/statement.js'

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

type ChunkArgs = [area: string, filter: string, crs: number, after: string, look: number, most: number]
type ChunkRow = [
  features: Buffer,
  shown: Buffer,
  lastShown: Buffer,
  hasMore: Buffer,
  last: Buffer,
  looked: Buffer,
  odd: Buffer,
]

function chunkStatement<Args extends readonly unknown[]>(name: string): SqlFunction<Args, Chunk> {
  const text = sqlText(name)
  return named(name, text, async (db: Pick<Database, 'rows'>, ...args: Args): Promise<Chunk> => {
    const rows = await db.rows<ChunkRow>(text, args, 'bytes')
    const chunk: Chunk = { features: [], shown: 0, lastShown: '', hasMore: false, last: '', looked: 0, odd: 0 }
    const numberIn = (bytes: Buffer) => Number(bytes.toString())
    for (const [features, shown, lastShown, hasMore, last, looked, odd] of rows) {
      if (features.length > 0) {
        chunk.features.push(features)
        chunk.lastShown = lastShown.toString()
      }
      chunk.shown += numberIn(shown)
      chunk.hasMore ||= numberIn(hasMore) === 1
      chunk.last = last.toString()
      chunk.looked += numberIn(looked)
      chunk.odd += numberIn(odd)
    }
    return chunk
  })
}

export const itemsOfFrames = chunkStatement<ChunkArgs>('ogc/items_of_frames')
export const itemsOfUnits = chunkStatement<[level: string, ...ChunkArgs]>('ogc/items_of_units')
export const itemsOfBaseline = chunkStatement<[layer: string, ...ChunkArgs]>('ogc/items_of_baseline')
export const itemsOfFeatures = chunkStatement<[layer: string, ...ChunkArgs]>('ogc/items_of_features')
export const featurePlace = statement<[layer: string, id: string], { place: number; isFound: boolean }>(
  'ogc/feature_place',
)
export type ExtentRow = Record<'minLon' | 'minLat' | 'maxLon' | 'maxLat', number | null>
export const extent = statement<[], ExtentRow>('ogc/extent')
export const shapeFault = statement<[wkt: string, crs: number], { fault: string | null }>('ogc/shape_fault')
export type QueryableRow = { name: string; label: string; unit: string | null; type: 'number' | 'category' }
export const queryables = statement<[layer: string], QueryableRow>('ogc/queryables')
export const numberOfFrames = statement<[], { number: number }>('ogc/number_of_frames')
/** Null: no count is kept that is sure to be the number of the items. */
export const numberInDataset = statement<[layer: string], { number: number | null }>('ogc/number_in_dataset')
