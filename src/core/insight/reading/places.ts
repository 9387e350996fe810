/** Finds the names of places in a question: its figures are of the frames that lie there. */
import type { Catalogue } from './catalogue.js'
import { isCue, isPointed, isUnit, type Item, type ItemOf } from './items.js'
import type { Condition, NamedPlace } from './reading.js'
import { isOfUnits, type Topic } from './topic.js'
import { plainWordsOf } from './words.js'

/** Turns names into places, and drops the words for units beside them: "in Marembe state", "the LGA of Lakeside". */
export function readPlaces(items: readonly Item[], catalogue: Catalogue): Item[] {
  const dropped = new Set<Item>()
  const read: Item[] = []
  items.forEach((item, i) => {
    const [before, after] = [read.at(-1), items[i + 1]]
    if (isUnit(item) || isCue(item, 'frames') || item.kind === 'class') {
      if (isContext(item, before, after)) dropped.add(item)
    }
    const found =
      item.kind === 'class' || item.kind === 'unknown' ? placeAt(items, i, { before, catalogue }) : undefined
    if (!found) return void read.push(item)
    for (const unit of found.units) dropped.add(unit)
    read.push(found.item)
  })
  return read.filter((item) => !dropped.has(item))
}

/** "In this town", "in the state": the frames of the call are meant. */
function isContext(item: Item, before: Item | undefined, after: Item | undefined): boolean {
  if (!isCue(before, 'in', 'of', 'from') || isCue(after, 'with', 'without', 'bound', 'where')) return false
  return (
    isPointed(item) || (item.before === 'the' && isUnit(item) && after?.kind !== 'place' && after?.kind !== 'class')
  )
}

type Found = { item: Item; units: Item[] }
type Scope = { before: Item | undefined; catalogue: Catalogue }

function placeAt(items: readonly Item[], i: number, { before, catalogue }: Scope): Found | undefined {
  const item = items[i] as ItemOf<'class' | 'unknown'>
  const behind = isCue(before, 'of') ? items[i - 2] : before
  const after = items[i + 1]
  const isAsked = isCue(items[i - (behind === before ? 2 : 3)], 'which', 'by', 'each', 'count')
  const units = [isUnit(after) && after?.mark === '' ? after : undefined, isUnit(behind) && !isAsked ? behind : undefined]
    .flatMap((unit) => unit ?? []) // prettier-ignore
  const isListed =
    isCue(before, 'and', 'or', 'compare') ||
    (isCue(before, 'in', 'of') && isCue(items[i - 2], 'and', 'or')) ||
    (item.mark === 'weak' && before?.kind === 'place')
  const isPlaced =
    isCue(before, 'in', 'of', 'from', 'not', 'except') ||
    (isCue(before, 'bound') && before.bound === 'between') ||
    (isListed && items.slice(0, i).some((each) => each.kind === 'class' || each.kind === 'unknown'))
  const isCapital = /^\p{Lu}/u.test(item.text)
  const details = { unit: units[0]?.text, isListed }
  if (item.kind === 'unknown') {
    if (!isPlaced || !isCapital) return undefined
    if (!catalogue.places.has(plainWordsOf(item.text).join(' '))) return undefined
    return { item: placeItem(item, details), units }
  }
  const { meanings } = item
  if (!meanings.some(({ topic }) => isOfUnits(topic))) return undefined
  if (isNameOfFeature(item, after)) return { item: { ...item, kind: 'unknown' }, units: [] }
  const others = meanings.filter(({ topic }) => !isOfUnits(topic) && topic.subject.kind === 'attribute')
  // Without a place before it, a word of both kinds is a place only where something is asked of it.
  const isClass =
    others.some(({ topic }) => isNamed(topic, items)) || !(isCapital && items.some((each) => each.kind === 'topic'))
  if (units.length === 0 && others.length > 0 && isClass && !isPlaced) return undefined
  // "Central" is a place, and "central" is a word.
  if (units.length === 0 && !isPlaced && !isCapital && others.length === 0 && item.end - item.start === 1)
    return { item: { ...item, kind: 'unknown' }, units }
  return { item: placeItem(item, { ...details, otherwise: units.length > 0 ? undefined : classOf(others) }), units }
}

const isNamed = (topic: Topic, items: readonly Item[]) =>
  items.some(
    (item) =>
      (item.kind === 'topic' && item.topics.includes(topic)) ||
      (item.kind === 'unknown' && topic.names.some((name) => plainWordsOf(name).includes(item.text.toLowerCase()))),
  )

/** "Alder Hills Road", "Central Clinic". */
const isNameOfFeature = (item: Item, after: Item | undefined) =>
  after?.kind === 'topic' &&
  after.start === item.end &&
  after.mark === '' &&
  /^\p{Lu}.*[^s]$/u.test(after.text) &&
  after.topics.some(({ type }) => type === 'features')

type PlaceDetails = {
  unit?: string | undefined
  otherwise?: Condition | undefined
  isListed?: boolean
}

function placeItem(item: ItemOf<'class' | 'unknown'>, { unit, otherwise, isListed }: PlaceDetails): Item {
  const { start, end, mark, text, before } = item
  const categories = (item.kind === 'class' ? item.meanings : []).flatMap(({ topic, value }) =>
    value === undefined || !isOfUnits(topic) ? [] : [{ subject: topic.subject, label: topic.label, value }],
  )
  const place: NamedPlace = {
    text,
    categories,
    ...(unit === undefined ? {} : { unit }),
    ...(isListed ? { isListed } : {}),
    ...(otherwise ? { otherwise } : {}),
  }
  return { start, end, mark, text, before, kind: 'place', place }
}

/** The class of another category that the name is. */
function classOf(others: ItemOf<'class'>['meanings']): Condition | undefined {
  const [other] = others
  if (other?.value === undefined) return undefined
  return { subject: other.topic.subject, test: { test: 'class', value: other.value } }
}
