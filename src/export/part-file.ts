/**
 * An export under way: FILE.part has the lines so far, FILE.part.json what was asked and the tag of the index it was asked of.
 * A process that dies leaves both, and the next run goes on after the last whole line.
 */
import { createReadStream, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { takeLock, type Lock } from '../db/lock.js'
import { headOf, idOf, type Form } from './lines.js'
import type { Written } from './pages.js'

/** What has to be the same for an export to go on. */
export type Asked = { path: string; url: string; units: boolean; form: Form }

export const partOf = (file: string) => `${file}.part`
const notesOf = (file: string) => `${file}.part.json`

export function lockPart(file: string): Lock {
  const lock = takeLock(`${partOf(file)}.lock`)
  if ('heldBy' in lock) throw new Error(`Process ${lock.heldBy} is exporting to ${file} already.`)
  return lock
}

/** The tag of the index that a part with this question was begun on. */
export function tagOfPart(file: string, asked: Asked): string | undefined {
  if (!existsSync(partOf(file)) || !existsSync(notesOf(file))) return undefined
  try {
    const { tag, ...before } = JSON.parse(readFileSync(notesOf(file), 'utf8')) as Asked & { tag?: unknown }
    return JSON.stringify(before) === JSON.stringify(asked) && typeof tag === 'string' ? tag : undefined
  } catch {
    return undefined
  }
}

/** The notes come last: a part without them is begun anew. */
export function beginPart(file: string, asked: Asked, tag: string | undefined): void {
  dropPart(file)
  writeFileSync(partOf(file), headOf(asked.form, asked.units))
  writeFileSync(notesOf(file), JSON.stringify({ ...asked, tag }))
}

export function dropPart(file: string): void {
  rmSync(notesOf(file), { force: true })
  rmSync(partOf(file), { force: true })
}

/** Cuts off a line that was not written whole, and tells what is there. */
export async function writtenIn(file: string, form: Form): Promise<Written> {
  const ids = new Set<string>()
  let last: string | undefined
  truncateSync(partOf(file), await wholeLines(partOf(file)))
  for await (const line of createInterface({ input: createReadStream(partOf(file)), crlfDelay: Infinity })) {
    const id = idOf(form, line)
    if (id === undefined) continue
    ids.add(id)
    last = id
  }
  return { last, ids }
}

/** How many bytes there are up to the last line feed. */
async function wholeLines(path: string): Promise<number> {
  let [end, at] = [0, 0]
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const found = chunk.lastIndexOf(0x0a)
    if (found !== -1) end = at + found + 1
    at += chunk.length
  }
  return end
}

export async function appendLines(file: string, lines: string): Promise<void> {
  const part = await open(partOf(file), 'a')
  try {
    await part.writeFile(lines)
  } finally {
    await part.close()
  }
}

/** On the disk first, then under its name at once. */
export async function finish(made: string, file: string): Promise<void> {
  const whole = await open(made, 'r+')
  try {
    await whole.sync()
  } finally {
    await whole.close()
  }
  renameSync(made, file)
  dropPart(file)
}
