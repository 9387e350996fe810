/** frames export: the frames of a unit or a box as a file, through the API. */
import type { Config } from '../config.js'
import { apiAt } from '../export/api.js'
import { exportFrames, type Exported } from '../export/export.js'
import type { Wanted } from '../export/pages.js'
import { FRAMES_MAX } from '../http/param-schemas.js'
import { command, form, UsageError } from './command.js'
import { any, text, whole } from './values.js'

type Options = Partial<Record<'state' | 'lga' | 'ward' | 'bbox', string | undefined>> & { page: number | undefined }

const WHAT_IS_IN_THE_FILE = [
  'Coordinates are longitude and latitude in degrees, WGS 84 (EPSG:4326), to seven decimals. A frame is there once. The frames of a unit are in the order of their ids. Those of a box are in the order of the calls, which is the same each time: a box of more frames than a call carries is asked for in quarters.',
  '.geojsonl: one GeoJSON Feature a line, as the API gives it: type, id (text), geometry (Polygon, or MultiPolygon where a boundary cuts the frame in parts), properties (empty).',
  '.csv: a line of names, then one line a frame: id, min_lon, min_lat, max_lon, max_lat, lon, lat (the middle of the corners), wkt. UTF-8, commas, quotes where needed.',
  '.gpkg: a layer "frame" of MultiPolygons with the column id (text). It is written by ogr2ogr, which has to be installed.',
  '--with-units adds state, stateCode, lga, lgaCode, ward, wardCode, zone and zoneCode: as properties, as columns at the end, as columns of the layer. What is not recorded is left out, and empty in CSV. Values of datasets are not in the file: read /v1/frames/data, or schema analyst (sql/README.md).',
  'A unit that the index does not have, and a box that no frame touches, are errors (exit status 1): no file is written.',
]

export const exportCommand = command('write the frames of a unit or a box to a file, through the API', [
  form({
    does: 'Writes the frames of a unit or a box to a file, page after page, through the API. A run that was cut short is resumed by the same command.',
    operands: [
      {
        value: any('FILE', 'a name that ends in .geojsonl, .csv or .gpkg'),
        does: 'the file, its form told by its name',
      },
    ],
    options: {
      state: { value: text('STATE'), does: 'the frames of this state' },
      bbox: {
        value: any('BOX', 'minLon,minLat,maxLon,maxLat in degrees'),
        does: 'the frames that touch this box, in place of a unit',
      },
      lga: { value: text('LGA'), does: 'only this local government area of the state' },
      ward: { value: text('WARD'), does: 'only this ward of the area' },
      'with-units': { does: 'adds the administrative units of each frame; takes a call more for 100 frames' },
      page: { value: whole('N', 1, FRAMES_MAX), does: 'frames a call', unset: String(FRAMES_MAX) },
      url: {
        value: any('URL', 'an address such as http://127.0.0.1:3000'),
        does: 'where the API is',
        unset: 'HOST and PORT of the environment, http://127.0.0.1:3000',
      },
      key: {
        value: any('SECRET', 'the secret of a key'),
        does: 'the key to ask with; in the environment, other users of this machine cannot see it',
        unset: 'FRAMES_KEY of the environment',
      },
    },
    oneOf: [['state', 'bbox']],
    notes: WHAT_IS_IN_THE_FILE,
    run: async (config, { operands: [path], options }, out) => {
      if (!/\.(geojsonl|csv|gpkg)$/i.test(path)) {
        throw new UsageError(`FILE: .geojsonl, .csv and .gpkg are accepted, "${path}" came.`)
      }
      const wanted = wantedOf(options)
      const url = urlOf(options.url, config)
      const wish = { file: path, wanted, units: options['with-units'], url }
      const made = await exportFrames(apiAt(url, keyOf(options.key, config), out.progress), wish, out.progress)
      out.result(made, describe(made))
    },
  }),
])

function wantedOf({ state, lga, ward, bbox, page }: Options): Wanted {
  if (state === undefined && (lga ?? ward) !== undefined) throw new UsageError('--lga and --ward go with --state.')
  if (ward !== undefined && lga === undefined) throw new UsageError('--ward goes with --lga.')
  const limit = page === undefined ? undefined : String(page)
  return bbox === undefined ? { state: state ?? '', lga, ward, limit } : { bbox, limit }
}

function urlOf(given: string | undefined, { host, port }: Config): string {
  const url = given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!/^https?:\/\/[^/]/.test(url))
    throw new UsageError(`--url: an address such as http://127.0.0.1:3000 is accepted, "${url}" came.`)
  return url.replace(/\/+$/, '')
}

function keyOf(given: string | undefined, { key }: Config): string {
  const secret = given ?? key
  if (secret === undefined) throw new UsageError('A key is needed: FRAMES_KEY in the environment, or --key.')
  return secret
}

const describe = ({ file, frames, resumedAt }: Exported) =>
  `${file} has ${frames} frames${resumedAt > 0 ? `, ${resumedAt} of them from the run before` : ''}.`
