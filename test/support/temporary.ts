/** The files of a test run lie in one folder; the process that made it removes it when it ends. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The other processes of the run get the folder by the environment. */
export const runFolder = (): string => (process.env['TEST_FOLDER'] ??= makeFolder())

export const newFolder = (name: string): string => mkdtempSync(join(runFolder(), `${name}-`))

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frames-tests-'))
  // Servers that run as user postgres need to reach their files in it.
  chmodSync(folder, 0o755)
  // A server that is just stopping may still write.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
