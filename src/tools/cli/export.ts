/** frames export: writes the frames of a unit or a box to a file, through the API or from the database. */
import { counted } from '../../core/counted.js'
import type { Api } from '../export/api.js'
import { FILE_FORMATS, formatOf } from '../export/convert.js'
import { databaseApi } from '../export/database-api.js'
import {
  exportFrames,
  priceOfExport,
  type ExportOptions,
  type ExportPrice,
  type ExportResult,
} from '../export/export.js'
import type { FrameSelection } from '../export/pages.js'
import { priceReport } from '../export/price.js'
import { FRAMES_MAX } from '../../api/http/param-schemas.js'
import { refuseFolder } from '../load/input-file.js'
import { commandForm, UsageError, type Command, type Output } from './command.js'
import {
  API_OPTIONS,
  apiFrom,
  checkDryRun,
  checkSource,
  DATA_OPTION,
  DRY_RUN_OPTION,
  FORMULA_OPTION,
  layersIn,
  ORG_OPTION,
  withLayers,
  withPrices,
} from './frame-source.js'
import { anyValue, textValue, wholeNumber } from './values.js'

type WhichFrames = Partial<Record<'state' | 'lga' | 'ward' | 'bbox', string | undefined>> & { page: number | undefined }

const FORMAT_NOTES = [
  'Coordinates are longitude and latitude in degrees, WGS 84 (EPSG:4326), to seven decimals. A frame is there once. The frames of a unit are in the order of their ids. Those of a box are in the order of the calls, which is the same each time: a box of more frames than a call carries is asked for in quarters.',
  'The key of a frame is frame_id in every file, a whole number, as in the views of schema analyst.',
  '.geojsonl: one GeoJSON Feature a line: type, id (text), geometry (Polygon, or MultiPolygon where a boundary cuts the frame in parts), properties (frame_id). .geojson: the same as one FeatureCollection.',
  '.csv: a line of names, then one line a frame: frame_id, min_lon, min_lat, max_lon, max_lat, lon, lat (the middle of the corners), wkt. UTF-8, commas, quotes where needed.',
  '.gpkg: a layer "frame" of MultiPolygons with the column frame_id. It is written by ogr2ogr, which has to be installed.',
  '.parquet: GeoParquet 1.1 with the columns frame_id, geometry (WKB) and bbox (xmin, ymin, xmax, ymax). A row group has 10,000 frames, and readers skip groups by their bounds.',
  '--with-units adds state, stateCode, lga, lgaCode, ward, wardCode, zone and zoneCode: as properties, as columns at the end, as columns of the layer. What is not recorded is left out, and empty in CSV.',
  '--data adds a column for each attribute that the datasets record on these frames. A column has the name of its attribute; if another column has that name, the id of the dataset comes before it (lyr_wells_state). Where every value of a column is a number, the column is a number; each other column is text. A dataset of features is refused.',
  'With --org, the command reads the database (DATABASE_URL, or the embedded one). It reads what the organisation owns or may read at no cost, and refuses a dataset with a price. Through the API, the key decides what can be read, and its organisation is charged for each call (100 frames). The last message says how many calls were charged. A dataset that the key cannot read is refused before the first call.',
  '--dry-run adds up the prices of the calls that the same command would make, after the frames that an earlier run wrote, against the credits that the organisation has now. Where the credits end, the command stops: calls that were sent beside the last one may still be charged for cheaper datasets. With --org, the prices are those of calls with a key of this organisation.',
  'A unit that the index does not have, and a box that no frame touches, are errors (exit status 1): no file is written.',
]

const options = {
  state: { value: textValue('STATE'), description: 'the frames of this state' },
  bbox: {
    value: anyValue('BOX', 'minLon,minLat,maxLon,maxLat in degrees'),
    description: 'the frames that touch this box, in place of a unit',
  },
  lga: { value: textValue('LGA'), description: 'only this local government area of the state' },
  ward: { value: textValue('WARD'), description: 'only this ward of the area' },
  'with-units': { description: 'adds the administrative units of each frame; takes a call more for 100 frames' },
  data: DATA_OPTION,
  'no-formula-guard': FORMULA_OPTION,
  'dry-run': DRY_RUN_OPTION,
  page: { value: wholeNumber('N', 1, FRAMES_MAX), description: 'frames a call', default: String(FRAMES_MAX) },
  org: { ...ORG_OPTION, default: 'the API is asked' },
  ...API_OPTIONS,
} as const

export const exportCommand: Command = {
  summary: 'write the frames of a unit or a box to a file, with values of datasets',
  forms: [
    commandForm({
      description:
        'Writes the frames of a unit or a box to a file, page after page. A run that was cut short is resumed by the same command.',
      operands: [
        {
          value: anyValue('FILE', 'a name that ends in .geojson, .geojsonl, .csv, .gpkg or .parquet'),
          description: 'the file, its form told by its name',
        },
      ],
      options,
      choices: [['state', 'bbox']],
      notes: FORMAT_NOTES,
      run: async (config, { operands: [file], options: given }, output) => {
        const format = formatOf(file)
        if (format === undefined) throw new UsageError(`FILE: ${FILE_FORMATS} are accepted, "${file}" came.`)
        refuseFolder(file)
        const layers = layersIn(given.data)
        const wanted = {
          file,
          format,
          selection: selectionOf(given),
          units: given['with-units'],
          guards: !given['no-formula-guard'],
          layers,
        }
        checkSource(given)
        checkDryRun(given['dry-run'], layers)
        if (given['dry-run']) {
          const price = await withApi(priceOfExport)
          output.result(price, exportPriceReport(price))
        } else {
          const exported = await withApi(exportFrames)
          output.result(exported, exportReport(exported))
        }

        async function withApi<Result>(
          work: (api: Api, job: ExportOptions, progress: Output['progress']) => Promise<Result>,
        ): Promise<Result> {
          const { org } = given
          if (org === undefined) {
            const [api, url] = await apiFrom(given, layers, config, output)
            return await work(api, { ...wanted, source: url }, output.progress)
          }
          const job = { ...wanted, source: `database of ${org}` }
          return given['dry-run']
            ? await withPrices(config, { org, layers }, (db, quote) =>
                work(databaseApi(db, layers, quote), job, output.progress),
              )
            : await withLayers(config, { org, layers }, (db) => work(databaseApi(db, layers), job, output.progress))
        }
      },
    }),
  ],
}

const exportPriceReport = ({ file, frames, resumedAt, ...price }: ExportPrice): string =>
  [
    `${file} would get ${counted(frames, 'frame')}${resumedAt > 0 ? ` after the ${resumedAt} of the run before` : ''}. Nothing was written or charged.`,
    priceReport(price),
  ].join('\n')

function selectionOf({ state, lga, ward, bbox, page }: WhichFrames): FrameSelection {
  if (state === undefined && (lga ?? ward) !== undefined) throw new UsageError('--lga and --ward go with --state.')
  if (ward !== undefined && lga === undefined) throw new UsageError('--ward goes with --lga.')
  const limit = page === undefined ? undefined : String(page)
  return bbox === undefined ? { state: state ?? '', lga, ward, limit } : { bbox, limit }
}

function exportReport({ file, frames, resumedAt, values = [] }: ExportResult): string {
  const first = `${file} has ${counted(frames, 'frame')}${resumedAt > 0 ? `, ${resumedAt} of them from the run before` : ''}.`
  const lines = values.map(({ layerId, frames: some, charges }) => {
    const charged = charges > 0 ? `, charged for ${counted(charges, 'call')}` : ''
    return some === 0
      ? `${layerId} has no values there: it records nothing, or the key may not read it${charged}.`
      : `${layerId} has values on ${some} of them${charged}.`
  })
  return [first, ...lines].join('\n')
}
