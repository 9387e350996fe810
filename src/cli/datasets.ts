/** frames datasets: lists and licenses datasets. */
import { license, listDatasets, PRICE_MOST, unlicense, type ListedDataset } from '../access/licences.js'
import { command, form } from './command.js'
import { withDatabase } from './open-database.js'
import { any, whole } from './values.js'

const dataset = { value: any('LAYER', 'the id of a dataset, such as lyr_population'), does: 'the dataset' }
const reader = any('ORG|everyone', 'the id or the name of an organisation, or "everyone"')

export const datasetsCommand = command('list datasets, or say who may read one', [
  form({
    verb: 'list',
    does: 'Lists the datasets with their owners and licences.',
    run: async (config, _given, out) => {
      const all = await withDatabase(config, (db) => listDatasets(db.run))
      out.result(all, all.length === 0 ? 'There are none.' : all.map(line).join('\n'))
    },
  }),
  form({
    verb: 'license',
    does: 'Lets an organisation read a dataset of another, from the very next call on. Replaces the licence that it has.',
    operands: [dataset],
    options: {
      to: { value: reader, does: 'who may read it', required: true },
      'per-query': {
        value: whole('PRICE', 1, PRICE_MOST),
        does: 'credits for each call that the dataset contributes to',
        unset: 'reading it costs nothing',
      },
    },
    run: async (config, { operands: [layerId], options: { to, 'per-query': price } }, out) => {
      const made = await withDatabase(config, (db) => license(db.run, layerId, to, price))
      const cost = price === undefined ? '' : ` at ${price} a query`
      out.result(made, `${made.layerId} may be read by ${to}${cost}.`)
    },
  }),
  form({
    verb: 'unlicense',
    does: 'Takes a licence back, from the very next call on.',
    operands: [dataset],
    options: { from: { value: reader, does: 'who may not read it any more', required: true } },
    run: async (config, { operands: [layerId], options: { from } }, out) => {
      const gone = await withDatabase(config, (db) => unlicense(db.run, layerId, from))
      out.result(gone, `${gone.layerId} is not licensed to ${from} any more.`)
    },
  }),
])

function line({ layerId, kind, items, name, licences }: ListedDataset): string {
  const readers = licences.map(({ to, price }) => (price === undefined ? to : `${to} at ${price} a query`))
  const reach = readers.length === 0 ? 'its owner alone' : readers.join(', ')
  return `${layerId.padEnd(20)}  ${kind.padEnd(8)}  ${String(items).padStart(8)}  ${name}  (${reach})`
}
