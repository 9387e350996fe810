/** frames orgs: creates organisations, adds credits, and lists them. */
import {
  createOrganisation,
  findOrganisation,
  listOrganisations,
  type Organisation,
  PLANS,
  randomText,
} from '../../core/access/index.js'
import { counted } from '../../core/counted.js'
import { topUp } from '../../core/credits/index.js'
import type { Database } from '../../core/db/index.js'
import { escapeLine } from '../../core/plain-text.js'
import { type Command, form, linesOf, operand, optional, required } from './command.js'
import { onDatabase } from './open-database.js'
import { organisationValue, textValue, wholeNumber, wordValue } from '../../core/values.js'

/** An account holds no more: JSON numbers are exact up to here. */
const CREDITS_MOST = Number.MAX_SAFE_INTEGER

export const orgsCommand: Command = {
  summary: 'enter an organisation, add credits, or list them',
  verbs: {
    create: form({
      description: 'Enters an organisation, and prints its id.',
      args: {
        name: required(textValue('NAME'), 'its name, which no other organisation has'),
        plan: required(wordValue('PLAN', PLANS), 'how many worded answers a month it has (100, 2,000 or 20,000)'),
        credits: optional(wholeNumber('CREDITS', 0, CREDITS_MOST), 'credits to begin with', '0'),
      },
      run: onDatabase(
        async (db, { name, plan, credits = 0 }) => {
          const created = await createOrganisation(db, name, plan)
          return credits > 0 ? await withCredits(db, created, credits) : created
        },
        (created) => `Created: ${organisationText(created)}.`,
      ),
    }),
    credit: form({
      description: 'Adds credits to the account of an organisation. Each run adds them once more.',
      args: {
        org: operand(organisationValue, 'the organisation'),
        credits: operand(wholeNumber('CREDITS', 1, CREDITS_MOST), 'how many credits to add'),
      },
      run: onDatabase(
        async (db, { org, credits }) => withCredits(db, await findOrganisation(db.run, org), credits),
        (credited, { credits }) => `Added ${counted(credits, 'credit')}: ${organisationText(credited)}.`,
      ),
    }),
    list: form({
      description: 'Lists the organisations with their plans and credits.',
      least: 'frames_service',
      run: onDatabase(
        (db) => listOrganisations(db.run),
        (all) => linesOf(all, organisationLine),
      ),
    }),
  },
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
