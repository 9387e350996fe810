/** What a command is, and how its words are read. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.js'

export type Command = {
  /** The words after the command's name, for the usage line. */
  usage: string
  does: string
  run: (config: Config, words: string[], out: Out) => Promise<void>
}

/** Where a command says things: results on standard output, progress and errors on standard error. */
export type Out = {
  json: boolean
  result: (value: unknown, text: string) => void
  progress: (step: string) => void
}

/** Wrong usage: exit status 2. */
export class UsageError extends Error {}

/** Options that are all required, options that may be left out, and the named operands. */
export function readWords<Needed extends string, Optional extends string = never>(
  words: string[],
  needed: readonly Needed[],
  operands: readonly string[],
  optional: readonly Optional[] = [],
): { options: Record<Needed, string> & Partial<Record<Optional, string>>; operands: string[] } {
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] }
  try {
    parsed = parseArgs({
      args: words,
      allowPositionals: true,
      options: Object.fromEntries([...needed, ...optional].map((option) => [option, { type: 'string' as const }])),
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const missing = needed.filter((option) => !parsed.values[option])
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((option) => `--${option}`).join(', ')}.`)
  if (parsed.positionals.length !== operands.length) {
    throw new UsageError(
      operands.length === 0 ? `Not understood: ${parsed.positionals.join(' ')}.` : `${operands.join(' ')} is needed.`,
    )
  }
  const options = parsed.values as Record<Needed, string> & Partial<Record<Optional, string>>
  return { options, operands: parsed.positionals }
}

/** Items separated by commas. */
export const listOf = (text: string | undefined) =>
  text
    ?.split(',')
    .map((item) => item.trim())
    .filter(Boolean)
