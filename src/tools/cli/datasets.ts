/** frames datasets: lists, licenses and removes datasets. */
import {
  datasetsOf,
  license,
  listDatasets,
  PRICE_MOST,
  unlicense,
  type ListedDataset,
} from '../../core/access/licences.js'
import { counted } from '../../core/counted.js'
import { measureDistances } from '../load/measure-distances.js'
import { removeDataset, type RemovedDataset } from '../load/remove-dataset.js'
import { linesOf, type Command } from './command.js'
import { databaseForm } from './open-database.js'
import { anyValue, organisationValue, wholeNumber } from './values.js'

const dataset = { value: anyValue('LAYER', 'the id of a dataset, such as lyr_population'), description: 'the dataset' }
const reader = anyValue('ORG|everyone', 'the id or the name of an organisation, or "everyone"')

export const datasetsCommand: Command = {
  summary: 'list datasets, say who may read one, measure distances to one, or remove one',
  forms: [
    databaseForm({
      verb: 'list',
      description: 'Lists the datasets with their owners and licences.',
      options: {
        org: {
          value: organisationValue,
          description: 'only the datasets that this organisation may read, with what a call costs it',
          default: 'all datasets',
        },
      },
      work: (db, { options: { org } }) => (org === undefined ? listDatasets(db.run) : datasetsOf(db.run, org)),
      text: (all, { options: { org } }) => linesOf(all, org === undefined ? datasetLine : costLine),
    }),
    databaseForm({
      verb: 'license',
      description:
        'Lets an organisation read a dataset of another, from the very next call on. Replaces the licence that it has.',
      operands: [dataset],
      options: {
        to: { value: reader, description: 'who may read it', required: true },
        'per-query': {
          value: wholeNumber('PRICE', 1, PRICE_MOST),
          description: 'credits for each call that the dataset contributes to',
          default: 'reading it costs nothing',
        },
      },
      work: (db, { operands: [layerId], options: { to, 'per-query': price } }) => license(db.run, layerId, to, price),
      text: ({ layerId, price }, { options: { to } }) =>
        `${layerId} may be read by ${to}${price === undefined ? '' : ` at ${price} a query`}.`,
    }),
    databaseForm({
      verb: 'unlicense',
      description: 'Takes a licence back, from the very next call on.',
      operands: [dataset],
      options: { from: { value: reader, description: 'who may not read it any more', required: true } },
      work: (db, { operands: [layerId], options: { from } }) => unlicense(db.run, layerId, from),
      text: ({ layerId }, { options: { from } }) => `${layerId} is not licensed to ${from} any more.`,
    }),
    databaseForm({
      verb: 'measure',
      description:
        'Measures the distance of each frame to the nearest feature of a dataset that was imported without distances, by an older release or with --no-distances.',
      operands: [dataset],
      work: (db, { operands: [layerId] }, output) => measureDistances(db, layerId, output.progress),
      text: ({ layerId, distanceTo }) => `${layerId} has the distances to ${distanceTo}.`,
    }),
    databaseForm({
      verb: 'remove',
      description:
        'Removes a dataset with its rows, its distances, its licences and its views, without asking: its file can be imported again, its licences cannot. Entries of the ledger and keys that are narrowed to it keep its id.',
      operands: [dataset],
      work: (db, { operands: [layerId] }, output) => removeDataset(db, layerId, output.progress),
      text: (removed) => linesOf(removed, removedLine),
    }),
  ],
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
