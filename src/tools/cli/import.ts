/** frames import: replaces the index by an organisation's own grid, or imports a dataset. */
import { isFileNumber } from '../../core/decimal.js'
import { findOrganisation } from '../../core/access/index.js'
import type { Database } from '../../core/db/index.js'
import { ATTRIBUTE_MEMBERS, readCatalogue } from '../load/catalogue.js'
import { layered } from '../load/converted-file.js'
import { type DatasetEntry, QUALITY_FLAGS } from '../load/datasets.js'
import { type BaselineSource, importBaseline } from '../load/import-baseline.js'
import type { Progress } from '../load/progress.js'
import { importFeatures } from '../load/import-features.js'
import { importFrames } from '../load/import-frames.js'
import { importRaster } from '../load/import-raster.js'
import { STATISTICS } from '../load/raster-frames.js'
import { type Command, flag, form, type Given, operand, optional, repeatable, required, UsageError } from './command.js'
import { datasetReport, frameReport, rasterReport } from './load-report.js'
import { onDatabase } from './open-database.js'
import { SHAPE_STATISTICS, shapesSource } from '../load/baseline-from-shapes.js'
import { SPREADS, UNIT_LEVELS, unitsSource } from '../load/baseline-by-unit.js'
import {
  anyValue,
  newDatasetId,
  organisationValue,
  textValue,
  type ValueKind,
  wholeNumber,
  wordValue,
} from '../../core/values.js'

const DURING_IMPORT = 'Callers get the old rows until the new ones are complete, and never a mixture.'

const featuresIn = (csv: string) =>
  anyValue('FILE', `GeoJSON, a GeoJSON text sequence, a feature a line, CSV with ${csv}, or what GDAL reads`)

const layer = optional(textValue('LAYER'), 'the layer of a file that has several', 'its only one')

export const dryRun = flag('reports all that the import would do, and changes nothing')

const KEPT = 'as at the import before'
const addressValue: ValueKind<string> = {
  name: 'URL',
  accepts: 'an address that begins with http:// or https://',
  read: (text) => (/^https?:\/\/\S{1,500}$/.test(text) && URL.canParse(text) ? text : undefined),
}
const dateValue: ValueKind<string> = {
  name: 'DATE',
  accepts: 'a day such as 2026-11-29',
  read: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined),
}

const datasetArgs = {
  id: required(newDatasetId, 'the id of the dataset; an import under the same id replaces it'),
  name: required(textValue('NAME'), 'its name'),
  category: required(textValue('CATEGORY'), 'what it is about, such as Population'),
  org: required(organisationValue, 'who owns it'),
  synonym: repeatable(textValue('WORD'), 'another word by which questions find it', KEPT),
  vintage: optional(textValue('TEXT'), 'the year or the date of the data', KEPT),
  licence: optional(textValue('TEXT'), 'under which terms it was published, such as CC-BY-4.0', KEPT),
  source: optional(textValue('TEXT', 500), 'who made it, and of what', KEPT),
  url: optional(addressValue, 'where it was published', KEPT),
  citation: optional(textValue('TEXT', 1000), 'how its makers want it cited', KEPT),
  released: optional(dateValue, 'the day of its release', KEPT),
  flag: repeatable(wordValue('FLAG', QUALITY_FLAGS), 'what a reader of its figures has to know', KEPT),
  'dry-run': dryRun,
}

const catalogueArgs = {
  attributes: optional(
    anyValue('FILE', `JSON: an array of {${ATTRIBUTE_MEMBERS.join(', ')}}`),
    'the catalogue of the columns',
    'as at the import before; new columns of plain numbers are numbers, others are categories',
  ),
  'reset-attributes': flag('forgets the catalogue that the import before left'),
}

const attributeValue: ValueKind<{ layerId: string; attribute: string }> = {
  name: 'LAYER.ATTRIBUTE',
  accepts: 'an attribute such as lyr_x.population',
  read: (text) => {
    const [, layerId, attribute] = /^(lyr_\w{1,96})\.(.+)$/.exec(text) ?? []
    return layerId === undefined || attribute === undefined ? undefined : { layerId, attribute }
  },
}

const sourceArgs = {
  from: optional(
    wordValue('KIND', ['rows', 'shapes'] as const),
    'what the file has: a row a frame, or polygons',
    'rows',
  ),
  as: optional(
    wordValue('STATISTIC', SHAPE_STATISTICS),
    'with --from shapes, what a frame has of a property: the value of most of its area; the share of each value, in a column each; a sum, each number by the part of its shape in the frame; or the value of the shape that holds its middle',
    'none, and shapes need one',
  ),
  property: repeatable(textValue('NAME'), 'with --from shapes, a property that becomes a column'),
  by: optional(
    wordValue('LEVEL', UNIT_LEVELS),
    'the file has a row a unit, named in columns state, lga and ward',
    'a row a frame, or polygons',
  ),
  spread: optional(
    wordValue('HOW', SPREADS),
    'with --by, how the numbers of a unit are shared out among its frames; same gives each frame the number itself, as for rates',
    'area',
  ),
  'spread-by': optional(
    attributeValue,
    'with --by, shares them out by the numbers of an attribute, such as people',
    'as --spread says',
  ),
}

const numberValue: ValueKind<number> = {
  name: 'NUMBER',
  accepts: 'a number such as -9999, nan or Infinity',
  read: (text) =>
    /^nan$/i.test(text) ? NaN : isFileNumber(text) || /^-?Infinity$/.test(text) ? Number(text) : undefined,
}

/** "10=Forest,20=Water" */
const classesValue: ValueKind<Map<number, string>> = {
  name: 'CLASSES',
  accepts: 'a list such as 10=Forest,20=Water',
  read: (text) => {
    const pairs = text.split(',').map((pair) => /^\s*(-?\d+(?:\.\d+)?)\s*=\s*(\S.*?)\s*$/.exec(pair))
    const isRead = pairs.every((pair) => pair !== null)
    return isRead ? new Map(pairs.map(([, number, name = '']) => [Number(number), name])) : undefined
  },
}

export const importCommand: Command = {
  summary: 'put an index or a dataset of your own in place',
  verbs: {
    frames: form({
      description: `Replaces the index by a grid of your own. ${DURING_IMPORT}`,
      args: { file: operand(featuresIn('wkt'), 'the frames'), layer, 'dry-run': dryRun },
      run: onDatabase(
        (db, { file, layer: named, 'dry-run': isDryRun }, output) =>
          importFrames(db, layered(file, named), output.progress, isDryRun),
        frameReport,
      ),
    }),
    baseline: form({
      description: `Puts a baseline in place: a row a frame, with at most 1,500 attributes. ${DURING_IMPORT}`,
      args: {
        file: operand(
          anyValue('FILE', 'CSV with the frame ids in the column frame_id, or in the first; or what GDAL reads'),
          'the rows',
        ),
        ...datasetArgs,
        layer,
        ...sourceArgs,
        ...catalogueArgs,
      },
      run: onDatabase(
        async (db, given, output) => {
          const { attributes, 'reset-attributes': resetsAttributes, ...about } = given
          const file = layered(given.file, given.layer)
          const from = sourceOf(db, { ...given, file }, output.progress)
          const entry = { ...(await entryOf(db, about)), ...catalogueOf(attributes, resetsAttributes) }
          return await importBaseline(db, from ?? file, entry, output.progress)
        },
        (made) => datasetReport(made),
      ),
    }),
    raster: form({
      description: `Puts a baseline in place whose values are made of the pixels of a GeoTIFF: a column for each band. A pixel that lies in several frames is split by area. ${DURING_IMPORT}`,
      args: {
        file: operand(anyValue('FILE', 'a GeoTIFF, in any coordinate system'), 'the raster'),
        ...datasetArgs,
        as: required(
          wordValue('STATISTIC', STATISTICS),
          'what a frame has of its pixels: majority is the class of most of its area; share gives each class a column, with its part of the area, from 0 to 1',
        ),
        band: repeatable(wholeNumber('BAND', 1, 65_535), 'a band, counted from 1', 'all'),
        nodata: optional(numberValue, 'the number that stands for no data', 'as the file says'),
        crs: optional(
          anyValue('CRS', 'EPSG:32632, ESRI:54009, or a text of PROJ'),
          'the coordinate system of the file',
          'as the file says',
        ),
        classes: optional(classesValue, 'names of classes, for majority and share', 'their numbers'),
        ...catalogueArgs,
      },
      run: onDatabase(
        async (db, given, output) => {
          const { file, as, band, nodata, crs, classes = new Map<number, string>(), ...about } = given
          const { attributes, 'reset-attributes': resetsAttributes, ...dataset } = about
          const entry = { ...(await entryOf(db, dataset)), ...catalogueOf(attributes, resetsAttributes) }
          const raster = { ...entry, statistic: as, bands: band, nodata, crs, classes }
          return await importRaster(db, file, raster, output.progress)
        },
        (made) => rasterReport(made),
      ),
    }),
    features: form({
      description: `Puts points, lines or polygons in place; a feature belongs to every frame that it intersects. ${DURING_IMPORT}`,
      args: {
        file: operand(featuresIn('lon and lat, or with wkt'), 'the features'),
        ...datasetArgs,
        layer,
        attributes: optional(
          anyValue('FILE', 'JSON, as for a baseline'),
          'what the properties of the features mean, and the words for them',
          'as at the import before',
        ),
        'no-distances': flag(
          'keeps no distance of each frame to the nearest of them; an import before may have kept it',
        ),
      },
      run: onDatabase(
        async (db, { file, layer: named, 'no-distances': without, attributes, ...about }, output) => {
          const { catalogue } = catalogueOf(attributes, false)
          const entry = { ...(await entryOf(db, about)), hasDistances: !without, catalogue }
          return await importFeatures(db, layered(file, named), entry, output.progress)
        },
        (made, { 'no-distances': without }) => datasetReport(made, !without),
      ),
    }),
  },
}

/** Undefined for a table with a row a frame. */
function sourceOf(
  db: Database,
  { file, from, as, property, by, spread, 'spread-by': spreadBy }: Given<typeof sourceArgs> & { file: string },
  progress: Progress,
): (() => Promise<BaselineSource>) | undefined {
  const isOfShapes = from === 'shapes'
  if (isOfShapes !== (as !== undefined) || isOfShapes !== property.length > 0)
    throw new UsageError(
      '--from shapes, --as and --property are needed together, such as --from shapes --as majority --property cover.',
    )
  if (isOfShapes && by !== undefined) throw new UsageError('--from shapes and --by: one of them is accepted, not both.')
  if (by === undefined && (spread ?? spreadBy) !== undefined)
    throw new UsageError('--spread and --spread-by need --by, such as --by ward.')
  if (spread !== undefined && spreadBy !== undefined)
    throw new UsageError('--spread and --spread-by: one of them is accepted, not both.')
  if (as !== undefined) return () => shapesSource(db, { file, statistic: as, properties: property, progress })
  if (by !== undefined)
    return () => unitsSource(db, { file, level: by, spread: spreadBy ?? spread ?? 'area', progress })
  return undefined
}

type AboutDataset = Given<typeof datasetArgs>

async function entryOf(db: Database, about: AboutDataset): Promise<DatasetEntry> {
  const {
    id,
    name,
    category,
    org,
    synonym: synonyms,
    vintage,
    licence,
    source,
    url,
    citation,
    released,
    flag: flags,
  } = about
  const { orgId } = await findOrganisation(db.run, org)
  const origin = { licence, source, url, citation, released, ...(flags.length > 0 && { flags }) }
  return { layerId: id, orgId, name, category, synonyms, vintage, origin, isDryRun: about['dry-run'] }
}

const catalogueOf = (attributes: string | undefined, resetsAttributes: boolean) => ({
  catalogue: attributes === undefined ? [] : readCatalogue(attributes),
  resetsAttributes,
})
