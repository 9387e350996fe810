/** frames migrate: brings the database to the newest migration. */
import { migrate } from '../../core/db/migrate.js'
import { commandForm, commandOfOneForm } from './command.js'
import { withCommandTarget } from './open-database.js'

export const migrateCommand = commandOfOneForm(
  'bring the database to the newest migration',
  commandForm({
    description: 'Applies the migrations that the database does not have yet. A second run changes nothing.',
    run: async (config, _args, output) => {
      const applied = await withCommandTarget(config, (target) => migrate(target, output.progress))
      output.result({ migrations: applied }, applied.length === 0 ? 'Nothing to do.' : `Done: ${applied.join(', ')}.`)
    },
  }),
)
