/** The texts that explain a command: for "--help", and after a wrong usage. */
import type { Command, CommandForm, Option } from './command.js'
import { limitsOf } from './values.js'

const PROGRAM = 'npm run -s frames --'
const WIDTH = 110
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
export function shortUsage(name: string, forms: readonly CommandForm[]): string {
  const lines = forms.map((form, i) => `${i === 0 ? 'Usage: ' : '       '}${usageLine(name, form)}`)
  const verb = forms.length === 1 && forms[0]?.verb !== undefined ? ` ${forms[0].verb}` : ''
  return [...lines, `"${PROGRAM} ${name}${verb} --help" explains it.`].join('\n')
}

export const help = (name: string, forms: readonly CommandForm[]): string =>
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

/** Breaks a text into lines; each but the first begins with the indent. */
function wrap(text: string, indent: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${indent}`)
}

export async function overview(commands: Readonly<Record<string, () => Promise<Command>>>): Promise<string> {
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
