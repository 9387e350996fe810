/** Defines the parts of a command: what it takes, and what it runs. */
import type { Config } from '../../server/config.js'
import type { ValueKind } from '../../core/values.js'

/** An operand, which a person gives by its place, or an option, which a person gives by its name. */
export type Arg<T = unknown> = Readonly<{
  kind: 'operand' | 'required' | 'optional' | 'repeatable' | 'flag'
  value?: ValueKind<unknown>
  description: string
  /** Says in the help what holds where the option is absent. */
  unset?: string | undefined
  /** Is never there: it carries the type of what `run` gets. */
  type?: T
}>

export type Args = Readonly<Record<string, Arg>>
export type Given<A extends Args> = { [Name in keyof A]: A[Name] extends Arg<infer T> ? T : never }

export const operand = <T>(value: ValueKind<T>, description: string): Arg<T> => ({
  kind: 'operand',
  value,
  description,
})

export const required = <T>(value: ValueKind<T>, description: string): Arg<T> => ({
  ...operand(value, description),
  kind: 'required',
})

export const optional = <T>(value: ValueKind<T>, description: string, unset?: string): Arg<T | undefined> => ({
  kind: 'optional',
  value,
  description,
  unset,
})

/** An option that may be given several times. */
export const repeatable = <T>(value: ValueKind<T>, description: string, unset?: string): Arg<T[]> => ({
  kind: 'repeatable',
  value,
  description,
  unset,
})

/** An option without a value. */
export const flag = (description: string, unset?: string): Arg<boolean> => ({ kind: 'flag', description, unset })

/** A command prints results on standard output, progress and errors on standard error. */
export type Output = {
  json: boolean
  result: (value: unknown, text: string) => void
  progress: (step: string) => void
}

export type Run<G> = (config: Config, given: G, output: Output) => Promise<void>

/** One way to use a command: "keys mint" is a form of "keys". */
export type Form<A extends Args = Args, G = never> = Readonly<{
  description: string
  args?: A
  /** A person gives exactly one of these options. */
  oneOf?: readonly (string & keyof A)[]
  /** The role of the least rights that can do it on a PostgreSQL server. */
  least?: 'frames_service'
  /** Paragraphs below the options. */
  notes?: readonly string[]
  run: Run<G>
}>

/** A command has one form, or one for each verb, the word after its name. */
export type Command = Readonly<
  { summary: string; form: Form } | { summary: string; verbs: Readonly<Record<string, Form>> }
>

/** Gives `run` the types of `args`. */
export const form = <const A extends Args = {}>(parts: Form<A, Given<A>>): Form => parts

export const linesOf = <Item>(items: readonly Item[], line: (item: Item) => string): string =>
  items.length === 0 ? 'There are none.' : items.map(line).join('\n')

/** The words of a command line are wrong, as far as they alone show it: the exit status is 2. */
export class UsageError extends Error {}
