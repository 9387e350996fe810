/** frames datasets: lists, licenses and removes datasets, and prints the words for one. */
import {
  datasetNamed,
  datasetsOf,
  license,
  listDatasets,
  type ListedDataset,
  priceValue,
  sellFile,
  unlicense,
} from '../../core/access/index.js'
import { counted } from '../../core/counted.js'
import { type Database, sqlText } from '../../core/db/index.js'
import { type TopicWords, wordsOfDataset } from '../../core/insight/index.js'
import { measureDistances } from '../load/measure-distances.js'
import { removeDataset, type RemovedDataset } from '../load/remove-dataset.js'
import { type Command, form, linesOf, operand, optional, required } from './command.js'
import { onDatabase } from './open-database.js'
import { anyValue, organisationValue } from '../../core/values.js'

const dataset = operand(anyValue('LAYER', 'the id of a dataset, such as lyr_population'), 'the dataset')
const reader = anyValue('ORG|everyone', 'the id or the name of an organisation, or "everyone"')

export const datasetsCommand: Command = {
  summary: 'list datasets, say who may read one, print the words for one, measure distances to one, or remove one',
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
    'sell-file': form({
      description:
        'Sets the price of a whole dataset as a file of GET /files, for a reader who pays by the call. An organisation pays it once for a version. A licence anew takes the price away.',
      args: {
        dataset,
        to: required(reader, 'who may buy it'),
        price: optional(priceValue, 'credits for a version', 'it is sold as a file no more'),
      },
      run: onDatabase(
        (db, given) => sellFile(db.run, given.dataset, given.to, given.price),
        ({ layerId, filePrice }, { to }) =>
          filePrice === undefined
            ? `${layerId} is no file for ${to} any more.`
            : `${layerId} is a file for ${to} at ${counted(filePrice, 'credit')} a version.`,
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
    words: form({
      description:
        'Prints the words by which questions find what a dataset has, and those that questions of its owner asked with and no dataset had.',
      least: 'frames_service',
      args: { dataset },
      run: onDatabase(
        (db, given) => datasetWords(db, given.dataset),
        ({ topics, missed }) =>
          [
            ...topics.map(topicLine),
            `No dataset had: ${missed.map(({ word, times }) => `${word} (${times})`).join(', ') || 'none'}.`,
          ].join('\n'),
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

const MISSED_MAX = 50

async function datasetWords(db: Database, layerId: string) {
  const { org_id: owner } = await datasetNamed(db.run, layerId)
  const [listed] = (await listDatasets(db.run)).filter((each) => each.layerId === layerId)
  const { vintage = null, distanceTo = null } = listed ?? {}
  const topics = listed ? await wordsOfDataset(db, { ...listed, vintage, distanceTo, version: '', price: null }) : []
  // A word has a row for each month.
  const counts = new Map<string, number>()
  for (const { word, times } of await db.rows<{ word: string; times: number }>(sqlText('web/unknown_words'), [
    owner,
    MISSED_MAX,
  ]))
    counts.set(word, (counts.get(word) ?? 0) + times)
  return { topics, missed: [...counts].map(([word, times]) => ({ word, times })) }
}

function topicLine({ label, names, classNames: classes, ...words }: TopicWords): string {
  const parts = { ...words, classes }
  const more = Object.entries(parts).flatMap(([of, all]) => (all ? [`  ${of}: ${all.join(', ')}`] : []))
  return [`${label}: ${names.join(', ')}`, ...more].join('\n')
}

function datasetLine({ layerId, kind, items, name, licences }: ListedDataset): string {
  const readers = licences.map(({ to, price, filePrice }) =>
    price === undefined ? to : `${to} at ${price} a query${filePrice === undefined ? '' : `, ${filePrice} a file`}`,
  )
  const reach = readers.length === 0 ? 'its owner alone' : readers.join(', ')
  return `${listedColumns({ layerId, kind, items, name })}  (${reach})`
}

/** An organisation has one licence of a dataset, and none of its own. */
function costLine({ licences: [licence], ...listed }: ListedDataset): string {
  const cost = !licence
    ? 'its own'
    : licence.price === undefined
      ? 'free'
      : `${counted(licence.price, 'credit')} a call${licence.filePrice === undefined ? '' : `, ${licence.filePrice} a file`}`
  return `${listedColumns(listed)}  (${cost})`
}

const listedColumns = ({ layerId, kind, items, name }: Pick<ListedDataset, 'layerId' | 'kind' | 'items' | 'name'>) =>
  `${layerId.padEnd(20)}  ${kind.padEnd(8)}  ${String(items).padStart(8)}  ${name}`

function removedLine({ layerId, kind, items, licences, view }: RemovedDataset): string {
  const rows = counted(items, kind === 'frames' ? 'row' : 'feature')
  return `${layerId} is removed: ${rows}, ${counted(licences, 'licence')}, and the view ${view}.`
}
