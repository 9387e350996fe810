/** Opens a GeoTIFF: what it says of itself, whether it can be read as a whole, and the numbers of its pixels. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { GeoTIFF, GeoTIFFImage, TypedArray } from 'geotiff'
import { counted } from '../../core/counted.js'
import { formFault } from './file-forms.js'
import { refuseFolder } from './input-file.js'
import { shellWord } from './converted-file.js'
import type { Cells } from './raster-cover.js'

export type RasterOptions = {
  /** Counted from 1; all of them where it is empty. */
  bands: readonly number[]
  /** Goes before what the file says. */
  nodata?: number | undefined
  crs?: string | undefined
}

type Band = { number: number; name: string | undefined; nodata: number | undefined; scale: number; offset: number }

/** `pixel` has the width and the height, which is below zero where rows run south. */
type Grid = { x: number; y: number; pixel: readonly [width: number, height: number] }

export type Raster = {
  file: string
  /** EPSG:4326, ESRI:54009, a PROJ text or WKT. */
  crs: string
  columns: number
  rows: number
  grid: Grid
  /** Columns and rows that are read at once: whole blocks of the file. */
  window: { columns: number; rows: number }
  bands: readonly Band[]
  /** The numbers of each band, row by row; NaN stands for none. */
  read: (cells: Cells) => Promise<Float64Array[]>
  close: () => Promise<void>
}

/** Eight bytes a number and band; as much again for their cover. */
const WINDOW_PIXELS = 1 << 20
const BLOCK_BYTES = 128 << 20
/** Numbers beyond it are marks for no data: the lowest float is -3.4e38. */
export const NUMBER_MOST = 1e30

const COMPRESSIONS: Record<number, string> = {
  1: 'none',
  5: 'LZW',
  8: 'deflate',
  32946: 'deflate',
  32773: 'PackBits',
  34887: 'LERC',
  50000: 'ZSTD',
}
const NAMES: Record<number, string> = {
  6: 'old JPEG',
  7: 'JPEG',
  34712: 'JPEG 2000',
  34925: 'LZMA',
  50001: 'WebP',
  50002: 'JPEG XL',
}

const made = (file: string) => shellWord(`${file.replace(/\.\w+$/, '')}-converted.tif`)
const translated = (file: string, options = '') =>
  `gdal_translate -co TILED=YES -co COMPRESS=DEFLATE${options} ${shellWord(file)} ${made(file)}`

/** As messages name it. */
export const crsName = (crs: string): string => /^PROJCS\["([^"]+)"/.exec(crs)?.[1] ?? crs

export async function openRaster(file: string, options: RasterOptions): Promise<Raster> {
  refuseOtherForm(file)
  const { fromFile } = await import('geotiff')
  const tiff = await readable(file, () => fromFile(file))
  try {
    const image = await readable(file, () => tiff.getImage())
    refuseUnread(file, image)
    await refuseCut(file, image)
    const bands = await bandsOf(file, image, options)
    const [columns, rows] = [image.getWidth(), image.getHeight()]
    return {
      file,
      crs: options.crs ?? crsOf(file, image),
      columns,
      rows,
      grid: gridOf(file, image),
      window: windowOf(image, bands.length),
      bands,
      read: reader(file, image, bands, await maskOf(tiff, image)),
      close: () => closeQuietly(tiff),
    }
  } catch (error) {
    await closeQuietly(tiff)
    throw error
  }
}

const closeQuietly = async (tiff: GeoTIFF): Promise<void> => {
  await tiff.close()
}

const fault = (file: string, text: string, line?: string) =>
  new Error(`${file}: ${text}${line === undefined ? '' : ` Convert it, then give the new file:\n${line}`}`)

/** The package's own messages name offsets in the file. */
async function readable<Answer>(file: string, read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    throw new Error(`${file}: this GeoTIFF is damaged, or cut short: ${(error as Error).message}`, { cause: error })
  }
}

function refuseOtherForm(file: string): void {
  refuseFolder(file)
  const descriptor = openSync(file, 'r')
  const bytes = Buffer.alloc(4096)
  const length = readSync(descriptor, bytes, 0, bytes.length, 0)
  closeSync(descriptor)
  if (length === 0) throw new Error(`${file}: the file is empty; a GeoTIFF is accepted.`)
  if (/^(?:49492[ab]00|4d4d002[ab])/.test(bytes.toString('hex', 0, 4))) return
  const form = formFault(bytes.subarray(0, length), 'raster')
  if (form !== undefined) throw new Error(`${file}: a GeoTIFF is accepted, and this is ${form}`)
  throw fault(file, 'a GeoTIFF is accepted, and this is none.', translated(file))
}

function refuseUnread(file: string, image: GeoTIFFImage): void {
  const compression = image.fileDirectory.getValue('Compression') ?? 1
  if (COMPRESSIONS[compression] === undefined) {
    const came = NAMES[compression] ?? `method ${compression}`
    const accepted = [...new Set(Object.values(COMPRESSIONS))].join(', ')
    throw fault(file, `pixels compressed by ${accepted} are accepted, ${came} came.`, translated(file))
  }
  const format = image.getSampleFormat()
  const bits = image.getBitsPerSample()
  if (format > 3 || bits > 64 || (format < 3 && bits > 32))
    throw fault(
      file,
      `whole numbers of up to 32 bits and floats of up to 64 are accepted, ${format > 4 ? 'complex numbers' : 'numbers'} of ${bits} bits came.`,
      translated(file, ' -ot Float64'),
    )
  const bytes = image.getTileWidth() * image.getTileHeight() * bytesOfPixel(image)
  if (bytes > BLOCK_BYTES)
    throw fault(
      file,
      `blocks of up to ${BLOCK_BYTES >> 20} MB are accepted, and one of ${Math.ceil(bytes / 2 ** 20)} MB came.`,
      translated(file),
    )
}

const bytesOfPixel = (image: GeoTIFFImage) =>
  image.planarConfiguration === 2 ? image.getSampleByteSize(0) : image.getBytesPerPixel()

/** A file that was not copied to its end has blocks beyond it, which would be read as zeros. */
async function refuseCut(file: string, image: GeoTIFFImage): Promise<void> {
  const { size } = statSync(file)
  const directory = image.fileDirectory
  const [offsets, counts] = await readable(file, async () => {
    const kind = image.isTiled ? 'Tile' : 'Strip'
    return [await directory.loadValue(`${kind}Offsets`), await directory.loadValue(`${kind}ByteCounts`)] as const
  })
  const blocks = Array.from((counts ?? []) as ArrayLike<number | bigint>, Number)
  const end = blocks.reduce(
    (most, count, i) =>
      count === 0 ? most : Math.max(most, Number((offsets as ArrayLike<number | bigint>)[i]) + count),
    0,
  )
  if (blocks.length === 0 || image.getWidth() === 0 || image.getHeight() === 0)
    throw new Error(`${file}: this GeoTIFF is damaged, or cut short: it names no pixels. Copy it again.`)
  if (end > size)
    throw new Error(
      `${file}: the file is cut short: its pixels reach to byte ${end}, and it has ${size}. Copy it again.`,
    )
}

function gridOf(file: string, image: GeoTIFFImage): Grid {
  const directory = image.fileDirectory
  const scale = directory.getValue('ModelPixelScale')
  const tie = directory.getValue('ModelTiepoint')
  const [a, b, , x, d, e, , y] = directory.getValue('ModelTransformation') ?? []
  const grid =
    scale && tie?.length === 6
      ? { x: tie[3]! - tie[0]! * scale[0]!, y: tie[4]! + tie[1]! * scale[1]!, pixel: [scale[0]!, -scale[1]!] as const }
      : a !== undefined && b === 0 && d === 0
        ? { x: x!, y: y!, pixel: [a, e!] as const }
        : undefined
  if (grid === undefined || !grid.pixel.every((size) => Number.isFinite(size) && size !== 0)) {
    const came =
      a !== undefined || (tie?.length ?? 0) > 6 ? 'it is turned or bent against them' : 'it says nowhere where it lies'
    throw fault(
      file,
      `pixels along the axes of a coordinate system are accepted, and ${came}.`,
      `gdalwarp -t_srs EPSG:4326 ${shellWord(file)} ${made(file)}`,
    )
  }
  // Where the coordinates are those of middles, the corner lies half a pixel before.
  const back = image.pixelIsArea() ? 0 : 0.5
  return { ...grid, x: grid.x - back * grid.pixel[0], y: grid.y - back * grid.pixel[1] }
}

/** Numbers up to 32,766 are EPSG's; those from 32,768 on are private: ESRI's in practice. GDAL writes these as WKT. */
function crsOf(file: string, image: GeoTIFFImage): string {
  const { PCSCitationGeoKey: citation, ...keys } = (image.getGeoKeys() ?? {}) as Record<string, number> & {
    PCSCitationGeoKey?: string
  }
  const [, wkt] = /^ESRI PE String = (PROJCS\[.*\])/.exec(citation ?? '') ?? []
  if (wkt !== undefined) return wkt
  const code = keys['GTModelTypeGeoKey'] === 2 ? keys['GeographicTypeGeoKey'] : keys['ProjectedCSTypeGeoKey']
  if (code !== undefined && code > 0 && code !== 32767) return `${code > 32767 ? 'ESRI' : 'EPSG'}:${code}`
  throw new Error(
    `${file}: the file gives its coordinate system no number. --crs names it, such as --crs EPSG:4326 for degrees, --crs ESRI:54009, or --crs '+proj=...', as gdalsrsinfo -o proj4 prints it.`,
  )
}

async function bandsOf(file: string, image: GeoTIFFImage, { bands, nodata }: RasterOptions): Promise<Band[]> {
  const samples = image.getSamplesPerPixel()
  const unknown = bands.find((band) => band > samples)
  if (unknown !== undefined) throw new Error(`${file}: --band ${unknown}: the file has ${counted(samples, 'band')}.`)
  const numbers = bands.length > 0 ? [...new Set(bands)] : Array.from({ length: samples }, (_, i) => i + 1)
  return await Promise.all(
    numbers.map(async (number) => {
      const items = (await image.getGDALMetadata(number - 1)) ?? {}
      const numberOf = (item: string, otherwise: number) => {
        const given = Number(items[item] ?? otherwise)
        if (Number.isFinite(given)) return given
        throw new Error(`${file}: band ${number}: ${item} is no number: "${String(items[item])}".`)
      }
      const name = items['DESCRIPTION'] as string | undefined
      const kept = image.getGDALNoData() ?? undefined
      return { number, name, nodata: nodata ?? kept, scale: numberOf('SCALE', 1), offset: numberOf('OFFSET', 0) }
    }),
  )
}

/** Whole blocks, so that each is decoded once. */
function windowOf(image: GeoTIFFImage, bands: number): Raster['window'] {
  const [width, height] = [image.getTileWidth(), image.getTileHeight()]
  const most = WINDOW_PIXELS / bands
  const columns = width * Math.max(1, Math.floor(most / (width * height)))
  if (columns < image.getWidth()) return { columns, rows: height }
  return { columns: image.getWidth(), rows: height * Math.max(1, Math.floor(most / (image.getWidth() * height))) }
}

/** GDAL writes a mask of the image as an image of its own behind it. */
async function maskOf(tiff: GeoTIFF, image: GeoTIFFImage): Promise<GeoTIFFImage | undefined> {
  for (let i = 1; i < (await tiff.getImageCount()); i += 1) {
    const other = await tiff.getImage(i)
    if (other.fileDirectory.getValue('NewSubfileType') === 4 && other.getWidth() === image.getWidth()) return other
  }
  return undefined
}

function reader(
  file: string,
  image: GeoTIFFImage,
  bands: readonly Band[],
  mask: GeoTIFFImage | undefined,
): Raster['read'] {
  const samples = bands.map(({ number }) => number - 1)
  refuseDamagedBlocks(image)
  return async ({ left, top, right, bottom }) => {
    const window = [left, top, right, bottom]
    const at = `the pixels of columns ${left + 1} to ${right} and rows ${top + 1} to ${bottom}`
    const [raw, shown] = await Promise.all([
      image.readRasters({ window, samples, interleave: false }),
      mask?.readRasters({ window, samples: [0], interleave: false }),
    ]).catch((error: unknown) => {
      throw new Error(
        `${file}: ${at} cannot be read: ${error instanceof Error ? error.message : String(error)}. The file is damaged: copy it again.`,
        {
          cause: error,
        },
      )
    })
    return bands.map((band, i) => numbersOf(raw[i]!, band, shown?.[0]))
  }
}

/** The package takes any bytes that a decoder makes of a damaged block: too few, or with ZSTD too many. */
function refuseDamagedBlocks(image: GeoTIFFImage): void {
  const decode = image.getTileOrStrip.bind(image)
  const isExact = image.fileDirectory.getValue('Compression') === 50000
  image.getTileOrStrip = async (...place) => {
    const block = await decode(...place)
    const needed = image.getTileWidth() * image.getBlockHeight(block.y) * bytesOfPixel(image)
    const came = block.data.byteLength
    if (came < needed || (isExact && came !== needed))
      throw new Error(`a block of ${needed} bytes is needed, and one of ${came} came`)
    return block
  }
}

function numbersOf(
  raw: TypedArray,
  { nodata = NaN, scale, offset }: Band,
  shown: TypedArray | undefined,
): Float64Array {
  // A float of 32 bits is compared with the nearest one.
  const none = raw instanceof Float32Array ? Math.fround(nodata) : nodata
  const numbers = new Float64Array(raw)
  for (let i = 0; i < numbers.length; i += 1) if (numbers[i] === none) numbers[i] = NaN
  if (scale !== 1 || offset !== 0) for (let i = 0; i < numbers.length; i += 1) numbers[i] = numbers[i]! * scale + offset
  if (shown) for (let i = 0; i < numbers.length; i += 1) if (shown[i] === 0) numbers[i] = NaN
  return numbers
}
