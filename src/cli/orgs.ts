/** frames orgs: organisations, entered and listed. */
import { createOrganisation, listOrganisations, type Organisation } from '../access/organisations.js'
import { readWords, UsageError, type Command } from './command.js'
import { withDatabase } from './open-database.js'

export const orgsCommand: Command = {
  usage: 'create --name N --plan P | list',
  does: 'enter an organisation, or list them',
  run: async (config, words, out) => {
    const [verb, ...rest] = words
    if (verb === 'create') {
      const { options } = readWords(rest, ['name', 'plan'], [])
      const made = await withDatabase(config, (db) => createOrganisation(db.writes(), options.name, options.plan))
      out.result(made, `Entered: ${line(made)}`)
    } else if (verb === 'list') {
      readWords(rest, [], [])
      const all = await withDatabase(config, (db) => listOrganisations(db.writes()))
      out.result(all, all.length === 0 ? 'There are none.' : all.map(line).join('\n'))
    } else throw new UsageError(`orgs create or orgs list is needed; "${verb ?? ''}" came.`)
  },
}

const line = ({ orgId, name, plan }: Organisation) => `${orgId}  ${plan.padEnd(5)}  ${name}`
