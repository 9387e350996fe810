/** Reads the conditions on frames: "with more than 5,000 people", "without a clinic", "urban", "above 300 m". */
import type { Topic } from './topic.js'
import type { Bound } from './cues.js'
import type { Item } from './items.js'
import { addCondition, has, isWeak, openTopics, topicOfItem, type Part } from './part.js'
import type { Test } from './reading.js'
import { isCue, topicMeasuredIn, topicNamed } from './topics.js'

export function readConditions(part: Part): void {
  const selects = has(part, 'frames') || has(part, 'unit')
  part.items.forEach((item, i) => {
    if (isCue(item, 'bound')) readBound(part, item, i, selects)
    else if (!selects) return
    else if (isCue(item, 'none')) readNone(part, item, i)
    else if (isCue(item, 'any')) readAny(part, item, i)
    else if (isCue(item, 'adjective') && item.adjective.form === 'none') readEmpty(part, item)
  })
}

const NUMERIC = (item: Item | undefined) =>
  item?.kind === 'number'
    ? item.number
    : item?.kind === 'year'
      ? String(item.year)
      : isCue(item, 'number')
        ? item.number
        : undefined

function readBound(
  part: Part,
  item: Item & { kind: 'cue'; cue: 'bound'; bound: Bound },
  i: number,
  selects: boolean,
): void {
  const { items } = part
  const after = items.slice(i + 1)
  const place = NUMERIC(after[0]) === undefined ? -1 : 0
  const [from, to] =
    place === -1
      ? [NUMERIC(items[i - 1]), undefined]
      : [
          NUMERIC(after[0]),
          isCue(after[1], 'and') ? NUMERIC(after[2]) : isCue(after[2], 'and') ? NUMERIC(after[3]) : undefined,
        ]
  if (from === undefined) return
  const span =
    place === -1
      ? [items[i - 1], item]
      : [item, ...after.slice(0, to === undefined ? 1 : isCue(after[1], 'and') ? 3 : 4)]
  let next = place === -1 ? i + 1 : i + span.length
  const measure = items[next]
  if (isCue(measure, 'measure')) {
    span.push(measure)
    next++
  }
  if (isCue(items[next], 'of')) next++
  const owner = ownerOfBound(part, next, i, isCue(measure, 'measure') ? measure.units : undefined)
  for (const each of span) if (each) part.used.add(each)
  if (!owner) return void part.unanswered.push(span.flatMap((each) => each ?? []))
  const test = boundTest(item.bound, from, to)
  // "Do more than 2,000 people live here" asks for the total: no frames are selected.
  const others = openTopics(part).filter((each) => each !== owner.item && !isWeak(each))
  if (!selects && others.length === 0) return
  if (owner.item) part.used.add(owner.item)
  addCondition(part, item, owner.topic, test)
}

function ownerOfBound(
  part: Part,
  next: number,
  i: number,
  units: string | undefined,
): { topic: Topic; item?: Item } | undefined {
  const following = part.items[next]
  const topic = topicOfItem(part, following)
  const measured = units === undefined ? undefined : topicMeasuredIn(part.catalogue, units)
  // "Within 30 minutes of a market": minutes measure the time to a market.
  if (following && topic) return { topic: measured && topic.unit !== units ? measured : topic, item: following }
  const earlier = part.items
    .slice(0, i)
    .findLast((each) => each.kind === 'topic' && !each.isWeak && !part.used.has(each))
  const before = topicOfItem(part, earlier)
  if (earlier && before && (units === undefined || before.unit === units)) return { topic: before, item: earlier }
  return measured && { topic: measured }
}

function boundTest(bound: Bound, from: string, to: string | undefined): Test {
  if (bound === 'between') return { test: 'bounds', atLeast: from, ...(to === undefined ? {} : { atMost: to }) }
  if (bound === 'equal') return { test: 'bounds', atLeast: from, atMost: from }
  return { test: 'bounds', [bound]: from }
}

function readNone(part: Part, item: Item, i: number): void {
  const next = part.items[i + 1]
  if (next?.kind === 'class') {
    const { topic, value } = next.meanings[0] ?? {}
    if (topic && value !== undefined) addCondition(part, next, topic, { test: 'not_class', value })
    part.used.add(next)
    return
  }
  const owner =
    next?.kind === 'topic' ? next : part.items.slice(0, i).findLast((each) => each.kind === 'topic' && !each.isWeak)
  addTest(part, owner, { test: 'none' }, item)
  followList(part, owner, { test: 'none' })
}

/** "no clinic or school", "a clinic and a school". */
function followList(part: Part, owner: Item | undefined, test: Test): void {
  if (!owner) return
  const place = part.items.indexOf(owner)
  const next = part.items[place + 2]
  if (isCue(part.items[place + 1], 'or', 'and') && next?.kind === 'topic') addTest(part, next, test, next)
}

function readAny(part: Part, item: Item, i: number): void {
  const next = part.items[i + 1]
  const isOfFrames = part.items
    .slice(0, i)
    .some((each) => isCue(each, 'frames') || (each.kind === 'topic' && part.used.has(each)))
  if (next?.kind !== 'topic' || next.isWeak || !isOfFrames) return
  addTest(part, next, { test: 'any' }, item)
  followList(part, next, { test: 'any' })
}

function readEmpty(part: Part, item: Item & { kind: 'cue'; cue: 'adjective' }): void {
  const topic = item.adjective.names
    .split(',')
    .map((name) => topicNamed(part.catalogue, [name]))
    .find((each) => each !== undefined)
  if (!topic) return
  part.used.add(item)
  addCondition(part, item, topic, { test: 'none' })
}

function addTest(part: Part, owner: Item | undefined, test: Test, cue: Item): void {
  const topic = topicOfItem(part, owner)
  if (!owner || !topic || part.used.has(owner)) return
  part.used.add(owner)
  part.used.add(cue)
  addCondition(part, cue, topic, test)
}
