/** Names of places are where the question looks: no topic of it. */
import type { Topic } from './topic.js'
import type { Catalogue } from './catalogue.js'
import type { Item } from './items.js'
import { isCue } from './topics.js'
import { plainWordsOf } from './words.js'

/** Categories of the index's own units: their classes are names of places. */
const UNITS = /^(state|lga|ward|zone|region|district|province|county)s?$/i

export const isOfUnits = ({ label }: Topic) => UNITS.test(label)

const isPlaceName = (item: Item): boolean =>
  item.kind === 'class' && item.meanings.some(({ topic }) => isOfUnits(topic))

/** Drops names of places that follow "in" or "of", or that a unit follows: "in Marembe state". */
export function readPlaces(items: readonly Item[], { topics, places }: Catalogue): Item[] {
  const dropped = new Set<Item>()
  const names = [...topics.filter(isOfUnits).flatMap(({ classes }) => classes), ...places]
  const words = new Set(names.flatMap(plainWordsOf))
  items.forEach((item, i) => {
    // A town may be a part of a unit's name: "Meridian" of MERIDIAN BAY.
    if (
      item.kind === 'unknown' &&
      isCue(items[i - 1], 'in', 'of') &&
      plainWordsOf(item.text).every((word) => words.has(word))
    )
      dropped.add(item)
    // "In this town": the place of the question is no condition.
    const isContext = isCue(items[i - 1], 'in') || (isCue(items[i - 1], 'of') && items[i - 2]?.kind === 'topic')
    if (item.kind === 'class' && item.isPointed && isContext) dropped.add(item)
    if (!isPlaceName(item)) return
    const [before, after] = [items[i - 1], items[i + 1]]
    const isUnit = isCue(after, 'unit') || (after?.kind === 'topic' && after.isWeak)
    const only = item.kind === 'class' && item.meanings.every(({ topic }) => isOfUnits(topic))
    if (isUnit || isCue(before, 'in', 'of', 'near', 'from') || only) dropped.add(item)
    if (isUnit && after) dropped.add(after)
  })
  return items.filter((item) => !dropped.has(item))
}
