/** frames load-demo: loads the invented country with its datasets, organisations and keys. */
import { listDatasets } from '../../core/access/index.js'
import { counted } from '../../core/counted.js'
import { indexGeneration } from '../../core/db/statements.js'
import { addressOf } from '../../core/origin.js'
import { loadFixture, refuseForeignData } from '../load/fixture.js'
import { type Command, form } from './command.js'
import { linesToTry, mintDemo, whatToTry } from './demo.js'
import { withDatabase } from './open-database.js'

export const loadDemoCommand: Command = {
  summary: 'load the invented country with its datasets and keys',
  form: form({
    description:
      'Fills an empty, migrated database with what "npm start" makes on the embedded one: the frames of the invented country, its twelve datasets, four organisations, and a key of each preset, printed this once. A second run makes what is missing. A database with an index or organisations of its own is refused.',
    run: async (config, _given, output) => {
      const { served: made, toTry } = await withDatabase(config, async (db) => {
        await refuseForeignData(db)
        await loadFixture(db, output.progress)
        const keys = await mintDemo(db)
        const [index] = await indexGeneration(db)
        const listed = (await listDatasets(db.run)).filter(({ distanceTo }) => distanceTo === undefined)
        const datasets = listed.map(({ layerId }) => layerId)
        return { served: { generation: index?.generation ?? '0', datasets, keys }, toTry: await whatToTry(db) }
      })
      const shown = config.publicUrl?.(config.port).href.replace(/\/$/, '')
      const url = shown ?? addressOf(config.host, config.port)
      const summary = `Generation ${made.generation} of the invented country is being served, with ${counted(made.datasets.length, 'dataset')}.`
      const start = `Start the service with "npm start" if it does not run yet. It answers at ${url}.`
      output.result(
        { ...made, keys: made.keys ?? [] },
        [summary, start, ...linesToTry(url, made.keys, toTry)].join('\n'),
      )
    },
  }),
}
