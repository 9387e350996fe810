/** Writes frames as GeoParquet. */
import { fileWriter } from 'hyparquet-writer'
import { writeGeoParquet, type FileColumn } from '../../core/geoparquet.js'
import { UNIT_FIELDS } from '../../core/unit-fields.js'
import { storedValue, type TableForm } from './columns.js'
import type { Frame } from './frames.js'

export const writeParquet = (file: string, frames: AsyncIterable<Frame>, table: TableForm): Promise<void> =>
  writeGeoParquet(fileWriter(file), frames, [
    ...(table.units ? UNIT_FIELDS : []).map((name): FileColumn<Frame> => ({
      name,
      type: 'text',
      read: ({ units }) => units[name] ?? null,
    })),
    ...table.columns.map((column): FileColumn<Frame> => ({
      name: column.name,
      type: column.type,
      read: ({ values }) => storedValue(values, column),
    })),
  ])
