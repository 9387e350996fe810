/** Reads classes of categories: "percentage of forest", "urban frames", "how many frames are not rural". */
import type { Topic } from './topic.js'
import type { ClassItem, Item } from './items.js'
import { addAsk, addCondition, has, isNegated, isWeak, openTopics, topicsOf, type Part } from './part.js'
import { isOfUnits } from './places.js'
import type { Condition } from './reading.js'
import { qualifiedBy } from './scope.js'
import { isCue, sameSubject } from './topics.js'

/** "Forest or woodland frames": no frame is both, so that each class has its own figure. */
export function splitAlternatives(part: Part): void {
  part.asks = part.asks.flatMap((ask) => {
    const isClass = (each: Condition) => each.test.test === 'class' && !part.placesOf.has(each)
    const clashing = ask.where.filter(
      (each) =>
        isClass(each) && ask.where.some((o) => o !== each && isClass(o) && sameSubject(o.subject, each.subject)),
    )
    const [first] = clashing
    if (!first) return [ask]
    const same = clashing.filter(({ subject }) => sameSubject(subject, first.subject))
    for (const item of part.items) if (isCue(item, 'or')) part.used.add(item)
    return same.map((each) => ({ ...ask, where: ask.where.filter((other) => other === each || !same.includes(other)) }))
  })
}

type Meaning = { topic: Topic; value: string }

export function readClasses(part: Part): void {
  const items = part.items.filter((item): item is ClassItem => item.kind === 'class' && !part.used.has(item))
  const meant = items.flatMap((item) => {
    const meaning = classMeaning(part, item)
    return meaning ? [{ item, ...meaning }] : []
  })
  const [first] = meant
  if (!first) return
  const others = openTopics(part).filter(
    (item) => !isWeak(item) && !topicsOf(part, item).some(({ subject }) => sameSubject(subject, first.topic.subject)),
  )
  const asksOther = others.length > 0 || part.where.length > part.placesOf.size || has(part, 'adjective', 'distance')
  const alternatives =
    !has(part, 'frames', 'count') &&
    meant.length + part.classWords.length > 1 &&
    meant.every(({ topic }) => topic === first.topic) &&
    has(part, 'or')
  const isChoice = (item: Item) => !has(part, 'frames', 'count') && isAlternativeOf(part, item)
  const read = meant.map((each) => {
    const negated = isNegated(part, each.item)
    // "The most common language, excluding Marem": the category itself is asked for.
    const isExcluded = negated && part.items.some((item) => isCue(item, 'statistic') && item.statistic === 'mode')
    return {
      ...each,
      negated,
      isExcluded,
      selects: isExcluded || (asksOther && !isListed(part, each.item) && !isChoice(each.item)),
    }
  })
  for (const { item, topic, value, negated, selects } of read) {
    part.used.add(item)
    if (selects) addCondition(part, item, topic, { test: negated ? 'not_class' : 'class', value })
  }
  for (const { item, topic, value, negated, selects } of read)
    if (!selects) addClassAsk(part, topic, { value, isNegated: negated, isUsual: alternatives || isChoice(item) })
  if (!read.some(({ isExcluded }) => isExcluded)) dropNamesOf(part, first.topic)
}

/** "Countryside or town": the words beside "or" mean two categories, and the most common class of each tells. */
function isAlternativeOf(part: Part, item: Item): boolean {
  const place = part.items.indexOf(item)
  return [-1, 1].some((step) => {
    if (!isCue(part.items[place + step], 'or')) return false
    const other = part.items[place + 2 * step]
    return other?.kind === 'class' || topicsOf(part, other).some(({ type }) => type === 'category')
  })
}

/** A class that two categories have is of the category that the question names, else of the first. */
function classMeaning(part: Part, { meanings }: ClassItem): Meaning | undefined {
  const known = meanings.flatMap(({ topic, value }) =>
    value === undefined || topic.subject.kind !== 'attribute' ? [] : [{ topic, value }],
  )
  const named = part.items.flatMap((item) => topicsOf(part, item))
  return known.find(({ topic }) => named.includes(topic)) ?? known.find(({ topic }) => !isOfUnits(topic)) ?? known[0]
}

/** "population and forest" asks for both; "urban population" asks for one of them where the other is. */
function isListed(part: Part, item: Item): boolean {
  if (qualifiedBy(part, item)) return false
  const place = part.items.indexOf(item)
  const [before, after] = [part.items[place - 1], part.items[place + 1]]
  // "And have no school" goes on with the frames of the class.
  const goesOn = isCue(part.items[place + 2], 'any', 'none', 'link', 'bound', 'not')
  const joined =
    isCue(before, 'and') ||
    item.mark === 'weak' ||
    (isCue(after, 'and') && !goesOn && part.items[place + 2] !== undefined) ||
    after?.mark === 'weak'
  return joined && !isCue(before, 'in', 'of') && !isCue(after, 'frames')
}

type Chosen = { value: string; isNegated: boolean; isUsual: boolean }

function addClassAsk(part: Part, { subject }: Topic, { value, isNegated: negated, isUsual }: Chosen): void {
  if (negated)
    return addAsk(part, subject, { op: 'frames' }, [...part.where, { subject, test: { test: 'not_class', value } }])
  const isMost = part.items.some((item) => isCue(item, 'statistic') && item.statistic === 'mode')
  addAsk(part, subject, isUsual || isMost ? { op: 'usual' } : { op: 'class', value })
}

/** "Is the soil clay": the name of the category asks for nothing more. */
function dropNamesOf(part: Part, topic: Topic): void {
  for (const item of part.items) if (topicsOf(part, item).includes(topic)) part.used.add(item)
}
