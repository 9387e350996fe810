/** frames keys: mints, rolls, lists and revokes keys. */
import {
  CAP_MOST,
  CAP_NAMES,
  CAPABILITIES,
  type CapName,
  type Caps,
  capKey,
  graceValue,
  type Key,
  type KeyWithSecret,
  LIFETIME_DAYS,
  listKeys,
  mintKey,
  presetValue,
  revokeKey,
  rollKey,
  unreadableBy,
} from '../../core/access/index.js'
import { escapeLine } from '../../core/plain-text.js'
import { counted } from '../../core/counted.js'
import { type Command, form, linesOf, operand, optional, required, UsageError } from './command.js'
import { onDatabase } from './open-database.js'
import {
  keyValue,
  listValue,
  numberOfDays,
  organisationValue,
  textValue,
  type ValueKind,
  wholeNumber,
} from '../../core/values.js'

const numberValue = wholeNumber('N', 0, CAP_MOST)
const capValue: ValueKind<number | null> = {
  ...numberValue,
  accepts: `${numberValue.accepts} or none`,
  read: (text) => (text === 'none' ? null : numberValue.read(text)),
}
const capArg = (description: string) => optional(capValue, description, 'as it is')
const capArgs = {
  'daily-credits': capArg('credits that the key may spend in a day, UTC'),
  'monthly-credits': capArg('credits that it may spend in a month'),
  'daily-words': capArg('worded answers that it gets in a day'),
  'monthly-words': capArg('worded answers that it gets in a month'),
}

type CapOption = keyof typeof capArgs
const capOption = (name: CapName) => name.replace('_', '-') as CapOption

const daysValue = numberOfDays('DAYS', LIFETIME_DAYS.least, LIFETIME_DAYS.most)

export const keysCommand: Command = {
  summary: 'mint, roll, cap, list or revoke keys',
  verbs: {
    mint: form({
      description: 'Mints a key and prints its secret, which is not shown again.',
      args: {
        org: required(organisationValue, 'the organisation that the key acts for'),
        name: required(textValue('TEXT'), 'who holds the key'),
        preset: optional(
          presetValue,
          'a list of capabilities by its name; "Full read", full_read and full-read are the same',
        ),
        capabilities: optional(
          listValue('LIST', 'capabilities', CAPABILITIES),
          'capabilities one by one, in place of a preset',
        ),
        expires: required(daysValue, 'how long the key is valid'),
        datasets: optional(
          listValue('LIST', 'ids of datasets'),
          'narrows the key to these datasets',
          'every dataset that the organisation can read, whenever it asks',
        ),
      },
      oneOf: ['preset', 'capabilities'],
      run: onDatabase(async (db, { expires, ...wanted }, output) => {
        const key = await db.change('keys.mint', (run) => mintKey(run, { ...wanted, days: expires }))
        for (const layerId of await unreadableBy(db.run, key.orgId, key.datasets ?? [])) {
          const advice = 'the key reads it once it is, and not before'
          output.progress(`${layerId} is not licensed to "${wanted.org}" now: ${advice}`)
        }
        return key
      }, withSecret),
    }),
    roll: form({
      description:
        'Mints a key with the rights of another, and prints its secret, which is not shown again. The other ends after the grace.',
      args: {
        key: operand(keyValue, 'the key that the new one replaces'),
        expires: required(daysValue, 'how long the new key is valid'),
        grace: optional(graceValue, 'how long the old key stays valid: now (it ends at once), 1h, 24h or 7d', '24h'),
      },
      run: onDatabase((db, { key, expires, grace = '24h' }) => {
        const wanted = { days: expires, grace }
        return db.change('keys.roll', (run) => rollKey(run, { keyId: key }, wanted))
      }, withSecret),
    }),
    cap: form({
      description:
        'Sets caps of a key: what it may spend in a day and in a month, UTC. Past a cap its calls are answered with less. A cap that is not named stays, and none lifts one.',
      args: { key: operand(keyValue, 'the key'), ...capArgs },
      run: onDatabase(
        (db, { key, ...given }) => {
          const named = CAP_NAMES.map((name) => [name, given[capOption(name)]] as const)
          const caps: Partial<Caps> = Object.fromEntries(named.filter(([, cap]) => cap !== undefined))
          if (Object.keys(caps).length === 0)
            throw new UsageError(`Name a cap: --${CAP_NAMES.map(capOption).join(', --')}.`)
          return db.change('keys.cap', (run) => capKey(run, { keyId: key }, caps))
        },
        (key) => `Capped: ${keyLine(key)}`,
      ),
    }),
    list: form({
      description:
        'Lists the keys of an organisation, revoked and expired ones too. Secrets are not kept and cannot be listed.',
      least: 'frames_service',
      args: { org: required(organisationValue, 'the organisation') },
      run: onDatabase(
        (db, { org }) => listKeys(db.run, org),
        (keys) => linesOf(keys, keyLine),
      ),
    }),
    revoke: form({
      description: 'Revokes a key at once and for good. A second run leaves the first instant as it is.',
      args: { key: operand(keyValue, 'the key') },
      run: onDatabase(
        (db, { key }) => db.change('keys.revoke', (run) => revokeKey(run, key)),
        (key) => `Revoked: ${keyLine(key)}`,
      ),
    }),
  },
}

function withSecret(key: KeyWithSecret): string {
  return `${keyLine(key)}\n\n${key.secret}\n\nKeep the secret: it is not shown again.`
}

function keyLine(key: Key): string {
  const { keyId, lastFour, state, name, capabilities, datasets } = key
  const reach = [datasets ? datasets.join(',') : 'all datasets', ...capsText(key)].join('; ')
  return escapeLine(
    `${keyId}  …${lastFour}  ${state.padEnd(7)}  until ${endText(key)}  ${name}  (${capabilities.join(', ')}; ${reach})`,
  )
}

const capsText = ({ dailyCredits, monthlyCredits, dailyWords, monthlyWords }: Key): string[] =>
  [
    [dailyCredits, 'credit', 'day'] as const,
    [monthlyCredits, 'credit', 'month'] as const,
    [dailyWords, 'worded answer', 'day'] as const,
    [monthlyWords, 'worded answer', 'month'] as const,
  ].flatMap(([cap, what, period]) => (cap === undefined ? [] : [`${counted(cap, what)} a ${period}`]))

/** A key that was rolled or revoked ends before it expires, and a grace may be an hour: it gets its minute. */
function endText({ state, expiresAt, revokedAt }: Key): string {
  if (revokedAt === undefined) return expiresAt.slice(0, 10)
  const end = `${revokedAt.slice(0, 16).replace('T', ' ')} UTC`
  return state === 'valid' ? `${end}, rolled` : end
}
