/** frames orgs: organisations, entered, given credits and listed. */
import { createOrganisation, findOrganisation, listOrganisations, type Organisation } from '../access/organisations.js'
import { randomText } from '../access/secret.js'
import { topUp } from '../credits/ledger.js'
import type { Database } from '../db/connect.js'
import { readWords, UsageError, type Command, type Out } from './command.js'
import { withDatabase } from './open-database.js'

export const orgsCommand: Command = {
  usage: 'create --name N --plan P | credit ORG N | list',
  does: 'enter an organisation, add credits, or list them',
  run: async (config, words, out) => {
    const [verb, ...rest] = words
    const run = verbs[verb ?? '']
    if (!run) throw new UsageError(`orgs create, credit or list is needed; "${verb ?? ''}" came.`)
    const ask = run(rest)
    await withDatabase(config, (db) => ask(db, out))
  },
}

/** The words are read before a database is opened. */
const verbs: Record<string, (words: string[]) => (db: Database, out: Out) => Promise<void>> = {
  create: (words) => {
    const { options } = readWords(words, ['name', 'plan'], [], ['credits'])
    const credits = options.credits === undefined ? 0 : creditsOf(options.credits, 0)
    return async (db, out) => {
      const made = await createOrganisation(db.writes(), options.name, options.plan)
      if (credits > 0) made.credits = await topUp(db, made.orgId, credits, commandId())
      out.result(made, `Entered: ${line(made)}`)
    }
  },
  credit: (words) => {
    const { operands } = readWords(words, [], ['ORG', 'CREDITS'])
    const credits = creditsOf(operands[1] ?? '', 1)
    return async (db, out) => {
      const organisation = await findOrganisation(db.writes(), operands[0] ?? '')
      organisation.credits = await topUp(db, organisation.orgId, credits, commandId())
      out.result(organisation, `Added ${credits}: ${line(organisation)}`)
    }
  },
  list: (words) => {
    readWords(words, [], [])
    return async (db, out) => {
      const all = await listOrganisations(db.writes())
      out.result(all, all.length === 0 ? 'There are none.' : all.map(line).join('\n'))
    }
  },
}

/** Stands where a call's request id stands in the ledger. */
const commandId = () => `command_${randomText(12)}`

function creditsOf(given: string, least: number): number {
  const credits = /^\d{1,15}$/.test(given) ? Number(given) : -1
  if (credits < least) throw new UsageError(`Credits: a whole number from ${least} is accepted, "${given}" came.`)
  return credits
}

const line = ({ orgId, name, plan, credits }: Organisation) =>
  `${orgId}  ${plan.padEnd(5)}  ${String(credits).padStart(8)} credits  ${name}`
