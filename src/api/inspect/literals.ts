/** Writes statements with their values, to be pasted into psql or QGIS. */
import { headerOf } from './header.js'

/** Comments and quoted pieces match first, so that a $1 in them stays. */
const pieces = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\d+)(::)?/g
/** Characters that end a line for psql or QGIS, which split statements by lines. */
// oxlint-disable-next-line no-control-regex -- these very characters are meant
const unprintable = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/** The file's text with each $n replaced by its value, everything else as it was. */
export function filled(text: string, args: readonly unknown[]): string {
  const { parameters } = headerOf(text)
  // The files cast their parameters; where one does not, its header knows the type.
  return replaceParameters(text, (place, cast) => literal(args[place]) + (cast ?? `::${parameters[place]?.type}`))
}

/** Values get no types, since nobody runs the statement. */
export const withUntypedValues = (text: string, args: readonly unknown[]) =>
  replaceParameters(text, (place, cast = '') => literal(args[place]) + cast)

const replaceParameters = (text: string, put: (place: number, cast: string | undefined) => string) =>
  text.replace(pieces, (piece: string, number: string | undefined, cast: string | undefined) =>
    number === undefined ? piece : put(Number(number) - 1, cast),
  )

/** The file's text as it is, prepared in psql under the statement's name, executed and forgotten. */
export function prepared(name: string, text: string, args: readonly unknown[]): string {
  return `${preparation(name, text)};\n\n${execution(name, args)};\n\ndeallocate ${name}`
}

export function preparation(name: string, text: string): string {
  const types = headerOf(text).parameters.map(({ type }) => type)
  return `prepare ${name}${types.length === 0 ? '' : ` (${types.join(', ')})`} as\n${text}`
}

export const execution = (name: string, args: readonly unknown[]) =>
  `execute ${name}${args.length === 0 ? '' : ` (${args.map(literal).join(', ')})`}`

/** Quotes every value, numbers too: the type of the cast reads it as it reads a parameter. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (!Array.isArray(value)) return quotedLiteral(typeof value === 'string' ? value : JSON.stringify(value))
  const plain = value.every((item) => /^[\w.+-]+$/.test(String(item)) && !/^null$/i.test(String(item)))
  return plain ? `'{${value.join(',')}}'` : `array[${value.map(literal).join(', ')}]`
}

function quotedLiteral(text: string): string {
  const doubled = text.replaceAll("'", "''")
  const escaped = doubled.replace(unprintable, (character) =>
    character === '\\' ? '\\\\' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return escaped === doubled ? `'${doubled}'` : `E'${escaped}'`
}
