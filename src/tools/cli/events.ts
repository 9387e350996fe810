/** frames events: lists who changed the keys, members and credits of an organisation. */
import { listEvents, type KeyEvent } from '../../core/access/events.js'
import { escapeLine } from '../../core/plain-text.js'
import { commandForm, linesOf, type Command } from './command.js'
import { withDatabase } from './open-database.js'
import { keyValue, organisationValue, wholeNumber } from './values.js'

export const eventsCommand: Command = {
  summary: 'list who changed the keys, members and credits of an organisation',
  forms: [
    commandForm({
      description:
        'Lists the events of an organisation, the newest first: keys that were minted, rolled or revoked, people who were invited, joined, signed in or were removed, and top-ups. Events are never changed or removed.',
      options: {
        org: { value: organisationValue, description: 'the organisation', required: true },
        key: { value: keyValue, description: 'the events of this key alone' },
        limit: { value: wholeNumber('N', 1, 10_000), description: 'how many events', default: '100' },
      },
      run: async (config, { options: { org, key, limit = 100 } }, output) => {
        const events = await withDatabase(config, (db) => listEvents(db.run, { org, keyId: key, most: limit }))
        output.result(events, linesOf(events, eventLine))
      },
    }),
  ],
}

function eventLine({ enteredAt, action, keyId, personId, actor, fromAddress, detail }: KeyEvent): string {
  const by = fromAddress === undefined ? actor : `${actor} from ${fromAddress}`
  const about = [keyId, personId].filter(Boolean).join(' ')
  return escapeLine(
    `${enteredAt.slice(0, 19)}Z  ${action.padEnd(15)}  ${about.padEnd(16)}  ${by}  ${JSON.stringify(detail)}`,
  )
}
