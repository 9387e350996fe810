/** Starts the command line: npm run -s frames -- COMMAND. */

/** The modules of the program need some 130 files at once, the embedded database and its first calls as many again. */
const FILES_LEAST = 256

function fewFiles(): string | undefined {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } }
  const most = userLimits?.open_files?.soft
  if (typeof most !== 'number' || most >= FILES_LEAST) return undefined
  return `This process may open ${most} files (ulimit -n), and needs ${FILES_LEAST} at least; each connection takes one more. Set ulimit -n 8192, or LimitNOFILE= of systemd.`
}

const few = fewFiles()
if (few !== undefined) {
  process.stderr.write(`${few}\n`)
  process.exit(1)
}
// A static import would come before this check, and name each file that it may not open "not found".
const { program } = await import('./tools/cli/program.js')

const status = await program(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
})
// A command that a signal ended early has already set its status.
process.exitCode ??= status
// A database client may still be closing its connections: nothing waits for it.
process.exit()
