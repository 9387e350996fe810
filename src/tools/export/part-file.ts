/**
 * Keeps an export under way: FILE.part has the lines so far, FILE.part.json the request and the ETag of the index.
 * A process that dies leaves both files, and the next run goes on after the last whole line.
 */
import { createReadStream, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { takeLock, type Lock } from '../../core/db/lock.js'
import { frameIdIn, headLine, type LineFormat, type TableForm } from './lines.js'
import type { WrittenFrames } from './pages.js'

/** An export goes on with the lines of an earlier run only where all of these are the same. */
export type ExportRequest = TableForm & {
  path: string
  url: string
  format: LineFormat
  layers?: readonly string[]
}

export const partOf = (file: string) => `${file}.part`
const notesOf = (file: string) => `${file}.part.json`

export function lockPart(file: string): Lock {
  const lock = takeLock(`${partOf(file)}.lock`)
  if ('heldBy' in lock) throw new Error(`Process ${lock.heldBy} is exporting to ${file} already.`)
  return lock
}

/** Returns the ETag of the index that an earlier run of the same request read. */
export function tagOfPart(file: string, request: ExportRequest): string | undefined {
  if (!existsSync(partOf(file)) || !existsSync(notesOf(file))) return undefined
  try {
    const { tag, ...before } = JSON.parse(readFileSync(notesOf(file), 'utf8')) as ExportRequest & { tag?: unknown }
    return JSON.stringify(before) === JSON.stringify(request) && typeof tag === 'string' ? tag : undefined
  } catch {
    return undefined
  }
}

/** The notes are written last: a run that finds lines without notes begins anew. */
export function beginPart(file: string, request: ExportRequest, tag: string | undefined): void {
  dropPart(file)
  writeFileSync(partOf(file), headLine(request.format, request))
  writeFileSync(notesOf(file), JSON.stringify({ ...request, tag }))
}

export function dropPart(file: string): void {
  rmSync(notesOf(file), { force: true })
  rmSync(partOf(file), { force: true })
}

/** Cuts off a last line that is not whole, and returns the frames in the file. */
export async function readWritten(file: string, format: LineFormat): Promise<WrittenFrames> {
  const ids = new Set<string>()
  let last: string | undefined
  truncateSync(partOf(file), await lengthOfWholeLines(partOf(file)))
  for await (const line of createInterface({ input: createReadStream(partOf(file)), crlfDelay: Infinity })) {
    const id = frameIdIn(format, line)
    if (id === undefined) continue
    ids.add(id)
    last = id
  }
  return { last, ids }
}

/** Counts the bytes up to the last line feed. */
async function lengthOfWholeLines(path: string): Promise<number> {
  let [end, at] = [0, 0]
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const found = chunk.lastIndexOf(0x0a)
    if (found !== -1) end = at + found + 1
    at += chunk.length
  }
  return end
}

export const appendLines = (file: string, lines: string): Promise<number> => append(partOf(file), lines)

export async function finish(written: string, file: string): Promise<void> {
  await nameFile(written, file)
  dropPart(file)
}

/** Appends a text, and returns its bytes. */
export async function append(file: string, text: string): Promise<number> {
  if (text === '') return 0
  const part = await open(file, 'a')
  try {
    await part.writeFile(text)
  } finally {
    await part.close()
  }
  return Buffer.byteLength(text)
}

/** The file gets its name once its bytes are on the disk: a reader sees all of it or nothing. */
export async function nameFile(written: string, file: string): Promise<void> {
  const whole = await open(written, 'r+')
  try {
    await whole.sync()
  } finally {
    await whole.close()
  }
  renameSync(written, file)
}
