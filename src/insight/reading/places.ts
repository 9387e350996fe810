/** Names of places are where the question looks: no topic of it. */
import type { Topic } from './topic.js'
import type { Catalogue } from './catalogue.js'
import { isEnglish } from './english.js'
import type { Item } from './items.js'
import type { NameMeaning } from './names.js'
import { isCue } from './topics.js'
import { plainWordsOf } from './words.js'

/** Categories of the index's own units: their classes are names of places. */
const UNIT_LABEL = /^(state|lga|ward|zone|region|district|province|county)s?$/i

export const isOfUnits = ({ label }: Topic) => UNIT_LABEL.test(label)

const isPlaceName = (item: Item): boolean =>
  item.kind === 'class' && item.meanings.some(({ topic }) => isOfUnits(topic))

/** The question names a unit. `unit` is the word beside its name: "Central LGA". The name may be a part of a longer one. */
export type NamedPlace = {
  text: string
  unit: string | undefined
  meanings: readonly NameMeaning[]
  isPartOfName: boolean
}

/** Drops names of places that follow "in" or "of", or that a unit follows: "in Marembe state". */
export function readPlaces(
  items: readonly Item[],
  { topics, places }: Catalogue,
): { items: Item[]; places: NamedPlace[] } {
  const dropped = new Set<Item>()
  const named: NamedPlace[] = []
  const names = [...topics.filter(isOfUnits).flatMap(({ classes }) => classes), ...places]
  const words = new Set(names.flatMap(plainWordsOf))
  items.forEach((item, i) => {
    const [before, after] = [items[i - 1], items[i + 1]]
    const isUnit = isCue(after, 'unit') || (after?.kind === 'topic' && after.isWeak)
    const place = { text: item.text, unit: isUnit ? after.text : undefined }
    // A town may be a part of a unit's name: "Meridian" of MERIDIAN BAY.
    if (
      item.kind === 'unknown' &&
      isCue(before, 'in', 'of') &&
      plainWordsOf(item.text).every((word) => words.has(word))
    ) {
      dropped.add(item)
      named.push({ ...place, meanings: [], isPartOfName: true })
    }
    // "In this town": the place of the question is no condition.
    const isContext = isCue(before, 'in') || (isCue(before, 'of') && items[i - 2]?.kind === 'topic')
    if (item.kind === 'class' && item.isPointed && isContext) dropped.add(item)
    if (item.kind !== 'class' || !isPlaceName(item)) return
    const only = item.meanings.every(({ topic }) => isOfUnits(topic))
    const isPlaced = isUnit || isCue(before, 'in', 'of', 'from')
    if (isPlaced || isCue(before, 'near') || only) dropped.add(item)
    if (isUnit) dropped.add(after)
    // "Central" may be a word of the language; "near Marembe" is not in it.
    if (isPlaced || (only && !isCue(before, 'near') && !plainWordsOf(item.text).every(isEnglish)))
      named.push({ ...place, meanings: item.meanings.filter(({ topic }) => isOfUnits(topic)), isPartOfName: false })
  })
  return { items: items.filter((item) => !dropped.has(item)), places: named }
}
