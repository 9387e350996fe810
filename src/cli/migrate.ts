/** frames migrate: brings the database to the newest migration. */
import { migrate } from '../db/migrate.js'
import { readWords, type Command } from './command.js'
import { withTarget } from './open-database.js'

export const migrateCommand: Command = {
  usage: '',
  does: 'bring the database to the newest migration',
  run: async (config, words, out) => {
    readWords(words, [], [])
    const done = await withTarget(config, (target) => migrate(target))
    out.result({ migrations: done }, done.length === 0 ? 'Nothing to do.' : `Done: ${done.join(', ')}.`)
  },
}
