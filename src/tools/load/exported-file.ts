/** Reads a CSV file of "frames export" as the rows that it was made of, and gives columns the names of a catalogue. */
import { withoutGuard } from '../../core/csv.js'
import { FRAME_COLUMNS } from '../../core/frame-file/index.js'
import { UNIT_COLUMNS } from '../../core/unit-fields.js'
import type { Attribute } from './catalogue.js'
import type { CsvFile } from './csv-file.js'

const [KEY = '', ...OF_FRAME] = FRAME_COLUMNS

/**
 * Leaves out the columns of the frame and of its units, which are no attributes: all of either, in the order in which
 * "export" writes them, and as GDAL writes them from its GeoPackage.
 */
export function readExported({ head, rows }: CsvFile, entries: readonly Attribute[]): CsvFile {
  const begins = (from: number, names: readonly string[]) => names.every((name, i) => head.cells[from + i] === name)
  if (!begins(0, [KEY])) return { head: { ...head, cells: named(head.cells, entries) }, rows }
  const isGuarded = begins(1, OF_FRAME)
  const afterFrame = isGuarded ? FRAME_COLUMNS.length : 1
  const first = begins(afterFrame, UNIT_COLUMNS) ? afterFrame + UNIT_COLUMNS.length : afterFrame
  const kept = (cells: readonly string[]) => {
    const some = [...cells.slice(0, 1), ...cells.slice(first)]
    return isGuarded ? some.map(withoutGuard) : some
  }
  async function* keptRows() {
    for await (const row of rows) {
      const cells = kept(row.cells)
      // A file of "export" has every frame of its place, whether the dataset records something there or not.
      if (cells.slice(1).some((cell) => cell !== '')) yield { ...row, cells }
    }
  }
  return {
    head: { ...head, cells: named(kept(head.cells), entries) },
    rows: first === 1 ? rows : keptRows(),
  }
}

const named = (columns: readonly string[], entries: readonly Attribute[]): string[] =>
  columns.map((name) => entries.find(({ column }) => column === name)?.name ?? name)
