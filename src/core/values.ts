/** The kinds of values that people type: in a field of a page, in an option or an operand. Messages print the limits that are checked. */
import { nameFault } from './plain-text.js'

export type ValueKind<T> = Readonly<{
  /** A usage line shows this name, such as ORG. */
  name: string
  /** Completes the sentence "... is accepted". */
  accepts: string
  /** Undefined for a text that is not accepted. */
  read: (text: string) => T | undefined
  /** The accepted words, where there are few: a mistyped one is answered with the nearest. */
  words?: readonly string[]
}>

/** A text that a person types, of a number of characters at the most. */
type TypedKind = ValueKind<string> & { most: number }

/** A name or a title; blanks around it are dropped. */
export const textValue = (name: string, most = 200): TypedKind => ({
  name,
  accepts: `text of 1 to ${most} characters, none of them a control character or invisible,`,
  most,
  read: (text) => {
    const trimmed = text.trim()
    const isName = trimmed !== '' && nameFault(trimmed) === undefined
    return isName && Array.from(trimmed).length <= most ? trimmed : undefined
  },
})

export const emailValue: TypedKind = {
  name: 'EMAIL',
  accepts: 'an e-mail address',
  most: 254,
  read: (text) => {
    const isAddress = /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(text.trim()) && nameFault(text.trim()) === undefined
    return isAddress ? text.trim() : undefined
  },
}

/** A text that the command looks up, such as an id or the path of a file. */
export const anyValue = (name: string, accepts: string): ValueKind<string> => ({
  name,
  accepts,
  read: (text) => (text.trim() === '' ? undefined : text),
})

export const newDatasetId: ValueKind<string> = {
  name: 'LAYER',
  accepts: 'an id of the form lyr_wells: lyr_ and up to 96 letters, digits or underscores,',
  read: (text) => (/^lyr_\w{1,96}$/.test(text) ? text : undefined),
}

export const organisationValue = anyValue('ORG', 'the id or the name of an organisation')
export const keyValue = anyValue('KEY', 'the id of a key, such as key_AbCdEfGhIjKl')

/** A whole number takes digits alone: no sign, no blank, no exponent. */
export const wholeNumber = (name: string, least: number, most: number): ValueKind<number> => ({
  name,
  accepts: `a whole number from ${grouped(least)} to ${grouped(most)}, in digits alone,`,
  read: (text) => (/^\d{1,16}$/.test(text) ? inRange(Number(text), least, most) : undefined),
})

/** A number of days, written as 30d. */
export const numberOfDays = (name: string, least: number, most: number): ValueKind<number> => ({
  name,
  accepts: `a number of days from ${least}d to ${most}d, such as 30d,`,
  read: (text) => {
    const [, number] = /^(\d{1,9})d$/.exec(text) ?? []
    return number === undefined ? undefined : inRange(Number(number), least, most)
  },
})

/** Case, blanks, hyphens and underscores make no difference: "Full read" is full-read. */
export const wordValue = <Word extends string>(name: string, words: readonly Word[]): ValueKind<Word> => ({
  name,
  accepts: `one of ${words.join(', ')}`,
  words,
  read: (text) => words.find((word) => withoutSeparators(word) === withoutSeparators(text)),
})

export const listValue = (name: string, of: string, words?: readonly string[]): ValueKind<string[]> => ({
  name,
  accepts: `a list of ${of}, at least one${words ? ` of ${words.join(', ')}` : ''}, separated by commas,`,
  ...(words ? { words } : {}),
  read: (text) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
    return items.length > 0 && items.every((item) => words?.includes(item) ?? true) ? items : undefined
  },
})

/** The last day of something, in UTC. JavaScript reads February 30 as March 2, and has a year 0, which PostgreSQL has not. */
export const dayValue: ValueKind<string> = {
  name: 'DAY',
  accepts: 'a date such as 2027-03-31',
  read: (text) => {
    const isDay = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    return isDay && new Date(text).toISOString().startsWith(text) ? text : undefined
  },
}

/** Returns the limits as the end of a sentence, without the comma that a longer one needs. */
export const limitsOf = ({ accepts }: ValueKind<unknown>): string => accepts.replace(/,$/, '')

const inRange = (number: number, least: number, most: number) =>
  number >= least && number <= most ? number : undefined

const withoutSeparators = (word: string) => word.toLowerCase().replace(/[\s_-]+/g, '')

const grouped = (number: number) => number.toLocaleString('en-US')
