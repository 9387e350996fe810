/** Reads adjectives, which mean topics: "steepest", "most populous", "how crowded", and "the highest frame". */
import { open, openTopics, topicsOf, use, type Clause } from './clause.js'
import { isCue, isUnit, type Item } from './items.js'
import { isAdded, sameSubject, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'
import { topicNamed } from './names.js'

export type Extremes = { topic: Topic | undefined; end: 'max' | 'min' | undefined; isDense: boolean; words: Item[] }

/** "Steepest", "most populous", "how crowded", and "the highest frame". */
export function readAdjectives(clause: Clause): Extremes {
  const { items, catalogue } = clause
  const found: Extremes = { topic: undefined, end: undefined, isDense: false, words: [] }
  items.forEach((item, i) => {
    const before = items[i - 1]
    const isExtreme = isCue(before, 'max', 'min')
    if (!isCue(item, 'adjective')) return
    const after = items[i + 1]
    const isSaid = isCue(before, 'how') || !(isCue(after, 'frames') || isUnit(after) || after?.kind === 'topic')
    if (!item.isMost && !isExtreme && !isSaid) return
    const isDense = item.name === 'population density'
    const named = openTopics(clause).filter((each) => each.kind === 'topic' && !each.isDataset)
    const others = named.flatMap((each) => topicsOf(clause, each))
    const [other] = others
    // "How dense are the buildings".
    const density = isDense && other ? topicNamed(catalogue, `${other.unit} density`) : undefined
    const own = density ?? (isDense && other && !isAdded(other) ? other : topicNamed(catalogue, item.name))
    const topic = own ?? (isDense ? (other ?? topicNamed(catalogue, 'population')) : undefined)
    const isOwn =
      density !== undefined ||
      others.length === 0 ||
      others.some((each) => topic && sameSubject(each.subject, topic.subject))
    if (!topic || !isOwn) return
    if (density) use(clause, ...named)
    use(clause, item, isExtreme || isCue(before, 'how', 'or') ? before : undefined)
    found.words.push(item)
    if (others.length === 0 || density) found.topic = topic
    if (!own) found.isDense = true
    if (item.isMost || isExtreme)
      found.end = isExtreme && before.cue === 'min' ? (item.side === 'max' ? 'min' : 'max') : item.side
  })
  readNearness(clause, found)
  const extreme = open(clause, 'max', 'min')[0]
  found.end ??= isCue(extreme, 'max', 'min') ? extreme.cue : undefined
  const isHeight = extreme !== undefined && /^(highest|lowest)$/i.test(extreme.text) && openTopics(clause).length === 0
  if (isHeight && !found.topic && !items.some((item) => item.kind === 'class'))
    found.topic = topicNamed(catalogue, 'elevation')
  return found
}

const NEAR = /^(nearest|closest)$/i
const FAR = /^(farthest|furthest)$/i

/** "Which frame is closest to a market": the least of what measures the way there, such as the time to the nearest market. */
function readNearness(clause: Clause, found: Extremes): void {
  const { items, catalogue } = clause
  const at = items.findIndex((item) => isCue(item, 'relation') && (NEAR.test(item.text) || FAR.test(item.text)))
  const relation = items[at]
  const thing = items[isCue(items[at + 1], 'from') ? at + 2 : at + 1]
  const asks = items.slice(0, at).some((item) => isCue(item, 'frames') || isUnit(item))
  if (!relation || thing?.kind !== 'topic' || !asks || found.topic || openTopics(clause).length !== 1) return
  const words = plainWordsOf(thing.text).map(catalogue.stemOf)
  const [distance, nearest] = ['distance', 'nearest'].map(catalogue.stemOf)
  const way = catalogue.names.ofTopics.find(
    ({ topic, stems }) =>
      topic.type === 'number' &&
      words.every((word) => stems.includes(word)) &&
      stems.some((stem) => stem === distance || stem === nearest),
  )
  if (!way) return
  use(clause, relation, thing)
  found.words.push(relation)
  found.topic = way.topic
  found.end = NEAR.test(relation.text) ? 'min' : 'max'
}
