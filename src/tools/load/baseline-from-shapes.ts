/** A baseline of polygons: what each frame has of them, by area or at its middle. The work is in sql/import/. */
import { basename } from 'node:path'
import { type Database, sqlText } from '../../core/db/index.js'
import { isFigureNumber } from '../../core/decimal.js'
import { didYouMean } from '../../core/nearest.js'
import type { Attribute } from './catalogue.js'
import { FileFault, type JsonValue } from '../../core/text-file/index.js'
import { inFile, refuseStagedFaults, ValueRefusal } from './faults.js'
import { featureFile, sendFeatures } from './feature-file.js'
import { type BaselineSource, MOST_ATTRIBUTES } from './import-baseline.js'
import { featureSource } from './import-features.js'
import type { Progress } from './progress.js'
import type { ColumnFigures } from './quality.js'

export const SHAPE_STATISTICS = ['majority', 'share', 'sum-by-area', 'value-at-middle'] as const
type ShapeStatistic = (typeof SHAPE_STATISTICS)[number]

type Shapes = {
  file: string
  statistic: ShapeStatistic
  /** Those of the file that become columns. */
  properties: readonly string[]
  progress: Progress
}

type Column = { place: number; name: string; label: string; value?: string }
/** `place` counts the properties from 1. */
type Met = { place: number; value: string; share: number; number: number | null }

const PAGE_FRAMES = 2000

export async function shapesSource(db: Database, shapes: Shapes): Promise<BaselineSource> {
  const { file, statistic, properties, progress } = shapes
  const { values, sums } = await stageShapes(db, shapes)
  progress('cutting the shapes')
  await inFile(file, refuseStagedFaults(db, 'import/features_faults'))
  await db.rows(sqlText('import/shapes_cut'), [])
  const columns = properties.flatMap((name, i) => columnsOf(name, i + 1, values.get(name) ?? new Set(), shapes))
  return {
    columns: columns.map(({ name }) => name),
    rows: rowsOf(db, columns, shapes),
    usual: columns.flatMap((column) => attributeOf(column, statistic, file)),
    empty: `${file}: its shapes cover no frame.`,
    compare: (kept) => (statistic === 'sum-by-area' ? sumsOf(kept, sums) : []),
  }
}

/** Returns the different values of each property, one more than are accepted at the most, and their sums. */
async function stageShapes(db: Database, { file, properties, statistic, progress }: Shapes) {
  const sums = new Map<string, number>()
  const values = new Map(properties.map((name) => [name, new Set<string>()]))
  const met = new Set<string>()
  const rowOf = (value: JsonValue) => {
    const { values: own, kind, ...feature } = featureSource(value, undefined)
    if (kind !== 'polygons') throw new ValueRefusal(`polygons are accepted, ${kind} came`)
    for (const [name, each] of own) {
      met.add(name)
      const text =
        each === null || each === undefined ? '' : (typeof each === 'string' ? each : JSON.stringify(each)).trim()
      const known = values.get(name)
      if (text === '' || known === undefined) continue
      if (statistic === 'sum-by-area') {
        if (!isFigureNumber(text))
          throw new ValueRefusal(`${name}: sum-by-area takes plain numbers, "${text.slice(0, 40)}" came`)
        sums.set(name, (sums.get(name) ?? 0) + Number(text))
      }
      if (known.size <= MOST_ATTRIBUTES) known.add(text)
    }
    return feature
  }
  await sendFeatures(db, 'import/features_add', featureFile(file, rowOf, { progress }))
  for (const name of properties)
    if (!met.has(name))
      throw new FileFault(
        `${file}: no shape has the property ${name}: ${[...met].join(', ')} are there.${didYouMean(name, met)}`,
        1,
      )
  return { values, sums }
}

/** Says what the shapes have, where the frames have not all of it. */
const sumsOf = (kept: readonly ColumnFigures[], sums: ReadonlyMap<string, number>): string[] =>
  kept.flatMap(({ name, total }) => {
    const sum = sums.get(name) ?? 0
    const isWhole = total === undefined || Math.abs(Number(total) - sum) <= 1e-9 * Math.abs(sum)
    return isWhole
      ? []
      : [`${name}: the shapes have ${textOf(sum)}, and the frames ${total} of it: the rest lies outside the index.`]
  })

function columnsOf(
  name: string,
  place: number,
  values: ReadonlySet<string>,
  { statistic, properties, file }: Shapes,
): Column[] {
  if (statistic !== 'share') return [{ place, name, label: name }]
  if (values.size > MOST_ATTRIBUTES)
    throw new FileFault(
      `${file}: share gives each class a column, and at most 1,500 are accepted: ${name} has more different values, such as "${[...values][0]}".`,
      1,
    )
  const prefix = properties.length > 1 ? `${name}_` : ''
  return [...values].sort().map((value) => ({ place, name: `${prefix}${value}`, label: `${name}: ${value}`, value }))
}

/** A value at the middle is a number or a category, as the column shows. */
function attributeOf({ name, label }: Column, statistic: ShapeStatistic, file: string): Attribute[] {
  const of = `of the shapes of ${basename(file)}`
  if (statistic === 'majority')
    return [
      { name, label, type: 'category', summary: 'mode', description: `The value that most of the frame has, ${of}.` },
    ]
  if (statistic === 'share')
    return [
      {
        name,
        label,
        type: 'number',
        summary: 'weighted_mean',
        weight: 'area',
        description: `The part of the frame, from 0 to 1, ${of}.`,
      },
    ]
  return statistic === 'sum-by-area' ? [{ name, label, type: 'number', summary: 'sum', method: 'spread by area' }] : []
}

async function* rowsOf(
  db: Database,
  columns: readonly Column[],
  { statistic, properties, progress }: Shapes,
): BaselineSource['rows'] {
  const text = sqlText(statistic === 'value-at-middle' ? 'import/shapes_at_middles' : 'import/shapes_on_frames')
  let after = '-1'
  for (let line = 1; ;) {
    const page = await db.rows<{ id: string; values: Met[] | null }>(text, [after, PAGE_FRAMES, properties])
    yield page.flatMap(({ id, values }) =>
      values === null
        ? []
        : [{ line: line++, id, values: columns.map((column) => valueOf(column, values, statistic)) }],
    )
    after = page.at(-1)?.id ?? after
    if (page.length < PAGE_FRAMES) return
    progress(`laying shapes over frames: up to frame ${after}`)
  }
}

function valueOf({ place, value }: Column, met: readonly Met[], statistic: ShapeStatistic): string {
  const own = met.filter((each) => each.place === place)
  if (statistic === 'share') return textOf(own.find((each) => each.value === value)?.share ?? 0)
  if (own.length === 0) return ''
  if (statistic === 'sum-by-area') return textOf(own.reduce((sum, { number }) => sum + (number ?? 0), 0))
  // Values come in their order: of two that have as much, the first one stays.
  return own.reduce((most, each) => (each.share > most.share ? each : most)).value
}

/** Twelve digits: doubles that are added up are sure of hardly more. */
export const textOf = (number: number): string => String(Number(number.toPrecision(12)))
