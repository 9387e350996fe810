/** Reads a CSV file of "frames export" as the rows that it was made of. */
import { withoutGuard } from '../../core/csv.js'
import { FRAME_COLUMNS } from '../../core/frame-file/index.js'
import { UNIT_COLUMNS } from '../../core/unit-fields.js'
import type { CsvFile, CsvRow } from '../../core/text-file/index.js'

const [KEY = '', ...OF_FRAME] = FRAME_COLUMNS

type Rows = Pick<CsvFile, 'head' | 'batches'>

/**
 * Leaves out the columns of the frame and of its units, which are no attributes: all of either, in the order in which
 * "export" writes them, and as GDAL writes them from its GeoPackage.
 */
export function readExported({ head, batches }: Rows): Rows {
  const begins = (from: number, names: readonly string[]) => names.every((name, i) => head.cells[from + i] === name)
  if (!begins(0, [KEY])) return { head, batches }
  const isGuarded = begins(1, OF_FRAME)
  const afterFrame = isGuarded ? FRAME_COLUMNS.length : 1
  const first = begins(afterFrame, UNIT_COLUMNS) ? afterFrame + UNIT_COLUMNS.length : afterFrame
  const kept = (cells: readonly string[]) => {
    const some = [...cells.slice(0, 1), ...cells.slice(first)]
    return isGuarded ? some.map(withoutGuard) : some
  }
  // A file of "export" has every frame of its place, whether the dataset records something there or not.
  const isRecorded = ({ cells }: CsvRow) => cells.slice(1).some((cell) => cell !== '')
  async function* keptRows() {
    for await (const rows of batches) yield rows.map((row) => ({ ...row, cells: kept(row.cells) })).filter(isRecorded)
  }
  return {
    head: { ...head, cells: kept(head.cells) },
    batches: first === 1 ? batches : keptRows(),
  }
}
