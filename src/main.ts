/** Starts the command line: npm run -s frames -- COMMAND. */
import { refuseFewFiles } from './server/runtime/open-files.js'

refuseFewFiles()
// Node reads all files of a static import at once, and names a file that it may not open "not found".
const { program } = await import('./tools/cli/program.js')

const status = await program(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
})
// A command that a signal ended early has already set its status.
process.exitCode ??= status
// A database client may still be closing its connections: nothing waits for it.
process.exit()
