/** Gathers the pixels of a raster by frames: window after window, so that a file of any size needs little memory. */
import { type Database, sqlText } from '../../core/db/index.js'
import type { Progress } from './progress.js'
import { type Cells, cellsOf, coverOf, type Polygons, polygonsOf, shared } from './raster-cover.js'
import { crsName, NUMBER_MOST, type Raster } from './raster-file.js'

export const STATISTICS = ['sum', 'mean', 'min', 'max', 'majority', 'share'] as const
export type Statistic = (typeof STATISTICS)[number]

/** What the pixels of a frame give; `weight` is how many of them have a number, by area. */
export type Tally = { weight: number; sum: number; least: number; most: number; classes: Map<number, number> }

/** Of a band: pixels, and sums of their numbers. Pixels at the edge of the index lie in part outside. */
type BandFigures = {
  band: number
  pixels: number
  nodata: number
  outside: number
  sum: number
  sumInFrames: number
  sumOutside: number
  /** Pixels below zero, and the first of them: an unnamed mark for no data often is one. */
  negative: number
  sumNegative: number
  firstNegative?: string
}

export type RasterFigures = {
  file: string
  statistic: Statistic
  crs: string
  /** Pixels of the file; those far from the index are not read. */
  pixels: number
  framesWithout: number
  bands: BandFigures[]
}

type OpenFrame = { id: string; polygons: Polygons; cells: Cells; tallies: Tally[] }
type Window = Cells & { number: number; numbers: Float64Array[]; covers: Float64Array }
type Staged = { frames: number; covered: number; reach: [number, number, number, number] }

const PAGE_FRAMES = 5000
/** Less of a pixel is left over by rounding, where frame and pixel share an edge. */
const NO_COVER = 1e-12
/** Extremes and classes take pixels of which more than a millionth lies in the frame. */
const LITTLE_COVER = 1e-6

/** `statistic` saves the work on classes where nobody asks for them. */
export type Gathering = { raster: Raster; statistic: Statistic; progress: Progress; figures: RasterFigures }

export const newFigures = ({ file, crs, columns, rows, bands }: Raster, statistic: Statistic): RasterFigures => ({
  file,
  statistic,
  crs: crsName(crs),
  pixels: columns * rows,
  framesWithout: 0,
  bands: bands.map(({ number }) => ({
    band: number,
    pixels: 0,
    nodata: 0,
    outside: 0,
    sum: 0,
    sumInFrames: 0,
    sumOutside: 0,
    negative: 0,
    sumNegative: 0,
  })),
})

/** Counts the frames in pixels, in schema staging. Refuses a raster that covers none. */
export async function stageFrames(db: Database, raster: Raster): Promise<Staged> {
  const { file, crs, columns, rows, grid, window } = raster
  const [width, height] = grid.pixel
  const numbers = [grid.x, grid.y, width, height, columns, rows, window.columns, window.rows]
  const [staged] = await db.rows<Staged>(sqlText('import/raster_frames'), [crs, numbers]).catch((error: Error) => {
    // PROJ's own words: what it does not know, or which place it cannot count.
    if (!/transform|proj|crs/i.test(error.message)) throw error
    throw new Error(
      `${file}: frames cannot be counted in ${crsName(crs)}: ${error.message.replace(/^\w+: /, '')}. --crs names another system.`,
      {
        cause: error,
      },
    )
  })
  if (staged === undefined || staged.frames === 0)
    throw new Error(`${file}: there are no frames yet: build an index first.`)
  if (staged.covered > 0) return staged
  const at = (pixels: readonly number[]) => {
    const [west, east] = [pixels[0]! * width + grid.x, pixels[2]! * width + grid.x].toSorted((a, b) => a - b).map(short)
    const [south, north] = [pixels[1]! * height + grid.y, pixels[3]! * height + grid.y]
      .toSorted((a, b) => a - b)
      .map(short)
    return `from ${west} to ${east} east and from ${south} to ${north} north`
  }
  throw new Error(
    `${file}: it covers no frame. In ${crsName(crs)} it lies ${at([0, 0, columns, rows])}, and the index ${at(staged.reach)}. A raster of this country is needed, or another --crs.`,
  )
}

const short = (number: number) => Number(number.toPrecision(7))

/** Yields a frame once all its pixels are read. */
export async function* framesOf(db: Database, { reach }: Staged, gathering: Gathering): AsyncGenerator<OpenFrame> {
  const { raster, progress } = gathering
  let open: OpenFrame[] = []
  const windows = windowsOf(raster, reach)
  let said = 0
  for (const [i, cells] of windows.entries()) {
    const window = await readWindow(cells, gathering)
    const waiting: OpenFrame[] = []
    for await (const frame of framesIn(db, open, window, gathering)) {
      addPixels(frame, window, gathering)
      if (frame.cells.right <= window.right && frame.cells.bottom <= window.bottom) yield frame
      else waiting.push(frame)
    }
    open = waiting
    addOutside(window, gathering.figures)
    const tenths = Math.floor(((i + 1) * 10) / windows.length)
    if (tenths > said) progress(`reading pixels: ${tenths * 10} %`)
    said = tenths
  }
}

/** The windows that frames reach, row by row, each with the number that raster_frames.sql gives it. */
function windowsOf({ columns, rows, window }: Raster, reach: Staged['reach']): (Cells & { number: number })[] {
  const [west, north, east, south] = reach
  const across = Math.ceil(columns / window.columns)
  const all: (Cells & { number: number })[] = []
  for (let top = 0; top < rows; top += window.rows)
    for (let left = 0; left < columns; left += window.columns) {
      const [right, bottom] = [Math.min(columns, left + window.columns), Math.min(rows, top + window.rows)]
      const number = (top / window.rows) * across + left / window.columns
      if (left < east && right > west && top < south && bottom > north) all.push({ left, top, right, bottom, number })
    }
  return all
}

async function readWindow(cells: Cells & { number: number }, { raster, figures }: Gathering): Promise<Window> {
  const numbers = await raster.read(cells)
  for (const [b, band] of figures.bands.entries()) countPixels(numbers[b]!, band, cells, raster.file)
  return { ...cells, numbers, covers: new Float64Array((cells.right - cells.left) * (cells.bottom - cells.top)) }
}

/** Plain loops over local numbers: each pixel of the file passes here, and iterators take four times as long. */
function countPixels(numbers: Float64Array, band: BandFigures, cells: Cells, file: string): void {
  const place = (i: number) => {
    const width = cells.right - cells.left
    return `column ${cells.left + (i % width) + 1}, row ${cells.top + Math.floor(i / width) + 1}`
  }
  let [sum, sumNegative, nodata] = [0, 0, 0]
  for (let i = 0; i < numbers.length; i += 1) {
    const number = numbers[i]!
    if (number >= 0 && number <= NUMBER_MOST) sum += number
    else if (Number.isNaN(number)) nodata += 1
    else if (Math.abs(number) > NUMBER_MOST)
      throw new Error(
        `${file}: band ${band.band}, ${place(i)}: a number of at most ${NUMBER_MOST} is accepted, ${number} came. Where it stands for no data, --nodata ${number} says so.`,
      )
    else {
      sumNegative += number
      band.negative += 1
      band.firstNegative ??= `${number} at ${place(i)}`
    }
  }
  band.pixels += numbers.length
  band.nodata += nodata
  band.sum += sum + sumNegative
  band.sumNegative += sumNegative
}

/** Those that begin in earlier windows, then those that begin in this one. */
async function* framesIn(
  db: Database,
  open: readonly OpenFrame[],
  window: Window,
  { raster: { columns, rows, bands } }: Gathering,
): AsyncGenerator<OpenFrame> {
  yield* open
  const text = sqlText('import/raster_window')
  const whole = { left: 0, top: 0, right: columns, bottom: rows }
  for (let after = '-1', isLast = false; !isLast;) {
    const page = await db.rows<{ id: string; shape: string }>(text, [window.number, after, PAGE_FRAMES])
    for (const { id, shape } of page) {
      const polygons = polygonsOf(shape)
      yield { id, polygons, cells: shared(cellsOf(polygons), whole), tallies: bands.map(newTally) }
    }
    after = page.at(-1)?.id ?? after
    isLast = page.length < PAGE_FRAMES
  }
}

const newTally = (): Tally => ({ weight: 0, sum: 0, least: Infinity, most: -Infinity, classes: new Map() })

function addPixels({ polygons, cells, tallies }: OpenFrame, window: Window, { statistic }: Gathering): void {
  const part = shared(cells, window)
  if (part.left >= part.right || part.top >= part.bottom) return
  const covers = coverOf(polygons, part)
  const { covers: all, top, left } = window
  const across = window.right - left
  for (let row = part.top, i = 0; row < part.bottom; row += 1) {
    let at = (row - top) * across + part.left - left
    for (let column = part.left; column < part.right; column += 1, i += 1, at += 1) all[at]! += covers[i]!
  }
  const hasClasses = statistic === 'majority' || statistic === 'share'
  for (const [b, tally] of tallies.entries()) {
    addNumbers(tally, window.numbers[b]!, { ...part, covers, across, first: window })
    if (hasClasses) addClasses(tally.classes, window.numbers[b]!, { ...part, covers, across, first: window })
  }
}

/** The part of a window that a frame touches; `first` is the upper left corner of the window. */
type Covered = Cells & { covers: Float64Array; across: number; first: { left: number; top: number } }

function addNumbers(tally: Tally, numbers: Float64Array, { covers, across, first, ...part }: Covered): void {
  let { weight, sum, least, most } = tally
  for (let row = part.top, i = 0; row < part.bottom; row += 1) {
    let at = (row - first.top) * across + part.left - first.left
    for (let column = part.left; column < part.right; column += 1, i += 1, at += 1) {
      const [cover, number] = [covers[i]!, numbers[at]!]
      if (cover < NO_COVER || Number.isNaN(number)) continue
      weight += cover
      sum += number * cover
      if (cover <= LITTLE_COVER) continue
      if (number < least) least = number
      if (number > most) most = number
    }
  }
  Object.assign(tally, { weight, sum, least, most })
}

function addClasses(
  classes: Map<number, number>,
  numbers: Float64Array,
  { covers, across, first, ...part }: Covered,
): void {
  for (let row = part.top, i = 0; row < part.bottom; row += 1) {
    let at = (row - first.top) * across + part.left - first.left
    for (let column = part.left; column < part.right; column += 1, i += 1, at += 1) {
      const [cover, number] = [covers[i]!, numbers[at]!]
      if (cover > LITTLE_COVER && !Number.isNaN(number)) classes.set(number, (classes.get(number) ?? 0) + cover)
    }
  }
}

/** What no frame covers is added up by itself: the sums are compared. */
function addOutside({ numbers, covers }: Window, { bands }: RasterFigures): void {
  for (const [b, band] of bands.entries()) {
    const own = numbers[b]!
    let [sum, outside] = [0, 0]
    for (let i = 0; i < own.length; i += 1) {
      const number = own[i]!
      if (Number.isNaN(number)) continue
      outside += 1 - covers[i]!
      sum += number * (1 - covers[i]!)
    }
    band.outside += outside
    band.sumOutside += sum
  }
}
