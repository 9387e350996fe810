/** frames load-demo: the invented country with its datasets, organisations and keys, in a database of your choice. */
import { listDatasets } from '../access/licences.js'
import { indexGeneration } from '../db/statements.js'
import { loadFixture, refuseOthers } from '../load/fixture.js'
import { command, form } from './command.js'
import { addressOf, mintDemo, toTry } from './demo.js'
import { withDatabase } from './open-database.js'

export const loadDemoCommand = command('load the invented country with its datasets and keys', [
  form({
    does: 'Fills an empty, migrated database with what "npm start" makes on the embedded one: the frames of the invented country, its twelve datasets, four organisations, and a key of each preset, printed this once. A second run makes what is missing. A database with an index or organisations of its own is refused.',
    run: async (config, _given, out) => {
      const made = await withDatabase(config, async (db) => {
        await refuseOthers(db)
        await loadFixture(db, out.progress)
        const keys = await mintDemo(db)
        const [index] = await indexGeneration(db)
        const datasets = (await listDatasets(db.run)).map(({ layerId }) => layerId)
        return { generation: index?.generation ?? '0', datasets, keys }
      })
      const url = addressOf(config.host, config.port)
      const said = `Generation ${made.generation} of the invented country is being served, with ${made.datasets.length} datasets.`
      const start = `Start the service with "npm start" if it does not run yet. It answers at ${url}.`
      out.result({ ...made, keys: made.keys ?? [] }, [said, start, ...toTry(url, made.keys)].join('\n'))
    },
  }),
])
