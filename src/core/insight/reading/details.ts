/** Reads classes of features: "primary schools", "boarding schools", "how many stalls are covered", "what goods they sell". */
import { has, layerOf, openTopics, topicOf, use, type AskedClass, type Clause } from './clause.js'
import { isCue, isUnit, type Item, type ItemOf } from './items.js'
import type { Topic } from './topic.js'

type Detail = { item: ItemOf<'detail'>; before: Item | undefined; topic: Topic; value: string | undefined }

const FLAGS = new Set(['true', 'false'])
const isFlag = ({ classes }: Topic) => classes.length > 0 && classes.every((value) => FLAGS.has(value))

/**
 * The classes that are asked for, and a property whose most common class is. A class beside frames selects them: "frames
 * with a secondary school". Figures of some features alone, such as the pupils of secondary schools, are not computed.
 */
export function readDetails(clause: Clause): { classes: AskedClass[]; property: Topic | undefined } {
  const nothing = { classes: [], property: undefined }
  const [owner, ...others] = openTopics(clause)
  const layer = topicOf(clause, owner)?.type === 'features' ? layerOf(topicOf(clause, owner)) : undefined
  if (!owner || layer === undefined || others.length > 0 || asksMore(clause)) return nothing
  const details = clause.items.flatMap((item, i) => detailOf(item, clause.items[i - 1], layer) ?? [])
  const [first, ...more] = details
  // Schools that are of two classes at once are not counted.
  if (!first || more.some(({ topic }) => topic !== first.topic)) return nothing
  if (selectsFrames(clause, owner, details)) return nothing
  if (first.value === undefined && !isFlag(first.topic)) {
    if (more.length > 0) return nothing
    use(clause, owner, first.item)
    return { classes: [], property: first.topic }
  }
  const values = details.map(valueOf)
  if (values.includes(undefined)) return nothing
  use(clause, owner)
  for (const { item, before } of details) use(clause, item, isLink(before) ? before : undefined)
  const classes = values.flatMap((value) =>
    value === undefined ? [] : [{ topic: first.topic, value, isNegated: false }],
  )
  return { classes, property: undefined }
}

/** "Not boarding" is a class of its own. The schools that are not primary are several classes: undefined. */
function valueOf({ before, topic, value = 'true' }: Detail): string | undefined {
  if (!isCue(before, 'not', 'without', 'except')) return value
  return isFlag(topic) ? (value === 'true' ? 'false' : 'true') : undefined
}

const isLink = (item: Item | undefined) => isCue(item, 'not', 'without', 'except', 'with', 'and', 'or', 'compare')

/** Other figures than the number of features: "the ward with the most primary schools", "boarding schools per 1,000 people". */
const asksMore = (clause: Clause) =>
  has(
    clause,
    'max',
    'min',
    'per',
    'head',
    'by',
    'each',
    'extent',
    'size',
    'ratio',
    'density',
    'bound',
    'mean',
    'rank',
  ) || clause.items.some(isUnit)

function detailOf(item: Item, before: Item | undefined, layer: string): Detail | undefined {
  if (item.kind !== 'detail') return undefined
  const meaning = item.meanings.find(({ topic }) => layerOf(topic) === layer)
  return meaning && { item, before, topic: meaning.topic, value: meaning.value }
}

/** "Which frames have a secondary school": the words from "have" to the features are a condition. */
function selectsFrames(clause: Clause, owner: Item, details: readonly Detail[]): boolean {
  const { items } = clause
  const cue = items.findIndex((item) => isCue(item, 'with', 'without'))
  const frames = items.findIndex((item) => isCue(item, 'frames') && !clause.used.has(item))
  if (frames === -1) return false
  const [detail, ...more] = details
  const value = detail?.value ?? 'true'
  const span = items.slice(cue + 1, cue + 3)
  const isWhole = detail !== undefined && span.includes(owner) && span.includes(detail.item)
  if (frames < cue && isWhole && more.length === 0 && isCue(items[cue], 'with')) {
    clause.where.push({ subject: detail.topic.subject, test: { test: 'class', value } })
    use(clause, items[cue], owner, detail.item)
  }
  return true
}
