/** What a command is, and how its words are read. */
import { parseArgs } from 'node:util'
import type { Config } from '../config.js'
import { didYouMean } from '../nearest.js'
import { refusal, type Value } from './values.js'

type Operand<T = unknown> = Readonly<{ value: Value<T>; does: string }>

/** An option without a value is a flag. */
export type Option<T = unknown> = Readonly<{
  value?: Value<T>
  does: string
  required?: true
  /** The help tells this default. */
  unset?: string
}>

type Operands = readonly Operand[]
type Options = Readonly<Record<string, Option>>

type OptionGiven<O> = O extends { value: Value<infer T> } ? (O extends { required: true } ? T : T | undefined) : boolean

export type Given<Asked extends Operands = Operands, Taken extends Options = Options> = {
  operands: { [I in keyof Asked]: Asked[I] extends Operand<infer T> ? T : never }
  options: { [Name in keyof Taken]: OptionGiven<Taken[Name]> }
}

type Run<Asked> = (config: Config, given: Asked, out: Out) => Promise<void>

/** One way to use a command: "keys mint" is a form of "keys". */
export type Form = Readonly<{
  /** The word after the command's name; absent where a command has one form. */
  verb?: string
  does: string
  /** More for the help, a paragraph each. */
  notes?: readonly string[]
  operands: Operands
  options: Options
  /** Exactly one option of each group has to be given. */
  oneOf?: readonly (readonly string[])[]
  run: Run<never>
}>

export type Command = Readonly<{
  /** One line, for the list of commands. */
  does: string
  forms: readonly Form[]
  run: (config: Config, words: string[], out: Out) => Promise<void>
}>

/** Where a command says things: results on standard output, progress and errors on standard error. */
export type Out = {
  json: boolean
  result: (value: unknown, text: string) => void
  progress: (step: string) => void
}

/** Wrong usage, as far as the words alone show it: exit status 2. */
export class UsageError extends Error {}

/** Gives the function that runs a form the types of what the form asks for. */
export const form = <const Asked extends Operands = readonly [], const Taken extends Options = {}>(
  made: Omit<Form, 'operands' | 'options' | 'run'> & {
    operands?: Asked
    options?: Taken
    run: Run<Given<Asked, Taken>>
  },
): Form => ({ ...made, operands: made.operands ?? [], options: made.options ?? {} })

export function command(does: string, forms: readonly Form[]): Command {
  return {
    does,
    forms,
    run: async (config, words, out) => {
      const { chosen, rest } = choose(forms, words)
      await chosen.run(config, readWords(chosen, rest) as never, out)
    },
  }
}

/** The one form of a known verb, else all of them. */
export function formsFor({ forms }: Command, verb: string | undefined): readonly Form[] {
  const named = forms.find((each) => each.verb === verb)
  return named ? [named] : forms
}

function choose(forms: readonly Form[], words: string[]): { chosen: Form; rest: string[] } {
  const [only] = forms
  if (forms.length === 1 && only && only.verb === undefined) return { chosen: only, rest: words }
  const [verb = '', ...rest] = words
  const chosen = forms.find((each) => each.verb === verb)
  if (chosen) return { chosen, rest }
  const verbs = forms.flatMap((each) => each.verb ?? [])
  const came = verb === '' ? 'none came' : `"${verb}" came`
  throw new UsageError(`One of ${verbs.join(', ')} is needed after the command; ${came}.${didYouMean(verb, verbs)}`)
}

/** Every fault is a sentence that names the option and what it accepts. */
function readWords(chosen: Form, words: string[]): Given {
  const { texts, operands } = tokensOf(chosen, words)
  const missing = Object.keys(chosen.options).filter((name) => chosen.options[name]?.required && !texts.has(name))
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}.`)
  for (const group of chosen.oneOf ?? []) checkOneOf(group, texts)
  if (operands.length > chosen.operands.length) {
    throw new UsageError(`Not understood: ${operands.slice(chosen.operands.length).join(' ')}.`)
  }
  const options = Object.entries(chosen.options).map(([name, { value }]) => {
    const given = texts.get(name)
    if (!value) return [name, given !== undefined]
    return [name, given === undefined ? undefined : valueOf(`--${name}`, value, given)]
  })
  return {
    options: Object.fromEntries(options) as Given['options'],
    operands: chosen.operands.map(({ value }, i) => {
      const given = operands[i]
      if (given === undefined) throw new UsageError(`${value.name} is needed: ${value.accepts.replace(/,$/, '')}.`)
      return valueOf(value.name, value, given)
    }),
  }
}

function valueOf(what: string, value: Value<unknown>, given: string): unknown {
  const read = value.read(given)
  if (read === undefined) throw new UsageError(refusal(what, value, given))
  return read
}

function checkOneOf(group: readonly string[], texts: Map<string, string>): void {
  const given = group.filter((name) => texts.has(name))
  const named = group.map((name) => `--${name}`).join(' and ')
  if (given.length === 0) throw new UsageError(`One of ${named} is needed.`)
  if (given.length > 1) throw new UsageError(`${named}: one of them is accepted, not both.`)
}

/** The texts of the options by name, and the operands. Not strict, as a value may begin with a minus sign. */
function tokensOf({ options }: Form, words: string[]): { texts: Map<string, string>; operands: string[] } {
  const types = Object.entries(options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }])
  const { tokens } = parseArgs({
    args: words,
    options: Object.fromEntries(types) as Record<string, { type: 'string' | 'boolean' }>,
    strict: false,
    tokens: true,
  })
  const texts = new Map<string, string>()
  const operands = new Map<number, string>()
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    // -5 is a number, and not five options of one letter.
    if (token.kind === 'positional' || !token.rawName.startsWith('--')) {
      operands.set(token.index, words[token.index] ?? '')
      continue
    }
    const { name, value, inlineValue } = token
    const known = Object.hasOwn(options, name) ? options[name] : undefined
    if (!known) throw new UsageError(unknownOption(name, Object.keys(options)))
    if (texts.has(name)) throw new UsageError(`--${name} is given twice.`)
    if (known.value) texts.set(name, textOf(name, known.value, value, inlineValue))
    else if (inlineValue) throw new UsageError(`--${name} takes no value.`)
    else texts.set(name, '')
  }
  return { texts, operands: [...operands.values()] }
}

/** The word after an option is its value, unless it is an option itself. */
function textOf(name: string, value: Value<unknown>, text: string | undefined, isInline: boolean | undefined): string {
  if (text !== undefined && (isInline || !text.startsWith('--'))) return text
  throw new UsageError(`--${name} needs a value: ${value.accepts.replace(/,$/, '')}.`)
}

function unknownOption(name: string, known: readonly string[]): string {
  const meant = didYouMean(name, known).replace('mean ', 'mean --')
  const all =
    known.length === 0 ? 'There are no options here.' : `There are ${known.map((each) => `--${each}`).join(', ')}.`
  return `--${name} is not an option here.${meant || ` ${all}`}`
}
