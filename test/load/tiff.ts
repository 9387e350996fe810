/** Writes small GeoTIFFs, right ones and wrong ones: one strip, not compressed, each tag as a test wants it. */
type Tag = readonly [type: 2 | 3 | 4 | 12, values: readonly number[] | string]

export type Tiff = {
  width: number
  height: number
  /** The numbers of each band, row by row. */
  bands: readonly (readonly number[])[]
  /** The upper left corner, and the width and height of a pixel. */
  place?: readonly [x: number, y: number, width: number, height: number]
  crs?: number
  isProjected?: boolean
  nodata?: string
  format?: 'u8' | 'i16' | 'f32' | 'f64'
  /** In the place of what the file would have; undefined leaves a tag out. */
  tags?: Record<number, Tag | undefined>
}

const BYTES = { 2: 1, 3: 2, 4: 4, 12: 8 } as const
const FORMATS = { u8: [8, 1], i16: [16, 2], f32: [32, 3], f64: [64, 3] } as const

export function tiff(file: Tiff): Buffer {
  const { width, height, bands, format = 'f64', tags = {} } = file
  const [bits] = FORMATS[format]
  const pixels = Buffer.alloc((width * height * bands.length * bits) / 8)
  for (let i = 0, at = 0; i < width * height; i += 1)
    for (const band of bands) at = writeNumber(pixels, format, band[i] ?? 0, at)
  const all = Object.entries({ ...tagsOf(file, pixels.length), ...tags }).filter(
    (entry): entry is [string, Tag] => entry[1] !== undefined,
  )
  const directory = Buffer.alloc(2 + all.length * 12 + 4)
  const begin = 8 + pixels.length
  directory.writeUInt16LE(all.length, 0)
  const behind: Buffer[] = []
  let next = begin + directory.length
  for (const [i, [tag, [type, values]]] of all.entries()) {
    const value = bytesOfTag(type, values)
    const at = 2 + i * 12
    directory.writeUInt16LE(Number(tag), at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(value.length / BYTES[type], at + 4)
    if (value.length <= 4) value.copy(directory, at + 8)
    else {
      directory.writeUInt32LE(next, at + 8)
      behind.push(value)
      next += value.length
    }
  }
  const head = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  head.writeUInt32LE(begin, 4)
  return Buffer.concat([head, pixels, directory, ...behind])
}

function writeNumber(bytes: Buffer, format: keyof typeof FORMATS, number: number, at: number): number {
  if (format === 'u8') return bytes.writeUInt8(number, at)
  if (format === 'i16') return bytes.writeInt16LE(number, at)
  return format === 'f32' ? bytes.writeFloatLE(number, at) : bytes.writeDoubleLE(number, at)
}

function tagsOf(
  { width, height, bands, place = [0.2, 0.2, 0.01, 0.01], ...file }: Tiff,
  length: number,
): Record<number, Tag | undefined> {
  const { crs = 4326, isProjected = false, nodata, format = 'f64' } = file
  const [bits, sampleFormat] = FORMATS[format]
  const [x, y, across, down] = place
  return {
    256: [4, [width]],
    257: [4, [height]],
    258: [3, bands.map(() => bits)],
    259: [3, [1]],
    262: [3, [1]],
    273: [4, [8]],
    277: [3, [bands.length]],
    278: [4, [height]],
    279: [4, [length]],
    284: [3, [1]],
    339: [3, bands.map(() => sampleFormat)],
    33550: [12, [across, down, 0]],
    33922: [12, [0, 0, 0, x, y, 0]],
    34735: [3, geoKeys(isProjected, crs)],
    42113: nodata === undefined ? undefined : [2, nodata],
  }
}

const keys = [1, 1, 0, 3]
export const geoKeys = (isProjected: boolean, crs: number, areaOrPoint = 1): number[] =>
  keys.concat([1024, 0, 1, isProjected ? 1 : 2], [1025, 0, 1, areaOrPoint], [isProjected ? 3072 : 2048, 0, 1, crs])

function bytesOfTag(type: Tag[0], values: Tag[1]): Buffer {
  if (typeof values === 'string') return Buffer.from(`${values}\0`)
  const bytes = Buffer.alloc(values.length * BYTES[type])
  for (const [i, value] of values.entries()) {
    if (type === 12) bytes.writeDoubleLE(value, i * 8)
    else bytes.writeUIntLE(value, i * BYTES[type], BYTES[type])
  }
  return bytes
}
