/** A baseline of a table by unit: the figures of each state, LGA or ward, shared out among its frames. The work is in sql/import/. */
import { type Database, sqlText } from '../../core/db/index.js'
import { unitNames } from '../../core/db/statements.js'
import { counted } from '../../core/counted.js'
import { isFigureNumber, trimDecimal } from '../../core/decimal.js'
import { didYouMean } from '../../core/nearest.js'
import { sendInBatches } from './batches.js'
import type { Attribute } from './catalogue.js'
import { type CsvRow, FileFault, openCsv } from '../../core/text-file/index.js'
import { ValueRefusal, inPlace } from './faults.js'
import type { BaselineSource } from './import-baseline.js'
import { bytesOf } from './input-file.js'
import type { Progress } from './progress.js'
import type { ColumnFigures } from './quality.js'

export const UNIT_LEVELS = ['state', 'lga', 'ward'] as const
type UnitLevel = (typeof UNIT_LEVELS)[number]
/** `same` gives each frame the number of its unit: a rate. */
export const SPREADS = ['area', 'evenly', 'same'] as const

type Spread = (typeof SPREADS)[number] | { layerId: string; attribute: string }

type UnitTable = { file: string; level: UnitLevel; spread: Spread; progress: Progress }
type Unresolved = { line: number; name: string; path: string; paths: string[]; units: number; firstLine: number }

const PAGE_FRAMES = 5000

export async function unitsSource(db: Database, table: UnitTable): Promise<BaselineSource> {
  const { file, level, spread, progress } = table
  const { columns, values } = await stageUnits(db, table)
  const faults = await db.rows<Unresolved>(sqlText('import/units_resolve'), [level])
  if (faults.length > 0) await refuseUnits(db, faults, table)
  progress('sharing the units out among their frames')
  const by = typeof spread === 'object' ? await attributeNamed(db, spread) : undefined
  const weight = by ? ['attribute', by.layerId, by.attribute] : [spread === 'area' ? 'area' : 'evenly', '', '']
  const [unweighted] = await db.rows<{ units: number }>(sqlText('import/units_share'), weight)
  const without = by ? (unweighted?.units ?? 0) : 0
  const notes = [
    ...(without === 0 ? [] : [`${counted(without, 'unit has', 'units have')} no ${by?.label}: spread evenly over the frames of each.`]), // prettier-ignore
    ...(await missingUnits(db, level)),
  ]
  const isNumber = columns.map((_, i) =>
    [...values.values()].every((cells) => cells[i] === '' || isFigureNumber(cells[i] ?? '')),
  )
  const isSpread = isNumber.map((each) => each && spread !== 'same')
  const method = `${level} figures, spread ${by ? `by ${by.label}` : spread === 'area' ? 'by area' : 'evenly'}`
  return {
    columns,
    rows: rowsOf(db, values, isSpread),
    usual: columns.flatMap((name, i) =>
      attributeOf(name, isSpread[i] ? method : `${level} figures`, isNumber[i] === true, isSpread[i] === true),
    ),
    empty: `${file}: there is no row in it.`,
    compare: (kept) => {
      for (const [i, name] of columns.entries())
        if (isSpread[i])
          compareTotal(kept, { file, name, given: [...values.values()].map((cells) => Number(cells[i])) })
      return notes
    },
  }
}

async function missingUnits(db: Database, level: UnitLevel): Promise<string[]> {
  const missing = await db.rows<{ path: string; units: number }>(sqlText('import/units_missing'), [level])
  const [first] = missing
  const such = missing.map(({ path }) => path).join('; ')
  return first ? [`${counted(first.units, `${level} has`, `${level}s have`)} no row, such as ${such}: frames there have no value.`] : [] // prettier-ignore
}

function compareTotal(
  kept: readonly ColumnFigures[],
  { file, name, given }: { file: string; name: string; given: number[] },
): void {
  const sum = given.reduce((all, each) => all + each, 0)
  const scale = given.reduce((all, each) => all + Math.abs(each), 0)
  const total = kept.find((column) => column.name === name)?.total
  if (total !== undefined && Math.abs(Number(total) - sum) > 1e-9 * scale)
    throw new Error(`${file}: ${name} adds up to ${sum} in the file, and to ${total} over the frames.`)
}

const attributeOf = (name: string, method: string, isNumber: boolean, isSpread: boolean): Attribute[] => [
  isSpread
    ? { name, label: name, type: 'number', summary: 'sum', method }
    : isNumber
      ? { name, label: name, type: 'number', summary: 'weighted_mean', weight: 'area', method }
      : { name, label: name, type: 'category', summary: 'mode', method },
]

/** Returns the columns besides the names of units, and the cells of each line. */
async function stageUnits(db: Database, { file, level, progress }: UnitTable) {
  const { head, batches } = await openCsv(bytesOf(file, 'table', progress))
  const folded = head.cells.map((name) => name.trim().toLowerCase().replaceAll(/[_\s]/g, ''))
  const places = UNIT_LEVELS.slice(0, UNIT_LEVELS.indexOf(level) + 1).map(
    (each) => [each, folded.indexOf(each)] as const,
  )
  const named = places.filter(([, place]) => place !== -1)
  if (!named.some(([each]) => each === level))
    throw new FileFault(`${file}, line 1: a column ${level} is needed. There are ${head.cells.join(', ')}.`, 1)
  const others = head.cells.flatMap((name, i) =>
    UNIT_LEVELS.some((each) => each === folded[i]) ? [] : [[name, i] as const],
  )
  const odd = others.find(([name], i) => name.trim() === '' || others.findIndex(([other]) => other === name) !== i)
  if (others.length === 0 || odd !== undefined)
    throw new FileFault(
      `${file}, line 1: columns of figures are needed beside the names of units, each with a name of its own.`,
      1,
    )
  const values = new Map<number, string[]>()
  const rowOf = ({ line, cells }: CsvRow) => {
    inPlace(`${file}, line ${line}`, line, () => {
      if (cells.length !== head.cells.length)
        throw new ValueRefusal(`${head.cells.length} values are needed, ${cells.length} came.`)
      if (cells[folded.indexOf(level)]?.trim() === '') throw new ValueRefusal(`the name of a ${level} is needed.`)
    })
    values.set(
      line,
      others.map(([, i]) => (cells[i] ?? '').trim()),
    )
    return { line, ...Object.fromEntries(named.map(([each, place]) => [each, cells[place] ?? ''])) }
  }
  async function* unitRows() {
    for await (const rows of batches) yield rows.map(rowOf)
  }
  const send = (batch: object[]) => db.rows(sqlText('import/units_add'), [JSON.stringify(batch)])
  await sendInBatches(unitRows(), { bytesOf: () => 100, send })
  return { columns: others.map(([name]) => name), values }
}

/** Says for each line whether no unit has the name, or which do. */
async function refuseUnits(db: Database, faults: readonly Unresolved[], { file, level }: UnitTable): Promise<never> {
  const known = (await unitNames(db)).flatMap((unit) => (unit.level === level ? [unit.name] : []))
  const lines = faults.map(({ line, name, path, paths, units, firstLine }) => {
    const elsewhere = known.includes(name) ? ` A ${level} of that name lies elsewhere.` : didYouMean(name, known)
    if (units === 0) return `line ${line}: the index has no ${level} "${path}".${elsewhere}`
    if (units === 1) return `line ${line}: ${paths[0]} was given already, on line ${firstLine}.`
    return `line ${line}: ${units} units are called ${name}: ${paths.slice(0, 5).join('; ')}. Columns state and lga tell them apart.`
  })
  throw new FileFault(`${file}:\n${lines.join('\n')}`, faults[0]?.line ?? 1)
}

/** The attribute that units are spread by, with its label. */
async function attributeNamed(db: Database, { layerId, attribute }: { layerId: string; attribute: string }) {
  const attributes = await db.rows<{ name: string; label: string; type: string }>(sqlText('import/attributes_before'), [
    layerId,
  ])
  const numbers = attributes.filter(({ type }) => type === 'number')
  const found = numbers.find(({ name }) => name === attribute)
  if (found) return { layerId, attribute, label: found.label }
  const names = numbers.map(({ name }) => `${layerId}.${name}`)
  throw new Error(
    `--spread-by: ${layerId}.${attribute} is no attribute of numbers. ${names.length > 0 ? `There are ${names.join(', ')}.` : `${layerId} has none.`}${didYouMean(`${layerId}.${attribute}`, names)}`,
  )
}

async function* rowsOf(
  db: Database,
  values: ReadonlyMap<number, string[]>,
  isSpread: readonly boolean[],
): BaselineSource['rows'] {
  const text = sqlText('import/units_page')
  for (let after = '-1', isLast = false; !isLast;) {
    const page = await db.rows<{ id: string; line: number; before: number; upto: number }>(text, [after, PAGE_FRAMES])
    yield page.map(({ id, line, ...part }) => {
      const cells = values.get(line) ?? []
      return { line, id, values: cells.map((cell, i) => (isSpread[i] && cell !== '' ? partOf(cell, part) : cell)) }
    })
    after = page.at(-1)?.id ?? after
    isLast = page.length < PAGE_FRAMES
  }
}

/** Parts of a number are differences of what is rounded up to each frame: they add up to it exactly. */
function partOf(number: string, { before, upto }: { before: number; upto: number }): string {
  const whole = Number(number)
  const own = /^[+-]?\d+\.(\d+)$/.exec(number)?.[1]?.length ?? 0
  const digits = whole === 0 ? 0 : 11 - Math.floor(Math.log10(Math.abs(whole)))
  const places = Math.min(30, Math.max(0, own, digits))
  const rounded = (part: number) => Number((whole * part).toFixed(places))
  const text = trimDecimal((rounded(upto) - rounded(before)).toFixed(places))
  return text === '-0' ? '0' : text
}
