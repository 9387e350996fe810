/** frames datasets: lists and licenses datasets. */
import {
  datasetsOf,
  license,
  listDatasets,
  PRICE_MOST,
  unlicense,
  type ListedDataset,
} from '../../core/access/licences.js'
import { counted } from '../../core/counted.js'
import { commandForm, linesOf, type Command } from './command.js'
import { withDatabase } from './open-database.js'
import { anyValue, organisationValue, wholeNumber } from './values.js'

const dataset = { value: anyValue('LAYER', 'the id of a dataset, such as lyr_population'), description: 'the dataset' }
const reader = anyValue('ORG|everyone', 'the id or the name of an organisation, or "everyone"')

export const datasetsCommand: Command = {
  summary: 'list datasets, or say who may read one',
  forms: [
    commandForm({
      verb: 'list',
      description: 'Lists the datasets with their owners and licences.',
      options: {
        org: {
          value: organisationValue,
          description: 'only the datasets that this organisation may read, with what a call costs it',
          default: 'all datasets',
        },
      },
      run: async (config, { options: { org } }, output) => {
        const all = await withDatabase(config, async (db) =>
          org === undefined ? await listDatasets(db.run) : await datasetsOf(db.run, org),
        )
        const line = org === undefined ? datasetLine : costLine
        output.result(all, linesOf(all, line))
      },
    }),
    commandForm({
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
      run: async (config, { operands: [layerId], options: { to, 'per-query': price } }, output) => {
        const licence = await withDatabase(config, (db) => license(db.run, layerId, to, price))
        const cost = price === undefined ? '' : ` at ${price} a query`
        output.result(licence, `${licence.layerId} may be read by ${to}${cost}.`)
      },
    }),
    commandForm({
      verb: 'unlicense',
      description: 'Takes a licence back, from the very next call on.',
      operands: [dataset],
      options: { from: { value: reader, description: 'who may not read it any more', required: true } },
      run: async (config, { operands: [layerId], options: { from } }, output) => {
        const revoked = await withDatabase(config, (db) => unlicense(db.run, layerId, from))
        output.result(revoked, `${revoked.layerId} is not licensed to ${from} any more.`)
      },
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
