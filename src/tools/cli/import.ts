/** frames import: replaces the index by an organisation's own grid, or imports a dataset. */
import { findOrganisation } from '../../core/access/organisations.js'
import type { Database } from '../../core/db/connect.js'
import { ATTRIBUTE_MEMBERS, readCatalogue } from '../load/catalogue.js'
import type { DatasetEntry } from '../load/datasets.js'
import { importBaseline } from '../load/import-baseline.js'
import { importFeatures } from '../load/import-features.js'
import { importFrames } from '../load/import-frames.js'
import { flag, form, operand, optional, required, type Command, type Given } from './command.js'
import { datasetReport, frameReport } from './load-report.js'
import { onDatabase } from './open-database.js'
import { anyValue, newDatasetId, organisationValue, textValue } from '../../core/values.js'

const DURING_IMPORT = 'Callers get the old rows until the new ones are complete, and never a mixture.'

const featuresIn = (csv: string) =>
  anyValue('FILE', `GeoJSON, a GeoJSON text sequence, a feature a line, or CSV with ${csv}`)

const datasetArgs = {
  id: required(newDatasetId, 'the id of the dataset; an import under the same id replaces it'),
  name: required(textValue('NAME'), 'its name'),
  category: required(textValue('CATEGORY'), 'what it is about, such as Population'),
  org: required(organisationValue, 'who owns it'),
  vintage: optional(textValue('TEXT'), 'the year or the date of the data', 'as at the import before'),
}

export const importCommand: Command = {
  summary: 'put an index or a dataset of your own in place',
  verbs: {
    frames: form({
      description: `Replaces the index by a grid of your own. ${DURING_IMPORT}`,
      args: { file: operand(featuresIn('wkt'), 'the frames') },
      run: onDatabase((db, { file }, output) => importFrames(db, file, output.progress), frameReport),
    }),
    baseline: form({
      description: `Puts a baseline in place: a row a frame, with at most 1,500 attributes. ${DURING_IMPORT}`,
      args: {
        file: operand(anyValue('FILE', 'CSV with the frame ids in the column frame_id, or in the first'), 'the rows'),
        ...datasetArgs,
        attributes: optional(
          anyValue('FILE', `JSON: an array of {${ATTRIBUTE_MEMBERS.join(', ')}}`),
          'the catalogue of the columns',
          'as at the import before; new columns of plain numbers are numbers, others are categories',
        ),
        'reset-attributes': flag('forgets the catalogue that the import before left'),
      },
      run: onDatabase(
        async (db, { file, attributes, 'reset-attributes': resetsAttributes, ...about }, output) => {
          const catalogue = attributes === undefined ? [] : readCatalogue(attributes)
          const entry = { ...(await entryOf(db, about)), catalogue, resetsAttributes }
          return await importBaseline(db, file, entry, output.progress)
        },
        (made) => datasetReport(made),
      ),
    }),
    features: form({
      description: `Puts points, lines or polygons in place; a feature belongs to every frame that it intersects. ${DURING_IMPORT}`,
      args: {
        file: operand(featuresIn('lon and lat, or with wkt'), 'the features'),
        ...datasetArgs,
        'no-distances': flag(
          'keeps no distance of each frame to the nearest of them; an import before may have kept it',
        ),
      },
      run: onDatabase(
        async (db, { file, 'no-distances': without, ...about }, output) => {
          const entry = { ...(await entryOf(db, about)), hasDistances: !without }
          return await importFeatures(db, file, entry, output.progress)
        },
        (made, { 'no-distances': without }) => datasetReport(made, !without),
      ),
    }),
  },
}

type AboutDataset = Given<typeof datasetArgs>

async function entryOf(db: Database, { id, name, category, org, vintage }: AboutDataset): Promise<DatasetEntry> {
  const { orgId } = await findOrganisation(db.run, org)
  return { layerId: id, orgId, name, category, vintage }
}
