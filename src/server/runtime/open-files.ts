/** Says in a sentence that the process may open too few files: Node names its modules "not found" then. */

/** The modules of the program need some 130 at once, the embedded database and its first calls as many again. */
const LEAST = 256

export function refuseFewFiles(): void {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | 'unlimited' } } }
  const most = userLimits?.open_files?.soft
  if (typeof most !== 'number' || most >= LEAST) return
  const sentence = `This process may open ${most} files (ulimit -n), and needs ${LEAST} at least; each connection takes one more. Set ulimit -n 8192, or LimitNOFILE= of systemd.`
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
