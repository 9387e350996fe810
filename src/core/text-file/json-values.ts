/**
 * The values of a file of GeoJSON or JSON, one at a time, in any form such files come in: a FeatureCollection, a list,
 * either inside our own {"data": ...}, a single Feature, a value a line, RFC 8142 text sequences. The file is never
 * held whole: a scan finds where each value ends, and JSON.parse judges what is inside it.
 */
import { isUtf8 } from 'node:buffer'
import { counted } from '../counted.js'
import { FileFault } from './file-fault.js'

/**
 * `line` is the line on which the value starts, `number` its place among the values, both from 1. `text` is the value
 * as the file has it, if the file is JSON: JSON.parse rounds numbers.
 */
export type JsonValue = { value: unknown; line: number; number: number; text?: string }
/**
 * The members around a list of features come with the list replaced by []: before its values, so that a file of metres
 * is refused for its crs, and again at the end of their object.
 */
export type JsonItem = ({ kind: 'value' } & JsonValue) | { kind: 'members'; value: unknown }

/** How many bytes one value, or the members around a list, may take. */
const LARGEST = 64 * 1024 * 1024
const DEEPEST = 1000
const UTF8_MARK = Buffer.from('\uFEFF')
const RECORD_SEPARATOR = 0x1e
const [LINE_FEED, QUOTE, COMMA, COLON, BACKSLASH] = [0x0a, 0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const character = (byte: number) => String.fromCharCode(byte)
const isWhite = (byte: number) => byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09
const endsWord = (byte: number) => byte <= 0x20 || /[,:\]}]/.test(character(byte))

/** `at` is the first byte that is not taken yet, on `line`. `given` counts the values. */
type Input = { chunks: AsyncIterator<Buffer>; bytes: Buffer; at: number; line: number; given: number }

/** Messages name the part of the file that is being read, and the line on which it starts. */
type FilePart = { name: string; line: number }

export async function* jsonValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonItem> {
  const input: Input = { chunks: chunks[Symbol.asyncIterator](), bytes: Buffer.alloc(0), at: 0, line: 1, given: 0 }
  let isEmpty = true
  try {
    for (let byte = await nextByte(input); byte !== undefined; byte = await nextByte(input)) {
      if (byte === RECORD_SEPARATOR || (isEmpty && UTF8_MARK.includes(byte))) {
        input.at += 1
        continue
      }
      if (byte === OPEN_LIST) yield* valuesOfList(input)
      else if (byte === OPEN_OBJECT) yield* valuesOfObject(input)
      else throw unexpected(input, isEmpty ? 'JSON, from "{" or "[" on,' : 'the end of the file, or another value,')
      isEmpty = false
    }
    if (isEmpty) throw fault(input, 'GeoJSON is needed, and the file is empty')
  } finally {
    await input.chunks.return?.()
  }
}

async function* valuesOfList(input: Input): AsyncGenerator<JsonItem> {
  const { line, given } = input
  input.at += 1
  for (let byte = await nextByte(input); byte !== CLOSE_LIST; byte = await nextByte(input)) {
    if (byte === undefined) {
      const after = counted(input.given, 'feature')
      throw fault(input, `the file ends inside the list that starts on line ${line}, after ${after}`)
    }
    if (input.given > given) {
      if (byte !== COMMA) throw unexpected(input, `"," or "]" after feature ${input.given}`)
      input.at += 1
      await nextByte(input)
    }
    const part = { name: `feature ${input.given + 1}, which starts on line ${input.line}`, line: input.line }
    yield scannedValue(input, await scannedText(input, part), part)
  }
  input.at += 1
}

/** A list named features, or data at the top, is walked into; and an object named data, for its features. */
async function* valuesOfObject(input: Input): AsyncGenerator<JsonItem> {
  const part = { name: `the object that starts on line ${input.line}`, line: input.line }
  let [depth, hasList, name, before, whole] = [0, false, '', '', '']
  do {
    const byte = await nextByte(input)
    const isData = depth === 1 && name === '"data"'
    const isMark = byte === COMMA || byte === COLON || byte === CLOSE_OBJECT
    let text = '[]'
    if (byte === OPEN_LIST && (isData || name === '"features"')) {
      if (hasList) throw fault(input, 'one list of features is needed, and the object has a second')
      hasList = true
      yield { kind: 'members', value: parsedValue(`${whole}[]${'}'.repeat(depth)}`, part) }
      yield* valuesOfList(input)
    } else if (isMark || (byte === OPEN_OBJECT && (depth === 0 || isData))) {
      text = character(byte)
      input.at += 1
      depth += text === '{' ? 1 : text === '}' ? -1 : 0
    } else {
      text = await scannedText(input, part)
    }
    name = text === ':' ? before : ''
    before = text
    whole += `${text} `
    if (whole.length > LARGEST) throw tooLarge(part)
  } while (depth > 0)
  yield hasList ? { kind: 'members', value: parsedValue(whole, part) } : scannedValue(input, whole, part)
}

function scannedValue(input: Input, text: string, part: FilePart): JsonItem {
  const value = parsedValue(text, part)
  input.given += 1
  return { kind: 'value', value, text, line: part.line, number: input.given }
}

function parsedValue(text: string, { name, line }: FilePart): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // V8 quotes the text around the fault, line breaks and all.
    const reason = (error as Error).message.replace(/\s+/g, ' ')
    throw new FileFault(`${name}: valid JSON is needed, and this is not: ${reason}`, line)
  }
}

/** Moves to the next byte that is not white space; undefined at the end of the file. */
async function nextByte(input: Input): Promise<number | undefined> {
  do {
    const { bytes } = input
    for (; input.at < bytes.length; input.at += 1) {
      const byte = bytes[input.at]!
      if (!isWhite(byte)) return byte
      if (byte === LINE_FEED) input.line += 1
    }
  } while (await readMore(input))
  return undefined
}

/** Takes a whole string, number, list or object. */
async function scannedText(input: Input, part: FilePart): Promise<string> {
  let end = endOfValue(input)
  while (end === undefined && input.bytes.length - input.at <= LARGEST && (await readMore(input)))
    end = endOfValue(input)
  const bytes = input.bytes.subarray(input.at, end)
  if (bytes.length > LARGEST) throw tooLarge(part)
  if (end === undefined) throw new FileFault(`the file ends inside ${part.name}`, part.line)
  if (!isUtf8(bytes))
    throw fault(input, 'UTF-8 is needed, and other bytes came: save the file as UTF-8 (it may be in Latin-1)')
  input.line += lineFeeds(bytes)
  input.at = end
  return bytes.toString()
}

/** Reads until it holds twice as many bytes: a value in many chunks is scanned few times. False at the end of the file. */
async function readMore(input: Input): Promise<boolean> {
  const held = input.bytes.subarray(input.at)
  const parts = [held]
  let { length } = held
  do {
    const { value, done } = await input.chunks.next()
    if (done) break
    parts.push(value)
    length += value.length
  } while (length < 2 * held.length)
  input.bytes = Buffer.concat(parts)
  input.at = 0
  return length > held.length
}

/** Finds where the value ends that starts at `at`; undefined where the bytes end first. */
function endOfValue(input: Input): number | undefined {
  const { bytes, at: start } = input
  const closing: number[] = []
  let isQuoted = false
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (isQuoted) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isQuoted = false
      else if (byte < 0x20) throw unexpected(input, 'the closing quote of a string', at)
    } else if (byte === QUOTE) {
      isQuoted = true
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (closing.push(byte + 2) > DEEPEST)
        throw fault(input, `values may go ${DEEPEST} levels deep, and this goes deeper`)
    } else if (closing.length > 0) {
      if (byte === CLOSE_OBJECT || byte === CLOSE_LIST || (byte < 0x20 && !isWhite(byte))) {
        const needed = closing.pop()!
        if (byte !== needed) throw unexpected(input, `"${character(needed)}"`, at)
      }
    } else {
      // A number or a word, which has no end of its own.
      if (!endsWord(byte)) continue
      if (at === start) throw unexpected(input, 'a value')
      return at
    }
    if (closing.length === 0 && !isQuoted) return at + 1
  }
  return undefined
}

function lineFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1
  return count
}

function fault(input: Input, message: string, at = input.at): FileFault {
  const line = input.line + lineFeeds(input.bytes.subarray(input.at, at))
  return new FileFault(`line ${line}: ${message}`, line)
}

const tooLarge = ({ name, line }: FilePart) =>
  new FileFault(`at most ${LARGEST / 1024 / 1024} MiB may be in one value, and ${name}, has more`, line)

function unexpected(input: Input, needed: string, at = input.at): FileFault {
  const byte = input.bytes[at] ?? 0
  const isShown = byte > 0x20 && byte < 0x7f
  let came = isShown ? `"${character(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`
  if (byte === 0) came = 'a NUL byte (text in UTF-16 has to be saved as UTF-8)'
  if (byte === LINE_FEED) came = 'the end of the line'
  return fault(input, `${needed} is needed, and ${came} came`, at)
}
