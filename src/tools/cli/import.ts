/** frames import: replaces the index by an organisation's own grid, or imports a dataset. */
import { findOrganisation } from '../../core/access/organisations.js'
import { counted, noun } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { ATTRIBUTE_MEMBERS, readCatalogue } from '../load/catalogue.js'
import type { ImportedDataset, DatasetEntry } from '../load/datasets.js'
import { importBaseline } from '../load/import-baseline.js'
import { importFeatures } from '../load/import-features.js'
import { importFrames } from '../load/import-frames.js'
import type { Arguments, Command } from './command.js'
import { columnReport, indexReport } from './load-report.js'
import { databaseForm } from './open-database.js'
import { anyValue, newDatasetId, organisationValue, textValue } from './values.js'

const DURING_IMPORT = 'Callers get the old rows until the new ones are complete, and never a mixture.'

const featuresIn = (csv: string) =>
  anyValue('FILE', `GeoJSON, a GeoJSON text sequence, a feature a line, or CSV with ${csv}`)

const datasetOptions = {
  id: {
    value: newDatasetId,
    description: 'the id of the dataset; an import under the same id replaces it',
    required: true,
  },
  name: { value: textValue('NAME'), description: 'its name', required: true },
  category: { value: textValue('CATEGORY'), description: 'what it is about, such as Population', required: true },
  org: { value: organisationValue, description: 'who owns it', required: true },
  vintage: {
    value: textValue('TEXT'),
    description: 'the year or the date of the data',
    default: 'as at the import before',
  },
} as const

export const importCommand: Command = {
  summary: 'put an index or a dataset of your own in place',
  forms: [
    databaseForm({
      verb: 'frames',
      description: `Replaces the index by a grid of your own. ${DURING_IMPORT}`,
      operands: [{ value: featuresIn('wkt'), description: 'the frames' }],
      work: (db, { operands: [path] }, output) => importFrames(db, path, output.progress),
      text: (made) =>
        [`Generation ${made.generation} is being served: ${counted(made.frames, 'frame')}.`, ...indexReport(made)].join(
          '\n',
        ),
    }),
    databaseForm({
      verb: 'baseline',
      description: `Puts a baseline in place: a row a frame, with at most 1,500 attributes. ${DURING_IMPORT}`,
      operands: [
        {
          value: anyValue('FILE', 'CSV with the frame ids in the column frame_id, or in the first'),
          description: 'the rows',
        },
      ],
      options: {
        ...datasetOptions,
        attributes: {
          value: anyValue('FILE', `JSON: an array of {${ATTRIBUTE_MEMBERS.join(', ')}}`),
          description: 'the catalogue of the columns',
          default: 'as at the import before; new columns of plain numbers are numbers, others are categories',
        },
        'reset-attributes': { description: 'forgets the catalogue that the import before left' },
      },
      work: async (db, { operands: [path], options }, output) => {
        const catalogue = options.attributes === undefined ? [] : readCatalogue(options.attributes)
        const entry = { ...(await entryOf(db, options)), catalogue, resetsAttributes: options['reset-attributes'] }
        return await importBaseline(db, path, entry, output.progress)
      },
      text: (made) => importReport(made),
    }),
    databaseForm({
      verb: 'features',
      description: `Puts points, lines or polygons in place; a feature belongs to every frame that it intersects. ${DURING_IMPORT}`,
      operands: [{ value: featuresIn('lon and lat, or with wkt'), description: 'the features' }],
      options: {
        ...datasetOptions,
        'no-distances': {
          description: 'keeps no distance of each frame to the nearest of them; an import before may have kept it',
        },
      },
      work: async (db, { operands: [path], options }, output) => {
        const entry = { ...(await entryOf(db, options)), hasDistances: !options['no-distances'] }
        return await importFeatures(db, path, entry, output.progress)
      },
      text: (made, { options }) => importReport(made, !options['no-distances']),
    }),
  ],
}

type DatasetOptions = Arguments<[], typeof datasetOptions>['options']

async function entryOf(db: Database, { id, name, category, org, vintage }: DatasetOptions): Promise<DatasetEntry> {
  const { orgId } = await findOrganisation(db.run, org)
  return { layerId: id, orgId, name, category, vintage }
}

/** More columns than a screen has lines are in the JSON alone. */
const REPORTED_COLUMNS = 40

function importReport(made: ImportedDataset, hasDistances = false): string {
  const { layerId, items, kind, columns = [], changes = [], outside = 0, notes } = made
  const more = columns.length - REPORTED_COLUMNS
  return [
    `${layerId} is being served: ${counted(items, kind.slice(0, -1))}.`,
    ...notes,
    ...(changes.length > 0
      ? ['Its catalogue changed:', ...changes.slice(0, REPORTED_COLUMNS).map((each) => `  ${each}`)]
      : []),
    ...(outside > 0 ? [outsideReport(outside, hasDistances)] : []),
    ...columns.slice(0, REPORTED_COLUMNS).map(columnReport),
    ...(more > 0 ? [`And ${counted(more, 'more column')}: --json lists them all.`] : []),
  ].join('\n')
}

function outsideReport(outside: number, hasDistances: boolean): string {
  const counts = hasDistances ? `, but ${noun(outside, 'it counts', 'they count')} in distances` : ''
  return `${counted(outside, 'of them touches', 'of them touch')} no frame: no call finds ${noun(outside, 'it', 'them')}${counts}.`
}
