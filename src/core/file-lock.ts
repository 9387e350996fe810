/** A lock file. A living process holds it; another takes it over from a dead one. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

export type Lock = { release: () => void }

/** Takes the lock, or returns the id of the process that holds it. */
export function takeLock(path: string): Lock | { heldBy: number } {
  const mine = `${path}.${process.pid}`
  writeFileSync(mine, textOfProcess(process.pid))
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

/** Returns the id of the living process that holds the lock, if there is one. */
export function lockHolder(path: string): number | undefined {
  const text = read(path)
  const pid = Number(text?.split(' ')[0])
  return text && Number.isSafeInteger(pid) && text === textOfProcess(pid) ? pid : undefined
}

/** Two processes may find the same dead lock: one of them renames it. It renames a lock back that is no longer dead. */
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

/** The system uses process ids again, so the start time of the process goes with its id where /proc has it. */
function textOfProcess(pid: number): string {
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
