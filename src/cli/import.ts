/** frames import: an organisation's own grid, or a dataset. */
import { findOrganisation } from '../access/organisations.js'
import { readCatalogue } from '../load/catalogue.js'
import type { DatasetMade, DatasetWanted } from '../load/datasets.js'
import { importBaseline } from '../load/import-baseline.js'
import { importFeatures } from '../load/import-features.js'
import { importFrames } from '../load/import-frames.js'
import type { Database } from '../db/connect.js'
import type { Config } from '../config.js'
import { readWords, UsageError, type Command, type Out } from './command.js'
import { withDatabase } from './open-database.js'

export const importCommand: Command = {
  usage: 'frames FILE | baseline|features FILE --id lyr_x --name N --category C --org ORG [--vintage V]',
  does: 'put an index or a dataset of your own in place',
  run: async (config, words, out) => {
    const [what, ...rest] = words
    if (what === 'frames') await grid(config, rest, out)
    else if (what === 'baseline' || what === 'features') await dataset(config, what, rest, out)
    else throw new UsageError(`import frames, baseline or features is needed; "${what ?? ''}" came.`)
  },
}

async function grid(config: Config, words: string[], out: Out): Promise<void> {
  const { operands } = readWords(words, [], ['FILE'])
  const made = await withDatabase(config, (db) => importFrames(db, operands[0] ?? '', out.progress))
  out.result(made, `Generation ${made.generation} is being served: ${made.frames} frames.`)
}

async function dataset(config: Config, what: 'baseline' | 'features', words: string[], out: Out): Promise<void> {
  const { options, operands } = readWords(words, ['id', 'name', 'category', 'org'], ['FILE'], ['vintage', 'attributes'])
  const file = operands[0] ?? ''
  const catalogue = options.attributes === undefined ? [] : readCatalogue(options.attributes)
  if (what === 'features' && options.attributes !== undefined) {
    throw new UsageError('--attributes: a baseline has a catalogue, features have none.')
  }
  const take = async (db: Database): Promise<DatasetMade> => {
    const wanted: DatasetWanted = {
      layerId: options.id,
      orgId: (await findOrganisation(db.writes(), options.org)).orgId,
      name: options.name,
      category: options.category,
      vintage: options.vintage,
    }
    return what === 'baseline'
      ? await importBaseline(db, file, wanted, catalogue, out.progress)
      : await importFeatures(db, file, wanted, out.progress)
  }
  const made = await withDatabase(config, take)
  const things = made.kind === 'frames' ? 'frames' : made.kind
  out.result(made, `${made.layerId} is being served: ${made.items} ${things}.`)
}
