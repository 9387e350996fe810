/** frames people: invites people to an organisation, lists them, changes their roles, and removes them. */
import {
  changeRoleOf,
  checkPerson,
  findOrganisation,
  leavesNoOwner,
  listMembers,
  makeSignInLink,
  type Member,
  membersWithEmail,
  removeFrom,
  roleValue,
} from '../../core/access/index.js'
import type { Config } from '../../server/config.js'
import { type Database, runningAddress, type RunQuery } from '../../core/db/index.js'
import { escapeLine } from '../../core/plain-text.js'
import { linkAddress, originOf } from '../../core/origin.js'
import { type Command, form, type Given, linesOf, operand, optional, required } from './command.js'
import { onDatabase, withDatabase } from './open-database.js'
import { anyValue, emailValue, organisationValue, textValue } from '../../core/values.js'

const org = required(organisationValue, 'the organisation')
const personArg = operand(anyValue('PERSON', 'the id, the e-mail address or the name of a member'), 'the member')

const inviteArgs = {
  org,
  role: required(roleValue, 'owner: changes members, and all below; admin: keys, usage and credits; member: reads'),
  email: optional(emailValue, 'the e-mail address of the person'),
  person: optional(
    anyValue('ID', 'the id of a person'),
    'the id of a person whom the service knows, of any organisation, in place of the address',
  ),
  name: optional(textValue('NAME'), 'the name that pages show', 'the e-mail address'),
}

export const peopleCommand: Command = {
  summary: 'invite people to an organisation, list or remove them, or change a role',
  verbs: {
    invite: form({
      description:
        'Makes a link that signs one person in, once, within 24 hours, and prints it this once. A member who has the e-mail address signs in again by it, and keeps the role.',
      args: inviteArgs,
      oneOf: ['email', 'person'],
      run: async (config, invitation, output) => {
        const { token, orgName } = await withDatabase(config, (db) =>
          db.change('members.invite', (run) => invite(run, invitation)),
        )
        const { address, note } = addressOfApp(config)
        const link = linkAddress(address, token)
        const { role, email, person } = invitation
        const text = `This link signs ${email ?? person} in to ${orgName}, once, within 24 hours:\n\n${link}`
        output.result({ link, role, email, person }, note === undefined ? text : `${text}\n\n${note}`)
      },
    }),
    list: form({
      description: 'Lists the members of an organisation with their roles.',
      args: { org },
      run: onDatabase(
        (db, given) => listMembers(db.run, given.org),
        (members) => linesOf(members, memberLine),
      ),
    }),
    role: form({
      description:
        'Gives a member another role, which holds from the next request, and withdraws links that give more. The last owner stays owner.',
      args: { person: personArg, role: operand(roleValue, 'the new role'), org },
      run: onDatabase(
        (db, { role, ...given }) => changed(db, 'role', (run) => changeRoleOf(run, given, role)),
        (now) => `Changed: ${memberLine(now)}`,
      ),
    }),
    remove: form({
      description:
        'Removes a member from an organisation, which ends the sessions there and withdraws the links of the member. The last owner stays.',
      args: { person: personArg, org },
      run: onDatabase(
        (db, given) => changed(db, 'remove', (run) => removeFrom(run, given)),
        (gone) => `Removed: ${memberLine(gone)}`,
      ),
    }),
  },
}

async function invite(run: RunQuery, { role, email, name, ...given }: Given<typeof inviteArgs>) {
  const { orgId, name: orgName } = await findOrganisation(run, given.org)
  const known = given.person ?? (await memberWithEmail(run, orgId, email))
  if (known !== undefined) await checkPerson(run, known)
  const invited = known === undefined ? { name, email } : { personId: known }
  return { token: await makeSignInLink(run, { orgId, role, ...invited }), orgName }
}

async function memberWithEmail(run: RunQuery, orgId: string, email = ''): Promise<string | undefined> {
  const [member, another, ...more] = await membersWithEmail(run, orgId, email)
  if (member && another) {
    const ids = [member, another, ...more].map(({ personId }) => personId)
    throw new Error(`${ids.length} members have the address ${email}. Name one with --person: ${ids.join(', ')}.`)
  }
  return member?.personId
}

const WITHOUT_ADDRESS = 'Put the address of the web app before it: PUBLIC_URL is not set here.'

const NOT_SERVED =
  'No server runs on this data directory. The link works at the address that "npm start" prints: set PORT or PUBLIC_URL here as there.'

type Address = { address: Parameters<typeof linkAddress>[0]; note?: string }

/** A server that runs on the data directory knows its address best. */
function addressOfApp({ publicUrl, port, databaseUrl, dataDir }: Config): Address {
  const running = databaseUrl === undefined ? runningAddress(dataDir) : undefined
  if (running) return { address: originOf(running) }
  if (!publicUrl) return { address: { origin: '', app: '/app' }, note: WITHOUT_ADDRESS }
  const address = originOf(publicUrl(port))
  const isOfPort = publicUrl(1).href !== publicUrl(2).href
  return isOfPort ? { address, note: NOT_SERVED } : { address }
}

const changed = (db: Database, verb: string, work: (run: RunQuery) => Promise<Member>): Promise<Member> =>
  db.change(`src/tools/cli/people.ts: ${verb}`, work).catch((error: unknown) => {
    throw leavesNoOwner(error)
      ? new Error('The organisation keeps its last owner. Make another member an owner first.')
      : error
  })

const memberLine = ({ personId, role, name, email, joinedAt }: Member) =>
  escapeLine(
    `${personId}  ${role.padEnd(6)}  since ${joinedAt.slice(0, 10)}  ${name}${email === undefined ? '' : `  ${email}`}`,
  )
