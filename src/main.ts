/** The command line: npm run -s frames -- COMMAND. */
import { buildCommand } from './cli/build.js'
import { UsageError, type Command, type Out } from './cli/command.js'
import { datasetsCommand } from './cli/datasets.js'
import { doctorCommand } from './cli/doctor.js'
import { explainCommand } from './cli/explain.js'
import { exportCommand } from './cli/export.js'
import { importCommand } from './cli/import.js'
import { keysCommand } from './cli/keys.js'
import { migrateCommand } from './cli/migrate.js'
import { orgsCommand } from './cli/orgs.js'
import { serveCommand } from './cli/serve.js'
import { sqlCommand } from './cli/sql.js'
import { verifyCommand } from './cli/verify.js'
import { readConfig } from './config.js'

const commands: Record<string, Command> = {
  serve: serveCommand,
  migrate: migrateCommand,
  build: buildCommand,
  import: importCommand,
  export: exportCommand,
  datasets: datasetsCommand,
  verify: verifyCommand,
  sql: sqlCommand,
  explain: explainCommand,
  doctor: doctorCommand,
  orgs: orgsCommand,
  keys: keysCommand,
}

process.exitCode = await main(process.argv.slice(2))
// A client of the database may still be closing its connections; nothing waits for that.
process.exit()

async function main(words: string[]): Promise<number> {
  const json = words.includes('--json')
  const [name = '', ...rest] = words.filter((word) => word !== '--json')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    if (!command) throw new UsageError(name === '' ? 'A command is needed.' : `"${name}" is not a command.`)
    await command.run(readConfig(), rest, outOf(json))
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    if (!(error instanceof UsageError)) return 1
    process.stderr.write(`\n${usage()}\n`)
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

function usage(): string {
  const lines = Object.entries(commands).map(
    ([name, command]) => `  ${`${name} ${command.usage}`.padEnd(38)}${command.does}`,
  )
  return ['Usage: npm run -s frames -- COMMAND [--json]', ...lines].join('\n')
}
