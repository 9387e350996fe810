/** Finds the names of places in a question: the figures of its part are of the frames that lie there. */
import type { Topic } from './topic.js'
import type { Catalogue } from './catalogue.js'
import { isEnglish } from './english.js'
import type { ClassItem, Item } from './items.js'
import type { NameMeaning } from './names.js'
import type { Condition, NamedPlace } from './reading.js'
import { isCue } from './topics.js'
import { plainWordsOf } from './words.js'

/** Categories of the index's own units: their classes are names of places. */
const UNIT_LABEL = /^(state|lga|ward|zone|region|district|province|county)s?$/i

export const isUnitLabel = (label: string): boolean => UNIT_LABEL.test(label)
export const isOfUnits = ({ label }: Topic) => isUnitLabel(label)

/** Turns the names of places into places, and drops the words for units beside them: "in Marembe state". */
export function readPlaces(items: readonly Item[], { topics, places }: Catalogue): Item[] {
  const names = [...topics.filter(isOfUnits).flatMap(({ classes }) => classes), ...places]
  const words = new Set(names.flatMap(plainWordsOf))
  const dropped = new Set<Item>()
  const read = items.map((item, i): Item => {
    const [before, after] = [items[i - 1], items[i + 1]]
    const isPlaced = isCue(before, 'in', 'of', 'from')
    // "In this town": the place of the question is no condition.
    const isContext = isCue(before, 'in') || (isCue(before, 'of') && items[i - 2]?.kind === 'topic')
    if (item.kind === 'class' && item.isPointed && isContext) dropped.add(item)
    if (item.kind === 'unknown')
      return isPlaced && isPartOfPlace(item, after, words) ? placeItem(item, { isPartOfName: true }) : item
    if (item.kind !== 'class' || !item.meanings.some(({ topic }) => isOfUnits(topic))) return item
    const unit = isCue(after, 'unit') || (after?.kind === 'topic' && after.isWeak) ? after : undefined
    if (unit) dropped.add(unit)
    const reading = meantBy(item, unit, before)
    if (reading === 'place') {
      const joint = isCue(before, 'in') ? items[i - 2] : before
      const isListed = isCue(joint, 'and', 'or', 'compare') || item.mark === 'weak' || before?.mark === 'weak'
      return placeItem(item, { unit: unit?.text, otherwise: unit ? undefined : classOf(item), isListed })
    }
    if (reading === 'near') dropped.add(item)
    return reading === 'word' ? asWord(item) : item
  })
  return read.filter((_, i) => !dropped.has(items[i] as Item))
}

/** A name of a place may be a class of a category as well, or a word of the language: "mangrove", "central". */
function meantBy(
  item: ClassItem,
  unit: Item | undefined,
  before: Item | undefined,
): 'place' | 'class' | 'word' | 'near' {
  if (unit) return 'place'
  const isWord = !isCapital(item) && plainWordsOf(item.text).every(isEnglish)
  const isOnlyPlace = item.meanings.every(({ topic }) => isOfUnits(topic))
  if (isCue(before, 'in', 'of', 'from')) return isWord && !isOnlyPlace ? 'class' : 'place'
  // "Near Marembe" is not in it.
  if (isCue(before, 'near')) return isOnlyPlace ? 'near' : 'class'
  if (!isOnlyPlace) return 'class'
  return isWord ? 'word' : 'place'
}

const isCapital = ({ text }: Item) => /^\p{Lu}/u.test(text)

/** A town may be a part of a unit's name: "Meridian" of MERIDIAN BAY. "Cape College" is another name. */
function isPartOfPlace(item: Item, after: Item | undefined, words: ReadonlySet<string>): boolean {
  const plain = plainWordsOf(item.text)
  if (!plain.every((word) => words.has(word))) return false
  if (!isCapital(item) && plain.every(isEnglish)) return false
  const isLonger = after?.start === item.end && after.mark === '' && isCapital(after) && !isCue(after, 'unit')
  return !isLonger
}

type PlaceDetails = {
  unit?: string | undefined
  isPartOfName?: true
  otherwise?: Condition | undefined
  isListed?: boolean
}

function placeItem(item: Item, { unit, isPartOfName, otherwise, isListed }: PlaceDetails): Item {
  const { start, end, mark, text, isPointed } = item
  const place: NamedPlace = {
    text,
    categories: item.kind === 'class' ? item.meanings.flatMap(categoryOf) : [],
    ...(unit === undefined ? {} : { unit }),
    ...(isPartOfName ? { isPartOfName } : {}),
    ...(isListed ? { isListed } : {}),
    ...(otherwise ? { otherwise } : {}),
  }
  return { start, end, mark, text, isPointed, kind: 'place', place }
}

const categoryOf = ({ topic, value }: NameMeaning) =>
  value === undefined || !isOfUnits(topic) ? [] : [{ subject: topic.subject, label: topic.label, value }]

/** The class of another category that the name is. */
function classOf({ meanings }: ClassItem): Condition | undefined {
  const other = meanings.find(({ topic }) => !isOfUnits(topic) && topic.subject.kind === 'attribute')
  if (other?.value === undefined) return undefined
  return { subject: other.topic.subject, test: { test: 'class', value: other.value } }
}

const asWord = ({ start, end, mark, text, isPointed }: Item): Item => ({
  start,
  end,
  mark,
  text,
  isPointed,
  kind: 'unknown',
})
