/** The program behind the command line: finds the command, runs it, and says what went wrong. */
import { readConfig, type Config } from '../config.js'
import { didYouMean } from '../nearest.js'
import { formsFor, UsageError, type Command, type Out } from './command.js'
import { help, overview, shortUsage } from './usage.js'

/** Prints a line, or several. */
export type Print = { out: (text: string) => void; err: (text: string) => void }

/** Each is loaded when it is asked for: all together take three times as long to start as one. */
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
}

/** Answers with the exit status. */
export async function program(given: string[], print: Print, config: () => Config = readConfig): Promise<number> {
  const json = given.includes('--json')
  const isAskedForHelp = given.includes('--help') || given[0] === 'help'
  const others = (given[0] === 'help' ? given.slice(1) : given).filter((word) => word !== '--json' && word !== '--help')
  const [name = '', ...words] = others
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (isAskedForHelp) {
    const command = await load?.()
    const text = command ? help(name, formsFor(command, words[0])) : await overview(commands)
    print.out(text)
    return 0
  }
  try {
    if (!load) throw new UsageError(name === '' ? 'A command is needed.' : unknownCommand(name))
    await (await load()).run(config(), words, outOf(json, print))
    return 0
  } catch (error) {
    print.err(messageOf(error))
    if (!(error instanceof UsageError)) return 1
    const command = await load?.()
    const usage = command ? shortUsage(name, formsFor(command, words[0])) : await overview(commands)
    print.err(`\n${usage}`)
    return 2
  }
}

/** Files are opened all over the commands; Node says in its own words that one is not there. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && path !== undefined ? `There is no file ${path}.` : error.message
}

function unknownCommand(name: string): string {
  return `"${name}" is not a command.${didYouMean(name, Object.keys(commands))}`
}

function outOf(json: boolean, print: Print): Out {
  const started = performance.now()
  return {
    json,
    result: (value, text) => print.out(json ? JSON.stringify(value) : text),
    progress: (step) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6)
      print.err(step.includes('\n') ? `\n${step}` : `${seconds} s  ${step}`)
    },
  }
}
