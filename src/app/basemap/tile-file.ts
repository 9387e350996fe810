/** Reads the tiles of one PMTiles file, version 3 (github.com/protomaps/PMTiles): a header, directories, and tiles behind them. */
import { open, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip as gunzipOf } from 'node:zlib'
import { PbfReader } from 'pbf'

const gunzip = promisify(gunzipOf)

export type TileNumber = { z: number; x: number; y: number }

export type TileFile = {
  minzoom: number
  maxzoom: number
  /** West, south, east, north. */
  bounds: readonly number[]
  metadata: Readonly<Record<string, unknown>>
  isGzip: boolean
  /** Another file has another one. */
  version: string
  /** As the file has it. Undefined: it has no tile there. */
  tile: (number: TileNumber) => Promise<Buffer | undefined>
  close: () => Promise<void>
}

type Entry = { id: number; run: number; length: number; offset: number }
type Span = readonly [offset: number, length: number]

const HEADER_BYTES = 127
const [NO_COMPRESSION, GZIP] = [1, 2]
const VECTOR = 1
/** A directory for 16,000 tiles has 60 kB; a damaged file may say any number. */
const DIRECTORY_MOST = 50_000_000
/** A country has a few hundred directories below the first. */
const DIRECTORIES_KEPT = 200
/** The root leads to leaves, and the format allows leaves of leaves. */
const DEPTH_MOST = 4

/** `fault`: why there is none, though a file was named. */
export type Basemap = { file?: TileFile; fault?: string }

export async function openBasemap(path: string | undefined): Promise<Basemap> {
  if (path === undefined) return {}
  try {
    return { file: await openTileFile(path) }
  } catch (error) {
    return { fault: `BASEMAP_FILE, ${path}, ${(error as Error).message}: the map has no base map.` }
  }
}

/** Throws what is wrong with the file, as the end of a sentence. */
async function openTileFile(path: string): Promise<TileFile> {
  const file = await open(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(code === 'ENOENT' ? 'is not there' : `cannot be opened (${code})`)
  })
  try {
    return await tileFile(file)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function tileFile(file: FileHandle): Promise<TileFile> {
  const header = await read(file, [0, HEADER_BYTES]).catch(() => Buffer.alloc(HEADER_BYTES))
  if (header.toString('latin1', 0, 7) !== 'PMTiles' || header[7] !== 3)
    throw new Error('is no PMTiles file of version 3')
  const number = (at: number) => Number(header.readBigUInt64LE(at))
  const [inner, coding, kind, minzoom, maxzoom] = [...header.subarray(97, 102)]
  if (kind !== VECTOR) throw new Error('has no vector tiles')
  if (![inner, coding].every((each) => each === GZIP || each === NO_COMPRESSION))
    throw new Error('is compressed otherwise than by gzip')
  const plain = async (span: Span) => {
    const bytes = await read(file, span)
    return inner === GZIP ? await gunzip(bytes) : bytes
  }
  const leaves = new Map<number, Promise<Entry[]>>()
  const leaf = async (offset: number, length: number) => {
    const known = leaves.get(offset)
    if (known) return await known
    if (leaves.size >= DIRECTORIES_KEPT) leaves.clear()
    const found = plain([number(40) + offset, length]).then(entriesOf)
    leaves.set(offset, found)
    // A read that failed is tried again.
    found.catch(() => leaves.delete(offset))
    return await found
  }
  const { size, mtimeMs } = await file.stat()
  const [root, metadata] = await Promise.all([plain([number(8), number(16)]), plain([number(24), number(32)])])
    .then(([directory, text]) => [entriesOf(directory), JSON.parse(text.toString()) as TileFile['metadata']] as const)
    .catch(() => {
      throw new Error('is damaged')
    })
  return {
    minzoom: minzoom ?? 0,
    maxzoom: maxzoom ?? 0,
    bounds: [102, 106, 110, 114].map((at) => header.readInt32LE(at) / 1e7),
    metadata,
    isGzip: coding === GZIP,
    version: `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`,
    tile: async (asked) => {
      const id = idOf(asked)
      let entries = root
      for (let depth = 0; depth < DEPTH_MOST; depth += 1) {
        const found = entries.findLast((entry) => entry.id <= id)
        if (!found) return undefined
        if (found.run > 0)
          return id < found.id + found.run ? await read(file, [number(56) + found.offset, found.length]) : undefined
        entries = await leaf(found.offset, found.length)
      }
      return undefined
    },
    close: () => file.close(),
  }
}

async function read(file: FileHandle, [offset, length]: Span): Promise<Buffer> {
  if (length > DIRECTORY_MOST) throw new Error('is damaged')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw new Error('is damaged')
  return buffer
}

/** Columns, one after the other: ids as steps, runs, lengths, and offsets, of which 0 says: behind the one before. */
function entriesOf(directory: Buffer): Entry[] {
  const source = new PbfReader(directory)
  const count = source.readVarint()
  if (count > directory.length) throw new Error('is damaged')
  const column = () => Array.from({ length: count }, () => source.readVarint())
  const [steps, runs, lengths, offsets] = [column(), column(), column(), column()]
  let [id, end] = [0, 0]
  return steps.map((step, i) => {
    const [run = 0, length = 0, sent = 0] = [runs[i], lengths[i], offsets[i]]
    id += step
    const offset = sent === 0 ? end : sent - 1
    end = offset + length
    return { id, run, length, offset }
  })
}

/** Tiles are numbered zoom by zoom, along a Hilbert curve. */
function idOf({ z, x, y }: TileNumber): number {
  let id = (4 ** z - 1) / 3
  let [across, down] = [x, y]
  for (let side = 2 ** z / 2; side >= 1; side /= 2) {
    const [east, south] = [(across & side) > 0 ? 1 : 0, (down & side) > 0 ? 1 : 0]
    id += side * side * ((3 * east) ^ south)
    if (south === 0) [across, down] = east === 1 ? [side - 1 - down, side - 1 - across] : [down, across]
  }
  return id
}
