/** frames datasets: listed and licensed. */
import { license, listDatasets, unlicense, type ListedDataset } from '../access/licences.js'
import { readWords, UsageError, type Command } from './command.js'
import { withDatabase } from './open-database.js'

export const datasetsCommand: Command = {
  usage: 'list | license LAYER --to ORG|everyone [--per-query PRICE] | unlicense LAYER --from ORG|everyone',
  does: 'list datasets, or say who may read one',
  run: async (config, words, out) => {
    const [verb, ...rest] = words
    if (verb === 'list') {
      readWords(rest, [], [])
      const all = await withDatabase(config, (db) => listDatasets(db.writes()))
      out.result(all, all.length === 0 ? 'There are none.' : all.map(line).join('\n'))
    } else if (verb === 'license') {
      const { options, operands } = readWords(rest, ['to'], ['LAYER'], ['per-query'])
      const price = options['per-query'] === undefined ? undefined : priceOf(options['per-query'])
      const made = await withDatabase(config, (db) => license(db.writes(), operands[0] ?? '', options.to, price))
      out.result(
        made,
        `${made.layerId} may be read by ${options.to}${price === undefined ? '' : ` at ${price} a query`}.`,
      )
    } else if (verb === 'unlicense') {
      const { options, operands } = readWords(rest, ['from'], ['LAYER'])
      const gone = await withDatabase(config, (db) => unlicense(db.writes(), operands[0] ?? '', options.from))
      out.result(gone, `${gone.layerId} is not licensed to ${options.from} any more.`)
    } else throw new UsageError(`datasets list, license or unlicense is needed; "${verb ?? ''}" came.`)
  },
}

function priceOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--per-query: whole credits are accepted, "${text}" came.`)
}

function line({ layerId, kind, items, name, licences }: ListedDataset): string {
  const readers = licences.map(({ to, perQuery }) => (perQuery === undefined ? to : `${to} at ${perQuery} a query`))
  const reach = readers.length === 0 ? 'its owner alone' : readers.join(', ')
  return `${layerId.padEnd(20)}  ${kind.padEnd(8)}  ${String(items).padStart(8)}  ${name}  (${reach})`
}
