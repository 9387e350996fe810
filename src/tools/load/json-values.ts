/**
 * The values of a file of GeoJSON or JSON, one at a time, in any form such files come in: a FeatureCollection, a list,
 * either inside our own {"data": ...}, a single Feature, one value a line, RFC 8142 text sequences. The scan finds
 * where values start and end; what is inside them is JSON.parse's to judge.
 */
import { isUtf8 } from 'node:buffer'
import { counted } from '../../core/counted.js'
import { FileFault } from './faults.js'

export type JsonValue = { text: string; line: number; number: number }
/**
 * A wrapper comes when an object that held a list of values ends: its text, that list replaced by []. An opening comes
 * before the values: the members that stand before the list, so that a file of metres is refused for its crs.
 */
export type JsonItem = ({ kind: 'value' } & JsonValue) | { kind: 'opening' | 'wrapper'; text: string; line: number }

/** How many bytes one value, or the members around a list, may take. */
const largestValue = 64 * 1024 * 1024
const deepest = 1000
const lineFeed = 0x0a
const doubleQuote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const openObject = 0x7b
const recordSeparator = 0x1e
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

const character = (byte: number) => String.fromCharCode(byte)
const table = (bytes: RegExp) => Uint8Array.from({ length: 256 }, (_, byte) => +bytes.test(character(byte)))

/** The bytes that stop each kind of run, as tables. The NUL kept after the last byte stops them all. */
const stopsBare = table(/[^\t\r -ÿ]|["{}[\]]/)
const stopsQuoted = table(/[^ -ÿ]|["\\]/)
const stopsScalar = table(/[^-+.\w]/)
const stopsWhite = table(/[^\t\n\r ]/)
const startsValue = table(/[-+.\w"{[]/)

type JsonScan = {
  /** The bytes held: [start, at) belong to the item under way, [at, end) are not read yet, bytes[end] is a NUL. */
  bytes: Buffer
  start: number
  at: number
  end: number
  /** The line of `at`, of `start`, and on which the last top-level text ended (0: another may follow on that line). */
  line: number
  startLine: number
  endLine: number
  /** Whether no text has begun, and how many values were given. */
  isEmpty: boolean
  given: number
  /** The containers walked into, by opening byte and line; what may come next in the innermost; the last name in it. */
  outer: { byte: number; line: number }[]
  expect: 'first' | 'item' | 'colon' | 'value' | 'next'
  key: string
  /** The pieces of the wrapper before `start`: empty until a list was found in it. */
  pieces: string[]
  /** Whether a name or a value is being run through: from `mark`, in these containers, perhaps in a string. */
  running: boolean
  mark: number
  open: number[]
  quoted: boolean
}

export async function* jsonValues(chunks: AsyncIterable<Buffer>): AsyncGenerator<JsonItem> {
  const place = { start: 0, at: 0, end: 0, line: 1, startLine: 1, endLine: 0, isEmpty: true, given: 0, mark: 0 }
  const walk = { running: false, open: [], quoted: false, outer: [], key: '', pieces: [] }
  const scan: JsonScan = { bytes: Buffer.alloc(1), expect: 'first', ...place, ...walk }
  for await (const chunk of chunks) {
    feed(scan, chunk)
    for (let item = nextItem(scan); item; item = nextItem(scan)) yield item
    if (isKeeping(scan)) checkSize(scan)
  }
  for (let item = nextItem(scan); item; item = nextItem(scan)) yield item
  checkEnd(scan)
}

/** Whether the bytes since `start` are part of an item. */
function isKeeping(scan: JsonScan): boolean {
  return scan.running || scan.outer.at(-1)?.byte === openObject
}

/** Adds a chunk. Bytes move only when room runs out, and room doubles: a value in many chunks costs little more. */
function feed(scan: JsonScan, chunk: Buffer) {
  if (!isKeeping(scan)) scan.start = scan.at
  if (scan.end + chunk.length >= scan.bytes.length) {
    const kept = scan.end - scan.start
    const room = 2 * (kept + chunk.length + 1)
    const target = room > scan.bytes.length ? Buffer.allocUnsafeSlow(room) : scan.bytes
    scan.bytes.copy(target, 0, scan.start, scan.end)
    scan.bytes = target
    scan.at -= scan.start
    scan.mark -= scan.start
    scan.start = 0
    scan.end = kept
  }
  chunk.copy(scan.bytes, scan.end)
  scan.end += chunk.length
  scan.bytes[scan.end] = 0
}

/** The next item, or undefined when it takes more bytes to tell. */
function nextItem(scan: JsonScan): JsonItem | undefined {
  for (;;) {
    if (!scan.running) passWhite(scan)
    if (scan.running ? !run(scan) : scan.at === scan.end) return undefined
    const item = scan.running ? afterRun(scan) : take(scan, scan.bytes[scan.at]!)
    if (item) return item
  }
}

function passWhite(scan: JsonScan) {
  while (stopsWhite[scan.bytes[scan.at]!] === 0) if (scan.bytes[scan.at++] === lineFeed) scan.line++
}

/** Runs to the end of the key or value under way; false when the bytes end first. The one loop that has to be fast. */
function run(scan: JsonScan): boolean {
  const { bytes, end, open } = scan
  if (stopsScalar[bytes[scan.mark]!] === 0) {
    while (stopsScalar[bytes[scan.at]!] === 0) scan.at++
    return scan.at < end
  }
  let { at, quoted } = scan
  let ended = false
  while (!ended) {
    const stop = quoted ? stopsQuoted : stopsBare
    while (stop[bytes[at]!] === 0) at++
    if (at >= end) break
    const byte = bytes[at]!
    if (byte === backslash) {
      if (at + 1 >= end) break
      if (bytes[at + 1]! >= 0x20) at++
    } else if (byte === doubleQuote) {
      quoted = !quoted
      ended = !quoted && open.length === 0
    } else if (byte === lineFeed && !quoted) {
      scan.line++
    } else if (byte < 0x20) {
      throw unexpected(scan, byte, quoted ? 'the closing quote of a string' : `the rest of ${underWay(scan)}`)
    } else if (byte === openObject || byte === openList) {
      if (open.push(byte) > deepest) throw fault(scan, `values may go ${deepest} levels deep, and this goes deeper`)
    } else {
      const opened = open.pop()!
      if (byte !== opened + 2) throw unexpected(scan, byte, `"${character(opened + 2)}"`)
      ended = open.length === 0
    }
    at++
  }
  scan.at = at
  scan.quoted = quoted
  return ended
}

function afterRun(scan: JsonScan): JsonItem | undefined {
  const isListed = scan.outer.at(-1)?.byte === openList
  const isName = !isListed && scan.expect !== 'value'
  // A name written with escapes is none of those looked for: its object goes on whole, to be refused as a value.
  if (isName) scan.key = scan.bytes.toString('utf8', scan.mark + 1, scan.at - 1)
  const text = isListed ? textUnderWay(scan) : ''
  scan.running = false
  scan.expect = isName ? 'colon' : 'next'
  return isListed ? { kind: 'value', text, line: scan.startLine, number: ++scan.given } : undefined
}

/** Takes the byte at `at`, which is neither white space nor inside a value. */
function take(scan: JsonScan, byte: number): JsonItem | undefined {
  const place = scan.outer.at(-1)?.byte
  if (place === undefined) return takeTop(scan, byte)
  const { expect } = scan
  if (byte === place + 2 && (expect === 'first' || expect === 'next')) return leave(scan)
  if (expect === 'next') {
    const after = place === openList ? ` after feature ${scan.given}` : ''
    if (byte !== comma) throw unexpected(scan, byte, `"," or "${character(place + 2)}"${after}`)
    scan.at++
    scan.expect = 'item'
  } else if (expect === 'colon') {
    if (byte !== colon) throw unexpected(scan, byte, `":" after ${JSON.stringify(scan.key)}`)
    scan.at++
    scan.expect = 'value'
  } else if (place === openObject && expect !== 'value') {
    if (byte !== doubleQuote) throw unexpected(scan, byte, 'a name in double quotes')
    scan.mark = scan.at
    scan.running = true
  } else {
    return takeValue(scan, byte, place)
  }
  return undefined
}

function takeTop(scan: JsonScan, byte: number): undefined {
  if (byte === recordSeparator) scan.endLine = 0
  if (byte === recordSeparator || (scan.isEmpty && byteOrderMark.includes(byte))) {
    scan.at++
    return
  }
  const isText = byte === openObject || byte === openList
  const needed = scan.isEmpty ? 'JSON, from "{" or "[" on,' : 'the end of the file, or a value on a new line,'
  if (!isText || scan.line === scan.endLine) throw unexpected(scan, byte, needed)
  scan.isEmpty = false
  startItem(scan)
  enter(scan, byte)
}

/** A list named features, or data at the top, is walked into; and an object named data, for its features. */
function takeValue(scan: JsonScan, byte: number, place: number): JsonItem | undefined {
  const isData = scan.key === 'data' && scan.outer.length === 1
  if (place === openObject && byte === openList && (isData || scan.key === 'features')) {
    if (scan.pieces.length > 0) throw fault(scan, 'one list of features is needed, and the object has a second')
    enter(scan, byte)
    scan.pieces.push(textUnderWay(scan))
    const ends = '}'.repeat(scan.outer.length - 1)
    return { kind: 'opening', text: `${scan.pieces[0]}]${ends}`, line: scan.line }
  } else if (place === openObject && byte === openObject && isData) {
    enter(scan, byte)
  } else {
    if (startsValue[byte] === 0) throw unexpected(scan, byte, 'a value')
    if (place === openList) startItem(scan)
    scan.mark = scan.at
    scan.running = true
  }
  return undefined
}

function startItem(scan: JsonScan) {
  scan.start = scan.at
  scan.startLine = scan.line
}

function enter(scan: JsonScan, byte: number) {
  scan.outer.push({ byte, line: scan.line })
  scan.expect = 'first'
  scan.at++
}

function leave(scan: JsonScan): JsonItem | undefined {
  const { byte, line } = scan.outer.pop()!
  if (byte === openList) startItem(scan)
  scan.at++
  scan.expect = 'next'
  if (scan.outer.length === 0) scan.endLine = scan.line
  if (scan.outer.length > 0 || byte === openList) return undefined
  const text = scan.pieces.join('') + textUnderWay(scan)
  if (scan.pieces.length === 0) return { kind: 'value', text, line, number: ++scan.given }
  scan.pieces = []
  return { kind: 'wrapper', text, line }
}

function textUnderWay(scan: JsonScan): string {
  checkSize(scan)
  const { bytes, start, at } = scan
  const text = bytes.toString('utf8', start, at)
  // Bytes that are not UTF-8 decode to U+FFFD, which a text may also hold in its own right.
  const wrong = text.indexOf('\ufffd')
  if (wrong < 0 || isUtf8(bytes.subarray(start, at))) return text
  const line = scan.startLine + text.slice(0, wrong).split('\n').length - 1
  const message = `line ${line}: UTF-8 is needed, and other bytes came: save the file as UTF-8 (it may be in Latin-1)`
  throw new FileFault(message, line, scan.given + 1)
}

function checkSize(scan: JsonScan) {
  if (scan.at - scan.start <= largestValue) return
  const message = `at most ${largestValue / 1024 / 1024} MiB may be in one value, and ${underWay(scan)}, has more`
  throw new FileFault(message, scan.startLine, scan.given + 1)
}

function checkEnd(scan: JsonScan) {
  if (scan.isEmpty) throw fault(scan, 'GeoJSON is needed, and the file is empty')
  if (scan.outer.length === 0) return
  const message = `the file ends inside ${underWay(scan)}`
  throw isKeeping(scan) ? new FileFault(message, scan.startLine, scan.given + 1) : fault(scan, message)
}

function underWay(scan: JsonScan): string {
  const inner = scan.outer.at(-1)
  if (inner && !isKeeping(scan))
    return `the list that starts on line ${inner.line}, after ${counted(scan.given, 'feature')}`
  const isWrapper = inner?.byte === openObject && (scan.given === 0 || scan.pieces.length > 0)
  if (isWrapper) return `the object that starts on line ${scan.outer[0]?.line}`
  return `feature ${scan.given + 1}, which starts on line ${scan.startLine}`
}

function fault(scan: JsonScan, message: string): FileFault {
  return new FileFault(`line ${scan.line}: ${message}`, scan.line)
}

function unexpected(scan: JsonScan, byte: number, needed: string): FileFault {
  return fault(scan, `${needed} is needed, and ${described(byte)} came`)
}

function described(byte: number): string {
  if (byte === 0) return 'a NUL byte (text in UTF-16 has to be saved as UTF-8)'
  if (byte === lineFeed) return 'the end of the line'
  return byte > 0x20 && byte < 0x7f ? `"${character(byte)}"` : `byte 0x${byte.toString(16).padStart(2, '0')}`
}
