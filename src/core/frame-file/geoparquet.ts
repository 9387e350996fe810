/** Writes frames or features as GeoParquet 1.1: https://geoparquet.org/releases/v1.1.0/ */
import { geojsonToWkb, ParquetWriter, type ColumnSource, type SchemaElement, type Writer } from 'hyparquet-writer'
import { geometryBounds, NO_BOUNDS, union } from '../geometry.js'
import type { Corners } from '../place.js'
import { keyOf, typedColumns, type FileItem, type TableForm, type ValueType } from './columns.js'

/** Readers skip a group by its bounds. The rows of a group stay in memory until it is written. */
const ROWS_A_GROUP = 10_000

type RowGroup = { frames: FileItem[]; bounds: Corners[] }

const BBOX_FIELDS = ['xmin', 'ymin', 'xmax', 'ymax'] as const

/** EPSG:4326 as PROJJSON. GeoParquet stores longitude before latitude, whatever the axes of the system are. */
const WGS_84 = {
  $schema: 'https://proj.org/schemas/v0.7/projjson.schema.json',
  type: 'GeographicCRS',
  name: 'WGS 84',
  datum: {
    type: 'GeodeticReferenceFrame',
    name: 'World Geodetic System 1984',
    ellipsoid: { name: 'WGS 84', semi_major_axis: 6378137, inverse_flattening: 298.257223563 },
  },
  coordinate_system: {
    subtype: 'ellipsoidal',
    axis: [
      { name: 'Geodetic latitude', abbreviation: 'Lat', direction: 'north', unit: 'degree' },
      { name: 'Geodetic longitude', abbreviation: 'Lon', direction: 'east', unit: 'degree' },
    ],
  },
  id: { authority: 'EPSG', code: 4326 },
}

const requiredColumn = { repetition_type: 'REQUIRED' } as const
const optionalColumn = { repetition_type: 'OPTIONAL' } as const
const textType = { type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optionalColumn } as const
const physical: Record<ValueType, Omit<SchemaElement, 'name'>> = {
  integer: { type: 'INT64', ...optionalColumn },
  number: { type: 'DOUBLE', ...optionalColumn },
  text: textType,
}

export async function writeGeoParquet(
  to: Writer,
  frames: AsyncIterable<FileItem> | Iterable<FileItem>,
  table: TableForm,
): Promise<void> {
  const columns = typedColumns(table)
  const key = keyOf(table)
  const geo = { key: 'geo', value: '' }
  const about = table.about === undefined ? [] : [{ key: 'dataset', value: table.about }]
  const writer = new ParquetWriter({ writer: to, schema: schemaOf(key, columns), kvMetadata: [geo, ...about] })
  const types = new Set<string>()
  let extent = NO_BOUNDS
  let group: RowGroup = { frames: [], bounds: [] }
  const writeGroup = async () => {
    await writer.write({ columnData: columnDataOf(key, columns, group), rowGroupSize: ROWS_A_GROUP })
    group = { frames: [], bounds: [] }
  }
  for await (const frame of frames) {
    const bounds = geometryBounds(frame.geometry)
    types.add(frame.geometry.type)
    extent = union(extent, bounds)
    group.frames.push(frame)
    group.bounds.push(bounds)
    if (group.frames.length === ROWS_A_GROUP) await writeGroup()
  }
  if (group.frames.length > 0) await writeGroup()
  // The writer reads the metadata at the end.
  geo.value = JSON.stringify(geoMetadata([...types].sort(), extent))
  await writer.finish()
}

const schemaOf = (key: string, columns: readonly { name: string; type: ValueType }[]): SchemaElement[] => [
  { name: 'root', num_children: 3 + columns.length },
  key === 'frame_id' ? { name: key, type: 'INT64', ...requiredColumn } : { name: key, ...textType },
  { name: 'geometry', type: 'BYTE_ARRAY', ...requiredColumn },
  { name: 'bbox', num_children: BBOX_FIELDS.length, ...requiredColumn },
  ...BBOX_FIELDS.map((name) => ({ name, type: 'DOUBLE', ...requiredColumn }) as const),
  ...columns.map(({ name, type }) => ({ name, ...physical[type] })),
]

const columnDataOf = (
  key: string,
  columns: ReturnType<typeof typedColumns>,
  { frames, bounds }: RowGroup,
): ColumnSource[] => [
  { name: key, data: frames.map(({ id }) => (key === 'frame_id' ? BigInt(id) : id)) },
  { name: 'geometry', data: frames.map(({ geometry }) => geojsonToWkb(geometry as never)), statistics: false },
  {
    name: 'bbox',
    data: bounds.map((corners) => Object.fromEntries(BBOX_FIELDS.map((name, i) => [name, corners[i]]))),
  },
  ...columns.map(({ name, read }) => ({ name, data: frames.map(read) })),
]

const geoMetadata = (geometryTypes: string[], bbox: Corners) => ({
  version: '1.1.0',
  primary_column: 'geometry',
  columns: {
    geometry: {
      encoding: 'WKB',
      geometry_types: geometryTypes,
      crs: WGS_84,
      orientation: 'counterclockwise',
      bbox,
      covering: { bbox: Object.fromEntries(BBOX_FIELDS.map((name) => [name, ['bbox', name]])) },
    },
  },
})
