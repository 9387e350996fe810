/** frames migrate: brings the database to the newest migration. */
import { migrate, type Migrated } from '../../core/db/index.js'
import { type Command, form } from './command.js'
import { withCommandTarget } from './open-database.js'

export const migrateCommand: Command = {
  summary: 'bring the database to the newest migration',
  form: form({
    description: 'Applies the migrations that the database does not have yet. A second run changes nothing.',
    run: async (config, _given, output) => {
      const migrated = await withCommandTarget(config, (target) => migrate(target, output.progress))
      output.result(migrated, textOf(migrated))
    },
  }),
}

function textOf({ migrations, repaired, notes }: Migrated): string {
  const done = migrations.length === 0 ? [] : [`Done: ${migrations.join(', ')}.`]
  const put = repaired.length === 0 ? [] : [`Put right: ${repaired.join(', ')}.`]
  return [...(done.length + put.length === 0 ? ['Nothing to do.'] : [...done, ...put]), ...notes].join('\n')
}
