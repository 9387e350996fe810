/** Takes in a baseline: a CSV file, a row a frame, its first column the frame id. The work is in sql/import/. */
import type { Database } from '../db/connect.js'
import { sqlText } from '../db/statement.js'
import { isFileNumber } from '../decimal.js'
import { isFrameId } from '../frame-id.js'
import { catalogueOf, type Attribute } from './catalogue.js'
import { csvRows, type CsvRow } from './csv-rows.js'
import { takeIn, type DatasetMade, type DatasetWanted } from './datasets.js'
import { FileFault } from './json-values.js'
import type { Progress } from './patiently.js'

/** The view of a dataset has a column for each attribute, and PostgreSQL takes 1,600 columns: see analyst_baseline. */
const MOST_ATTRIBUTES = 1500
/** PostgreSQL answers a batch in some 20 ms; larger ones are no faster. A row of 1,500 attributes has 40 KiB, so bytes are bounded too. */
const BATCH_ROWS = 5000
const BATCH_BYTES = 2 << 20

export const importBaseline = (
  db: Database,
  file: string,
  wanted: DatasetWanted,
  catalogue: readonly Attribute[],
  progress: Progress,
): Promise<DatasetMade> =>
  takeIn(db, wanted, progress, {
    load: async () => ({ kind: 'frames', attributes: await addRows(db, file, catalogue, progress) }),
    faults: 'import/baseline_faults',
    put: ['import/baseline_put'],
  })

/** Answers with the attributes that the columns are. */
async function addRows(
  db: Database,
  file: string,
  catalogue: readonly Attribute[],
  progress: Progress,
): Promise<Attribute[]> {
  const text = sqlText('import/baseline_add')
  const rows = csvRows(file)
  const columns = columnsOf((await rows.next()).value as CsvRow | undefined)
  const keys = columns.map((column) => `${JSON.stringify(column)}:`)
  const numeric = columns.map(() => true)
  let taken = 0
  let [lines, ids, recorded]: [number[], string[], string[]] = [[], [], []]
  let bytes = 0
  const send = async () => {
    if (lines.length > 0) await db.rows(text, [lines, ids, recorded])
    ;[lines, ids, recorded] = [[], [], []]
    bytes = 0
  }
  for await (const { cells, line } of rows) {
    if (cells.length !== columns.length + 1) {
      throw new FileFault(`line ${line}: ${columns.length + 1} values are needed, ${cells.length} came.`, line)
    }
    lines.push(line)
    ids.push(checkedId(cells[0] ?? '', line))
    const row = `{${keys.map((key, i) => key + JSON.stringify(cells[i + 1])).join(',')}}`
    recorded.push(row)
    bytes += row.length
    numeric.forEach((is, i) => {
      const cell = cells[i + 1] ?? ''
      if (is && cell !== '' && !isFileNumber(cell)) numeric[i] = false
    })
    taken += 1
    if (lines.length === BATCH_ROWS || bytes >= BATCH_BYTES) await send()
    if (taken % 100_000 === 0) progress(`reading: ${taken} rows`)
  }
  await send()
  if (taken === 0) throw new FileFault(`${file}: there is no row in it.`, 1)
  return catalogueOf(columns, numeric, catalogue)
}

function columnsOf(head: CsvRow | undefined): string[] {
  if (!head)
    throw new FileFault('line 1: the names of the columns are needed, the frame id first; the file is empty.', 1)
  const columns = head.cells.slice(1)
  if (columns.length === 0)
    throw new FileFault('line 1: a frame id and one attribute at least are needed as columns.', 1)
  if (columns.length > MOST_ATTRIBUTES) {
    const [most, came] = [MOST_ATTRIBUTES, columns.length].map((count) => count.toLocaleString('en'))
    throw new FileFault(`line 1: at most ${most} attributes are accepted, ${came} came.`, 1)
  }
  const blank = columns.findIndex((column) => column.trim() === '')
  if (blank !== -1) throw new FileFault(`line 1: column ${blank + 2} has no name.`, 1)
  const twice = columns.find((column, i) => columns.indexOf(column) !== i)
  if (twice !== undefined) throw new FileFault(`line 1: two columns are named "${twice}".`, 1)
  return columns
}

function checkedId(cell: string, line: number): string {
  if (!isFrameId(cell))
    throw new FileFault(`line ${line}: a frame id of digits is needed first, "${cell.slice(0, 40)}" came.`, line)
  return cell
}
