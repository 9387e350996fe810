/** frames orgs: creates organisations, adds credits, and lists them. */
import {
  createOrganisation,
  findOrganisation,
  listOrganisations,
  PLANS,
  type Organisation,
} from '../access/organisations.js'
import { randomText } from '../access/secret.js'
import { topUp } from '../credits/ledger.js'
import { command, form } from './command.js'
import { withDatabase } from './open-database.js'
import { oneOf, organisation, text, whole } from './values.js'

/** The most that an account holds, and that a JSON number holds exactly. */
const CREDITS_MOST = Number.MAX_SAFE_INTEGER

export const orgsCommand = command('enter an organisation, add credits, or list them', [
  form({
    verb: 'create',
    does: 'Enters an organisation, and prints its id.',
    options: {
      name: { value: text('NAME'), does: 'its name, which no other organisation has', required: true },
      plan: {
        value: oneOf('PLAN', PLANS),
        does: 'how many worded answers a month it has (100, 2,000 or 20,000)',
        required: true,
      },
      credits: { value: whole('CREDITS', 0, CREDITS_MOST), does: 'credits to begin with', unset: '0' },
    },
    run: async (config, { options: { name, plan, credits = 0 } }, out) => {
      const made = await withDatabase(config, async (db) => {
        const created = await createOrganisation(db, name, plan)
        if (credits > 0) created.credits = await topUp(db, created.orgId, credits, commandId())
        return created
      })
      out.result(made, `Entered: ${line(made)}`)
    },
  }),
  form({
    verb: 'credit',
    does: 'Adds credits to the account of an organisation. Each run adds them once more.',
    operands: [
      { value: organisation, does: 'the organisation' },
      { value: whole('CREDITS', 1, CREDITS_MOST), does: 'how many credits to add' },
    ],
    run: async (config, { operands: [org, credits] }, out) => {
      const credited = await withDatabase(config, async (db) => {
        const found = await findOrganisation(db.run, org)
        return { ...found, credits: await topUp(db, found.orgId, credits, commandId()) }
      })
      out.result(credited, `Added ${credits}: ${line(credited)}`)
    },
  }),
  form({
    verb: 'list',
    does: 'Lists the organisations with their plans and credits.',
    run: async (config, _given, out) => {
      const all = await withDatabase(config, (db) => listOrganisations(db.run))
      out.result(all, all.length === 0 ? 'There are none.' : all.map(line).join('\n'))
    },
  }),
])

/** Stands where a call's request id stands in the ledger. */
const commandId = () => `command_${randomText(12)}`

const line = ({ orgId, name, plan, credits }: Organisation) =>
  `${orgId}  ${plan.padEnd(5)}  ${String(credits).padStart(8)} credits  ${name}`
