/** The kinds of values that options and operands take. The help and the refusals print the same limits that are checked. */
import { didYouMean } from '../nearest.js'

export type Value<T> = Readonly<{
  /** Stands for the value in a usage line, such as ORG. */
  name: string
  /** Completes the sentence "... is accepted". */
  accepts: string
  /** Undefined for a text that is not accepted. */
  read: (text: string) => T | undefined
  /** The accepted words, where there are few: a mistyped one is answered with the nearest. */
  words?: readonly string[]
}>

const TEXT_MOST = 200

/** A name or a title. Blanks around it are dropped. */
export const text = (name: string): Value<string> => ({
  name,
  accepts: `text of 1 to ${TEXT_MOST} characters`,
  read: (given) => {
    const trimmed = given.trim()
    return trimmed !== '' && Array.from(trimmed).length <= TEXT_MOST ? trimmed : undefined
  },
})

/** Something that is looked up, such as an id or a file. Only the look-up can say whether it is right. */
export const any = (name: string, accepts: string): Value<string> => ({
  name,
  accepts,
  read: (given) => (given.trim() === '' ? undefined : given),
})

/** The id of a dataset that an import makes. */
export const newDataset: Value<string> = {
  name: 'LAYER',
  accepts: 'an id of the form lyr_wells: lyr_ and letters, digits or underscores,',
  read: (given) => (/^lyr_\w+$/.test(given) ? given : undefined),
}

export const organisation = any('ORG', 'the id or the name of an organisation')

/** A path; the file is read later. */
export const file = (name: string, what: string): Value<string> => any(name, what)

/** Digits alone: no sign, no blank, no exponent. */
export const whole = (name: string, least: number, most: number): Value<number> => ({
  name,
  accepts: `a whole number from ${grouped(least)} to ${grouped(most)}, in digits alone,`,
  read: (given) => (/^\d{1,16}$/.test(given) ? inRange(Number(given), least, most) : undefined),
})

/** A number of days, written as 30d. */
export const days = (name: string, least: number, most: number): Value<number> => ({
  name,
  accepts: `a number of days from ${least}d to ${most}d, such as 30d,`,
  read: (given) => {
    const [, number] = /^(\d{1,9})d$/.exec(given) ?? []
    return number === undefined ? undefined : inRange(Number(number), least, most)
  },
})

/** Case, blanks, hyphens and underscores make no difference: "Full read" is full-read. */
export const oneOf = <Word extends string>(name: string, words: readonly Word[]): Value<Word> => ({
  name,
  accepts: `one of ${words.join(', ')}`,
  words,
  read: (given) => words.find((word) => plain(word) === plain(given)),
})

/** Items separated by commas. */
export const list = (name: string, of: string, words?: readonly string[]): Value<string[]> => ({
  name,
  accepts: `a list of ${of}, at least one${words ? ` of ${words.join(', ')}` : ''}, separated by commas,`,
  ...(words ? { words } : {}),
  read: (given) => {
    const items = given
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
    return items.length > 0 && items.every((item) => words?.includes(item) ?? true) ? items : undefined
  },
})

/** The sentence that refuses a text. */
export function refusal(what: string, { accepts, words }: Value<unknown>, given: string): string {
  const items = given.split(',').map((item) => item.trim())
  const wrong = (words && items.find((item) => !words.includes(item))) ?? given
  return `${what}: ${accepts} is accepted, "${wrong.slice(0, 100)}" came.${words ? didYouMean(wrong, words) : ''}`
}

const inRange = (number: number, least: number, most: number) =>
  number >= least && number <= most ? number : undefined

const plain = (word: string) => word.toLowerCase().replace(/[\s_-]+/g, '')

const grouped = (number: number) => number.toLocaleString('en-US')
