/** The program behind the command line: finds the command, runs it, and prints its mistakes. */
import { FieldFault } from '../../core/access/field-fault.js'
import { readConfig, type Config } from '../../server/config.js'
import { didYouMean } from '../../core/nearest.js'
import { escapeControls } from '../../core/plain-text.js'
import { version } from '../../core/version.js'
import { chooseForm, readArguments, takeCommonFlags } from './arguments.js'
import { formsFor, UsageError, type Command, type Output } from './command.js'
import { help, overview, shortUsage } from './usage.js'

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
  locate: async () => (await import('./locate.js')).locateCommand,
  mcp: async () => (await import('./mcp.js')).mcpCommand,
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

/** Returns the exit status. */
export async function program(words: string[], printer: Printer, config: () => Config = readConfig): Promise<number> {
  const { flags, rest } = takeCommonFlags(words)
  const isHelp = flags.has('help') || rest[0] === 'help'
  const [name = '', ...args] = rest[0] === 'help' ? rest.slice(1) : rest
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  const output = outputOf(flags.has('json'), printer)
  if (isHelp) {
    const command = await load?.()
    printer.out(command ? help(name, formsFor(command, args[0])) : await overview(commands))
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
    const usage = command ? shortUsage(name, formsFor(command, args[0])) : await overview(commands)
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
