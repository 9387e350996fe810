/** Splits items into parts that each ask for something, and drops what the question leaves out. */
import type { Item } from './items.js'
import { isCue } from './topics.js'

/** `asksAgain`: the question asks for something that it left out before. `dropped` has the items that it leaves out. */
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
  return { items: kept, leavesOut, asksAgain, dropped }
}

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
    if (i > 0 && (item.mark === 'strong' || (joins && opens && isQuestion(segments.at(-1) ?? [])))) segments.push([])
    segments.at(-1)?.push(item)
  })
  return segments.filter((segment) => segment.length > 0)
}

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
