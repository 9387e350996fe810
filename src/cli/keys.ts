/** frames keys: mints, lists and revokes keys. */
import { CAPABILITIES, PRESET_NAMES } from '../access/capabilities.js'
import { LIFETIME_DAYS, listKeys, mintKey, revokeKey, type Key } from '../access/keys.js'
import { unreadableBy } from '../access/licences.js'
import { command, form } from './command.js'
import { withDatabase } from './open-database.js'
import { any, days, list, oneOf, organisation, text } from './values.js'

export const keysCommand = command('mint, list or revoke keys', [
  form({
    verb: 'mint',
    does: 'Mints a key and prints its secret, which is not shown again.',
    options: {
      org: { value: organisation, does: 'the organisation that the key acts for', required: true },
      name: { value: text('TEXT'), does: 'who holds the key', required: true },
      preset: {
        value: oneOf('PRESET', PRESET_NAMES),
        does: 'a list of capabilities by its name; "Full read", full_read and full-read are the same',
      },
      capabilities: {
        value: list('LIST', 'capabilities', CAPABILITIES),
        does: 'capabilities one by one, in place of a preset',
      },
      expires: {
        value: days('DAYS', LIFETIME_DAYS.least, LIFETIME_DAYS.most),
        does: 'how long the key is valid',
        required: true,
      },
      datasets: {
        value: list('LIST', 'ids of datasets'),
        does: 'narrows the key to these datasets',
        unset: 'every dataset that the organisation can read, whenever it asks',
      },
    },
    oneOf: [['preset', 'capabilities']],
    run: async (config, { options }, out) => {
      const { org, name, preset, capabilities, expires, datasets } = options
      const wanted = { org, name, preset, capabilities, datasets, days: expires }
      const { key, unreadable } = await withDatabase(config, async (db) => {
        const minted = await mintKey(db.run, wanted)
        return { key: minted, unreadable: await unreadableBy(db.run, minted.orgId, minted.datasets ?? []) }
      })
      for (const layerId of unreadable) {
        out.progress(`${layerId} is not licensed to "${org}" now: the key reads it once it is, and not before`)
      }
      out.result(key, `${line(key)}\n\n${key.secret}\n\nKeep the secret: it is not shown again.`)
    },
  }),
  form({
    verb: 'list',
    does: 'Lists the keys of an organisation, revoked and expired ones too. Secrets are not kept and cannot be listed.',
    options: { org: { value: organisation, does: 'the organisation', required: true } },
    run: async (config, { options: { org } }, out) => {
      const keys = await withDatabase(config, (db) => listKeys(db.run, org))
      out.result(keys, keys.length === 0 ? 'There are none.' : keys.map(line).join('\n'))
    },
  }),
  form({
    verb: 'revoke',
    does: 'Revokes a key at once and for good. A second run leaves the first instant as it is.',
    operands: [{ value: any('KEY', 'the id of a key, such as key_AbCdEfGhIjKl'), does: 'the key' }],
    run: async (config, { operands: [keyId] }, out) => {
      const key = await withDatabase(config, (db) => revokeKey(db.run, keyId))
      out.result(key, `Revoked: ${line(key)}`)
    },
  }),
])

function line({ keyId, lastFour, state, expiresAt, name, capabilities, datasets }: Key): string {
  const reach = datasets ? datasets.join(',') : 'all datasets'
  return `${keyId}  …${lastFour}  ${state.padEnd(7)}  until ${expiresAt.slice(0, 10)}  ${name}  (${capabilities.join(', ')}; ${reach})`
}
