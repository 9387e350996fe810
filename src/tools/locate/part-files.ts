/**
 * Keeps a run under way: OUT.part has the rows so far, REJECTED.part the rejected ones, OUT.part.json how far both are.
 * A process that dies leaves the three files, and the next run goes on from there.
 */
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'

/** A checkpoint: the rows written so far, and the byte length of each part file. */
export type RunState = {
  rows: number
  located: number
  outside: number
  rejected: number
  length: number
  rejectedLength: number
}
export type PartFiles = { out: string; rejected: string; notes: string }
type RunNotes = { request: string; tag: string | undefined; progress: RunState }

export const NOTHING_DONE: RunState = { rows: 0, located: 0, outside: 0, rejected: 0, length: 0, rejectedLength: 0 }

export const partFilesOf = (output: string, rejected: string): PartFiles => ({
  out: `${output}.part`,
  rejected: `${rejected}.part`,
  notes: `${output}.part.json`,
})

/** Returns undefined where no earlier run of the same request left all of its files. */
export function readNotes({ out, rejected, notes }: PartFiles, request: string): RunNotes | undefined {
  if (![out, rejected, notes].every((file) => existsSync(file))) return undefined
  try {
    const found = JSON.parse(readFileSync(notes, 'utf8')) as RunNotes
    return found.request === request ? found : undefined
  } catch {
    return undefined
  }
}

/** The notes name the length that the parts have: what a crash wrote after them is cut off by the next run. */
export function writeNotes({ notes }: PartFiles, content: RunNotes): void {
  writeFileSync(`${notes}.new`, JSON.stringify(content))
  renameSync(`${notes}.new`, notes)
}

export function beginPartFiles(parts: PartFiles): void {
  dropPartFiles(parts)
  writeFileSync(parts.out, '')
  writeFileSync(parts.rejected, '')
}

export function cutPartFiles({ out, rejected }: PartFiles, { length, rejectedLength }: RunState): void {
  truncateSync(out, length)
  truncateSync(rejected, rejectedLength)
}

export function dropPartFiles({ out, rejected, notes }: PartFiles): void {
  for (const file of [notes, out, rejected]) rmSync(file, { force: true })
}
