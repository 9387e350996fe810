/** The program behind the command line: commander reads the words, and this prints results and mistakes. */
import { Command as Commander, CommanderError, Option } from 'commander'
import { FieldFault } from '../../core/access/index.js'
import { didYouMean } from '../../core/nearest.js'
import { escapeControls } from '../../core/plain-text.js'
import { version } from '../../core/version.js'
import { outageText } from '../load/outage.js'
import { type Config, readConfig } from '../../server/config.js'
import { type Arg, type Command, type Form, type Output, UsageError } from './command.js'
import { limitsOf, type ValueKind } from '../../core/values.js'

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

const PROGRAM = 'npm run -s frames --'
const WIDTH = 110

const ABOUT_ALL = `
"${PROGRAM} COMMAND --help" explains a command and its options, "${PROGRAM} keys mint --help" one form of it.
A command works on the database of DATABASE_URL; where that is unset, on the embedded one in DATA_DIR (.data).
On a PostgreSQL server it runs as frames_owner; export, sql, explain, verify, doctor and the lists of organisations,
keys and datasets run as frames_service too.
With --json, standard output is one JSON value. Progress and errors go to standard error. The exit status is 0;
1 where the command could not do it, or found something wrong; 2 where it was used wrongly.`

/** Returns the exit status. */
export async function program(words: string[], printer: Printer, config: () => Config = readConfig): Promise<number> {
  const json = words.includes('--json')
  const output = outputOf(json, printer)
  const root = new Commander(PROGRAM)
    .option('--json', 'prints one JSON value on standard output')
    .version(json ? JSON.stringify({ version }) : version, '--version', 'prints the version')
    .usage('COMMAND [--json]')
    .helpOption('-h, --help', 'prints the help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', ABOUT_ALL)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => printer.out(text.trimEnd()),
      writeErr: (text) => printer.err(escapeControls(text.trimEnd())),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
      getOutHelpWidth: () => WIDTH,
      getErrHelpWidth: () => WIDTH,
    })
    .exitOverride()
    .showHelpAfterError()
  try {
    const [first = ''] = words.filter((word) => !word.startsWith('-'))
    for (const name of Object.hasOwn(commands, first) ? [first] : Object.keys(commands))
      addCommand(root.command(name), await commands[name]?.(), (form, given) => form.run(config(), given, output))
    await root.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    printer.err(escapeControls(errorText(error)))
    return 1
  }
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

/** Moves up and clears: a bar is drawn over itself. */
const LINE_BEFORE = '\x1b[1A\x1b[2K'
const barOf = (percent: number) => `[${'#'.repeat(percent / 5).padEnd(20, '.')}]`

function outputOf(json: boolean, printer: Printer, isScreen = process.stderr.isTTY): Output {
  const started = performance.now()
  let drawn: string | undefined
  return {
    json,
    result: (value, text) => printer.out(escapeControls(json ? JSON.stringify(value) : text)),
    progress: (step) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6)
      const [, subject, percent] = /^(.*): (\d+) %$/.exec(step) ?? []
      const isBar = isScreen && subject !== undefined
      const text = isBar ? `${barOf(Number(percent))} ${step}` : step
      const over = isBar && subject === drawn ? LINE_BEFORE : ''
      drawn = subject
      printer.err(step.includes('\n') ? `\n${step}` : `${over}${seconds} s  ${text}`)
    },
  }
}

type RunForm = (form: Form, given: never) => Promise<void>

function addCommand(commander: Commander, command: Command | undefined, run: RunForm): void {
  if (command === undefined) return
  commander.summary(command.summary)
  if ('form' in command) return addForm(commander, commander.name(), command.form, run)
  commander.description(command.summary)
  for (const [verb, form] of Object.entries(command.verbs))
    addForm(commander.command(verb), `${commander.name()} ${verb}`, form, run)
}

function addForm(commander: Commander, path: string, form: Form, run: RunForm): void {
  const args = Object.entries(form.args ?? {}).map(([name, arg]) => addArg(commander, name, arg))
  const usage = [...args.map(({ spelling }) => spelling), '[--json]'].join(' ')
  const notes = (form.notes ?? []).map((note) => `\n${commander.createHelp().boxWrap(note, WIDTH)}`)
  commander
    .description(form.description)
    .usage(usage)
    .allowExcessArguments()
    .addHelpText('after', notes.join('\n'))
    .showHelpAfterError(`\nUsage: ${PROGRAM} ${path} ${usage}\n"${PROGRAM} ${path} --help" explains it.`)
    .action(async () => {
      try {
        const given = Object.fromEntries(args.map(({ name, read }) => [name, read()]))
        checkGiven(form, given, commander.args)
        await run(form, given as never)
      } catch (error) {
        throw error instanceof UsageError ? commander.error(error.message) : withRole(error, path, form)
      }
    })
}

/** PostgreSQL names what the role may not read, and not the role that may. */
function withRole(error: unknown, path: string, { least }: Form): unknown {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== REFUSED) return error
  const roles =
    least === undefined ? 'frames_owner. Set DATABASE_URL to it' : `${least} or frames_owner. Set DATABASE_URL to one`
  return new Error(`"${path}" needs the rights of ${roles}: ${error.message}.`, { cause: error })
}
const REFUSED = '42501'

type AddedArg = { name: string; spelling: string; read: () => unknown }

/** `read` returns the value once commander has parsed the words. */
function addArg(commander: Commander, name: string, { kind, value, description, unset }: Arg): AddedArg {
  const limits = value ? ` (${limitsOf(value)})` : ''
  const text = `${description}${limits}.${unset === undefined ? '' : ` Default: ${unset}.`}`
  if (kind === 'operand' && value) {
    const place = commander.registeredArguments.length
    commander.argument(`[${value.name}]`, text, (word: string) => readValue(commander, value.name, value, word))
    return { name, spelling: value.name, read: () => commander.processedArgs[place] as unknown }
  }
  const option = new Option(value ? `--${name} <${value.name}>` : `--${name}`, text)
  const key = option.attributeName()
  commander.addOption(option)
  if (!value) return { name, spelling: `[--${name}]`, read: () => commander.getOptionValueSource(key) === 'cli' }
  option.argParser((word, before: unknown[] | undefined) => {
    if (before && kind !== 'repeatable') commander.error(`--${name} is given twice.`)
    return [...(before ?? []), readValue(commander, `--${name}`, value, word)]
  })
  const spelling = `--${name} ${value.name}${kind === 'repeatable' ? ' ...' : ''}`
  return {
    name,
    spelling: kind === 'required' ? spelling : `[${spelling}]`,
    read: () => {
      const values = (commander.getOptionValue(key) ?? []) as unknown[]
      return kind === 'repeatable' ? values : values[0]
    },
  }
}

/** A word with two hyphens is an option that stands where a value should. */
function readValue(commander: Commander, place: string, kind: ValueKind<unknown>, text: string): unknown {
  const value = text.startsWith('--') ? undefined : kind.read(text)
  if (value !== undefined) return value
  const items = text.split(',').map((item) => item.trim())
  const wrong = (kind.words && items.find((item) => !kind.words?.includes(item))) ?? text
  const suggestion = kind.words ? didYouMean(wrong, kind.words) : ''
  return commander.error(`${place}: ${kind.accepts} is accepted, "${wrong.slice(0, 100)}" came.${suggestion}`)
}

/** Commander looks for these mistakes before it looks for a mistyped option, which is often why one is missing. */
function checkGiven({ args = {}, oneOf = [] }: Form, given: Record<string, unknown>, words: readonly string[]): void {
  const listed = (names: readonly string[]) => names.map((name) => `--${name}`).join(', ')
  const isMissing = (name: string) => given[name] === undefined
  const missing = Object.keys(args).filter((name) => args[name]?.kind === 'required' && isMissing(name))
  if (missing.length > 0) throw new UsageError(`Missing: ${listed(missing)}.`)
  const list = listed(oneOf).replace(/, (\S+)$/, ' and $1')
  const chosen = oneOf.filter((name) => !isMissing(name)).length
  if (oneOf.length > 0 && chosen === 0) throw new UsageError(`One of ${list} is needed.`)
  if (chosen > 1) throw new UsageError(`${list}: one of them is accepted, not both.`)
  const operands = Object.entries(args).filter(([, { kind }]) => kind === 'operand')
  const odd = words.slice(operands.length)
  if (odd.length > 0) throw new UsageError(`Not understood: ${odd.join(' ')}.`)
  for (const [name, { value }] of operands)
    if (value && isMissing(name)) throw new UsageError(`${value.name} is needed: ${limitsOf(value)}.`)
}
