/** Imports a baseline: rows of a CSV file or of another source, one a frame. The work is in sql/import/. */
import { sumOf } from '../../core/figures/index.js'
import { type Database, sqlText } from '../../core/db/index.js'
import { interval } from '../../core/db/statements.js'
import { isFileNumber } from '../../core/decimal.js'
import { isFrameId } from '../../core/frame-id.js'
import { sendInBatches } from './batches.js'
import {
  type Attribute,
  catalogueChanges,
  completeCatalogue,
  defaultAttribute,
  type KnownAttributes,
} from './catalogue.js'
import { type CsvRow, FileFault, openCsv } from '../../core/text-file/index.js'
import { type DatasetEntry, type ImportedDataset, replaceDataset } from './datasets.js'
import { inFile, inPlace, longName, ValueRefusal } from './faults.js'
import { readExported } from './exported-file.js'
import { bytesOf } from './input-file.js'
import { intervalReader, type IntervalReader, type IntervalRow } from './intervals.js'
import { checkColumns, type ColumnFigures, type KeptNumbers, type QualityCheck } from './quality.js'
import type { Progress } from './progress.js'

/** The view of a dataset has a column for each attribute, and PostgreSQL takes 1,600 columns: see analyst_baseline. */
export const MOST_ATTRIBUTES = 1500

export type BaselineEntry = DatasetEntry & {
  catalogue?: readonly Attribute[]
  /** Attributes that `catalogue` leaves out keep no entry of the import before. */
  resetsAttributes?: boolean
}

type BaselineRow = { line: number; id: string; values: readonly string[] }

/** What a baseline is made of. `values` are as many as `columns`. */
export type BaselineSource = {
  columns: readonly string[]
  rows: AsyncGenerator<readonly BaselineRow[]>
  usual?: readonly Attribute[]
  /** Says that there is no row. */
  empty: string
  /** Throws where the kept columns are not as the source has them: nothing is changed then. Returns notes for the report. */
  compare?: (kept: readonly ColumnFigures[]) => string[]
}

type AttributeRow = { [Member in keyof Attribute]: Attribute[Member] | null }

/** A source is opened once schema staging is there. */
export async function importBaseline(
  db: Database,
  from: string | (() => Promise<BaselineSource>),
  { catalogue = [], resetsAttributes = false, ...entry }: BaselineEntry,
  progress: Progress,
): Promise<ImportedDataset> {
  let read: Awaited<ReturnType<typeof addRows>> | undefined
  const replaced = replaceDataset(db, entry, progress, {
    load: async () => {
      const before = await attributesBefore(db, entry.layerId)
      const source = renamed(typeof from === 'string' ? await openTable(from, progress) : await from(), catalogue)
      const known = { entries: catalogue, before: resetsAttributes ? [] : before, usual: source.usual ?? [] }
      const { attributes, check } = await addRows(db, source, known)
      read = { attributes, check, source }
      const changes = catalogueChanges(before, attributes)
      for (const change of changes) progress(`the catalogue changes: ${change}`)
      return { kind: 'frames', attributes, figures: { changes } }
    },
    faults: 'import/baseline_faults',
    put: (attributes) => [
      ['import/baseline_put', attributes.every(({ type }) => type === 'number')],
      ['import/intervals_put'],
    ],
    report: async (run) => {
      const { attributes = [], check, source } = read ?? {}
      const usual = source?.usual ?? []
      const types = attributes.map((attribute) => ({
        ...attribute,
        // A raster, shapes or a table by unit say themselves what their numbers are.
        isDerived: isDerived(attribute, catalogue) && !(usual.includes(attribute) && attribute.type === 'number'),
      }))
      const kept = await run<KeptNumbers>(sqlText('import/numbers_kept'), [entry.layerId])
      const columns = check?.figures(types, kept) ?? []
      const compared = source?.compare?.(columns) ?? []
      const drawn = attributes.flatMap(({ name, draws }) => (draws === undefined ? [] : [name]))
      return { columns, notes: [...compared, ...(await intervalsOf({ rows: run }, entry.layerId, drawn))] }
    },
  })
  return await (typeof from === 'string' ? inFile(from, replaced) : replaced)
}

/** Gives the columns of a source the names of the catalogue. `compare` of the source still gets the names in the file. */
function renamed(source: BaselineSource, catalogue: readonly Attribute[]): BaselineSource {
  const { columns, usual = [], compare } = source
  const nameOf = (own: string) => catalogue.find(({ column }) => column === own)?.name ?? own
  const names = new Map(columns.map((own) => [nameOf(own), own]))
  const twice = columns.find((own) => names.get(nameOf(own)) !== own)
  if (twice !== undefined) throw new FileFault(`line 1: two columns are named "${nameOf(twice)}".`, 1)
  return {
    ...source,
    columns: columns.map(nameOf),
    usual: usual.map((entry) => ({ ...entry, name: nameOf(entry.name) })),
    ...(compare && {
      compare: (kept) => compare(kept.map((each) => ({ ...each, name: names.get(each.name) ?? each.name }))),
    }),
  }
}

/** The owner compares them with those of the model. */
async function intervalsOf(db: Pick<Database, 'rows'>, layerId: string, drawn: readonly string[]): Promise<string[]> {
  const notes = await Promise.all(
    drawn.map(async (attribute) => {
      const rows = await interval(db, sumOf(['unit'], layerId, attribute))
      return rows.map(
        ({ lower, upper, draws }) =>
          `${attribute}: ${draws} draws a frame; with 95 % the total lies between ${lower} and ${upper}.`,
      )
    }),
  )
  return notes.flat()
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

type BaselineLine = { line: number; id: string; recorded: string; numbers: string; intervals: readonly IntervalRow[] }

/** Returns the attributes that the columns are, in the order of the columns, and with their figures. */
async function addRows(
  db: Database,
  source: BaselineSource,
  known: KnownAttributes,
): Promise<{ attributes: Attribute[]; check: QualityCheck; source: BaselineSource }> {
  const text = sqlText('import/baseline_add')
  const kept = known.before.filter(({ name }) => !known.entries.some((entry) => entry.name === name))
  const intervals = inPlace('line 1', 1, () => intervalReader(source.columns, [...known.entries, ...kept]))
  const columns = source.columns.filter((column) => !intervals.isOfDraws(column))
  const check = checkColumns(columns)
  const count = await sendInBatches(baselineRows(source, { columns, check, intervals }), {
    bytesOf: ({ recorded, intervals: own }) =>
      own.reduce((sum, { draws }) => sum + (draws?.length ?? 0), recorded.length),
    send: async (batch) => {
      await db.rows(text, [
        `{${batch.map(({ line }) => line).join()}}`,
        `{${batch.map(({ id }) => id).join()}}`,
        batch.map(({ recorded }) => recorded).join('\n'),
        batch.map(({ numbers }) => numbers).join('\n'),
      ])
      const own = batch.flatMap(({ id, intervals: each }) => each.map((bounds) => ({ id, ...bounds })))
      if (own.length > 0) await db.rows(sqlText('import/intervals_add'), [JSON.stringify(own)])
    },
  })
  if (count === 0) throw new FileFault(source.empty, 1)
  return { attributes: completeCatalogue(columns, check.areNumbers(), known), check, source }
}

/** `columns` are those of attributes. */
type BaselineReading = {
  columns: readonly string[]
  check: QualityCheck
  intervals: IntervalReader
}

/** Adds each row to the check. */
async function* baselineRows(
  source: BaselineSource,
  { columns, check, intervals }: BaselineReading,
): AsyncGenerator<BaselineLine[]> {
  const keys = columns.map((column) => `${JSON.stringify(column)}:`)
  const isKept = source.columns.map((column) => columns.includes(column))
  const isWhole = source.columns.length === columns.length
  const lineOf = ({ line, id, values: given }: BaselineRow) => {
    const values = isWhole ? given : given.filter((_, i) => isKept[i])
    return {
      line,
      id,
      numbers: `{${check
        .add(values)
        .map((number) => number ?? 'null')
        .join()}}`,
      intervals: inPlace(`line ${line}`, line, () => intervals.read(given, line)),
      recorded: `{${values.map((value, i) => keys[i] + JSON.stringify(value)).join()}}`,
    }
  }
  for await (const rows of source.rows) yield rows.map(lineOf)
}

/** A CSV file with a row a frame. */
async function openTable(file: string, progress: Progress): Promise<BaselineSource> {
  const { head, batches } = readExported(await openCsv(bytesOf(file, 'table', progress)))
  const key = frameIdColumn(head)
  const columns = inPlace('line 1', 1, () => {
    refuseRow(head.cells[key] ?? '')
    return columnsOfFile(withoutCell(head.cells, key), key)
  })
  const rowOf = (cells: readonly string[]) => {
    if (cells.length !== columns.length + 1)
      throw new ValueRefusal(`${columns.length + 1} values are needed, ${cells.length} came.`)
    const { [key]: id = '' } = cells
    if (!isFrameId(id)) {
      const place = key === 0 ? 'first' : 'in column frame_id'
      throw new ValueRefusal(`a frame id of digits is needed ${place}, "${id.slice(0, 40)}" came.`)
    }
    return { id, values: withoutCell(cells, key) }
  }
  const numbered = ({ cells, line }: CsvRow) => ({ line, ...inPlace(`line ${line}`, line, () => rowOf(cells)) })
  async function* tableRows(): BaselineSource['rows'] {
    for await (const rows of batches) yield rows.map(numbered)
  }
  return { columns, rows: tableRows(), empty: `${file}: there is no row in it.` }
}

/** The column frame_id, as "export" and "locate" write it, else the first. */
const frameIdColumn = ({ cells }: { cells: string[] }): number =>
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
