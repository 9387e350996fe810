/** Reads the processor time and the memory of process trees from Linux. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']).toString())

/** `ended` is the time of its children that have ended. */
type Stat = { parent: number; own: number; ended: number }

/** Returns undefined for a process that ended meanwhile. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name, in parentheses, and may hold blanks: counting starts after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (place: number) => Number(fields[place - 3])
    return { parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) }
  } catch {
    return undefined
  }
}

/** The processes that a process has started and that have not ended. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) && statOf(Number(name))?.parent === parent ? Number(name) : [],
  )

/** Sums the seconds of processor time of a process and all its descendants, ended children included. */
export function cpuSeconds(root: number): number {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (stat) stats.set(Number(name), stat)
  }
  const isBelow = (pid: number): boolean => pid === root || (stats.has(pid) && isBelow(stats.get(pid)?.parent ?? 0))
  let ticks = 0
  for (const [pid, { own, ended }] of stats) if (isBelow(pid)) ticks += own + ended
  return ticks / ticksPerSecond
}

/** Seconds of processor time of the programs that this process has run to their end. */
export const endedChildrenSeconds = () => (statOf(process.pid)?.ended ?? NaN) / ticksPerSecond

const ofStatus = (pid: number, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Reads resident memory in MiB: the present value, and the highest since `forgetPeak`. */
export const residentMiB = (pid: number) => ofStatus(pid, 'VmRSS')
export const peakMiB = (pid: number) => ofStatus(pid, 'VmHWM')
export const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')
