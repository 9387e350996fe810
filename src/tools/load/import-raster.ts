/** Imports a baseline from a GeoTIFF: each frame gets a figure of the pixels in it. */
import { basename } from 'node:path'
import type { Database } from '../../core/db/index.js'
import type { Attribute } from './catalogue.js'
import type { ImportedDataset } from './datasets.js'
import { textOf } from './baseline-from-shapes.js'
import { type BaselineEntry, type BaselineSource, importBaseline, MOST_ATTRIBUTES } from './import-baseline.js'
import type { Progress } from './progress.js'
import type { ColumnFigures } from './quality.js'
import { openRaster, type Raster, type RasterOptions } from './raster-file.js'
import { framesOf, newFigures, type RasterFigures, stageFrames, type Statistic, type Tally } from './raster-frames.js'

export type RasterEntry = BaselineEntry &
  RasterOptions & {
    statistic: Statistic
    /** Names of classes by their numbers. */
    classes: ReadonlyMap<number, string>
  }

export type ImportedRaster = ImportedDataset & { raster: RasterFigures }

export async function importRaster(
  db: Database,
  file: string,
  { bands, nodata, crs, statistic, classes, ...entry }: RasterEntry,
  progress: Progress,
): Promise<ImportedRaster> {
  const raster = await openRaster(file, { bands, nodata, crs })
  try {
    const figures = newFigures(raster, statistic)
    const open = () => sourceOf(db, { raster, statistic, classes, entry, progress, figures })
    const imported = await importBaseline(db, open, entry, progress)
    return { ...imported, raster: figures }
  } finally {
    await raster.close()
  }
}

type Reading = Pick<RasterEntry, 'statistic' | 'classes'> & {
  raster: Raster
  entry: BaselineEntry
  progress: Progress
  figures: RasterFigures
}
type Column = { name: string; label: string }

async function sourceOf(db: Database, reading: Reading): Promise<BaselineSource> {
  const { raster, statistic, figures, progress } = reading
  progress('counting the frames in pixels')
  const staged = await stageFrames(db, raster)
  const columns = columnsOf(reading)
  const frames = withNumbers(framesOf(db, staged, reading), staged.frames, reading)
  const parts =
    statistic === 'share' ? await sharesOf(frames, columns, reading) : { columns, rows: valuesOf(frames, reading) }
  return {
    columns: parts.columns.map(({ name }) => name),
    rows: numbered(parts.rows),
    usual: parts.columns.map((column) => attributeOf(column, reading)),
    empty: `${raster.file}: no frame has a number: all its pixels there are no data.`,
    compare: (kept) => compareSums(kept, figures, statistic),
  }
}

function columnsOf({ raster: { bands }, entry }: Reading): Column[] {
  const subject = entry.layerId.slice('lyr_'.length)
  return bands.map(({ name, number }) =>
    bands.length === 1
      ? { name: name ?? subject, label: entry.name }
      : { name: name ?? `${subject}_${number}`, label: name ?? `${entry.name}, band ${number}` },
  )
}

const ATTRIBUTES: Record<Statistic, Pick<Attribute, 'type' | 'summary' | 'weight'> & { unit?: string; says: string }> =
  {
    sum: { type: 'number', summary: 'sum', says: 'The sum of the pixels in the frame' },
    mean: { type: 'number', summary: 'weighted_mean', weight: 'area', says: 'The mean of the pixels in the frame' },
    min: { type: 'number', summary: 'mean', says: 'The lowest pixel in the frame' },
    max: { type: 'number', summary: 'mean', says: 'The highest pixel in the frame' },
    majority: { type: 'category', summary: 'mode', says: 'The class that most of the frame has' },
    share: {
      type: 'number',
      summary: 'weighted_mean',
      weight: 'area',
      says: 'The share of the frame, from 0 to 1, that has the class',
    },
  }

function attributeOf({ name, label }: Column, { statistic, raster }: Reading): Attribute {
  const { says, ...entry } = ATTRIBUTES[statistic]
  return {
    name,
    label,
    ...entry,
    description: `${says}, of ${basename(raster.file)}; a pixel in several frames counts by area.`,
  }
}

type Frame = { id: string; tallies: readonly Tally[] }

async function* withNumbers(
  frames: AsyncIterable<Frame>,
  all: number,
  { figures, statistic }: Reading,
): AsyncGenerator<Frame> {
  let count = 0
  for await (const frame of frames) {
    for (const [b, { sum }] of frame.tallies.entries()) figures.bands[b]!.sumInFrames += sum
    if (!frame.tallies.some((tally) => hasNumber(tally, statistic))) continue
    count += 1
    yield frame
  }
  figures.framesWithout = all - count
  for (const { sum, sumInFrames, sumOutside, band, ...figure } of figures.bands)
    if (!agrees(sum, sumInFrames + sumOutside, sum - 2 * figure.sumNegative))
      throw new Error(
        `The sums do not agree: the pixels of band ${band} have ${sum}, the frames ${sumInFrames}, what lies outside them ${sumOutside}. Do frames share land? "frames doctor" looks for it.`,
      )
}

/** Extremes and classes leave out what only touches the frame. */
const hasNumber = ({ weight, least, most }: Tally, statistic: Statistic) =>
  statistic === 'sum' || statistic === 'mean' ? weight > 0 : least <= most

/** `scale` is the sum without the signs, which rounding is measured by. */
const agrees = (one: number, other: number, scale: number) =>
  Math.abs(one - other) <= 1e-9 * Math.max(scale, Number.MIN_VALUE)

/** A row has its shares by class only once all classes are known. Until then a frame is a text such as "7|10:0.5,20:0.5". */
async function sharesOf(frames: AsyncIterable<Frame>, columns: readonly Column[], reading: Reading) {
  const kept: string[] = []
  const classes = columns.map(() => new Set<number>())
  for await (const { id, tallies } of frames) {
    const shares = tallies.map(({ classes: own }) => {
      const all = [...own.values()].reduce((sum, weight) => sum + weight, 0)
      return Array.from(own, ([number, weight]) => `${number}:${textOf(weight / all)}`).join(',')
    })
    kept.push([id, ...shares].join('|'))
    for (const [b, tally] of tallies.entries()) for (const number of tally.classes.keys()) classes[b]!.add(number)
    const odd = classes.find((own) => own.size > MOST_ATTRIBUTES)
    if (odd !== undefined)
      throw new Error(
        `${reading.raster.file}: share gives each class a column, and at most 1,500 are accepted. More different numbers came, such as ${[...odd].slice(0, 3).join(', ')}: use mean, or classify the raster.`,
      )
  }
  const parts = classes.flatMap((own, b) =>
    [...own]
      .sort((one, other) => one - other)
      .map((number) => ({ b, number: String(number), ...shareColumn(columns, b, number, reading) })),
  )
  async function* rows(): AsyncGenerator<{ id: string; values: string[] }> {
    for (const text of kept) {
      const [id = '', ...own] = text.split('|')
      const shares = own.map((each) => new Map(each.split(',').map((pair) => pair.split(':') as [string, string])))
      yield { id, values: parts.map(({ b, number }) => (own[b] === '' ? '' : (shares[b]?.get(number) ?? '0'))) }
    }
  }
  return { columns: parts, rows: rows() }
}

function shareColumn(columns: readonly Column[], b: number, number: number, { classes: names }: Reading): Column {
  const { name, label } = columns[b]!
  const known = names.get(number)
  return {
    name: columns.length === 1 && known !== undefined ? known : `${name}_${known ?? number}`,
    label: `${label}: ${known ?? number}`,
  }
}

async function* numbered(frames: AsyncIterable<{ id: string; values: string[] }>): BaselineSource['rows'] {
  let line = 0
  for await (const frame of frames) {
    line += 1
    yield [{ line, ...frame }]
  }
}

async function* valuesOf(
  frames: AsyncIterable<Frame>,
  { statistic, classes }: Reading,
): AsyncGenerator<{ id: string; values: string[] }> {
  for await (const { id, tallies } of frames)
    yield {
      id,
      values: tallies.map((tally) => (hasNumber(tally, statistic) ? valueOf(tally, statistic, classes) : '')),
    }
}

function valueOf(tally: Tally, statistic: Statistic, names: RasterEntry['classes']): string {
  const { weight, sum, least, most, classes } = tally
  if (statistic !== 'majority') return textOf({ sum, mean: sum / weight, min: least, max: most, share: NaN }[statistic])
  const [number] = [...classes].reduce((best, other) =>
    other[1] > best[1] || (other[1] === best[1] && other[0] < best[0]) ? other : best,
  )
  return names.get(number) ?? textOf(number)
}

/** The sums of what the database keeps are those of the pixels. */
function compareSums(kept: readonly ColumnFigures[], { bands }: RasterFigures, statistic: Statistic): string[] {
  if (statistic !== 'sum') return []
  for (const [b, { sumInFrames, band, ...figure }] of bands.entries()) {
    const total = kept[b]?.total
    if (total !== undefined && !agrees(Number(total), sumInFrames, figure.sum - 2 * figure.sumNegative))
      throw new Error(
        `The database keeps a total of ${total} for band ${band}, and its pixels in frames have ${sumInFrames}.`,
      )
  }
  return []
}
