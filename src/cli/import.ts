/** frames import: an organisation's own grid, or a dataset. */
import { findOrganisation } from '../access/organisations.js'
import type { Config } from '../config.js'
import type { Database } from '../db/connect.js'
import { readCatalogue } from '../load/catalogue.js'
import type { ImportedDataset, DatasetEntry } from '../load/datasets.js'
import { importBaseline } from '../load/import-baseline.js'
import { importFeatures } from '../load/import-features.js'
import { importFrames } from '../load/import-frames.js'
import { command, form, type Given, type Out } from './command.js'
import { withDatabase } from './open-database.js'
import { file, newDataset, organisation, text } from './values.js'

const SERVED_MEANWHILE = 'Callers get the old rows until the new ones are complete, and never a mixture.'

const FEATURES = file('FILE', 'GeoJSON, a GeoJSON text sequence, a feature a line, or CSV with lon and lat')
const CATALOGUE = 'an array of {name, label, unit, type, summary, weight, description, method, synonyms}'

const about = {
  id: {
    value: newDataset,
    does: 'the id of the dataset; an import under the same id replaces it',
    required: true,
  },
  name: { value: text('NAME'), does: 'its name', required: true },
  category: { value: text('CATEGORY'), does: 'what it is about, such as Population', required: true },
  org: { value: organisation, does: 'who owns it', required: true },
  vintage: { value: text('TEXT'), does: 'the year or the date of the data', unset: 'as at the import before' },
} as const

export const importCommand = command('put an index or a dataset of your own in place', [
  form({
    verb: 'frames',
    does: `Replaces the index by a grid of your own. ${SERVED_MEANWHILE}`,
    operands: [{ value: file('FILE', 'GeoJSON, a GeoJSON text sequence, or a feature a line'), does: 'the frames' }],
    run: async (config, { operands: [path] }, out) => {
      const made = await withDatabase(config, (db) => importFrames(db, path, out.progress))
      out.result(made, `Generation ${made.generation} is being served: ${made.frames} frames.`)
    },
  }),
  form({
    verb: 'baseline',
    does: `Puts a baseline in place: a row a frame, with at most 1,500 attributes. ${SERVED_MEANWHILE}`,
    operands: [
      {
        value: file('FILE', 'CSV with a column "frame", or GeoJSON whose features are named after frames'),
        does: 'the rows',
      },
    ],
    options: {
      ...about,
      attributes: {
        value: file('FILE', `JSON: ${CATALOGUE}`),
        does: 'the catalogue of the columns',
        unset: 'columns of plain numbers are numbers, others are categories',
      },
    },
    run: async (config, { operands: [path], options }, out) => {
      const catalogue = options.attributes === undefined ? [] : readCatalogue(options.attributes)
      const take: Take = (db, wanted) => importBaseline(db, path, { ...wanted, catalogue }, out.progress)
      await serveDataset(config, options, take, out)
    },
  }),
  form({
    verb: 'features',
    does: `Puts points, lines or polygons in place; a feature belongs to every frame that it intersects. ${SERVED_MEANWHILE}`,
    operands: [{ value: FEATURES, does: 'the features' }],
    options: about,
    run: async (config, { operands: [path], options }, out) => {
      const take: Take = (db, wanted) => importFeatures(db, path, wanted, out.progress)
      await serveDataset(config, options, take, out)
    },
  }),
])

type About = Given<[], typeof about>['options']
type Take = (db: Database, wanted: DatasetEntry) => Promise<ImportedDataset>

async function serveDataset(config: Config, { id, name, category, org, vintage }: About, take: Take, out: Out) {
  const made = await withDatabase(config, async (db) => {
    const { orgId } = await findOrganisation(db.run, org)
    return await take(db, { layerId: id, orgId, name, category, vintage })
  })
  out.result(made, `${made.layerId} is being served: ${made.items} ${made.kind}.`)
}
