/** The columns that the header of a statement names: those of the table on a page, and those of its CSV. */
import type { CsvCell } from '../../core/csv.js'
import type { Statement } from '../../core/db/index.js'
import { groupedNumber } from './chart.js'
import { type Column, instant } from './components.js'
import type { CsvColumns } from './csv.js'
import type { Html } from './html.js'

export type Cells<Row> = { [Name in keyof Row]?: Column<Row>['cell'] }

/** The entries of the lines `-- label: entry, entry`. */
const entriesOf = (text: string, label: string): string[] =>
  Array.from(text.matchAll(new RegExp(`^-- ${label}: (.*)$`, 'gm'))).flatMap(([, entries = '']) => entries.split(', '))

/** A header says `-- columns: day "Day", calls "Calls" number`. A cell shows the value, unless `cells` makes it. */
export const columnsOf = <Args extends readonly unknown[], Row extends object>(
  { text }: Statement<Args, Row>,
  cells: Cells<Row> = {},
): Column<Row>[] =>
  entriesOf(text, 'columns').map((entry) => {
    const [, name = '', heading = '', kinds = ''] = /^(\w+) "([^"]+)"(.*)$/.exec(entry) ?? []
    const width = (['wide', 'short', 'minor'] as const).find((each) => kinds.includes(each))
    return {
      heading,
      cell: cells[name as keyof Row] ?? ((row) => shown(row[name as keyof Row])),
      ...(kinds.includes('number') && { align: 'number' as const }),
      ...(width && { width }),
    }
  })

function shown(value: unknown): Html | string {
  if (value instanceof Date) return instant(value)
  if (typeof value === 'number') return groupedNumber(value)
  return typeof value === 'string' ? value : ''
}

/** A header says `-- csv: at enteredAt, keyId`: a heading and a column, or a column whose heading is key_id. */
export const csvColumnsOf = <Args extends readonly unknown[], Row extends object>({
  text,
}: Statement<Args, Row>): CsvColumns<Row> =>
  Object.fromEntries(
    entriesOf(text, 'csv').map((entry) => {
      const [heading = '', name = heading] = entry.split(' ')
      const cell = (row: Row) => asCell(row[name as keyof Row])
      return [heading.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), cell]
    }),
  )

const asCell = (value: unknown): CsvCell =>
  value === null || typeof value === 'number' || typeof value === 'string' || value instanceof Date
    ? value
    : JSON.stringify(value)
