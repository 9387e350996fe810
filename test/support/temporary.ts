/** The files of a test run lie in one folder; the process that made it removes it when it ends. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The processes of a run learn the folder from the environment. */
export const runFolder = (): string => (process.env['TEST_FOLDER'] ??= makeFolder())

export const newFolder = (name: string): string => mkdtempSync(join(runFolder(), `${name}-`))

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frames-tests-'))
  // Servers that run as user postgres have their files in it, too.
  chmodSync(folder, 0o755)
  // A server that was just told to stop may still write.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  // Without a listener, Ctrl-C would end the process without that event.
  process.once('SIGINT', () => process.exit(130))
  return folder
}
