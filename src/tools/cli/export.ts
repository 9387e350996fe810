/** frames export: writes the frames of a unit or a box to a file, from the database. */
import { counted } from '../../core/counted.js'
import { type Box, boxParam } from '../../api/http/params.js'
import type { Database } from '../../core/db/connect.js'
import { shapeOf } from '../../core/shape.js'
import { exportFrames, type ExportResult } from '../export/export.js'
import { FILE_ENDINGS, formatOf } from '../export/formats.js'
import type { FrameSelection } from '../export/frames.js'
import { fileText, refuseUnwritable } from '../load/input-file.js'
import { form, operand, optional, UsageError, type Command } from './command.js'
import { VALUE_ARGS, withFrames } from './frame-source.js'
import { anyValue, textValue } from '../../core/values.js'

const FORMAT_NOTES = [
  'Coordinates are longitude and latitude in degrees, WGS 84 (EPSG:4326), to seven decimals. A frame is there once, and frames are in the order of their ids.',
  'The key of a frame is frame_id in every file, a whole number, as in the views of schema analyst.',
  '.geojsonl: one GeoJSON Feature a line: type, id (text), geometry (Polygon, or MultiPolygon where a boundary cuts the frame in parts), properties (frame_id). .geojson: the same as one FeatureCollection.',
  '.csv: a line of names, then one line a frame: frame_id, min_lon, min_lat, max_lon, max_lat, lon, lat (the middle of the corners), wkt. UTF-8, commas, quotes where needed.',
  '.gpkg: GeoPackage 1.3 with an index of places, and a layer "frame" of MultiPolygons with the columns fid (1, 2, 3 and so on), geom and frame_id.',
  '.parquet: GeoParquet 1.1 with the columns frame_id, geometry (WKB) and bbox (xmin, ymin, xmax, ymax). A row group has 10,000 frames, and readers skip groups by their bounds.',
  '--with-units adds state, stateCode, lga, lgaCode, ward, wardCode, zone and zoneCode: as properties, as columns at the end, as columns of the layer. What is not recorded is left out, and empty in CSV.',
  '--data adds a column for each attribute that the datasets record on these frames. A column has the name of its attribute; if another column has that name, the id of the dataset comes before it (lyr_wells_state). Where every value of a column is a number, the column is a number; each other column is text. An attribute with bounds or draws has its bounds in NAME_lower and NAME_upper. A dataset of features is refused.',
  'The command reads the database (DATABASE_URL, or the embedded one). For values, --org names the organisation that reads, or --key the id of its key: what it owns or may read at no cost. A dataset with a price is refused: a program reads it through the API, as the client in clients/python does.',
  'A shape has at most 10,000 vertices. As GeoJSON it is a geometry, a feature, or a collection whose polygons do not overlap; WKT in another system has its code before it, such as SRID=32632;POLYGON(...). A shape with a fault is refused with the place of it.',
  'A unit that the index does not have, and a box or a shape that no frame touches, are errors (exit status 1): no file is written. FILE appears when it is whole; until then its parts are in the folder FILE.part.',
]

export const exportCommand: Command = {
  summary: 'write the frames of a unit, a box or a shape to a file, with values of datasets',
  form: form({
    description: 'Writes the frames of a unit, a box or a shape to a file.',
    args: {
      file: operand(
        anyValue('FILE', 'a name that ends in .geojson, .geojsonl, .csv, .gpkg or .parquet'),
        'the file, its form told by its name',
      ),
      state: optional(textValue('STATE'), 'the frames of this state'),
      bbox: optional(
        anyValue('BOX', 'minLon,minLat,maxLon,maxLat in degrees'),
        'the frames that touch this box, in place of a unit',
      ),
      shape: optional(
        anyValue('SHAPE', 'a file of GeoJSON or WKT, or - for standard input'),
        'the frames that touch this polygon, in place of a unit',
      ),
      lga: optional(textValue('LGA'), 'only this local government area of the state'),
      ward: optional(textValue('WARD'), 'only this ward of the area'),
      ...VALUE_ARGS,
    },
    oneOf: ['state', 'bbox', 'shape'],
    notes: FORMAT_NOTES,
    run: async (config, { file, ...given }, output) => {
      const format = formatOf(file)
      if (format === undefined) throw new UsageError(`FILE: ${FILE_ENDINGS} are accepted, "${file}" came.`)
      refuseUnwritable(file)
      const selection = selectionOf(given)
      const shape = given.shape === undefined ? undefined : fileText(given.shape)
      const table = { units: given['with-units'], guards: !given['no-formula-guard'] }
      const exported = await withFrames(config, given, async (db, layers) => {
        const chosen = selection ?? (await shapeSelection(db, shape ?? ''))
        return await exportFrames(db, { file, format, selection: chosen, layers, ...table }, output.progress)
      })
      output.result(exported, exportReport(exported))
    },
  }),
}

type ChosenArea = Record<'state' | 'lga' | 'ward' | 'bbox' | 'shape', string | undefined>

const shapeSelection = async (db: Database, text: string): Promise<FrameSelection> => ({
  level: 'area',
  area: { shape: await shapeOf(db, text) },
})

/** Undefined for a shape, which the database reads. */
function selectionOf({ state, lga, ward, bbox, shape }: ChosenArea): FrameSelection | undefined {
  if (state === undefined && (lga ?? ward) !== undefined) throw new UsageError('--lga and --ward go with --state.')
  if (ward !== undefined && lga === undefined) throw new UsageError('--ward goes with --lga.')
  if (shape !== undefined) return undefined
  if (state === undefined) return boxSelection(bbox ?? '')
  if (lga === undefined) return { level: 'state', state }
  return ward === undefined ? { level: 'lga', state, lga } : { level: 'ward', state, lga, ward }
}

/** A box is read as the parameter of a call is. */
function boxSelection(text: string): FrameSelection {
  try {
    const { minLon, minLat, maxLon, maxLat } = boxParam(new Map([['bbox', [text]]])) as Box
    return { level: 'area', area: { box: [minLon, minLat, maxLon, maxLat] } }
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`, { cause: error })
  }
}

const exportReport = ({ file, frames, values = [] }: ExportResult): string =>
  [
    `${file} has ${counted(frames, 'frame')}.`,
    ...values.map(({ layerId, frames: some }) =>
      some === 0 ? `${layerId} records nothing there.` : `${layerId} has values on ${some} of them.`,
    ),
  ].join('\n')
