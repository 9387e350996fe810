/** frames export: writes the frames of a unit or a box to a file, through the API. */
import type { Config } from '../config.js'
import { apiAt } from '../export/api.js'
import { exportFrames, type ExportResult } from '../export/export.js'
import type { FrameSelection } from '../export/pages.js'
import { FRAMES_MAX } from '../http/param-schemas.js'
import { commandForm, UsageError, type Command } from './command.js'
import { anyValue, textValue, wholeNumber } from './values.js'

type WhichFrames = Partial<Record<'state' | 'lga' | 'ward' | 'bbox', string | undefined>> & { page: number | undefined }

const FILE_FORMATS = [
  'Coordinates are longitude and latitude in degrees, WGS 84 (EPSG:4326), to seven decimals. A frame is there once. The frames of a unit are in the order of their ids. Those of a box are in the order of the calls, which is the same each time: a box of more frames than a call carries is asked for in quarters.',
  '.geojsonl: one GeoJSON Feature a line, as the API gives it: type, id (text), geometry (Polygon, or MultiPolygon where a boundary cuts the frame in parts), properties (empty).',
  '.csv: a line of names, then one line a frame: id, min_lon, min_lat, max_lon, max_lat, lon, lat (the middle of the corners), wkt. UTF-8, commas, quotes where needed.',
  '.gpkg: a layer "frame" of MultiPolygons with the column id (text). It is written by ogr2ogr, which has to be installed.',
  '--with-units adds state, stateCode, lga, lgaCode, ward, wardCode, zone and zoneCode: as properties, as columns at the end, as columns of the layer. What is not recorded is left out, and empty in CSV. Values of datasets are not in the file: read /v1/frames/data, or schema analyst (sql/README.md).',
  'A unit that the index does not have, and a box that no frame touches, are errors (exit status 1): no file is written.',
]

export const exportCommand: Command = {
  summary: 'write the frames of a unit or a box to a file, through the API',
  forms: [
    commandForm({
      description:
        'Writes the frames of a unit or a box to a file, page after page, through the API. A run that was cut short is resumed by the same command.',
      operands: [
        {
          value: anyValue('FILE', 'a name that ends in .geojsonl, .csv or .gpkg'),
          description: 'the file, its form told by its name',
        },
      ],
      options: {
        state: { value: textValue('STATE'), description: 'the frames of this state' },
        bbox: {
          value: anyValue('BOX', 'minLon,minLat,maxLon,maxLat in degrees'),
          description: 'the frames that touch this box, in place of a unit',
        },
        lga: { value: textValue('LGA'), description: 'only this local government area of the state' },
        ward: { value: textValue('WARD'), description: 'only this ward of the area' },
        'with-units': { description: 'adds the administrative units of each frame; takes a call more for 100 frames' },
        page: { value: wholeNumber('N', 1, FRAMES_MAX), description: 'frames a call', default: String(FRAMES_MAX) },
        url: {
          value: anyValue('URL', 'an address such as http://127.0.0.1:3000'),
          description: 'where the API is',
          default: 'HOST and PORT of the environment, http://127.0.0.1:3000',
        },
        key: {
          value: anyValue('SECRET', 'the secret of a key'),
          description: 'the key to ask with; in the environment, other users of this machine cannot see it',
          default: 'FRAMES_KEY of the environment',
        },
      },
      choices: [['state', 'bbox']],
      notes: FILE_FORMATS,
      run: async (config, { operands: [path], options }, output) => {
        if (!/\.(geojsonl|csv|gpkg)$/i.test(path)) {
          throw new UsageError(`FILE: .geojsonl, .csv and .gpkg are accepted, "${path}" came.`)
        }
        const selection = selectionOf(options)
        const url = urlFor(options.url, config)
        const exportOptions = { file: path, selection, units: options['with-units'], url }
        const exported = await exportFrames(
          apiAt(url, secretFor(options.key, config), output.progress),
          exportOptions,
          output.progress,
        )
        output.result(exported, exportReport(exported))
      },
    }),
  ],
}

function selectionOf({ state, lga, ward, bbox, page }: WhichFrames): FrameSelection {
  if (state === undefined && (lga ?? ward) !== undefined) throw new UsageError('--lga and --ward go with --state.')
  if (ward !== undefined && lga === undefined) throw new UsageError('--ward goes with --lga.')
  const limit = page === undefined ? undefined : String(page)
  return bbox === undefined ? { state: state ?? '', lga, ward, limit } : { bbox, limit }
}

function urlFor(option: string | undefined, { host, port }: Config): string {
  const url = option ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!/^https?:\/\/[^/]/.test(url))
    throw new UsageError(`--url: an address such as http://127.0.0.1:3000 is accepted, "${url}" came.`)
  return url.replace(/\/+$/, '')
}

function secretFor(option: string | undefined, { key }: Config): string {
  const secret = option ?? key
  if (secret === undefined) throw new UsageError('A key is needed: FRAMES_KEY in the environment, or --key.')
  return secret
}

const exportReport = ({ file, frames, resumedAt }: ExportResult) =>
  `${file} has ${frames} frames${resumedAt > 0 ? `, ${resumedAt} of them from the run before` : ''}.`
