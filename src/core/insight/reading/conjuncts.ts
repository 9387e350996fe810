/** Says where "and" joins two wishes. Elsewhere it joins two names, or two conditions of one wish. */
import type { ClassItem, Item } from './items.js'
import { isCue } from './topics.js'
import type { Word } from './words.js'

/** A wish begins at each of these places among the words. */
export function wishesIn(items: readonly Item[], words: readonly Word[]): number[] {
  const joints = items.filter((item, i) => isCue(item, 'and') && !isOfNumbers(items, i))
  const starts = [0]
  joints.forEach((joint, i) => {
    const start = starts.at(-1) ?? 0
    const before = items.filter((item) => item.start >= start && item.end <= joint.start)
    const upTo = (end: number) => items.filter((item) => item.start >= joint.end && item.end <= end)
    const ends = [...joints.slice(i + 1).map((each) => each.start), words.length]
    // "Highest and lowest slope" is one wish.
    const end = ends.find((each) => !isQualifier(upTo(each))) ?? words.length
    const after = upTo(end)
    const isClosed = saysWhere(before, words.slice(start, joint.start)) || saysWhere(after, words.slice(joint.end, end))
    if (isApart(before, after, isClosed)) starts.push(joint.end)
  })
  return starts
}

/** "Between 5 and 9" joins two numbers. */
const isOfNumbers = (items: readonly Item[], i: number) =>
  items.slice(Math.max(0, i - 3), i).some((item) => isCue(item, 'bound') && item.bound === 'between')

/** "Any highways here", "shops in this place": the wish says where by itself. */
const saysWhere = (items: readonly Item[], words: readonly Word[]) =>
  words.some(({ word }) => /^(here|there)$/.test(word)) ||
  items.some(
    (item) => item.isPointed && (isCue(item, 'frames', 'unit', 'ground') || (item.kind === 'topic' && item.isWeak)),
  )

/** `isClosed`: one of the wishes says where by itself. */
function isApart(before: readonly Item[], after: readonly Item[], isClosed: boolean): boolean {
  const [first] = after
  const asks = asksByItself(before) || before.some(({ kind }) => kind === 'unknown')
  if (!asks || !asksByItself(after) || (isCue(first, ...CONTINUING) && !isWhether(after))) return false
  if (isWhether(after)) return true
  // "Cropland and forest frames" are of one list.
  const last = before.at(-1)
  if (first?.kind === 'class' && last?.kind === 'class' && isSameCategory(first, last) && !isOfClass(before))
    return false
  if (isQualifier(before.slice(before.findLastIndex((item) => isCue(item, 'and')) + 1))) return false
  if (startsWish(after)) return !sharesEnd(before, after)
  if (isOfUnit(before) || isOfClass(before)) return after.some(isTopic)
  if (isClosed && after.some(isTopic)) return true
  if (!selects(before) || !selects(after) || !after.some(isTopic) || hasList(before)) return false
  // "Frames above 300 m and elevation at Quarry Road": a place is no second condition of the frames.
  const isOther = after.some(({ kind }) => kind === 'place') || hasClause(after)
  return !isCue(before[0], 'frames') || (isOther && !isTestOfFrames(after))
}

const isQualifier = (items: readonly Item[]) => items.every((item) => isCue(item, 'adjective', 'statistic'))

const isSameCategory = (one: ClassItem, other: ClassItem) =>
  one.meanings.some(({ topic }) => other.meanings.some((each) => each.topic === topic))

/** After "and", these words go on with the wish before: "and have no school", "and above 200 m". */
const CONTINUING = ['any', 'none', 'link', 'not', 'bound', 'in', 'of', 'by', 'per', 'or', 'from'] as const

/** "And are most of these places villages": a question follows, and no second condition. */
const isWhether = ([first, second]: readonly Item[]) =>
  isCue(first, 'link') &&
  /^(is|are|was|were)$/i.test(first.text) &&
  isCue(second, 'statistic') &&
  second.start === first.end

const isTopic = (item: Item) => item.kind === 'topic' && !item.isWeak

const asksByItself = (items: readonly Item[]) =>
  items.some(
    (item) =>
      isTopic(item) ||
      item.kind === 'class' ||
      isCue(item, 'size') ||
      (isCue(item, 'adjective', 'distance') && items.length > 1 && startsWish([item])),
  ) ||
  isOfUnit(items) ||
  (selects(items) && items.some((item) => isCue(item, 'frames')))

const STARTS = [
  'count',
  'which',
  'where',
  'names',
  'rank',
  'compare',
  'how',
  'top',
  'bottom',
  'extent',
  'size',
] as const

/** "The average slope" and "frames above 500 m" begin a wish, and so does "Alder ward: how high". */
function startsWish(items: readonly Item[]): boolean {
  const [first] = items
  if (isCue(first, ...STARTS) || (first?.kind === 'place' && isCue(items[1], 'compare'))) return true
  if (isCue(first, 'statistic')) return items.length > 1
  if (isCue(first, 'adjective')) return first.adjective.form === 'most' || items.length === 1
  if (isCue(first, 'distance')) return first.form === 'most'
  if (items.some((item) => item.mark === 'weak' && (isCue(item, 'how', 'count') || isHowMany(item)))) return true
  const frames = items.findIndex((item) => isCue(item, 'frames'))
  return frames !== -1 && frames < 2 && selects(items) && !items.slice(0, frames).some(isTopic)
}

/** "Excluding West Quay, how many people": the name of the topic is a question. */
const isHowMany = (item: Item) => isTopic(item) && /^how /i.test(item.text)

/** Conditions and places select frames. */
const selects = (items: readonly Item[]) =>
  items.some(
    (item, i) =>
      item.kind === 'place' ||
      isCue(item, 'bound') ||
      (item.kind === 'class' && (items.length > 1 || isCue(items[i + 1], 'frames'))) ||
      (isCue(item, 'any', 'none') && items.slice(0, i).some((each) => isCue(each, 'frames'))),
  )

/** "People who speak Kirin". */
const hasClause = (items: readonly Item[]) =>
  items.some((item, i) => isTopic(item) && isCue(items[i + 1], 'link') && items[i + 2]?.kind === 'class')

const isTestOfFrames = (items: readonly Item[]) => items.some((item) => isCue(item, 'bound', 'any', 'none'))

/** "Frames with a clinic and a school": the list goes on. */
const hasList = (items: readonly Item[]) => items.some((item) => isCue(item, 'any', 'none'))

/** "The average slope and the average elevation in Marembe": the end of the second wish is of both. */
function sharesEnd(before: readonly Item[], after: readonly Item[]): boolean {
  const [one, other] = [before[0], after[0]]
  if (selects(before) || !selects(after) || one?.kind !== 'cue' || other?.kind !== 'cue') return false
  return one.cue === other.cue && (one.cue === 'statistic' || one.cue === 'adjective')
}

/** "The name of the ward" asks for a unit. */
const isOfUnit = (items: readonly Item[]) =>
  items.some((item) => isCue(item, 'names', 'which', 'where')) &&
  items.some((item) => isCue(item, 'unit') || (item.kind === 'topic' && item.isWeak)) &&
  !items.some(isTopic)

/** "Mostly forest or farmland" asks for a class. */
const isOfClass = (items: readonly Item[]) =>
  items.some((item) => item.kind === 'class') &&
  !items.some((item) => isTopic(item) || isCue(item, 'frames')) &&
  items.some((item) => isCue(item, 'or') || (isCue(item, 'statistic') && item.statistic === 'mode'))
