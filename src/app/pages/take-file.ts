/** Writes frames with the values of datasets as CSV, GeoJSON or GeoParquet. They are read a hundred at a time. */
import type { Response } from 'express'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { recordsOn, type FrameRecords } from '../../core/datasets/records.js'
import type { CsvCell } from '../../core/csv.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import {
  attributesOfDatasets,
  framesById,
  type AttributeEntry,
  type DatasetRow,
  type FrameRow,
} from '../../core/db/statements.js'
import { isFileNumber } from '../../core/decimal.js'
import type { FileColumn } from '../../core/geoparquet.js'
import type { Geometry } from '../../core/geometry.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import { sendCsv } from '../shell/csv.js'

export const FILE_FORMATS = ['csv', 'geojson', 'parquet'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

type FileOfFrames = {
  reader: Reader
  format: FileFormat
  name: string
  ids: readonly string[]
  datasets: readonly DatasetRow[]
  /** The records of all frames, read before the charge: a file that was paid for holds what was charged. */
  records?: readonly FrameRecords[]
}

/** As many as a call of the API takes. */
const AT_ONCE = 100

/** A value of a frame: of an attribute, or the number of features. `name` is such as "lyr_population.pop_demest26". */
type FileValue = { name: string; read: (records: FrameRecords) => string | number | null }

export async function sendFile(res: Response, file: FileOfFrames): Promise<void> {
  const values = await fileValues(file)
  const pages = recordPages(file)
  if (file.format === 'csv') {
    const headings = ['frame_id', ...UNIT_FIELDS, 'west', 'south', 'east', 'north', ...values.map(({ name }) => name)]
    return await sendCsv(res, { name: `${file.name}.csv`, headings, pages: frameRows(pages, values) })
  }
  if (file.format === 'parquet') return await sendParquet(res, file.name, pages, values)
  await sendGeoJson(res, file.name, features(pages, values))
}

async function fileValues({ reader, datasets }: FileOfFrames): Promise<FileValue[]> {
  const layers = datasets.map(({ layerId }) => layerId)
  const entries = layers.length === 0 ? [] : await attributesOfDatasets(reader, layers)
  return datasets.flatMap((dataset, i): FileValue[] =>
    dataset.kind === 'frames'
      ? entries.filter(({ layer }) => layer === i + 1).map((entry) => attributeValue(dataset, entry))
      : [
          {
            name: `${dataset.layerId}.features`,
            read: ({ records }) => recordOf(records, dataset)?.features?.length ?? 0,
          },
        ],
  )
}

const recordOf = (records: FrameRecords['records'], { layerId }: DatasetRow) =>
  [...records].find(([dataset]) => dataset.layerId === layerId)?.[1]

const attributeValue = (dataset: DatasetRow, { name, type }: AttributeEntry): FileValue => ({
  name: `${dataset.layerId}.${name}`,
  read: ({ records }) => {
    const recorded = recordOf(records, dataset)?.values
    const value = recorded === undefined ? null : (JSON.parse(recorded) as Record<string, string | null>)[name]
    if (value === null || value === undefined || value.trim() === '') return null
    return type === 'number' && isFileNumber(value) ? Number(value) : value
  },
})

type FrameOfFile = { frame: FrameRow; records: FrameRecords }

async function* recordPages({ reader, ids, datasets, records }: FileOfFrames): AsyncGenerator<FrameOfFile[]> {
  const known = new Map(records?.map((each) => [each.id, each]))
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    const [frames, read] = await Promise.all([
      framesById(reader, some),
      records ? [] : recordsOn(reader, some, datasets),
    ])
    for (const each of read) known.set(each.id, each)
    yield frames.flatMap((frame) => {
      const found = known.get(frame.id)
      return found ? [{ frame, records: found }] : []
    })
  }
}

async function* frameRows(
  pages: AsyncIterable<FrameOfFile[]>,
  values: readonly FileValue[],
): AsyncGenerator<CsvCell[][]> {
  for await (const page of pages)
    yield page.map(({ frame, records }) => [
      frame.id,
      ...UNIT_FIELDS.map((field) => frame[field]),
      ...(JSON.parse(frame.bbox) as number[]),
      ...values.map(({ read }) => read(records)),
    ])
}

async function* features(pages: AsyncIterable<FrameOfFile[]>, values: readonly FileValue[]): AsyncGenerator<string> {
  for await (const page of pages)
    yield page
      .map(({ frame, records }) => {
        const units = UNIT_FIELDS.map((field) => [field, frame[field]])
        const properties = Object.fromEntries([
          ...units,
          ...values.map(({ name, read }) => [name, read(records)]),
        ]) as object
        return `{"type":"Feature","id":${JSON.stringify(frame.id)},"geometry":${frame.geometry},"properties":${JSON.stringify(properties)}}`
      })
      .join(',\n')
}

type OutlinedFrame = FrameOfFile & { id: string; geometry: Geometry }

/** A file of this format ends with a list of its parts: the frames, 5,000 at most, stay in memory until then. */
async function sendParquet(
  res: Response,
  name: string,
  pages: AsyncIterable<FrameOfFile[]>,
  values: readonly FileValue[],
): Promise<void> {
  const frames: OutlinedFrame[] = []
  for await (const page of pages)
    for (const each of page)
      frames.push({ ...each, id: each.frame.id, geometry: JSON.parse(each.frame.geometry) as Geometry })
  // Few people ask for such a file: a service without them does not load the writer.
  const [{ ByteWriter }, { writeGeoParquet }] = await Promise.all([
    import('hyparquet-writer'),
    import('../../core/geoparquet.js'),
  ])
  const file = new ByteWriter()
  await writeGeoParquet(file, Readable.from(frames), [
    ...UNIT_FIELDS.map((field): FileColumn<OutlinedFrame> => ({
      name: field,
      type: 'text',
      read: ({ frame }) => frame[field],
    })),
    ...values.map((value) => parquetColumn(value, frames)),
  ])
  res.set({
    'Content-Type': 'application/vnd.apache.parquet',
    'Content-Disposition': `attachment; filename="${name}.parquet"`,
  })
  res.end(Buffer.from(file.getBytes()))
}

/** One text among the values makes a column of texts. */
function parquetColumn({ name, read }: FileValue, frames: readonly OutlinedFrame[]): FileColumn<OutlinedFrame> {
  const isText = frames.some(({ records }) => typeof read(records) === 'string')
  return { name, type: isText ? 'text' : 'number', read: ({ records }) => read(records)?.toString() ?? null }
}

/** The first page is read before anything is sent, so that a fault of the database still has a page of its own. */
async function sendGeoJson(res: Response, name: string, texts: AsyncGenerator<string>): Promise<void> {
  let text = await texts.next()
  res.set({
    'Content-Type': 'application/geo+json; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}.geojson"`,
  })
  res.write('{"type":"FeatureCollection","features":[\n')
  for (let isFirst = true; text.done !== true && !res.destroyed; isFirst = false) {
    const piece = isFirst ? text.value : `,\n${text.value}`
    if (!res.write(piece)) await Promise.race([once(res, 'drain'), once(res, 'close')])
    text = await texts.next()
  }
  res.end('\n]}\n')
}
