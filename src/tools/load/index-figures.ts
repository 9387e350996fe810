/** The figures of a new index: its owner compares them with those of the source. */
import { type Database, sqlText } from '../../core/db/index.js'
import type { ColumnFigures } from './quality.js'

/** `columns` are the names and codes of units. */
export type IndexFigures = {
  /** minLon, minLat, maxLon, maxLat. */
  bbox: number[]
  totalKm2: string
  smallestKm2: string
  largestKm2: string
  columns: ColumnFigures[]
}

export async function readIndexFigures(db: Database): Promise<IndexFigures> {
  const [row] = await db.rows<IndexFigures>(sqlText('build/index_figures'), [])
  if (!row) throw new Error('The figures of the index came back empty.')
  return row
}
