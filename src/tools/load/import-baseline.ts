/** Imports a baseline: a CSV file with a row a frame. The work is in sql/import/. */
import type { Database } from '../../core/db/connect.js'
import { intervalOfSet } from '../../core/db/statements.js'
import { sqlText } from '../../core/db/statement.js'
import { isFileNumber } from '../../core/decimal.js'
import { isFrameId } from '../../core/frame-id.js'
import { sendInBatches } from './batches.js'
import { catalogueChanges, completeCatalogue, defaultAttribute, type Attribute } from './catalogue.js'
import { openCsv, type CsvRow } from './csv-file.js'
import { replaceDataset, type DatasetEntry, type ImportedDataset } from './datasets.js'
import { FileFault, inPlace, longName, ValueRefusal } from './faults.js'
import { bytesOf } from './input-file.js'
import { intervalReader, type IntervalReader, type IntervalRow } from './intervals.js'
import { checkColumns, type KeptNumbers, type QualityCheck } from './quality.js'
import type { Progress } from './progress.js'

/** The view of a dataset has a column for each attribute, and PostgreSQL takes 1,600 columns: see analyst_baseline. */
const MOST_ATTRIBUTES = 1500

type BaselineEntry = DatasetEntry & {
  catalogue?: readonly Attribute[]
  /** Attributes that `catalogue` leaves out keep no entry of the import before. */
  resetsAttributes?: boolean
}

type AttributeRow = { [Member in keyof Attribute]: Attribute[Member] | null }

export async function importBaseline(
  db: Database,
  file: string,
  { catalogue = [], resetsAttributes = false, ...entry }: BaselineEntry,
  progress: Progress,
): Promise<ImportedDataset> {
  let read: Awaited<ReturnType<typeof addRows>> | undefined
  const {
    changes = [],
    notes,
    ...imported
  } = await replaceDataset(db, entry, progress, {
    load: async () => {
      const before = await attributesBefore(db, entry.layerId)
      read = await addRows(db, file, { entries: catalogue, before: resetsAttributes ? [] : before }, progress)
      const changed = catalogueChanges(before, read.attributes)
      for (const change of changed) progress(`the catalogue changes: ${change}`)
      return { kind: 'frames', attributes: read.attributes, figures: { changes: changed } }
    },
    faults: 'import/baseline_faults',
    put: ['import/baseline_put', 'import/intervals_put'],
  })
  const { attributes = [], check } = read ?? {}
  const types = attributes.map((attribute) => ({ ...attribute, isDerived: isDerived(attribute, catalogue) }))
  const columns =
    check?.figures(types, await db.rows<KeptNumbers>(sqlText('import/numbers_kept'), [entry.layerId])) ?? []
  const drawn = attributes.flatMap(({ name, draws }) => (draws === undefined ? [] : [name]))
  return { ...imported, columns, changes, notes: [...notes, ...(await intervalsOf(db, entry.layerId, drawn))] }
}

/** The owner compares them with those of the model. */
async function intervalsOf(db: Database, layerId: string, drawn: readonly string[]): Promise<string[]> {
  if (drawn.length === 0) return []
  const rows = await intervalOfSet(db, ['unit'], layerId, [...drawn])
  return rows.map(
    ({ attribute, lower, upper, draws }) =>
      `${attribute}: ${draws} draws a frame; with 95 % the total lies between ${lower} and ${upper}.`,
  )
}

async function attributesBefore(db: Database, layerId: string): Promise<Attribute[]> {
  const rows = await db.rows<AttributeRow>(sqlText('import/attributes_before'), [layerId])
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Attribute)
}

/** The import found the type among the values: the entry of the column says no more than they do. */
function isDerived(attribute: Attribute, catalogue: readonly Attribute[]): boolean {
  const { name, type } = attribute
  return (
    !catalogue.some((known) => known.name === name) &&
    attribute.summary === defaultAttribute(name, type === 'number').summary
  )
}

type BaselineLine = { line: number; id: string; recorded: string; intervals: readonly IntervalRow[] }

/** Returns the attributes that the columns are, in the order of the columns, and with their figures. */
async function addRows(
  db: Database,
  file: string,
  known: Parameters<typeof completeCatalogue>[2],
  progress: Progress,
): Promise<{ attributes: Attribute[]; check: QualityCheck }> {
  const text = sqlText('import/baseline_add')
  const { head, rows } = await openCsv(bytesOf(file, 'table'))
  const key = frameIdColumn(head)
  const all = inPlace('line 1', 1, () => {
    refuseRow(head.cells[key] ?? '')
    return columnsOfFile(withoutCell(head.cells, key), key)
  })
  const kept = known.before.filter(({ name }) => !known.entries.some((entry) => entry.name === name))
  const intervals = intervalReader(all, [...known.entries, ...kept])
  const columns = all.filter((column) => !intervals.isOfDraws(column))
  const numeric = columns.map(() => true)
  const check = checkColumns(columns)
  const count = await sendInBatches(baselineRows(rows, { key, all, columns, numeric, check, intervals }), {
    bytesOf: ({ recorded, intervals: own }) =>
      own.reduce((sum, { draws }) => sum + (draws?.length ?? 0), recorded.length),
    send: async (batch) => {
      await db.rows(text, [
        batch.map(({ line }) => line),
        batch.map(({ id }) => id),
        batch.map(({ recorded }) => recorded),
      ])
      const own = batch.flatMap(({ id, intervals: each }) => each.map((interval) => ({ id, ...interval })))
      if (own.length > 0) await db.rows(sqlText('import/intervals_add'), [JSON.stringify(own)])
    },
    progress,
    noun: 'rows',
  })
  if (count === 0) throw new FileFault(`${file}: there is no row in it.`, 1)
  return { attributes: completeCatalogue(columns, numeric, known), check }
}

/** `all` are the columns of the file besides the frame, `columns` those of attributes. */
type BaselineReading = {
  key: number
  all: readonly string[]
  columns: readonly string[]
  numeric: boolean[]
  check: QualityCheck
  intervals: IntervalReader
}

/** Sets `numeric` to false at each column that has a value which is no number, and adds each row to the check. */
async function* baselineRows(
  rows: AsyncIterable<CsvRow>,
  { key, all, columns, numeric, check, intervals }: BaselineReading,
): AsyncGenerator<BaselineLine> {
  const keys = columns.map((column) => `${JSON.stringify(column)}:`)
  const isKept = all.map((column) => columns.includes(column))
  const lineOf = ({ cells, line }: CsvRow): BaselineLine => {
    if (cells.length !== all.length + 1)
      throw new ValueRefusal(`${all.length + 1} values are needed, ${cells.length} came.`)
    const { [key]: id = '' } = cells
    const given = withoutCell(cells, key)
    const values = given.filter((_, i) => isKept[i])
    if (!isFrameId(id)) {
      const place = key === 0 ? 'first' : 'in column frame_id'
      throw new ValueRefusal(`a frame id of digits is needed ${place}, "${id.slice(0, 40)}" came.`)
    }
    values.forEach((value, i) => {
      // Figures trim a value too.
      if (numeric[i] && value.trim() !== '' && !isFileNumber(value.trim())) numeric[i] = false
    })
    check.add(values)
    return {
      line,
      id,
      intervals: intervals.read(given, line),
      recorded: `{${values.map((value, i) => keys[i] + JSON.stringify(value)).join(',')}}`,
    }
  }
  for await (const row of rows) yield inPlace(`line ${row.line}`, row.line, () => lineOf(row))
}

/** The column frame_id, as "export" and "locate" write it, else the first. */
const frameIdColumn = ({ cells }: CsvRow): number =>
  Math.max(
    0,
    cells.findIndex((name) => name.trim().toLowerCase() === 'frame_id'),
  )

/** A file without a header would lose its first row. */
function refuseRow(name: string): void {
  if (!isFileNumber(name.trim())) return
  const needed = 'a header is needed, a line with the names of the columns, such as "frame_id,people"'
  throw new ValueRefusal(`${needed}, and a row came, of frame "${name.slice(0, 40)}".`)
}

const withoutCell = (cells: readonly string[], place: number): string[] =>
  place === 0 ? cells.slice(1) : cells.toSpliced(place, 1)

function columnsOfFile(columns: string[], key: number): string[] {
  if (columns.length === 0) throw new ValueRefusal('a frame id and one attribute at least are needed as columns.')
  if (columns.length > MOST_ATTRIBUTES) {
    const [most, came] = [MOST_ATTRIBUTES, columns.length].map((count) => count.toLocaleString('en'))
    throw new ValueRefusal(`at most ${most} attributes are accepted, ${came} came.`)
  }
  const blank = columns.findIndex((column) => column.trim() === '')
  if (blank !== -1) throw new ValueRefusal(`column ${blank < key ? blank + 1 : blank + 2} has no name.`)
  const long = columns.map((column) => longName('the name of a column', column)).find((fault) => fault !== undefined)
  if (long !== undefined) throw new ValueRefusal(`${long}.`)
  const twice = columns.find((column, i) => columns.indexOf(column) !== i)
  if (twice !== undefined) throw new ValueRefusal(`two columns are named "${twice}".`)
  return columns
}
