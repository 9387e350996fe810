/** Names of places are where the question looks: no topic of it. */
import type { Topic } from './catalogue.js'
import type { Item } from './items.js'
import { isCue } from './topics.js'

/** Categories of the index's own units: their classes are names of places. */
const UNITS = /^(state|lga|ward|zone|region|district|province|county)s?$/i

export const isOfUnits = ({ label }: Topic) => UNITS.test(label)

const isPlaceName = (item: Item): boolean =>
  item.kind === 'class' && item.meanings.some(({ topic }) => isOfUnits(topic))

/** Drops names of places that follow "in" or "of", or that a unit follows: "in Marembe state". */
export function readPlaces(items: readonly Item[]): Item[] {
  const dropped = new Set<Item>()
  items.forEach((item, i) => {
    if (!isPlaceName(item)) return
    const [before, after] = [items[i - 1], items[i + 1]]
    const isUnit = isCue(after, 'unit') || (after?.kind === 'topic' && after.isWeak)
    const only = item.kind === 'class' && item.meanings.every(({ topic }) => isOfUnits(topic))
    if (isUnit || isCue(before, 'in', 'of', 'near', 'from') || only) dropped.add(item)
    if (isUnit && after) dropped.add(after)
  })
  return items.filter((item) => !dropped.has(item))
}
