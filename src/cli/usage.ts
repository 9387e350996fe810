/** What "--help" and a wrong usage print. */
import type { Command, Form, Option } from './command.js'
import type { Value } from './values.js'

const PROGRAM = 'npm run -s frames --'
const WIDTH = 110
const MARGIN = 26

/** "keys mint --org ORG (--preset PRESET | --capabilities LIST) [--datasets LIST]": made of the options that are read. */
export function usageLine(name: string, { verb, operands, options, oneOf = [] }: Form): string {
  const told = Object.entries(options).map(([option, { required }]) => {
    const group = oneOf.find((names) => names.includes(option))
    if (group) return group[0] === option ? `(${group.map((each) => spelt(each, options[each])).join(' | ')})` : ''
    return required ? spelt(option, options[option]) : `[${spelt(option, options[option])}]`
  })
  const words = [name, verb ?? '', ...operands.map(({ value }) => value.name), ...told, '[--json]']
  return `${PROGRAM} ${words.filter(Boolean).join(' ')}`
}

const spelt = (name: string, option: Option | undefined) =>
  option?.value ? `--${name} ${option.value.name}` : `--${name}`

/** After a wrong usage: how these forms are used, and where more is said. */
export function shortUsage(name: string, forms: readonly Form[]): string {
  const lines = forms.map((form, i) => `${i === 0 ? 'Usage: ' : '       '}${usageLine(name, form)}`)
  const verb = forms.length === 1 && forms[0]?.verb !== undefined ? ` ${forms[0].verb}` : ''
  return [...lines, `"${PROGRAM} ${name}${verb} --help" explains it.`].join('\n')
}

/** All that there is to say of these forms. */
export const help = (name: string, forms: readonly Form[]): string =>
  forms.map((form) => helpOf(name, form)).join('\n\n')

function helpOf(name: string, form: Form): string {
  const operands = form.operands.map(({ value, does }) => entry(value.name, `${does}${limits(value)}.`))
  const options = Object.entries(form.options).map(([option, told]) => {
    const without = told.unset === undefined ? '' : ` Default: ${told.unset}.`
    return entry(spelt(option, told), `${told.does}${told.value ? limits(told.value) : ''}.${without}`)
  })
  return [
    `Usage: ${usageLine(name, form)}`,
    `\n${wrapped(form.does, '')}\n`,
    ...operands,
    ...options,
    entry('--json', 'prints one JSON value on standard output.'),
    ...(form.notes ?? []).map((note) => `\n${wrapped(note, '')}`),
  ].join('\n')
}

const limits = ({ accepts }: Value<unknown>) => ` (${accepts.replace(/,$/, '')})`

/** An option, and beside it what it does. */
function entry(spelling: string, does: string): string {
  const start = `  ${spelling}  `
  const told = wrapped(does, ' '.repeat(MARGIN))
  return start.length > MARGIN ? `${start.trimEnd()}\n${' '.repeat(MARGIN)}${told}` : `${start.padEnd(MARGIN)}${told}`
}

/** In lines of bearable length; all but the first begin with the indent. */
function wrapped(text: string, indent: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${indent}`)
}

/** The list of all commands. */
export async function overview(commands: Readonly<Record<string, () => Promise<Command>>>): Promise<string> {
  const lines = Object.entries(commands).map(async ([name, load]) => {
    const { does, forms } = await load()
    const verbs = forms.flatMap(({ verb }) => verb ?? [])
    return `  ${name.padEnd(10)}  ${does}${verbs.length > 0 ? ` (${verbs.join(', ')})` : ''}`
  })
  return [
    `Usage: ${PROGRAM} COMMAND [--json]`,
    '',
    ...(await Promise.all(lines)),
    '',
    `"${PROGRAM} COMMAND --help" explains a command and its options, "${PROGRAM} keys mint --help" one form of it.`,
    'A command works on the database of DATABASE_URL; where that is unset, on the embedded one in DATA_DIR (.data).',
    'With --json, standard output is one JSON value. Progress and errors go to standard error. The exit status is 0;',
    '1 where the command could not do it, or found something wrong; 2 where it was used wrongly.',
  ].join('\n')
}
