/** Reads the words of a command line. Each mistake is a sentence that names the option and what it accepts. */
import { parseArgs } from 'node:util'
import { didYouMean } from '../../core/nearest.js'
import { UsageError, type Arguments, type CommandForm } from './command.js'
import { limitsOf, type ValueKind } from './values.js'

const COMMON_FLAGS = { '--json': 'json', '--help': 'help', '-h': 'help' } as const
type CommonFlag = (typeof COMMON_FLAGS)[keyof typeof COMMON_FLAGS]

/**
 * Takes the flags that every command has out of the words, wherever they stand. parseArgs cannot: it reads the value of
 * "--bbox -1,-1,0,0" as options unless it knows that --bbox takes a value, and only the form knows that.
 */
export function takeCommonFlags(words: string[]): { flags: Set<CommonFlag>; rest: string[] } {
  const isFlag = (word: string): word is keyof typeof COMMON_FLAGS => Object.hasOwn(COMMON_FLAGS, word)
  return {
    flags: new Set(words.filter(isFlag).map((word) => COMMON_FLAGS[word])),
    rest: words.filter((word) => !isFlag(word)),
  }
}

export function chooseForm(forms: readonly CommandForm[], words: string[]): { form: CommandForm; rest: string[] } {
  const [first] = forms
  if (forms.length === 1 && first && first.verb === undefined) return { form: first, rest: words }
  const [verb = '', ...rest] = words
  const form = forms.find((each) => each.verb === verb)
  if (form) return { form, rest }
  const verbs = forms.flatMap((each) => each.verb ?? [])
  const came = verb === '' ? 'none came' : `"${verb}" came`
  throw new UsageError(`One of ${verbs.join(', ')} is needed after the command; ${came}.${didYouMean(verb, verbs)}`)
}

export function readArguments(form: CommandForm, words: string[]): Arguments {
  const { texts, operands } = splitWords(form, words)
  const missing = Object.keys(form.options).filter((name) => form.options[name]?.required && !texts.has(name))
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}.`)
  for (const choice of form.choices ?? []) checkChoice(choice, texts)
  if (operands.length > form.operands.length) {
    throw new UsageError(`Not understood: ${operands.slice(form.operands.length).join(' ')}.`)
  }
  const options = Object.entries(form.options).map(([name, { value, repeatable }]) => {
    const given = texts.get(name) ?? []
    if (!value) return [name, given.length > 0]
    const read = given.map((text) => readValue(`--${name}`, value, text))
    return [name, repeatable ? read : read[0]]
  })
  return {
    options: Object.fromEntries(options) as Arguments['options'],
    operands: form.operands.map(({ value }, place) => {
      const text = operands[place]
      if (text === undefined) throw new UsageError(`${value.name} is needed: ${limitsOf(value)}.`)
      return readValue(value.name, value, text)
    }),
  }
}

function readValue(place: string, kind: ValueKind<unknown>, text: string): unknown {
  const value = kind.read(text)
  if (value !== undefined) return value
  const { accepts, words } = kind
  const items = text.split(',').map((item) => item.trim())
  const wrong = (words && items.find((item) => !words.includes(item))) ?? text
  const suggestion = words ? didYouMean(wrong, words) : ''
  throw new UsageError(`${place}: ${accepts} is accepted, "${wrong.slice(0, 100)}" came.${suggestion}`)
}

function checkChoice(choice: readonly string[], texts: ReadonlyMap<string, readonly string[]>): void {
  const count = choice.filter((name) => texts.has(name)).length
  const names = choice
    .map((name) => `--${name}`)
    .join(', ')
    .replace(/, (\S+)$/, ' and $1')
  if (count === 0) throw new UsageError(`One of ${names} is needed.`)
  if (count > 1) throw new UsageError(`${names}: one of them is accepted, not both.`)
}

/** Splits the words into the texts of each option, by its name, and the operands. */
function splitWords({ options }: CommandForm, words: string[]): { texts: Map<string, string[]>; operands: string[] } {
  const types = Object.entries(options).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }])
  // parseArgs is not strict here: a value may begin with a minus sign, and the messages are ours.
  const { tokens } = parseArgs({
    args: words,
    options: Object.fromEntries(types) as Record<string, { type: 'string' | 'boolean' }>,
    strict: false,
    tokens: true,
  })
  const texts = new Map<string, string[]>()
  const operands = new Map<number, string>()
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    // parseArgs reads -15 as two options of one letter. Both have the index of the word, which is one operand.
    if (token.kind === 'positional' || !token.rawName.startsWith('--')) {
      operands.set(token.index, words[token.index] ?? '')
      continue
    }
    const { name, value, inlineValue } = token
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (!option) throw new UsageError(unknownOption(name, Object.keys(options)))
    const before = texts.get(name) ?? []
    if (before.length > 0 && !option.repeatable) throw new UsageError(`--${name} is given twice.`)
    if (option.value) texts.set(name, [...before, optionText(name, option.value, value, inlineValue)])
    else if (inlineValue) throw new UsageError(`--${name} takes no value.`)
    else texts.set(name, [''])
  }
  return { texts, operands: [...operands.values()] }
}

/** The word after an option is its value, unless it is an option itself. */
function optionText(
  name: string,
  kind: ValueKind<unknown>,
  text: string | undefined,
  isInline: boolean | undefined,
): string {
  if (text !== undefined && (isInline || !text.startsWith('--'))) return text
  throw new UsageError(`--${name} needs a value: ${limitsOf(kind)}.`)
}

function unknownOption(name: string, known: readonly string[]): string {
  const all = [...known, ...new Set(Object.values(COMMON_FLAGS))]
  const suggestion = didYouMean(name, all).replace('mean ', 'mean --')
  return `--${name} is not an option here.${suggestion || ` There are ${all.map((each) => `--${each}`).join(', ')}.`}`
}
