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
import type { Database } from '../../core/db/connect.js'
import { escapeLine } from '../../core/plain-text.js'
import { linesOf, type Command } from './command.js'
import { databaseForm } from './open-database.js'
import { organisationValue, textValue, wholeNumber, wordValue } from './values.js'

/** An account holds no more: JSON numbers are exact up to here. */
const CREDITS_MOST = Number.MAX_SAFE_INTEGER

export const orgsCommand: Command = {
  summary: 'enter an organisation, add credits, or list them',
  forms: [
    databaseForm({
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
      work: async (db, { options: { name, plan, credits = 0 } }) => {
        const created = await createOrganisation(db, name, plan)
        return credits > 0 ? await withCredits(db, created, credits) : created
      },
      text: (created) => `Created: ${organisationText(created)}.`,
    }),
    databaseForm({
      verb: 'credit',
      description: 'Adds credits to the account of an organisation. Each run adds them once more.',
      operands: [
        { value: organisationValue, description: 'the organisation' },
        { value: wholeNumber('CREDITS', 1, CREDITS_MOST), description: 'how many credits to add' },
      ],
      work: async (db, { operands: [org, credits] }) =>
        await withCredits(db, await findOrganisation(db.run, org), credits),
      text: (credited, { operands: [, credits] }) =>
        `Added ${counted(credits, 'credit')}: ${organisationText(credited)}.`,
    }),
    databaseForm({
      verb: 'list',
      description: 'Lists the organisations with their plans and credits.',
      work: (db) => listOrganisations(db.run),
      text: (all) => linesOf(all, organisationLine),
    }),
  ],
}

/** The ledger keeps the id of the command where it keeps the request id of a call. */
const withCredits = async (db: Database, organisation: Organisation, credits: number): Promise<Organisation> => ({
  ...organisation,
  credits: await topUp(db, organisation.orgId, credits, `command_${randomText(12)}`),
})

const organisationText = ({ orgId, name, plan, credits }: Organisation) =>
  escapeLine(`the organisation "${name}" (${orgId}), plan ${plan}, has ${counted(credits, 'credit')}`)

const organisationLine = ({ orgId, name, plan, credits }: Organisation) =>
  escapeLine(`${orgId}  ${plan.padEnd(5)}  ${String(credits).padStart(8)} credits  ${name}`)
