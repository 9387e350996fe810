/** A setting is a row about one environment variable. Each room has the rows that it reads, and docs/settings.md lists all. */
import { readFileSync } from 'node:fs'

type Setting<T = unknown> = Readonly<{
  /** The page says this about the variable. */
  meaning: string
  /** docs/settings.md prints this text as the default, instead of `value`. */
  unset?: string
  /** This text is read where the variable is absent. */
  value?: string
  /** No message shows it, and NAME_FILE may name a file that has it: Docker and systemd hand secrets over in files. */
  isSecret?: true
  /** The word "off" is read as null. */
  canBeOff?: true
  /** Separates several values. */
  between?: ',' | ';'
  /** Nothing between two of them, or after the last, is no mistake. */
  skipsBlanks?: true
  /** Ends the sentence about a wrong one. */
  accepts?: string | ((text: string) => string)
  /** Undefined for a text that is not accepted. Any text is where this is absent. */
  read?: (text: string) => T | undefined
}>

export type Settings = Readonly<Record<string, Setting>>

type Read<S extends Setting> = S extends { read: (text: string) => infer T } ? Exclude<T, undefined> : string
type Absent<S extends Setting> =
  | (S extends { value: string } ? never : undefined)
  | (S extends { canBeOff: true } ? null : never)
export type SettingValues<S extends Settings> = {
  [Name in keyof S]: S[Name] extends { between: string }
    ? Read<S[Name]>[] | Absent<S[Name]>
    : Read<S[Name]> | Absent<S[Name]>
}

/** Mistakes are collected, so that a person sees all at once. `given` names the variables that are there, right or wrong. */
export type SettingsSource = {
  env: Readonly<Record<string, string | undefined>>
  mistakes: string[]
  given: Set<string>
}

export const readSettings = <S extends Settings>(rows: S, source: SettingsSource): SettingValues<S> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, readSetting(name, row, source)]),
  ) as SettingValues<S>

const readPart = ({ read }: Setting, text: string): unknown => (read ? read(text) : text)

/** A wrong text is a mistake, and read as if it were absent. */
function readSetting(name: string, row: Setting, source: SettingsSource): unknown {
  const came = row.isSecret ? secretIn(source, name) : valueIn(source, name)
  if (came !== undefined) source.given.add(name)
  const text = came ?? row.value
  if (text === undefined) return undefined
  if (row.canBeOff && text === 'off') return null
  const parts = row.between ? text.split(row.between).map((part) => part.trim()) : [text]
  const values = parts.flatMap((part) => {
    if (part === '' && row.skipsBlanks) return []
    const value = readPart(row, part)
    if (value !== undefined) return [value]
    const accepts = typeof row.accepts === 'function' ? row.accepts(part) : row.accepts
    source.mistakes.push(
      row.isSecret ? `${name} ${accepts}` : `${name} ${row.between ? 'has' : 'is'} "${part}"; ${accepts}`,
    )
    return []
  })
  if (row.between) return values
  return values[0] ?? (row.value === undefined ? undefined : readPart(row, row.value))
}

const valueIn = ({ env }: SettingsSource, name: string): string | undefined => env[name]?.trim() || undefined

function secretIn(source: SettingsSource, name: string): string | undefined {
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

export const PORT_KIND = {
  accepts: 'a port from 0 to 65535 is accepted',
  read: (text: string) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
}

/** Read as milliseconds. */
export const secondsKind = (least: number, most: number, unit = 'seconds') => ({
  accepts: `${unit} from ${least} to ${most} are accepted`,
  read: (text: string) =>
    /^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) * 1000 : undefined,
})
