/** Patterns of several items: "A per B", "the ratio of A to B", "near a road", "by ward", "compare with the state". */
import type { Topic } from './topic.js'
import { readByUnit } from './by-unit.js'
import type { Item } from './items.js'
import { addAsk, has, isWeak, openTopics, topicOfItem, type Part } from './part.js'
import { isAdded, isCue, topicNamed } from './topics.js'

export function readPatterns(part: Part): void {
  readByUnit(part)
  readCompared(part)
  readPer(part)
  readGroups(part)
  readNear(part)
  readExtent(part)
  readUnits(part)
  readMeasuresOfThings(part)
  for (const item of part.items) if (isCue(item, 'why')) part.unanswered.push([item])
}

/** Averages of other places are not computed. */
function readCompared(part: Part): void {
  const place = part.items.findIndex(
    (item) =>
      !part.used.has(item) && (isCue(item, 'compare') || (isCue(item, 'statistic') && item.statistic === 'change')),
  )
  if (place === -1) return
  const unit = part.items.findIndex((item, i) => i > place && (isCue(item, 'unit') || isWeak(item)))
  if (unit === -1) return
  let end = unit + 1
  while (isCue(part.items[end], 'statistic')) end++
  const start = part.items.findLastIndex(
    (item, i) => i < unit && i > place && isCue(item, 'any', 'compare', 'in', 'from', 'and'),
  )
  const span = part.items.slice(start === -1 ? place : start, end)
  for (const item of span) part.used.add(item)
  part.unanswered.push(span)
}

const HEADS = /^(capita|head|person|inhabitant|resident)s?$/i

function readPer(part: Part): void {
  const { items } = part
  const ratio = items.findIndex((item) => isCue(item, 'ratio') && !part.used.has(item))
  const places = items.flatMap((item, i) => (isCue(item, 'per') && !part.used.has(item) ? [i] : []))
  if (places.length > 0) for (const place of places) readRatio(part, ratio, place)
  else if (ratio !== -1) readRatio(part, ratio, -1)
}

/** "Shops per household", or without "per" at -1: "the ratio of shops to households". */
function readRatio(part: Part, ratio: number, per: number): void {
  const { items } = part
  const topics = items.filter((item) => item.kind === 'topic')
  const before = per === -1 ? topics[0] : topics.findLast((item) => items.indexOf(item) < per)
  const after = per === -1 ? topics[1] : items[per + 1]
  const subject = topicOfItem(part, before)
  const other = otherOf(part, after)
  if (subject && other && before && after) {
    addAsk(part, subject.subject, { op: 'per', other: other.subject })
    for (const item of [before, after, items[per], items[ratio]]) if (item) part.used.add(item)
  } else if (per !== -1) part.unanswered.push(items.slice(per, per + 2))
  part.unknown = part.unknown.filter((item) => !part.used.has(item) && !part.unanswered.flat().includes(item))
}

function otherOf(part: Part, item: Item | undefined): Topic | undefined {
  const topic = topicOfItem(part, item)
  if (topic && item && !isWeak(item)) return topic
  return item && HEADS.test(item.text) ? topicNamed(part.catalogue, ['population']) : undefined
}

/** Some units have no figures: "by district". */
function readGroups(part: Part): void {
  part.items.forEach((item, i) => {
    const next = part.items[i + 1]
    if (part.used.has(item)) return
    const isUnit = isCue(next, 'unit') || (next !== undefined && isWeak(next))
    if (isCue(item, 'by', 'per', 'each') && next && isUnit) {
      part.unanswered.push([item, next])
      part.used.add(item)
      part.used.add(next)
    } else if (isCue(item, 'which') && next && isUnit && openTopics(part).some((each) => !isWeak(each))) {
      const statistic = part.items.slice(i).find((each) => isCue(each, 'statistic'))
      if (!statistic) return
      part.used.add(next)
      part.used.add(statistic)
      part.unanswered.push([item, next])
    }
  })
}

function readNear(part: Part): void {
  part.items.forEach((item, i) => {
    const next = part.items[i + 1]
    if (!isCue(item, 'near') || (next?.kind !== 'topic' && next?.kind !== 'unknown')) return
    part.unanswered.push([item, next])
    part.used.add(item)
    part.used.add(next)
    part.unknown = part.unknown.filter((each) => each !== next)
  })
}

function readExtent(part: Part): void {
  if (!has(part, 'extent') && !has(part, 'size')) return
  const measured = openTopics(part).find((item) => {
    const topic = topicOfItem(part, item)
    return topic?.type === 'features' && (topic.kind === 'polygons' || (topic.kind === 'lines' && has(part, 'extent')))
  })
  const topic = topicOfItem(part, measured)
  if (!measured || !topic) return
  part.used.add(measured)
  // "Roads: how many and how long" asks for both.
  const counts = part.items.some((item, i) => {
    const next = part.items[i + 1]
    return isCue(item, 'count') && (next === measured || next === undefined || isCue(next, 'and', 'extent', 'size'))
  })
  if (counts) addAsk(part, topic.subject, { op: 'usual' })
  addAsk(part, topic.subject, { op: 'extent' })
}

/** "The height of the buildings": a measure of the ground is no measure of the things that stand on it. */
function readMeasuresOfThings(part: Part): void {
  part.items.forEach((item, i) => {
    const [joint, thing] = [part.items[i + 1], part.items[i + 2]]
    if (!isCue(joint, 'of') || joint.mark !== '' || item.kind !== 'topic' || thing?.kind !== 'topic') return
    if (item.isDataset || isWeak(item) || isWeak(thing) || part.used.has(item) || part.used.has(thing)) return
    const [measure, counted] = [topicOfItem(part, item), topicOfItem(part, thing)]
    if (measure?.type !== 'number' || isAdded(measure) || !counted || !isAdded(counted)) return
    part.unanswered.push([item, joint, thing])
  })
}

/** "How many wards and LGAs": the index counts its units. */
function readUnits(part: Part): void {
  const counted = new Set<Item>()
  part.items.forEach((item, i) => {
    const before = part.items[i - 1]
    const listed = isCue(before, 'and') ? part.items[i - 2] : item.mark === 'weak' ? before : undefined
    if (!isCue(before, 'count') && !(listed && counted.has(listed))) return
    const figure = /^states?$/i.test(item.text)
      ? 'state'
      : /^wards?$/i.test(item.text)
        ? 'ward'
        : /^(lgas?|local governments?.*)$/i.test(item.text)
          ? 'lga'
          : undefined
    if (!figure || !(isCue(item, 'unit') || isWeak(item))) return
    counted.add(item)
    part.used.add(item)
    addAsk(part, { kind: 'index', figure }, { op: 'usual' })
  })
}
