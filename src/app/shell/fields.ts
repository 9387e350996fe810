/** The fields of forms: how a page draws one, how what came in it is read, and the sentence beside one that is not right. */
import type { Request } from 'express'
import { FieldFault } from '../../core/access/index.js'
import type { ValueKind } from '../../core/values.js'
import { selectInput, type SelectOption, textInput } from './components.js'
import { textField, textFields } from './form.js'
import type { Html } from './html.js'
import { badForm } from './refusals.js'

/** A form as a person filled it in, or as a page offers it, with a sentence for each field that is not right. */
export type Filled = {
  text: (name: string) => string
  texts: (name: string) => readonly string[]
  faults: Readonly<Record<string, string>>
}

export const offered = (values: Readonly<Record<string, string>> = {}): Filled => ({
  text: (name) => values[name] ?? '',
  texts: () => [],
  faults: {},
})

export const filledIn = (req: Request, faults: Filled['faults'] = {}): Filled => ({
  text: (name) => textField(req, name),
  texts: (name) => textFields(req, name),
  faults,
})

/** `read` throws a FieldFault for what a person can mend, and refuses a form that only a program can have sent. */
export type Field<T> = { read: (form: Filled, name: string) => T }
export type Fields = Readonly<Record<string, Field<unknown>>>
export type Values<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never }

type DrawnField<T> = Field<T> & { draw: (form: Filled, name: string) => Html }

export function readKind<T>(kind: ValueKind<T>, text: string, name: string): T {
  const value = kind.read(text)
  if (value === undefined) throw new FieldFault(name, accepted(kind))
  return value
}

/** The field itself shows what came. */
const accepted = ({ accepts }: ValueKind<unknown>) => `${accepts[0]?.toUpperCase()}${accepts.slice(1)} is accepted.`

type Look = { label: string; hint?: string }

export const typed = <T>(
  kind: ValueKind<T> & { most: number },
  look: Look & { type?: 'email'; required?: true },
): DrawnField<T> => ({
  read: (form, name) => readKind(kind, form.text(name), name),
  draw: ({ text, faults }, name) =>
    textInput({ name, ...look, value: text(name), maxLength: kind.most, fault: faults[name] }),
})

/** A field that may stay blank. */
export const optional = <T>(field: DrawnField<T>): DrawnField<T | undefined> => ({
  ...field,
  read: (form, name) => (form.text(name) === '' ? undefined : field.read(form, name)),
})

export const chosen = <T>(
  kind: ValueKind<T>,
  look: Look & { options: readonly SelectOption[] } = { label: '', options: [] },
): DrawnField<T> => ({
  read: (form, name) => readKind(kind, form.text(name), name),
  draw: ({ text, faults }, name) => selectInput({ name, ...look, chosen: text(name), fault: faults[name] }),
})

/** The page gives the value, or offers all that are accepted: another one comes from a form that is old or made by hand. */
export const given = <T>(kind: ValueKind<T>): Field<T> => ({
  read: ({ text }, name) => {
    const value = kind.read(text(name))
    if (value === undefined) throw badForm(`The field "${name}": ${kind.accepts} is accepted. Open the page anew.`)
    return value
  },
})

/** A text that the change looks up. */
export const anyText: Field<string> = { read: ({ text }, name) => text(name) }

/** Reads all fields, so that a page says at once what is not right with any. */
export function readFields<F extends Fields>(
  fields: F,
  form: Filled,
): { values: Values<F> } | { faults: Filled['faults'] } {
  const faults: Record<string, string> = {}
  const values = Object.entries(fields).map(([name, field]) => {
    try {
      return [name, field.read(form, name)]
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error
      faults[error.field] = error.message
      return [name, undefined]
    }
  })
  return Object.keys(faults).length > 0 ? { faults } : { values: Object.fromEntries(values) as Values<F> }
}
