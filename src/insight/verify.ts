/** Every number of a narrative must be a figure of its answer. */
import { readNumbers, type Read } from './numbers.js'

export type Figures = {
  headline: string
  facets: readonly { label: string; value: string }[]
  /** How many frames the answer is about. */
  frames: number
  frameIds: readonly string[]
}
/** A number of the text that no figure accounts for. */
export type Unaccounted = { text: string; at: number; why: string }

/** Empty where every number is accounted for. */
export function unaccountedNumbers(narrative: string, figures: Figures): Unaccounted[] {
  const names = namesOf(figures)
  const known = knownOf(figures, names)
  const text = hidden(hidden(narrative, figures.frameIds), names)
  return readNumbers(text).flatMap((read) => faultOf(read, known, figures.frames))
}

/** The units that each value has among the figures; undefined stands for none. */
type Known = Map<string, Set<string | undefined>>

function faultOf(read: Read, known: Known, frames: number): Unaccounted[] {
  const { at, text } = read
  if ('why' in read) return [{ at, text, why: read.why }]
  if (read.value === String(frames) && (read.unit === undefined || read.unit === 'frame')) return []
  const units = known.get(read.value)
  if (!units) return [{ at, text, why: 'no figure has this value' }]
  if (units.has(read.unit)) return []
  // "12.5" may be said of 12.5 m; a percentage is never a plain number.
  if (read.unit === undefined && [...units].some((unit) => unit !== '%')) return []
  return [{ at, text, why: 'the figure with this value has another unit' }]
}

function knownOf({ headline, facets, frameIds }: Figures, names: readonly string[]): Known {
  const known: Known = new Map()
  for (const text of [headline, ...facets.map(({ value }) => value)]) {
    for (const read of readNumbers(hidden(hidden(text, frameIds), names))) {
      if ('why' in read) continue
      known.set(read.value, (known.get(read.value) ?? new Set()).add(read.unit))
    }
  }
  return known
}

/**
 * Names that hold numbers are whole or nothing: values that do not begin with a number ("GRA 2", "Gate 7 (12 of 20 frames)" up to its
 * parenthesis), and labels, or the part of a label that has the number ("2026 estimate"). The longest first.
 */
function namesOf({ facets }: Figures): string[] {
  const values = facets.map(({ value }) => (/^[-+−$€£₦¥]?\d/.test(value) ? '' : value.replace(/ \([^()]*\)$/, '')))
  const labels = facets.flatMap(({ label }) => [label, ...label.split(', ')])
  const named = [...values, ...labels].filter((name) => /[\p{L}]/u.test(name) && readNumbers(name).length > 0)
  return [...new Set(named)].sort((a, b) => b.length - a.length)
}

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character)

/** The text with each of these, where it stands whole, blotted out in its length. */
function hidden(text: string, names: readonly string[]): string {
  const folded = text.toLowerCase()
  if (folded.length !== text.length) return text
  const blots = new Uint8Array(text.length)
  for (const name of names) {
    const wanted = name.toLowerCase()
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
      if (isWhole(text, at, at + wanted.length)) blots.fill(1, at, at + wanted.length)
    }
  }
  return Array.from(blots, (blot, at) => (blot === 1 ? '~' : text.charAt(at))).join('')
}

function isWhole(text: string, at: number, end: number): boolean {
  if (isWordCharacter(text[at - 1]) || isWordCharacter(text[end])) return false
  if (/^ ?(?:%|per ?cent)/i.test(text.slice(end, end + 10))) return false
  return !/^[.,]\d/.test(text.slice(end, end + 2)) && !/\d[.,]$|[-−]$/.test(text.slice(Math.max(0, at - 2), at))
}
