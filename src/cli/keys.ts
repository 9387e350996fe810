/** frames keys: minted, listed, revoked. */
import { PRESET_NAMES, type Preset } from '../access/capabilities.js'
import { listKeys, mintKey, revokeKey, type Key } from '../access/keys.js'
import type { Config } from '../config.js'
import { listOf, readWords, UsageError, type Command, type Out } from './command.js'
import { withDatabase } from './open-database.js'

export const keysCommand: Command = {
  usage: 'mint --org ORG --name TEXT --preset P --expires 30d [--datasets lyr_a,lyr_b] | list --org ORG | revoke KEY',
  does: 'mint, list or revoke keys',
  run: async (config, words, out) => {
    const [verb, ...rest] = words
    if (verb === 'mint') await mint(config, rest, out)
    else if (verb === 'list') await list(config, rest, out)
    else if (verb === 'revoke') await revoke(config, rest, out)
    else throw new UsageError(`keys mint, keys list or keys revoke is needed; "${verb ?? ''}" came.`)
  },
}

async function mint(config: Config, words: string[], out: Out): Promise<void> {
  const { options } = readWords(words, ['org', 'name', 'expires'], [], ['preset', 'capabilities', 'datasets'])
  const days = /^(\d+)d$/.exec(options.expires)?.[1]
  if (days === undefined) throw new UsageError(`--expires: days such as 30d are accepted, "${options.expires}" came.`)
  const key = await withDatabase(config, (db) =>
    mintKey(db.writes(), {
      org: options.org,
      name: options.name,
      preset: presetOf(options.preset),
      capabilities: listOf(options.capabilities),
      datasets: listOf(options.datasets),
      days: Number(days),
    }),
  )
  out.result(key, `${line(key)}\n\n${key.secret}\n\nKeep the secret: it is not shown again.`)
}

function presetOf(text: string | undefined): Preset | undefined {
  if (text === undefined) return undefined
  const preset = PRESET_NAMES.find((name) => name === text)
  if (!preset) throw new UsageError(`--preset: ${PRESET_NAMES.join(', ')} are accepted, "${text}" came.`)
  return preset
}

async function list(config: Config, words: string[], out: Out): Promise<void> {
  const { options } = readWords(words, ['org'], [])
  const keys = await withDatabase(config, (db) => listKeys(db.writes(), options.org))
  out.result(keys, keys.length === 0 ? 'There are none.' : keys.map(line).join('\n'))
}

async function revoke(config: Config, words: string[], out: Out): Promise<void> {
  const { operands } = readWords(words, [], ['KEY'])
  const key = await withDatabase(config, (db) => revokeKey(db.writes(), operands[0] ?? ''))
  out.result(key, `Revoked: ${line(key)}`)
}

function line({ keyId, lastFour, state, expiresAt, name, capabilities, datasets }: Key): string {
  const reach = datasets ? datasets.join(',') : 'all datasets'
  return `${keyId}  …${lastFour}  ${state.padEnd(7)}  until ${expiresAt.slice(0, 10)}  ${name}  (${capabilities.join(', ')}; ${reach})`
}
