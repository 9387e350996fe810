/** Defines the parts of a command: its forms, with their operands and options. */
import type { Config } from '../../server/config.js'
import type { ValueKind } from './values.js'

type CommandOperand<T = unknown> = Readonly<{ value: ValueKind<T>; description: string }>

/** An option without a value is a flag. */
export type Option<T = unknown> = Readonly<{
  value?: ValueKind<T>
  description: string
  required?: true
  repeatable?: true
  /** The help shows it. */
  default?: string
}>

export type Operands = readonly CommandOperand[]
export type OptionsByName = Readonly<Record<string, Option>>

type OptionValue<O> = O extends { value: ValueKind<infer T> }
  ? O extends { repeatable: true }
    ? T[]
    : O extends { required: true }
      ? T
      : T | undefined
  : boolean

export type Arguments<
  OperandsOfForm extends Operands = Operands,
  OptionsOfForm extends OptionsByName = OptionsByName,
> = {
  operands: { [I in keyof OperandsOfForm]: OperandsOfForm[I] extends CommandOperand<infer T> ? T : never }
  options: { [Name in keyof OptionsOfForm]: OptionValue<OptionsOfForm[Name]> }
}

type RunForm<ArgumentsOfForm> = (config: Config, args: ArgumentsOfForm, output: Output) => Promise<void>

/** One way to use a command: "keys mint" is a form of "keys". */
export type CommandForm = Readonly<{
  /** The word after the command's name; absent where a command has one form. */
  verb?: string
  description: string
  notes?: readonly string[]
  operands: Operands
  options: OptionsByName
  /** A person gives exactly one option of each group. */
  choices?: readonly (readonly string[])[]
  run: RunForm<never>
}>

export type Command = Readonly<{
  summary: string
  forms: readonly CommandForm[]
}>

/** A command prints results on standard output, progress and errors on standard error. */
export type Output = {
  json: boolean
  result: (value: unknown, text: string) => void
  progress: (step: string) => void
}

export const linesOf = <Item>(items: readonly Item[], line: (item: Item) => string): string =>
  items.length === 0 ? 'There are none.' : items.map(line).join('\n')

/** The words of a command line are wrong, as far as they alone show it: the exit status is 2. */
export class UsageError extends Error {}

/** `run` has the types of the operands and options of the form. */
export type FormParts<OperandsOfForm extends Operands, OptionsOfForm extends OptionsByName> = Omit<
  CommandForm,
  'operands' | 'options' | 'run'
> & {
  operands?: OperandsOfForm
  options?: OptionsOfForm
  run: RunForm<Arguments<OperandsOfForm, OptionsOfForm>>
}

export const commandForm = <
  const OperandsOfForm extends Operands = readonly [],
  const OptionsOfForm extends OptionsByName = {},
>(
  parts: FormParts<OperandsOfForm, OptionsOfForm>,
): CommandForm => ({ ...parts, operands: parts.operands ?? [], options: parts.options ?? {} })

export const commandOfOneForm = (summary: string, form: CommandForm): Command => ({ summary, forms: [form] })

/** Returns the form that the verb names, else all forms. */
export function formsFor({ forms }: Command, verb: string | undefined): readonly CommandForm[] {
  const named = forms.find((form) => form.verb === verb)
  return named ? [named] : forms
}
