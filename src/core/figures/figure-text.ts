/** Writes numbers, shares and lists of names as a person reads them. */
import { groupThousands, roundOutwards } from '../decimal.js'
import type { Unnamed } from './typed.js'

/** A text names up to this many names that share a rank. Of more, it names one and counts the others. */
export const TIES_NAMED = 3

/** "Loam and Clay", "Loam and 4 others". */
export const tiedNames = (names: readonly string[]): string =>
  names.length > TIES_NAMED ? `${names[0]} and ${groupedCount(names.length - 1)} others` : listText(names)

/** From here on, an average or a rate of things may be told in whole numbers. */
export const WHOLE_FROM = 100
export const wholeText = (number: string) =>
  Number(number) >= WHOLE_FROM ? String(Math.round(Number(number))) : number

/** One class is not the most common where others are as common: "Loam and Clay, each". */
export const tiedText = (names: readonly string[]): string => tiedNames(names) + (names.length > 1 ? ', each' : '')

/** "A", "A and B", "A, B and C", "A, B and 3 more". */
export function listText(names: readonly string[], more = 0): string {
  if (more > 0) return `${names.join(', ')} and ${groupedCount(more)} more`
  const [last = '', ...others] = names.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`
}

/** A list counts the names that it leaves out: all others, or those that share its last rank. */
export function unnamedText({ more, tied }: Unnamed, text: (number: string) => string): string {
  if (more === 0) return ''
  const count = `${groupedCount(more)} more`
  return tied === undefined ? ` and ${count}` : `; ${count} ${more === 1 ? 'has' : 'have'} ${text(tied)}`
}

/** "An increase of 5 people, 2 %". */
export function changeText({ difference, percent }: Change, text: (number: string) => string): string {
  if (difference === '0') return 'no change'
  const part = percent === null ? '' : `, ${percent.replace('-', '')} %`
  return `${difference.startsWith('-') ? 'a decrease' : 'an increase'} of ${text(difference.replace('-', ''))}${part}`
}
type Change = { difference: string; percent: string | null }

/** Lines have a length, and polygons an area. */
export const extentKind = (dataset: { kind: string } | undefined) =>
  dataset?.kind === 'lines' ? { kind: 'length', unit: 'km' } : { kind: 'area', unit: 'km²' }

/** Names one of the frames that share an extreme, and counts the others: "frame 7", "frame 7 and 2 others". */
export const holderText = (frameId: string | null, others: number): string =>
  others === 0
    ? `frame ${frameId}`
    : `frame ${frameId} and ${groupedCount(others)} ${others === 1 ? 'other' : 'others'}`

/** Rounds half up to one decimal, in whole numbers: a float would round some halves down. */
export function percentText(part: number, whole: number): string {
  const tenths = Math.floor((part * 2000 + whole) / (2 * whole))
  return tenths % 10 === 0 ? String(tenths / 10) : `${Math.floor(tenths / 10)}.${tenths % 10}`
}

/** A class that so many of the recorded frames have: "Forest (33 %)". */
export const commonestText = ({ class: name, classFrames, recorded }: Commonest): string =>
  `${name} (${Math.round((100 * (classFrames ?? 0)) / Math.max(recorded, 1))}\u00a0%)`
export type Commonest = { class: string | null; classFrames: number | null; recorded: number }

export const betweenText = (lower: string, upper: string): string => `between ${groupThousands(lower)} and ${upper}`

/** "between 18,900 and 21,700"; of draws it says how sure it is. */
export function intervalText(interval: { lower: string; upper: string }, isOfDraws: boolean): string {
  const { lower, upper } = isOfDraws ? roundOutwards(interval) : interval
  return `${betweenText(lower, groupThousands(upper))}${isOfDraws ? ' (95\u00a0%)' : ''}`
}

export const groupedCount = (count: number): string => groupThousands(String(count))
export const partText = (part: number, whole: number) => `${groupedCount(part)} of ${groupedCount(whole)}`
export const frameCountText = (part: number, whole: number) => `${partText(part, whole)} frames`
export const shareText = (part: number, whole: number) =>
  `${frameCountText(part, whole)}, ${percentText(part, whole)} %`

export function withUnit(decimal: string, unit: string | null): string {
  if (unit === null) return groupThousands(decimal)
  if (unit === 'year') return decimal
  return `${groupThousands(decimal)} ${decimal === '1' ? unitOfOne(unit) : unit}`
}

/** The unit beside the number 1: "language". */
export function unitOfOne(unit: string): string {
  const [, own = unit, rest = ''] = /^(.*?)( per .*)?$/.exec(unit) ?? []
  return (/\p{L}{2}$/u.test(own) ? singularName(own) : own) + rest
}

/** "An average", "a slope" */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "Market stalls" is "market stalls" inside a sentence, and "LGA" stays. */
export const insideSentence = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name

/** Puts the last word of a name in the singular: "market stall", "category", "church". */
export function singularName(name: string): string {
  if (/people$/i.test(name)) return name.replace(/people$/i, 'person')
  if (/[^aeiou]ies$/i.test(name)) return name.replace(/ies$/i, 'y')
  if (/(?:ch|sh|x|ss)es$/i.test(name)) return name.replace(/es$/i, '')
  return /[^s]s$/i.test(name) ? name.slice(0, -1) : name
}
