/** frames export: writes the frames of a unit or a box to a file, from the database. */
import { counted } from '../../core/counted.js'
import { DATASETS_MAX } from '../../core/parameters.js'
import { checkDatasets, findOrganisation, hashOfKey } from '../../core/access/index.js'
import type { Database } from '../../core/db/index.js'
import { datasetsInReach, datasetsServed, keyAuthority } from '../../core/db/statements.js'
import { type Area, readBox, type UnitLevel } from '../../core/place.js'
import { shapeOf } from '../../core/shape.js'
import { exportFrames, type ExportResult } from '../export/export.js'
import { FILE_ENDINGS, formatOf } from '../../core/frame-file/index.js'
import { fileText, refuseUnwritable } from '../load/input-file.js'
import { type Command, flag, form, operand, optional, UsageError } from './command.js'
import { withDatabase } from './open-database.js'
import { anyValue, keyValue, listValue, organisationValue, textValue } from '../../core/values.js'

const FORMAT_NOTES = [
  'Coordinates are longitude and latitude in degrees, WGS 84 (EPSG:4326), to seven decimals. A frame is there once, and frames are in the order of their ids.',
  'The key of a frame is frame_id in every file, a whole number, as in the views of schema analyst.',
  '.geojsonl: one GeoJSON Feature a line: type, id (text), geometry (Polygon, or MultiPolygon where a boundary cuts the frame in parts), properties (frame_id). .geojson: the same as one FeatureCollection.',
  '.csv: a line of names, then one line a frame: frame_id, min_lon, min_lat, max_lon, max_lat, lon, lat (the middle of the corners), wkt. UTF-8, commas, quotes where needed.',
  '.gpkg: GeoPackage 1.3 with an index of places, and a layer "frame" of MultiPolygons with the columns fid (1, 2, 3 and so on), geom and frame_id.',
  '.parquet: GeoParquet 1.1 with the columns frame_id, geometry (WKB) and bbox (xmin, ymin, xmax, ymax). A row group has 10,000 frames, and readers skip groups by their bounds.',
  '--with-units adds state, state_code, lga, lga_code, ward, ward_code, zone and zone_code, as the views call them: as properties, as columns at the end, as columns of the layer. What is not recorded is left out, and empty in CSV.',
  '--data adds a column for each attribute that the datasets record on these frames. A column has the name of its attribute; if another column has that name, the id of the dataset comes before it (lyr_wells_state). Where every value of a column is a number, the column is a number; each other column is text. An attribute with bounds or draws has its bounds in NAME_lower and NAME_upper. A dataset of features is refused.',
  '--data writes FILE.attributes.json too: the catalogue of the columns, which "import baseline --attributes" reads.',
  'The command reads the database (DATABASE_URL, or the embedded one). For values, --org names the organisation that reads, or --key the id of its key: what it owns or may read at no cost. A dataset with a price is refused: a program reads it through the API, as the client in clients/python does.',
  'A shape has at most 10,000 vertices. As GeoJSON it is a geometry, a feature, or a collection whose polygons do not overlap; WKT in another system has its code before it, such as SRID=32632;POLYGON(...). A shape with a fault is refused with the place of it.',
  'A unit that the index does not have, and a box or a shape that no frame touches, are errors (exit status 1): no file is written. FILE appears when it is whole; until then its parts are in the folder FILE.part.',
]

export const exportCommand: Command = {
  summary: 'write the frames of a unit, a box or a shape to a file, with values of datasets',
  form: form({
    description: 'Writes the frames of a unit, a box or a shape to a file.',
    least: 'frames_service',
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
      'with-units': flag('adds the administrative units of each frame'),
      data: optional(
        listValue('LIST', 'ids of baselines such as lyr_population'),
        'adds the values of these datasets, a column for each attribute',
        'no values',
      ),
      org: optional(organisationValue, 'reads the values of --data as this organisation may', 'no values'),
      key: optional(keyValue, 'reads the values of --data as the holder of this key may'),
      'no-formula-guard': flag(
        'writes every text of a CSV as it is; otherwise one that begins with =, +, -, @ or a tab gets an apostrophe in front, so that no spreadsheet runs it as a formula; "import baseline" takes it off',
      ),
    },
    oneOf: ['state', 'bbox', 'shape'],
    notes: FORMAT_NOTES,
    run: async (config, { file, ...given }, output) => {
      const format = formatOf(file)
      if (format === undefined) throw new UsageError(`FILE: ${FILE_ENDINGS} are accepted, "${file}" came.`)
      refuseUnwritable(file)
      const area = areaOf(given)
      const shape = given.shape === undefined ? undefined : fileText(given.shape)
      const table = { units: given['with-units'], guards: !given['no-formula-guard'] }
      const layers = layersToRead(given)
      const exported = await withDatabase(config, async (db) => {
        if ((given.org ?? given.key) !== undefined) await checkReadable(db, given, layers)
        const place = area ?? { shape: await shapeOf(db, shape ?? '') }
        return await exportFrames(db, { file, format, place, layers, ...table }, output.progress)
      })
      output.result(exported, exportReport(exported))
    },
  }),
}

/** Undefined for a shape, which the database reads. A box is read as the parameter of a call is. */
function areaOf(given: Record<UnitLevel | 'bbox' | 'shape', string | undefined>): Area | undefined {
  const { state, lga, ward, bbox = '', shape } = given
  if (state === undefined && (lga ?? ward) !== undefined) throw new UsageError('--lga and --ward go with --state.')
  if (ward !== undefined && lga === undefined) throw new UsageError('--ward goes with --lga.')
  if (shape !== undefined) return undefined
  if (state !== undefined) return { unit: [state, lga, ward].flatMap((name) => name ?? []) }
  try {
    return { box: readBox(bbox) }
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`, { cause: error })
  }
}

/** `key` is the id of a key. */
type ReaderName = { org: string | undefined; key: string | undefined }

/** Everybody who reads the database may read frames; values have rights. */
function layersToRead({ data = [], org, key }: ReaderName & { data: string[] | undefined }): string[] {
  const layers = [...new Set(data)]
  if (layers.length > DATASETS_MAX) throw new UsageError(`--data: ${layers.length} given, at most ${DATASETS_MAX}.`)
  const odd = layers.find((layer) => !/^lyr_\w+$/.test(layer))
  if (odd !== undefined) throw new UsageError(`--data: ids such as lyr_population are accepted, "${odd}" came.`)
  if (org !== undefined && key !== undefined)
    throw new UsageError('--org and --key: one of them is accepted, since a key belongs to an organisation.')
  if (layers.length > 0 && (org ?? key) === undefined)
    throw new UsageError('--data: --org names the organisation that reads, or --key the id of its key.')
  return layers
}

/** `narrowed`: the datasets that a key is narrowed to. */
type FrameReader = { orgId: string; narrowed: string[] | null; title: string; advice: string }

/** Nothing is charged here: a dataset with a price is read through the API, which enters the charge. */
async function checkReadable(db: Database, name: ReaderName, layers: string[]): Promise<void> {
  const { orgId, narrowed, title, advice } = await findReader(db, name)
  await checkDatasets(db.run, layers, 'data')
  const prices = new Map((await datasetsInReach(db, orgId, narrowed)).map(({ layerId, price }) => [layerId, price]))
  for (const { layerId, kind } of await datasetsServed(db, layers)) {
    const price = prices.get(layerId)
    if (price === undefined) throw new Error(`--data: ${title} may not read ${layerId}. ${advice}`)
    if (price !== null)
      throw new Error(
        `--data: ${layerId} costs ${title} ${counted(price, 'credit')} a call. Read it through the API, which enters the charge: the client in clients/python does.`,
      )
    if (kind !== 'frames')
      throw new Error(`--data: ${layerId} records ${kind}: baselines are accepted, which record values on frames.`)
  }
}

async function findReader(db: Database, { org = '', key }: ReaderName): Promise<FrameReader> {
  if (key === undefined) {
    const { orgId, name } = await findOrganisation(db.run, org)
    const advice = '"datasets license" gives a licence; --org may name the owner.'
    return { orgId, narrowed: null, title: `"${name}"`, advice }
  }
  const [authority] = await keyAuthority(db, [await hashOfKey(db.run, key)])
  if (!authority) throw new Error(`--key: ${key} is expired or revoked.`)
  const { orgId, datasets, capabilities } = authority
  if (!capabilities.includes('frame.read')) throw new Error(`--key: ${key} lacks the capability frame.read.`)
  return { orgId, narrowed: datasets, title: `key ${key}`, advice: '"keys list" shows what it is narrowed to.' }
}

const exportReport = ({ file, frames, values = [], attributes }: ExportResult): string =>
  [
    `${file} has ${counted(frames, 'frame')}.`,
    ...values.map(({ layerId, frames: some }) =>
      some === 0 ? `${layerId} records nothing there.` : `${layerId} has values on ${some} of them.`,
    ),
    ...(attributes === undefined ? [] : [`${attributes} has the catalogue of the columns.`]),
  ].join('\n')
