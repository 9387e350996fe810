/** frames orgs: creates organisations, adds credits, and lists them. */
import {
  createOrganisation,
  findOrganisation,
  listOrganisations,
  PLANS,
  type Organisation,
} from '../../core/access/organisations.js'
import { randomText } from '../../core/access/secret.js'
import { counted } from '../../core/counted.js'
import { topUp } from '../../core/credits/ledger.js'
import { escapeLine } from '../../core/plain-text.js'
import { commandForm, linesOf, type Command } from './command.js'
import { withDatabase } from './open-database.js'
import { organisationValue, textValue, wholeNumber, wordValue } from './values.js'

/** An account holds no more: JSON numbers are exact up to here. */
const CREDITS_MOST = Number.MAX_SAFE_INTEGER

export const orgsCommand: Command = {
  summary: 'enter an organisation, add credits, or list them',
  forms: [
    commandForm({
      verb: 'create',
      description: 'Enters an organisation, and prints its id.',
      options: {
        name: { value: textValue('NAME'), description: 'its name, which no other organisation has', required: true },
        plan: {
          value: wordValue('PLAN', PLANS),
          description: 'how many worded answers a month it has (100, 2,000 or 20,000)',
          required: true,
        },
        credits: { value: wholeNumber('CREDITS', 0, CREDITS_MOST), description: 'credits to begin with', default: '0' },
      },
      run: async (config, { options: { name, plan, credits = 0 } }, output) => {
        const created = await withDatabase(config, async (db) => {
          const organisation = await createOrganisation(db, name, plan)
          if (credits > 0) organisation.credits = await topUp(db, organisation.orgId, credits, commandId())
          return organisation
        })
        output.result(created, `Created: ${organisationText(created)}.`)
      },
    }),
    commandForm({
      verb: 'credit',
      description: 'Adds credits to the account of an organisation. Each run adds them once more.',
      operands: [
        { value: organisationValue, description: 'the organisation' },
        { value: wholeNumber('CREDITS', 1, CREDITS_MOST), description: 'how many credits to add' },
      ],
      run: async (config, { operands: [org, credits] }, output) => {
        const credited = await withDatabase(config, async (db) => {
          const found = await findOrganisation(db.run, org)
          return { ...found, credits: await topUp(db, found.orgId, credits, commandId()) }
        })
        output.result(credited, `Added ${counted(credits, 'credit')}: ${organisationText(credited)}.`)
      },
    }),
    commandForm({
      verb: 'list',
      description: 'Lists the organisations with their plans and credits.',
      run: async (config, _args, output) => {
        const all = await withDatabase(config, (db) => listOrganisations(db.run))
        output.result(all, linesOf(all, organisationLine))
      },
    }),
  ],
}

/** The ledger keeps this id where it keeps the request id of a call. */
const commandId = () => `command_${randomText(12)}`

const organisationText = ({ orgId, name, plan, credits }: Organisation) =>
  escapeLine(`the organisation "${name}" (${orgId}), plan ${plan}, has ${counted(credits, 'credit')}`)

const organisationLine = ({ orgId, name, plan, credits }: Organisation) =>
  escapeLine(`${orgId}  ${plan.padEnd(5)}  ${String(credits).padStart(8)} credits  ${name}`)
