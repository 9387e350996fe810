/** The figures of a new index: its owner compares them with those of the source. */
import { counted } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { sqlText } from '../../core/db/statement.js'
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

type FieldFigures = {
  name: string
  recorded: number
  blank: number
  classes: number
  value: string | null
  mixed: number
}

export async function readIndexFigures(db: Database): Promise<IndexFigures> {
  const [row] = await db.rows<Omit<IndexFigures, 'columns'> & { fields: FieldFigures[] }>(
    sqlText('build/index_figures'),
    [],
  )
  if (!row) throw new Error('The figures of the index came back empty.')
  const { fields, ...land } = row
  return { ...land, columns: fields.map(figureColumn) }
}

function figureColumn({ name, recorded, blank, classes, value, mixed }: FieldFigures): ColumnFigures {
  const notes: string[] = []
  if (recorded === 0) notes.push('No frame has a value.')
  if (recorded > 1 && classes === 1) notes.push(`Every value is ${value}.`)
  if (mixed > 0) notes.push(`${counted(mixed, 'unit has', 'units have')} more than one: the lowest is kept.`)
  return { name, recorded, blank, ...(recorded > 0 ? { classes } : {}), notes }
}
