/** Details of features: their properties, and words that occur in classes. */
import type { Item } from './items.js'
import { plainWordsOf } from './words.js'
import { isWeak, topicsOf, type Part } from './part.js'
import { isCue } from './topics.js'

export function readDetails(part: Part): void {
  readProperties(part)
  readOwners(part)
  readFeatureNames(part)
  readClassWords(part)
}

/** Figures of one kind of feature are not computed: "secondary schools", "open at night". */
function readProperties(part: Part): void {
  const layers = part.items.flatMap((item) =>
    topicsOf(part, item).map(({ subject }) => ('layerId' in subject ? subject.layerId : '')),
  )
  for (const item of part.items) {
    if (item.kind !== 'detail') continue
    const isOfTopic = item.meanings.some(
      ({ topic: { subject } }) => 'layerId' in subject && layers.includes(subject.layerId),
    )
    if (isOfTopic) part.unanswered.push([item])
    else part.unknown.push(item)
  }
}

/** "How many beds do the clinics have" asks for beds alone, "beds and clinics" for both. */
function readOwners(part: Part): void {
  const owners = new Set(
    part.items.flatMap((item) =>
      topicsOf(part, item).flatMap(({ subject }) => (subject.kind === 'property' ? [subject.layerId] : [])),
    ),
  )
  part.items.forEach((item, i) => {
    const joined =
      item.mark !== '' ||
      isCue(part.items[i - 1], 'and') ||
      isCue(part.items[i + 1], 'and') ||
      part.items[i + 1]?.mark === 'weak'
    const isOwner = topicsOf(part, item).some(
      ({ subject }) => subject.kind === 'features' && owners.has(subject.layerId),
    )
    if (isOwner && !joined) part.used.add(item)
  })
}

/** "Harbour School", "the Lake Shore reserve": figures of one feature are not computed, but a feature may have the name. */
function readFeatureNames(part: Part): void {
  const isCapital = (item: Item | undefined) => item !== undefined && /^\p{Lu}\p{Ll}/u.test(item.text)
  const isNext = (item: Item | undefined, before: Item | undefined) => item?.start === before?.end && item?.mark === ''
  part.items.forEach((item, i) => {
    if (item.kind !== 'unknown' || !isCapital(item) || item.start === 0 || part.unanswered.flat().includes(item)) return
    let end = i + 1
    while (isCapital(part.items[end]) && isNext(part.items[end], part.items[end - 1])) end++
    if (isNext(part.items[end], part.items[end - 1]) && isFeature(part, part.items[end])) end++
    const span = part.items.slice(i, end)
    if (!span.some((each) => isFeature(part, each)) && !isCue(part.items[i - 1], 'names')) return
    part.unanswered.push(span)
    part.unknown = part.unknown.filter((each) => !span.includes(each))
  })
}

const isFeature = (part: Part, item: Item | undefined) => topicsOf(part, item).some(({ type }) => type === 'features')

/** "Sandy" is a word of a class of soils: it is known where the question names the soil. */
function readClassWords(part: Part): void {
  const named = part.items.flatMap((item) => (isWeak(item) ? [] : topicsOf(part, item)))
  const words = new Set(
    named.flatMap(({ classes }) => classes.flatMap(plainWordsOf)).map((word) => part.catalogue.stemOf(word)),
  )
  part.unknown = part.unknown.filter((item) => {
    const isKnown = plainWordsOf(item.text).every((word) => words.has(part.catalogue.stemOf(word)))
    if (isKnown) part.classWords.push(item)
    return !isKnown
  })
}
