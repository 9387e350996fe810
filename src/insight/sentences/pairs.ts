/** Writes sentences of several figures that belong together, or that code can compare. They hold no other number. */
import { compareDecimals, groupThousands } from '../../decimal.js'
import { INDEX } from '../facets.js'
import { listText } from '../figure-text.js'
import { insideSentence } from '../operations/subject.js'
import { holderText } from './forms.js'
import { manyOf, measureOf, nameText, refOf } from './nouns.js'
import { phrasesOf, type Told, type TypedFacet } from './told.js'

/** `figures` are places among the facets. A comparison says more than its figures one by one. */
export type Pair = { figures: number[]; wordings: string[]; isComparison: boolean }
/** A figure with its place. */
type Placed = TypedFacet & { place: number }

export function pairsOf(facets: readonly TypedFacet[]): Pair[] {
  const placed = facets.map((facet, place) => ({ ...facet, place }))
  const together = [...unitPair(placed), ...areaPair(placed), ...featurePairs(placed)]
  return [...together, ...extremePairs(placed), ...framePairs(placed), ...scopePairs(placed), ...yearPairs(placed)]
}

const pairOf = (figures: readonly { place: number }[], text: string, isComparison = false): Pair => ({
  figures: figures.map(({ place }) => place),
  wordings: [text],
  isComparison,
})

/** Pairs of two figures, the first of which stands before. */
const couples = (placed: readonly Placed[], belong: (one: Placed, other: Placed) => boolean): [Placed, Placed][] =>
  placed.flatMap((one, i) =>
    placed.slice(i + 1).flatMap((other) => (belong(one, other) ? [[one, other] as [Placed, Placed]] : [])),
  )

const scopeKey = ({ typed }: TypedFacet) => JSON.stringify(typed.scope)
const isSameSubject = (one: TypedFacet, other: TypedFacet) =>
  one.source.layerId === other.source.layerId &&
  one.source.attribute === other.source.attribute &&
  one.source.property === other.source.property
const isWhole = ({ source, typed: { recorded } }: TypedFacet) =>
  source.by === undefined && (!recorded || recorded.count === recorded.of)
const told = (facet: TypedFacet): Told => ({ ...facet, inCounts: true })

/** "These frames lie in the ward B, in the LGA C and in the state A." */
function unitPair(placed: readonly Placed[]): Pair[] {
  const units = ['ward', 'lga', 'state'].flatMap((attribute) =>
    placed.filter(({ source, typed }) => isOfIndex(source, attribute) && typed.result.is === 'text').slice(0, 1),
  )
  const [first] = units
  if (!first || units.length < 2) return []
  const names = units.flatMap(({ typed: { named, result } }) =>
    result.is === 'text' ? [`in the ${insideSentence(named.label)} ${nameText(result.value)}`] : [],
  )
  const { start, isOne } = refOf(first.typed)
  return [pairOf(units, `${start} ${isOne ? 'lies' : 'lie'} ${listText(names)}.`)]
}

const isOfIndex = ({ layerId, attribute, where }: TypedFacet['source'], name: string) =>
  layerId === INDEX.layerId && attribute === name && where === undefined

/** "These 9 frames cover 11.05 km²." */
function areaPair(placed: readonly Placed[]): Pair[] {
  const frames = placed.find(({ source }) => isOfIndex(source, 'frame_id') && source.statistic === 'count')
  const area = placed.find(({ source }) => isOfIndex(source, 'geom') && source.statistic === 'sum')
  if (frames?.typed.result.is !== 'amount' || area?.typed.result.is !== 'amount') return []
  const { number } = frames.typed.result
  const land = `${groupThousands(area.typed.result.number)} km²`
  return [
    pairOf([frames, area], number === '1' ? `This frame covers ${land}.` : `These ${number} frames cover ${land}.`),
  ]
}

/** "These frames have 13 schools, which lie in 3 of the 9 frames." */
function featurePairs(placed: readonly Placed[]): Pair[] {
  const belong = (one: Placed, other: Placed) =>
    isSameSubject(one, other) && scopeKey(one) === scopeKey(other) && one.typed.named.type === 'features'
  return couples(placed, belong).flatMap(([count, frames]) => {
    const [amount, { result: part }] = [count.typed.result, frames.typed]
    if (count.source.statistic !== 'count' || amount.is !== 'amount' || part.is !== 'recorded') return []
    if (amount.number === '0' || amount.number === '1' || part.of === 1) return []
    const { start, has, amount: text } = phrasesOf(told(count))
    return [pairOf([count, frames], `${start} ${has} ${text(amount.number)}, in ${part.count} of ${part.of} frames.`)]
  })
}

/** "Of these frames, frame 9 has the most people, 90, and frame 7 the fewest, 40." */
function extremePairs(placed: readonly Placed[]): Pair[] {
  const belong = (one: Placed, other: Placed) =>
    isSameSubject(one, other) &&
    scopeKey(one) === scopeKey(other) &&
    isWhole(one) &&
    one.typed.frames > 1 &&
    one.typed.named.type !== 'property'
  return couples(placed, belong).flatMap((couple) => {
    const [high, low] = ['max', 'min'].map((statistic) => couple.find(({ source }) => source.statistic === statistic))
    const [highest, lowest] = [high?.typed.result, low?.typed.result]
    if (!high || highest?.is !== 'extreme' || lowest?.is !== 'extreme') return []
    if (highest.at === null || lowest.at === null) return []
    const { name, things, many, measure, value } = phrasesOf(told(high), true)
    const [most, least] = things ? [`the most ${many}`, 'the fewest'] : [`the highest ${measure}`, 'the lowest']
    const text = `Of ${name}, ${holderText(highest)} ${highest.others === 0 ? 'has' : 'have'} ${most}, ${value(highest.number)}, and ${holderText(lowest)} ${least}, ${value(lowest.number)}.`
    return [pairOf(couple, text)]
  })
}

type Compared = { place: number; name: string; number: string }

/** Frames with a value each are compared: two of them, or all in their order. */
function framePairs(placed: readonly Placed[]): Pair[] {
  const ofFrames = placed.filter(({ source, typed }) => source.frameId !== undefined && typed.result.is === 'amount')
  const firsts = ofFrames.filter((one, i) => ofFrames.findIndex((other) => isSameSubject(one, other)) === i)
  return firsts.flatMap((first) => {
    const values = ofFrames
      .filter((other) => isSameSubject(first, other))
      .map((each) => comparedOf(each, `frame ${each.source.frameId}`))
    return comparisonOf(told(first), values, true)
  })
}

/** One figure of different frames: "the frames in MAREMBE" and "the frames in LAKESIDE". */
function scopePairs(placed: readonly Placed[]): Pair[] {
  const belong = (one: Placed, other: Placed) =>
    isSameSubject(one, other) &&
    one.source.statistic === other.source.statistic &&
    [one, other].every(
      (each) => each.source.frameId === undefined && isWhole(each) && each.typed.result.is === 'amount',
    ) &&
    one.source.statistic !== 'odd' &&
    scopeKey(one) !== scopeKey(other)
  return couples(placed, belong).flatMap(([one, other]) =>
    comparisonOf(
      told(one),
      [one, other].map((each) => comparedOf(each, refOf(each.typed).name)),
      false,
    ),
  )
}

const comparedOf = ({ place, typed: { result } }: Placed, name: string): Compared => ({
  place,
  name,
  number: result.is === 'amount' ? result.number : '',
})

const STATISTIC_WORDS: Partial<Record<TypedFacet['source']['statistic'], string>> = {
  mean: 'average ',
  weighted_mean: 'average ',
  median: 'median ',
}

function comparisonOf(first: Told, values: readonly Compared[], isOfFrame: boolean): Pair[] {
  const { things, value } = phrasesOf(first, isOfFrame)
  const { named } = first.typed
  const kind = STATISTIC_WORDS[first.source.statistic] ?? ''
  const isCount = things !== undefined && kind === ''
  const measure = kind + measureOf(named, isOfFrame)
  const many = manyOf(named, isOfFrame)
  const [most, ...others] = values.toSorted((a, b) => compareDecimals(b.number, a.number))
  const least = others.at(-1)
  if (!most || !least) return []
  const start = most.name.charAt(0).toUpperCase() + most.name.slice(1)
  const verb = isOfFrame ? 'has' : 'have'
  const pair = (text: string) => [pairOf(values, text, true)]
  if (compareDecimals(most.number, least.number) === 0) {
    const what = isCount ? `as many ${many}` : `the same ${measure}`
    return pair(`${start} ${verb} ${what} as ${listText(others.map(({ name }) => name))}: ${value(most.number)}.`)
  }
  const what = isCount ? `more ${many}` : `a higher ${measure}`
  if (others.length === 1)
    return pair(`${start} ${verb} ${what} than ${least.name}: ${value(most.number)} against ${value(least.number)}.`)
  const list = listText([most, ...others].map(({ name, number }) => `${name} (${value(number)})`))
  return pair(`From the highest ${measure} to the lowest, these are ${list}.`)
}

/** "The population of these frames is 90 people by the 2025 estimate, and 95 people by the 2026 estimate." */
function yearPairs(placed: readonly Placed[]): Pair[] {
  const parts = ({ typed: { named } }: Placed) => named.label.split(', ')
  const belong = (one: Placed, other: Placed) =>
    one.source.statistic === 'sum' &&
    other.source.statistic === 'sum' &&
    scopeKey(one) === scopeKey(other) &&
    [one, other].every((each) => each.typed.result.is === 'amount' && isWhole(each) && parts(each).length === 2) &&
    parts(one)[0] === parts(other)[0] &&
    parts(one)[1] !== parts(other)[1] &&
    one.typed.named.unit === other.typed.named.unit &&
    one.typed.named.method === other.typed.named.method
  return couples(placed, belong).map(([one, other]) => {
    const { name, value, is, isOne } = phrasesOf(told(one), false)
    const made = isOne && one.typed.named.method !== undefined ? `, ${one.typed.named.method}` : ''
    const [head = '', detail = ''] = parts(one)
    const amountOf = ({ typed: { result } }: Placed) => value(result.is === 'amount' ? result.number : '')
    const [first, second] = [`${amountOf(one)} (${detail}${made})`, `${amountOf(other)} (${parts(other)[1]}${made})`]
    return pairOf([one, other], `The ${insideSentence(head)} of ${name} ${is} ${first} and ${second}.`)
  })
}
