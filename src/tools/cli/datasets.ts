/** frames datasets: lists, licenses and removes datasets. */
import {
  datasetsOf,
  license,
  listDatasets,
  type ListedDataset,
  priceValue,
  unlicense,
} from '../../core/access/index.js'
import { counted } from '../../core/counted.js'
import { measureDistances } from '../load/measure-distances.js'
import { removeDataset, type RemovedDataset } from '../load/remove-dataset.js'
import { type Command, form, linesOf, operand, optional, required } from './command.js'
import { onDatabase } from './open-database.js'
import { anyValue, organisationValue } from '../../core/values.js'

const dataset = operand(anyValue('LAYER', 'the id of a dataset, such as lyr_population'), 'the dataset')
const reader = anyValue('ORG|everyone', 'the id or the name of an organisation, or "everyone"')

export const datasetsCommand: Command = {
  summary: 'list datasets, say who may read one, measure distances to one, or remove one',
  verbs: {
    list: form({
      description: 'Lists the datasets with their owners and licences.',
      least: 'frames_service',
      args: {
        org: optional(
          organisationValue,
          'only the datasets that this organisation may read, with what a call costs it',
          'all datasets',
        ),
      },
      run: onDatabase(
        (db, { org }) => (org === undefined ? listDatasets(db.run) : datasetsOf(db.run, org)),
        (all, { org }) => linesOf(all, org === undefined ? datasetLine : costLine),
      ),
    }),
    license: form({
      description:
        'Lets an organisation read a dataset of another, from the very next call on. Replaces the licence that it has.',
      args: {
        dataset,
        to: required(reader, 'who may read it'),
        'per-query': optional(
          priceValue,
          'credits for each call that the dataset contributes to',
          'reading it costs nothing',
        ),
      },
      run: onDatabase(
        (db, given) => license(db.run, given.dataset, given.to, given['per-query']),
        ({ layerId, price }, { to }) =>
          `${layerId} may be read by ${to}${price === undefined ? '' : ` at ${price} a query`}.`,
      ),
    }),
    unlicense: form({
      description: 'Takes a licence back, from the very next call on.',
      args: { dataset, from: required(reader, 'who may not read it any more') },
      run: onDatabase(
        (db, given) => unlicense(db.run, given.dataset, given.from),
        ({ layerId }, { from }) => `${layerId} is not licensed to ${from} any more.`,
      ),
    }),
    measure: form({
      description:
        'Measures the distance of each frame to the nearest feature of a dataset that was imported without distances, by an older release or with --no-distances.',
      args: { dataset },
      run: onDatabase(
        (db, given, output) => measureDistances(db, given.dataset, output.progress),
        ({ layerId, distanceTo }) => `${layerId} has the distances to ${distanceTo}.`,
      ),
    }),
    remove: form({
      description:
        'Removes a dataset with its rows, its distances, its licences and its views, without asking: its file can be imported again, its licences cannot. Entries of the ledger and keys that are narrowed to it keep its id.',
      args: { dataset },
      run: onDatabase(
        (db, given, output) => removeDataset(db, given.dataset, output.progress),
        (removed) => linesOf(removed, removedLine),
      ),
    }),
  },
}

function datasetLine({ layerId, kind, items, name, licences }: ListedDataset): string {
  const readers = licences.map(({ to, price }) => (price === undefined ? to : `${to} at ${price} a query`))
  const reach = readers.length === 0 ? 'its owner alone' : readers.join(', ')
  return `${listedColumns({ layerId, kind, items, name })}  (${reach})`
}

/** An organisation has one licence of a dataset, and none of its own. */
function costLine({ licences: [licence], ...listed }: ListedDataset): string {
  const cost = !licence
    ? 'its own'
    : licence.price === undefined
      ? 'free'
      : `${counted(licence.price, 'credit')} a call`
  return `${listedColumns(listed)}  (${cost})`
}

const listedColumns = ({ layerId, kind, items, name }: Pick<ListedDataset, 'layerId' | 'kind' | 'items' | 'name'>) =>
  `${layerId.padEnd(20)}  ${kind.padEnd(8)}  ${String(items).padStart(8)}  ${name}`

function removedLine({ layerId, kind, items, licences, view }: RemovedDataset): string {
  const rows = counted(items, kind === 'frames' ? 'row' : 'feature')
  return `${layerId} is removed: ${rows}, ${counted(licences, 'licence')}, and the view ${view}.`
}
