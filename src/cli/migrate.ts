/** frames migrate: brings the database to the newest migration. */
import { migrate } from '../db/migrate.js'
import { command, form } from './command.js'
import { withTarget } from './open-database.js'

export const migrateCommand = command('bring the database to the newest migration', [
  form({
    does: 'Applies the migrations that the database does not have yet. A second run changes nothing.',
    run: async (config, _given, out) => {
      const done = await withTarget(config, (target) => migrate(target))
      out.result({ migrations: done }, done.length === 0 ? 'Nothing to do.' : `Done: ${done.join(', ')}.`)
    },
  }),
])
