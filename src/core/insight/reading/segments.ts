/** Splits items into parts that each ask for something, and drops what the question leaves out. */
import type { Item } from './items.js'
import { isCue } from './topics.js'

/**
 * `asksAgain`: the question asks for something that it left out before. `dropped` has the items that it leaves out.
 * Frames that it leaves out are among the items, after "not": "excluding urban frames".
 */
type Kept = { items: Item[]; leavesOut: boolean; asksAgain: boolean; dropped: Item[][] }

/** "not schools, clinics only": drops from the words that leave out to the next break. */
export function withoutLeftOut(items: readonly Item[]): Kept {
  const kept: Item[] = []
  const dropped: Item[][] = []
  let dropping = false
  let leavesOut = false
  let asksAgain = false
  const left = new Set<Item>()
  items.forEach((item, i) => {
    if (dropping && (item.mark !== '' || isCue(item, 'only', 'which', 'count', 'where') || endsList(items, i)))
      dropping = false
    // Nobody leaves out one thing twice: "everything except schools, and schools by themselves".
    if (dropping && [...left].some((each) => isSameName(each, item))) {
      dropping = false
      asksAgain = true
    }
    if (leavesOutAt(items, i)) {
      dropping = true
      leavesOut = true
      dropped.push([])
    }
    if (dropping) {
      left.add(item)
      dropped.at(-1)?.push(item)
    } else kept.push(item)
  })
  const excluding = dropped.filter(isOfFrames)
  return {
    items:
      excluding.length === 0 ? kept : [...kept, ...excluding.flatMap(negated)].toSorted((a, b) => a.start - b.start),
    leavesOut: leavesOut && excluding.length < dropped.length,
    asksAgain,
    dropped: dropped.filter((span) => !excluding.includes(span)),
  }
}

export const EXCEPTIONS =
  /^(except|except for|excluding|exclude|apart from|other than|besides|not counting|aside from)$/i

/** Classes, places and empty frames select frames: those that are left out have none of them. */
function isOfFrames([first, ...others]: readonly Item[]): boolean {
  const isSelecting = (item: Item) =>
    item.kind === 'class' || (isCue(item, 'adjective') && /^(none|any)$/.test(item.adjective.form))
  return (
    first !== undefined &&
    EXCEPTIONS.test(first.text) &&
    others.some(isSelecting) &&
    others.every((item) => isSelecting(item) || isCue(item, 'in', 'of', 'frames', 'unit', 'and', 'or', 'any'))
  )
}

/** "Excluding forest and cropland" is "not forest, not cropland". */
const negated = ([first, ...others]: readonly Item[]): Item[] =>
  others.flatMap((item): Item[] =>
    item.kind === 'class' || isCue(item, 'adjective')
      ? [{ ...(first ?? item), start: item.start, end: item.start, kind: 'cue', cue: 'not' }, item]
      : isCue(item, 'frames', 'unit')
        ? [item]
        : [],
  )

const isSameName = (a: Item, b: Item) =>
  a.kind === 'topic' && b.kind === 'topic' && a.meanings[0]?.topic === b.meanings[0]?.topic

function leavesOutAt(items: readonly Item[], i: number): boolean {
  if (isCue(items[i], 'leave out')) return true
  const before = items[i - 1]
  return isCue(items[i], 'not') && items[i + 1]?.kind === 'topic' && !isCue(before, 'any', 'do', 'frames', 'link')
}

/** A list that leaves things out goes on with "and"; "but" and "only" end it. */
const endsList = (items: readonly Item[], i: number) => items[i]?.text.toLowerCase() === 'but'

const OPENS = ['which', 'count', 'where', 'compare', 'rank', 'why'] as const

/** A part begins with a sentence, and where "and" or a comma is followed by another question. */
export function segmentsOf(items: readonly Item[]): Item[][] {
  const segments: Item[][] = [[]]
  items.forEach((item, i) => {
    const before = items[i - 1]
    const joins = item.mark === 'weak' || isCue(before, 'and', 'or')
    const opens = isCue(item, ...OPENS) || (isCue(item, 'how') && items[i + 1]?.kind === 'cue')
    const begins = joins && opens && isQuestion(segments.at(-1) ?? []) && !isOfTopicBefore(items, i)
    if (i > 0 && (item.mark === 'strong' || begins)) segments.push([])
    segments.at(-1)?.push(item)
  })
  return segments.filter((segment) => segment.length > 0)
}

/** "Roads: how many and how long": the question has no subject of its own. */
function isOfTopicBefore(items: readonly Item[], i: number): boolean {
  if (items[i]?.mark !== 'weak' || items[i - 1]?.kind !== 'topic') return false
  const end = items.findIndex((each, k) => k > i && each.mark !== '')
  const rest = items.slice(i, end === -1 ? undefined : end).filter(({ kind }) => kind !== 'unknown')
  return rest.every((each) => isCue(each, 'count', 'extent', 'and', 'size'))
}

/** "In Marembe, how many people and how many schools": the first words are of every wish. Returns how many items they are. */
export function leadOf(items: readonly Item[]): number {
  const end = items.findIndex((item, i) => i > 0 && item.mark !== '')
  const lead = items.slice(0, Math.max(0, end))
  const isLead = isCue(lead[0], 'in') && lead.some(({ kind }) => kind === 'place' || kind === 'class')
  const isPlace = (item: Item) =>
    item.kind === 'place' || item.kind === 'class' || isCue(item, 'in', 'of', 'frames', 'unit')
  return isLead && lead.every(isPlace) ? end : 0
}

export const leadingWords = (items: readonly Item[]): number => items[leadOf(items)]?.start ?? 0

/** "In urban frames, how many schools": a place before the question is a part of it. */
const isQuestion = (items: readonly Item[]) => {
  const isPlace = isCue(items[0], 'in') && items.every((item) => isCue(item, 'in', 'frames') || item.kind === 'class')
  return !isPlace && hasSubject(items)
}

const hasSubject = (items: readonly Item[]) =>
  items.some(
    (item) =>
      item.kind === 'topic' ||
      item.kind === 'class' ||
      item.kind === 'unknown' ||
      isCue(item, 'frames', 'adjective', 'distance'),
  )
