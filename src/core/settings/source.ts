/** Reads single settings from the environment. */
import { readFileSync } from 'node:fs'

/**
 * A reader of a setting adds its mistakes to the list and returns some valid value, so that the others are read too.
 */
export type SettingsSource = { env: Readonly<Record<string, string | undefined>>; mistakes: string[] }

export const valueIn = ({ env }: SettingsSource, name: string): string | undefined => env[name]?.trim() || undefined

export const readText = (source: SettingsSource, name: string, unset: string): string => valueIn(source, name) ?? unset

/**
 * The variable holds the secret, or NAME_FILE names a file that does: Docker and systemd hand secrets over in files.
 */
export function readSecret(source: SettingsSource, name: string): string | undefined {
  const { mistakes } = source
  const value = valueIn(source, name)
  const file = valueIn(source, `${name}_FILE`)
  if (file === undefined) return value
  if (value !== undefined) mistakes.push(`${name} and ${name}_FILE are both given; one is accepted`)
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    mistakes.push(`${name}_FILE is "${file}", which cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
}

export function readPort(source: SettingsSource, name: string, unset: number): number {
  const value = readText(source, name, String(unset))
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  source.mistakes.push(`${name} is "${value}"; a port from 0 to 65535 is accepted`)
  return unset
}

type SecondsRange = { unset: string; least: number; most: number; unit?: string }

export function readMilliseconds(
  source: SettingsSource,
  name: string,
  { unset, least, most, unit = 'seconds' }: SecondsRange,
): number {
  const seconds = readText(source, name, unset)
  if (/^\d{1,5}$/.test(seconds) && Number(seconds) >= least && Number(seconds) <= most) return Number(seconds) * 1000
  source.mistakes.push(`${name} is "${seconds}"; ${unit} from ${least} to ${most} are accepted`)
  return Number(unset) * 1000
}
