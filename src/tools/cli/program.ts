/** The program behind the command line: finds the command, runs it, and prints its mistakes. */
import { parseArgs } from 'node:util'
import { FieldFault } from '../../core/access/field-fault.js'
import { didYouMean } from '../../core/nearest.js'
import { escapeControls } from '../../core/plain-text.js'
import { version } from '../../core/version.js'
import { outageText } from '../load/outage.js'
import { type Config, readConfig } from '../../server/config.js'
import {
  type Arguments,
  type Command,
  type CommandForm,
  formsFor,
  type Option,
  type Output,
  UsageError,
} from './command.js'
import { limitsOf, type ValueKind } from './values.js'

/** Each function prints one line or several. */
export type Printer = { out: (text: string) => void; err: (text: string) => void }

/** The program loads only the command that it runs: all together take three times as long to start. */
export const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.js')).serveCommand,
  migrate: async () => (await import('./migrate.js')).migrateCommand,
  build: async () => (await import('./build.js')).buildCommand,
  'load-demo': async () => (await import('./load-demo.js')).loadDemoCommand,
  import: async () => (await import('./import.js')).importCommand,
  export: async () => (await import('./export.js')).exportCommand,
  datasets: async () => (await import('./datasets.js')).datasetsCommand,
  verify: async () => (await import('./verify.js')).verifyCommand,
  sql: async () => (await import('./sql.js')).sqlCommand,
  explain: async () => (await import('./explain.js')).explainCommand,
  doctor: async () => (await import('./doctor.js')).doctorCommand,
  orgs: async () => (await import('./orgs.js')).orgsCommand,
  keys: async () => (await import('./keys.js')).keysCommand,
  people: async () => (await import('./people.js')).peopleCommand,
  events: async () => (await import('./events.js')).eventsCommand,
}

export async function program(words: string[], printer: Printer, config: () => Config = readConfig): Promise<number> {
  const { flags, rest } = takeCommonFlags(words)
  const isHelp = flags.has('help') || rest[0] === 'help'
  const [name = '', ...args] = rest[0] === 'help' ? rest.slice(1) : rest
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  const output = outputOf(flags.has('json'), printer)
  if (isHelp) {
    const command = await load?.()
    printer.out(command ? help(name, formsFor(command, args[0])) : await overview())
    return 0
  }
  if (name === '--version') {
    output.result({ version }, version)
    return 0
  }
  try {
    if (!load) throw new UsageError(name === '' ? 'A command is needed.' : unknownCommand(name))
    await runCommand(await load(), config(), args, output)
    return 0
  } catch (error) {
    printer.err(escapeControls(errorText(error)))
    if (!(error instanceof UsageError)) return 1
    const command = await load?.()
    const usage = command ? shortUsage(name, formsFor(command, args[0])) : await overview()
    printer.err(`\n${usage}`)
    return 2
  }
}

export async function runCommand(command: Command, config: Config, words: string[], output: Output): Promise<void> {
  const { form, rest } = chooseForm(command.forms, words)
  await form.run(config, readArguments(form, rest) as never, output)
}

/** Many commands open files. Node's own message for a missing file is not a sentence. */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof FieldFault) return `--${error.field}: ${error.message}`
  const outage = outageText(error, 'A change that was under way is made as a whole or not at all.')
  if (outage !== undefined) return outage
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && path !== undefined ? `There is no file ${path}.` : error.message
}

function unknownCommand(name: string): string {
  return `"${name}" is not a command.${didYouMean(name, Object.keys(commands))}`
}

function outputOf(json: boolean, printer: Printer): Output {
  const started = performance.now()
  return {
    json,
    result: (value, text) => printer.out(escapeControls(json ? JSON.stringify(value) : text)),
    progress: (step) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6)
      printer.err(step.includes('\n') ? `\n${step}` : `${seconds} s  ${step}`)
    },
  }
}

const COMMON_FLAGS = { '--json': 'json', '--help': 'help', '-h': 'help' } as const
type CommonFlag = (typeof COMMON_FLAGS)[keyof typeof COMMON_FLAGS]

/**
 * Takes the flags that every command has out of the words, wherever they stand. parseArgs cannot: it reads the value of
 * "--bbox -1,-1,0,0" as options unless it knows that --bbox takes a value, and only the form knows that.
 */
function takeCommonFlags(words: string[]): { flags: Set<CommonFlag>; rest: string[] } {
  const isFlag = (word: string): word is keyof typeof COMMON_FLAGS => Object.hasOwn(COMMON_FLAGS, word)
  return {
    flags: new Set(words.filter(isFlag).map((word) => COMMON_FLAGS[word])),
    rest: words.filter((word) => !isFlag(word)),
  }
}

function chooseForm(forms: readonly CommandForm[], words: string[]): { form: CommandForm; rest: string[] } {
  const [first] = forms
  if (forms.length === 1 && first && first.verb === undefined) return { form: first, rest: words }
  const [verb = '', ...rest] = words
  const form = forms.find((each) => each.verb === verb)
  if (form) return { form, rest }
  const verbs = forms.flatMap((each) => each.verb ?? [])
  const came = verb === '' ? 'none came' : `"${verb}" came`
  throw new UsageError(`One of ${verbs.join(', ')} is needed after the command; ${came}.${didYouMean(verb, verbs)}`)
}

function readArguments(form: CommandForm, words: string[]): Arguments {
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

const PROGRAM = 'npm run -s frames --'
const LINE_WIDTH = 110
const MARGIN = 26

/** Example: "keys mint --org ORG (--preset PRESET | --capabilities LIST) [--datasets LIST]". */
export function usageLine(name: string, { verb, operands, options, choices = [] }: CommandForm): string {
  const spellings = Object.entries(options).map(([option, { required }]) => {
    const choice = choices.find((names) => names.includes(option))
    if (choice)
      return choice[0] === option ? `(${choice.map((each) => spelling(each, options[each])).join(' | ')})` : ''
    return required ? spelling(option, options[option]) : `[${spelling(option, options[option])}]`
  })
  const words = [name, verb ?? '', ...operands.map(({ value }) => value.name), ...spellings, '[--json]']
  return `${PROGRAM} ${words.filter(Boolean).join(' ')}`
}

const spelling = (name: string, option: Option | undefined) =>
  option?.value ? `--${name} ${option.value.name}${option.repeatable ? ' ...' : ''}` : `--${name}`

/** A wrong usage ends with the usage of these forms, and with the command that explains them. */
function shortUsage(name: string, forms: readonly CommandForm[]): string {
  const lines = forms.map((form, i) => `${i === 0 ? 'Usage: ' : '       '}${usageLine(name, form)}`)
  const verb = forms.length === 1 && forms[0]?.verb !== undefined ? ` ${forms[0].verb}` : ''
  return [...lines, `"${PROGRAM} ${name}${verb} --help" explains it.`].join('\n')
}

const help = (name: string, forms: readonly CommandForm[]): string =>
  forms.map((form) => helpOnForm(name, form)).join('\n\n')

function helpOnForm(name: string, form: CommandForm): string {
  const operands = form.operands.map(({ value, description }) =>
    entry(value.name, `${description} (${limitsOf(value)}).`),
  )
  const options = Object.entries(form.options).map(([optionName, option]) => {
    const limits = option.value ? ` (${limitsOf(option.value)})` : ''
    const byDefault = option.default === undefined ? '' : ` Default: ${option.default}.`
    return entry(spelling(optionName, option), `${option.description}${limits}.${byDefault}`)
  })
  return [
    `Usage: ${usageLine(name, form)}`,
    `\n${wrap(form.description, '')}\n`,
    ...operands,
    ...options,
    entry('--json', 'prints one JSON value on standard output.'),
    ...(form.notes ?? []).map((note) => `\n${wrap(note, '')}`),
  ].join('\n')
}

/** Prints an option or an operand on the left, its description on the right. */
function entry(left: string, description: string): string {
  const start = `  ${left}  `
  const right = wrap(description, ' '.repeat(MARGIN))
  return start.length > MARGIN ? `${start.trimEnd()}\n${' '.repeat(MARGIN)}${right}` : `${start.padEnd(MARGIN)}${right}`
}

function wrap(text: string, indent: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent.length + line.length + 1 + word.length > LINE_WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${indent}`)
}

async function overview(): Promise<string> {
  const lines = Object.entries(commands).map(async ([name, load]) => {
    const { summary, forms } = await load()
    const verbs = forms.flatMap(({ verb }) => verb ?? [])
    return `  ${name.padEnd(10)}  ${summary}${verbs.length > 0 ? ` (${verbs.join(', ')})` : ''}`
  })
  return [
    `Usage: ${PROGRAM} COMMAND [--json]`,
    '',
    ...(await Promise.all(lines)),
    '',
    `"${PROGRAM} COMMAND --help" explains a command and its options, "${PROGRAM} keys mint --help" one form of it.`,
    `"${PROGRAM} --version" prints the version.`,
    'A command works on the database of DATABASE_URL; where that is unset, on the embedded one in DATA_DIR (.data).',
    'With --json, standard output is one JSON value. Progress and errors go to standard error. The exit status is 0;',
    '1 where the command could not do it, or found something wrong; 2 where it was used wrongly.',
  ].join('\n')
}
