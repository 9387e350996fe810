/** Writes sentences of several figures that belong together, or that code can compare. They hold no other number. */
import { compareDecimals, groupThousands } from '../../decimal.js'
import { INDEX } from '../figures/subject.js'
import { holderText, listText, insideSentence } from '../figures/figure-text.js'
import { phrasesOf, refOf, type Told, type TypedFacet } from './nouns.js'

/** `figures` are places among the facets. A comparison says more than its figures one by one. */
type Pair = { figures: number[]; text: string; isComparison: boolean }
/** A figure with its place. */
type Placed = TypedFacet & { place: number }

export function pairsOf(facets: readonly TypedFacet[]): Pair[] {
  // The total of a ward is none of these frames.
  const placed = facets.map((facet, place) => ({ ...facet, place })).filter(({ typed }) => typed.ward === undefined)
  const amounts = placed.filter(({ typed }) => typed.result.is === 'amount')
  const whole = placed.filter(isWhole)
  const ofPlaces = whole.filter((each) => amounts.includes(each) && each.typed.scope.length > 0)
  return [
    ...unitPair(placed),
    ...areaPair(amounts),
    ...groupsOf(whole, (each) => subjectKey(each) + scopeKey(each)).flatMap(extremePair),
    ...groupsOf(ofPlaces, (each) => each.source.statistic + subjectKey(each)).flatMap(comparison),
  ]
}

const scopeKey = ({ typed }: TypedFacet) => JSON.stringify(typed.scope)
const subjectKey = ({ source }: TypedFacet) => [source.layerId, source.attribute, source.property].join()
const isWhole = ({ source, typed: { named, recorded } }: TypedFacet) =>
  source.by === undefined && (named.type === 'features' || !recorded || recorded.count === recorded.of)
const numberOf = ({ typed: { result } }: TypedFacet) => (result.is === 'amount' ? result.number : '')
const told = (facet: TypedFacet): Told => ({ ...facet, inCounts: true })

/** Groups figures by key, and keeps their order. */
function groupsOf(placed: readonly Placed[], key: (each: Placed) => string): Placed[][] {
  const groups = new Map<string, Placed[]>()
  for (const each of placed) groups.set(key(each), [...(groups.get(key(each)) ?? []), each])
  return [...groups.values()]
}

const pairOf = (figures: readonly { place: number }[], text: string, isComparison = false): Pair => ({
  figures: figures.map(({ place }) => place),
  text,
  isComparison,
})

/** "These frames lie in the ward B, in the LGA C and in the state A." A dataset may record the same of all of them. */
function unitPair(placed: readonly Placed[]): Pair[] {
  const units = ['ward', 'lga', 'state'].flatMap((attribute) =>
    placed
      .filter(({ source }) => isOfIndex(source, attribute))
      .flatMap(({ typed, place }) =>
        typed.result.is === 'text' ? [{ typed, place, label: typed.named.label, name: typed.result.value }] : [],
      )
      .slice(0, 1),
  )
  const [first] = units
  if (!first || units.length < 2) return []
  const same = placed.filter(({ typed: { named, result, frames, scope } }) => {
    if (scope.length > 0 || result.is !== 'mode' || result.count < frames) return false
    return units.some(({ label, name }) => label === named.label && result.classes[0] === name)
  })
  const { start, isOne } = refOf(first.typed)
  const list = listText(units.map(({ label, name }) => `in the ${insideSentence(label)} ${name}`))
  return [pairOf([...units, ...same], `${start} ${isOne ? 'lies' : 'lie'} ${list}.`)]
}

const isOfIndex = ({ layerId, attribute, where }: TypedFacet['source'], name: string) =>
  layerId === INDEX.layerId && attribute === name && where === undefined

/** "These 9 frames cover 11.05 km²." */
function areaPair(amounts: readonly Placed[]): Pair[] {
  const of = (attribute: string, statistic: string) =>
    amounts.find(({ source }) => isOfIndex(source, attribute) && source.statistic === statistic)
  const [frames, area] = [of('frame_id', 'count'), of('geom', 'sum')]
  if (!frames || !area) return []
  const number = numberOf(frames)
  const those = number === '1' ? 'This frame covers' : `These ${groupThousands(number)} frames cover`
  return [pairOf([frames, area], `${those} ${groupThousands(numberOf(area))} km².`)]
}

/** "Of these frames, frame 9 has the most people, 90, and frame 7 the fewest, 40." */
function extremePair(group: readonly Placed[]): Pair[] {
  const [high, low] = ['max', 'min'].map((end) => group.find(({ source }) => source.statistic === end))
  if (!high || !low || high.typed.frames === 1) return []
  const [highest, lowest] = [high.typed.result, low.typed.result]
  if (highest.is !== 'extreme' || lowest.is !== 'extreme' || high.typed.named.type === 'property') return []
  if (highest.at === null || lowest.at === null) return []
  const { name, isThings, many, measure, value } = phrasesOf(told(high), true)
  if (highest.number === lowest.number)
    return [pairOf([high, low], `The ${measure} is the same in each of ${name}: ${value(highest.number)}.`)]
  const [most, least] = isThings ? [`the most ${many}`, 'the fewest'] : [`the highest ${measure}`, 'the lowest']
  const start = `Of ${name}, ${holderText(highest.at, highest.others)} ${highest.others === 0 ? 'has' : 'have'} ${most}`
  const end = `${holderText(lowest.at, lowest.others)} ${least}, ${value(lowest.number)}`
  return [pairOf([high, low], `${start}, ${value(highest.number)}, and ${end}.`)]
}

const STATISTIC_WORDS: Partial<Record<TypedFacet['source']['statistic'], string>> = {
  mean: 'average ',
  weighted_mean: 'average ',
  median: 'median ',
}

/** Two figures of one subject in some places are compared, more stand in their order. */
function comparison(group: readonly Placed[]): Pair[] {
  const [most, ...others] = group.toSorted((a, b) => compareDecimals(numberOf(b), numberOf(a)))
  const least = others.at(-1)
  if (!most || !least) return []
  const { isThings, value, many, measure } = phrasesOf(told(most), false)
  const kind = STATISTIC_WORDS[most.source.statistic] ?? ''
  const isCount = isThings && kind === ''
  const nameOf = ({ typed }: Placed) => refOf(typed).name
  const start = `${refOf(most.typed).start} ${refOf(most.typed).isOne ? 'has' : 'have'}`
  const [high, low] = [value(numberOf(most)), value(numberOf(least))]
  const text =
    high === low
      ? `${start} ${isCount ? `as many ${many}` : `the same ${kind}${measure}`} as ${listText(others.map(nameOf))}: ${high}.`
      : others.length === 1
        ? `${start} ${isCount ? `more ${many}` : `a higher ${kind}${measure}`} than ${nameOf(least)}: ${high} against ${low}.`
        : `From the highest ${kind}${measure} to the lowest, these are ${listText([most, ...others].map((each) => `${nameOf(each)} (${value(numberOf(each))})`))}.`
  return [pairOf(group, text, true)]
}
