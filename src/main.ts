/** The command line: npm run -s frames -- COMMAND. */
import { UsageError, type Command, type Out } from './cli/command.js'
import { readConfig } from './config.js'

/** Each is loaded when it is asked for: all together take three times as long to start as one. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./cli/serve.js')).serveCommand,
  migrate: async () => (await import('./cli/migrate.js')).migrateCommand,
  build: async () => (await import('./cli/build.js')).buildCommand,
  import: async () => (await import('./cli/import.js')).importCommand,
  export: async () => (await import('./cli/export.js')).exportCommand,
  datasets: async () => (await import('./cli/datasets.js')).datasetsCommand,
  verify: async () => (await import('./cli/verify.js')).verifyCommand,
  sql: async () => (await import('./cli/sql.js')).sqlCommand,
  explain: async () => (await import('./cli/explain.js')).explainCommand,
  doctor: async () => (await import('./cli/doctor.js')).doctorCommand,
  orgs: async () => (await import('./cli/orgs.js')).orgsCommand,
  keys: async () => (await import('./cli/keys.js')).keysCommand,
}

process.exitCode = await main(process.argv.slice(2))
// A client of the database may still be closing its connections; nothing waits for that.
process.exit()

async function main(words: string[]): Promise<number> {
  if (words.includes('--help') || words[0] === 'help') {
    process.stdout.write(`${await usage(words.find((word) => Object.hasOwn(commands, word)))}\n`)
    return 0
  }
  const json = words.includes('--json')
  const [name = '', ...rest] = words.filter((word) => word !== '--json')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    if (!command) throw new UsageError(name === '' ? 'A command is needed.' : `"${name}" is not a command.`)
    await (await command()).run(readConfig(), rest, outOf(json))
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (!(error instanceof UsageError)) return 1
    process.stderr.write(`\n${await usage()}\n`)
    return 2
  }
}

function outOf(json: boolean): Out {
  const started = performance.now()
  return {
    json,
    result: (value, text) => void process.stdout.write(`${json ? JSON.stringify(value) : text}\n`),
    progress: (step) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6)
      process.stderr.write(step.includes('\n') ? `\n${step}\n` : `${seconds} s  ${step}\n`)
    },
  }
}

/** Of one command, or of all. */
async function usage(of?: string): Promise<string> {
  const wanted = Object.entries(commands).filter(([name]) => of === undefined || name === of)
  const lines = wanted.map(async ([name, command]) => {
    const { usage: words, does } = await command()
    return `  ${name} ${words}\n      ${does}`
  })
  return ['Usage: npm run -s frames -- COMMAND [--json]', ...(await Promise.all(lines))].join('\n')
}
