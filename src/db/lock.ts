/** A lock file: held by a living process, taken over from a dead one. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

export type Lock = { release: () => void }

/** Takes the lock, or answers with the id of the process that holds it. */
export function takeLock(path: string): Lock | { heldBy: number } {
  const mine = `${path}.${process.pid}`
  writeFileSync(mine, describe(process.pid))
  try {
    for (;;) {
      try {
        linkSync(mine, path)
        return { release: () => rmSync(path, { force: true }) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
      const holder = lockHolder(path)
      if (holder !== undefined) return { heldBy: holder }
      moveAside(path)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

/** The living process that holds the lock, if one does. */
export function lockHolder(path: string): number | undefined {
  const text = read(path)
  const pid = Number(text?.split(' ')[0])
  return text && Number.isSafeInteger(pid) && text === describe(pid) ? pid : undefined
}

/** Two processes may both find a dead lock; renaming lets one of them have it, and what is no longer dead goes back. */
function moveAside(path: string): void {
  const aside = `${path}.dead.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (lockHolder(aside) !== undefined) renameSync(aside, path)
  else rmSync(aside, { force: true })
}

/** A process id alone may be used again after a restart: where the system tells, its start time goes with it. */
function describe(pid: number): string {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return ''
  }
  const stat = read(`/proc/${pid}/stat`)
  return `${pid} ${stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown'}\n`
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
