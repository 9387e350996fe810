/** The productions that make conditions, things and amounts of the words of a question. */
import { multiplyDecimal } from '../../decimal.js'
import type { Bounds, Filter } from '../../figures/index.js'
import { unitOfMeasureNamed } from '../../numbers/index.js'
import type { UnitLevel } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import type { Bound } from './cues.js'
import {
  type Amount,
  closed,
  combined,
  denied,
  type Condition,
  featuresOf,
  framesOf,
  limited,
  limitedAmount,
  meanOf,
  nameOf,
  ofUnits,
  opposite,
  standingOn,
  testOf,
  type Things,
  withThings,
} from './fragments.js'
import type { ClassNamed, PlaceNamed } from './lexicon.js'
import { topicNamed } from './names.js'
import { type Production, type Reach, row } from './production.js'
import { chosenTopics, hasYear, isAdded, layerOf, type Topic } from './topic.js'

const bounded = (bound: Bound, number: string): Bounds => ({ [bound]: number })
const HIGH: readonly Bound[] = ['above', 'atLeast']
const METRES_MAX = 1_000_000

/** A distance is measured in whole metres. */
function reachOf(bound: Bound, number: string, factor: string): Reach | undefined {
  const metres = Number(multiplyDecimal(number, factor))
  return (
    (bound !== 'equals' && metres > 0 && metres < METRES_MAX && { metres, isBeyond: HIGH.includes(bound) }) || undefined
  )
}

const classFilter = ({ topic, value }: ClassNamed): Filter => ({
  of: layerOf(topic) ?? '',
  name: nameOf(topic),
  is: [value],
})
const ofClass = (named: ClassNamed): Condition => ({ frames: classFilter(named) })
const ofKind = ({ topic, value }: ClassNamed): Condition => {
  const filter: Filter = { name: nameOf(topic), is: [value] }
  const layer = layerOf(topic) ?? ''
  return { features: { layer, filter } }
}
const ofFlag = (topic: Topic): Condition => ofKind({ topic, value: 'true' })
const inPlaces = (places: readonly PlaceNamed[]): Condition | undefined => {
  const own = combined(
    'any',
    places.map(({ level, names }) => ({ frames: { units: level, named: names }, isPlace: true })),
  )
  return own && { ...own, isPlace: true }
}

/** Frames lie so far from features by what is kept of them, and features from others by their own points. */
function farFrom(things: Things, { metres, isBeyond }: Reach): Condition | undefined {
  const layer = layerOf(things.topic)
  if (things.of !== 'features' || layer === undefined || things.among.length > 0) return undefined
  const [first, ...more] = things.where
  const near: Filter = { near: layer, metres, ...(first && { where: more.length > 0 ? { all: things.where } : first }) }
  const within: Condition = { frames: near, features: { layer: undefined, filter: near } }
  return isBeyond ? opposite(within) : within
}

const isOfUnits = (things: Things): things is Things & { of: UnitLevel } =>
  things.of !== 'frames' && things.of !== 'features'
const amountOf = (topic: Topic): Amount => ({ is: 'attribute', topic, things: framesOf() })
const countOf = (things: Things): Amount => ({ is: 'count', ...(things.topic && { topic: things.topic }), things })
const propertyOf = (topic: Topic, things: Things): Amount | undefined =>
  things.of === 'features' && layerOf(things.topic) === layerOf(topic) ? { is: 'property', topic, things } : undefined
/** The things whose property it is need no name: "beds", "pupils". */
const ownProperty = ({ topics }: Catalogue, topic: Topic): Amount | undefined => {
  const owner = topics.find((each) => each.type === 'features' && layerOf(each) === layerOf(topic))
  return owner && propertyOf(topic, featuresOf(owner))
}

/** A test of an amount is one of each frame, of each feature, and of the figure of each unit. */
function tested(amount: Amount | undefined, bounds: Bounds | undefined): Condition | undefined {
  if (!amount || !bounds) return undefined
  const figure = closed(amount)
  const units = figure && { units: ofUnits({ of: figure }, bounds) }
  const own = testOf(amount, bounds)
  return own || units ? { ...own, ...units } : undefined
}

/** A number in another unit of measure than that of the amount is changed into it. */
function inUnitOf(
  amount: Amount,
  { bounds, unit }: { bounds: Bounds; unit: { factor: string; dimension: string } },
): Bounds | undefined {
  const own = unitOfMeasureNamed(amount.topic?.unit)
  if (!own || own.dimension !== unit.dimension) return undefined
  const scale = (number: string | number) => {
    const exact = Number(number) * (Number(unit.factor) / Number(own.factor))
    return String(Number(exact.toPrecision(12)))
  }
  return Object.fromEntries(Object.entries(bounds).map(([bound, number]) => [bound, scale(number as string)])) as Bounds
}

/** Productions of conditions, things and amounts. */
export const productionsFor = (catalogue: Catalogue): Production[] => [
  ...ofNumbers,
  ...ofPlaces,
  ...ofClasses(catalogue),
  ...ofThings,
  ...ofTests(catalogue),
  ...ofAmounts(catalogue),
]

// prettier-ignore
const ofNumbers = [
  row('range < bound number', 'How many frames have more than 5,000 people?', ([bound, number]) => bounded(bound, number)),
  row('range < number boundBehind', 'How many wards have 3 or more clinics?', ([number, bound]) => bounded(bound, number)),
  row('range < number to number', 'How many frames have 100 to 200 people?', ([low, _to, high]) => ({ atLeast: low, atMost: high })),
  row('measured-range < bound number measure', 'How many people live in wards where the average elevation is over 300 m?', ([bound, number, unit]) => ({ bounds: bounded(bound, number), unit })),
  row('measured-range < bound quantity', 'How many people live in wards where the average elevation is over 300m?', ([bound, { number, unit }]) => ({ bounds: bounded(bound, number), unit })),
  row('reach < bound number measure', 'How many clinics are within 2 km of a school?', ([bound, number, unit]) => unit.dimension === 'length' && reachOf(bound, number, unit.factor)),
  row('reach < bound quantity', 'How many clinics are within 2km of a school?', ([bound, { number, unit }]) => unit.dimension === 'length' && reachOf(bound, number, unit.factor)),
]

const atLevel = (place: PlaceNamed, level: UnitLevel) => place.level === level && place
// prettier-ignore
const ofPlaces = [
  row('level < state', 'How many states are there?', () => 'state'),
  row('level < lga', 'How many LGAs are there?', () => 'lga'),
  row('level < ward', 'How many wards are there?', () => 'ward'),
  row('place < place level', 'How many people live in Lagoon LGA?', ([place, level]) => atLevel(place, level), 0),
  row('place < level of place', 'How many people live in the LGA of Lagoon?', ([level, _of, place]) => atLevel(place, level), 0),
  row('place < level place', 'How many people live in the ward Isale?', ([level, place]) => atLevel(place, level), 0),
  row('place < level called place', 'How many people live in the ward called Isale?', ([level, _called, place]) => atLevel(place, level), 0),
  row('places < place', 'How many people live outside Marembe?', ([place]) => [place]),
  row('places < places or place', 'How many people live outside Lakeside or Lagoon?', ([places, _or, place]) => [...places, place]),
  row('places < places and place', 'How many people live outside Marembe and N\'Dara?', ([places, _and, place]) => [...places, place]),
  row('places < places comma place', 'How many people live outside Marembe, Lagoon and Isale?', ([places, _comma, place]) => [...places, place]),
  row('condition < in place', 'How many secondary schools are in Marembe?', ([_in, place]) => inPlaces([place])),
  row('condition < of place', 'How many secondary schools of Marembe have boarding?', ([_of, place]) => inPlaces([place])),
  row('condition < in places or place', 'How many secondary schools are in Lakeside or Lagoon?', ([_in, places, _or, place]) => inPlaces([...places, place])),
  row('condition < not places', 'How many secondary schools are outside Marembe and N\'Dara?', ([_not, places]) => negatedPlaces(places)),
  row('condition < except places', 'How many secondary schools are there except in Marembe?', ([_except, places]) => negatedPlaces(places)),
  row('condition < in level except places', 'How many secondary schools are in all states except Marembe?', ([_in, _level, _except, places]) => negatedPlaces(places)),
  row('condition < neither place nor place', 'How many secondary schools are in neither Marembe nor N\'Dara?', ([_neither, place, _nor, other]) => negatedPlaces([place, other])),
]
const negatedPlaces = (places: readonly PlaceNamed[]) => {
  const own = inPlaces(places)
  return own && denied(own)
}

const eitherOf = (conditions: readonly Condition[]) => combined('any', conditions)
// prettier-ignore
const ofClasses = (catalogue: Catalogue) => [
  row('classes < class', 'How many acres of forest are there?', ([one]) => ofClass(one)),
  row('classes < feature-class', 'How many secondary schools have boarding?', ([one]) => ofKind(one)),
  row('classes < flag', 'How many beds are in clinics open at night?', ([one]) => ofFlag(one)),
  row('classes < classes or classes', 'What share of the land is forest or woodland?', ([one, _or, other]) => eitherOf([one, other])),
  row('classes < either classes or classes', 'How many acres are either forest or woodland?', ([_either, one, _or, other]) => eitherOf([one, other])),
  row('classes < classes comma classes', 'How many acres are forest, woodland or mangrove?', ([one, _comma, other]) => eitherOf([one, other])),
  row('classes < classes and classes', 'How many acres of forest and woodland are there?', ([one, _and, other]) => isOneSubject(one, other) && eitherOf([one, other])),
  row('classes < classes category', 'How many acres of clay soil are there?', ([classes, category]) => isOfTopic(classes, category) && classes, 0),
  row('classes < category classes', 'How many acres have the land cover forest?', ([category, classes]) => isOfTopic(classes, category) && classes, 0),
  row('classes < classes kind', 'How many kilometres of road with a paved surface are there?', ([classes, kind]) => isOfTopic(classes, kind) && classes, 0),
  row('condition < classes', 'How many schools are secondary?', ([classes]) => classes),
  row('condition < in classes', 'How many boarding schools are in forest?', ([_in, classes]) => classes),
  row('condition < with classes', 'How many secondary schools have boarding?', ([_with, classes]) => classes),
  row('condition < not classes', 'How many schools are not secondary?', ([_not, classes]) => denied(classes)),
  row('condition < without classes', 'How many secondary schools have no boarding?', ([_without, classes]) => opposite(classes)),
  row('condition < except classes', 'How many stalls are there except those selling tools?', ([_except, classes]) => denied(classes)),
  row('condition < neither classes nor classes', 'How many acres are neither forest nor woodland?', ([_neither, one, _nor, other]) => notAny([one, other])),
  row('condition < notRecorded category', 'How many frames do not record a land cover?', ([_not, topic]) => opposite(recorded(topic))),
  row('condition < recording category', 'How many acres record a land cover?', ([_recording, topic]) => recorded(topic)),
  row('condition < nobody', 'How many frames are uninhabited?', () => ofPeople(catalogue, { equals: '0' })),
  row('condition < with nobody', 'How many frames have nobody living in them?', () => ofPeople(catalogue, { equals: '0' }), 0),
  row('condition < inhabited', 'How many frames are inhabited?', () => ofPeople(catalogue, { above: '0' })),
]
const recorded = (topic: Topic): Condition => ({
  frames: { of: layerOf(topic) ?? '', name: nameOf(topic), recorded: true },
})
const notAny = (conditions: readonly Condition[]) => {
  const own = eitherOf(conditions)
  return own && denied(own)
}
function ofPeople(catalogue: Catalogue, bounds: Bounds): Condition | undefined {
  const topic = topicNamed(catalogue, 'people') ?? topicNamed(catalogue, 'population')
  return topic && tested(amountOf(topic), bounds)
}
/** "Forest and woodland" are either; "rural and forest" are both. */
const subjectsIn = (condition: Condition) =>
  [...JSON.stringify(condition).matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name)
const isOneSubject = (one: Condition, other: Condition) =>
  new Set([...subjectsIn(one), ...subjectsIn(other)]).size === 1
const isOfTopic = (classes: Condition, topic: Topic) => subjectsIn(classes).every((name) => name === nameOf(topic))

const selected = (things: Things, condition: Condition) => limited(things, condition)
// prettier-ignore
const ofThings = [
  row('things < features', 'How many schools are there?', ([one]) => featuresOf(one)),
  row('things < frames', 'How many frames are there?', () => framesOf()),
  row('things < level', 'How many wards are there?', ([of]) => ({ of, where: [], among: [] })),
  row('things < things in here', 'What share of the wards in the country have a clinic?', ([one]) => one),
  row('things < things of here', 'What share of the wards of the country have a clinic?', ([one]) => one),
  row('amount < amount in here', 'How many people in the country live in wards with a clinic?', ([one]) => one),
  row('amount < amount of here', 'How many people of the country live in wards with a clinic?', ([one]) => one),
  row('things < classes things', 'How many secondary schools are there?', ([classes, things]) => selected(things, classes)),
  row('things < features frames', 'How many people live in the reserve frames?', ([topic]) => framesWith(topic)),
  row('things < proper features', 'What is the length of the Lagoon Road?', ([name, topic]) => namedLike(topic, name), 0),
  row('things < features called name', 'How many schools are called Lakeview?', ([topic, _called, name]) => namedLike(topic, name), 0),
  row('things < place things', 'How many Marembe secondary schools are there?', ([place, things]) => limitedBy(things, inPlaces([place])), 2),
  row('things < things condition', 'What share of schools with boarding are secondary?', ([one, other]) => selected(one, other)),
  row('condition < in things', 'How many people live in wards with a clinic?', ([_in, things]) => standingOn(things)),
  row('condition < of things', 'What is the population of the wards with a clinic?', ([_of, things]) => isOfUnits(things) || things.of === 'frames' ? standingOn(things) : undefined),
  row('condition < not in things', 'How many people do not live in wards with a clinic?', ([_not, _in, things]) => deniedOf(standingOn(things))),
]
const framesWith = (topic: Topic) => {
  const { frames } = withThings(featuresOf(topic), SOME) ?? {}
  return frames && framesOf([frames])
}
const namedLike = (topic: Topic, name: string): Things => ({
  ...featuresOf(topic),
  where: [{ name: 'name', has: name }],
})
const limitedBy = (things: Things, condition: Condition | undefined) => condition && limited(things, condition)
const deniedOf = (condition: Condition | undefined) => condition && denied(condition)
const oppositeOf = (condition: Condition | undefined) => condition && opposite(condition)

const SOME: Bounds = { above: '0' }
const NONE: Bounds = { equals: '0' }
// prettier-ignore
const ofTests = (catalogue: Catalogue) => [
  row('condition < with things', 'How many wards have a clinic open at night?', ([_with, things]) => withThings(things, SOME)),
  row('condition < without things', 'How many wards have no clinic open at night?', ([_without, things]) => withThings(things, NONE)),
  row('condition < without things or things', 'How many wards have no school or clinic?', ([_without, one, _or, other]) => bothOf(withThings(one, NONE), withThings(other, NONE))),
  row('condition < with neither things nor things', 'How many wards have neither a school nor a clinic?', ([_with, _neither, one, _nor, other]) => bothOf(withThings(one, NONE), withThings(other, NONE)), 0),
  row('condition < with range things', 'How many wards have at least 3 secondary schools?', ([_with, range, things]) => withThings(things, range)),
  row('condition < with range amount', 'How many frames have at least five thousand people?', ([_with, range, amount]) => tested(amount, range)),
  row('condition < of range amount', 'How many people live in wards of over 30,000 people?', ([_of, range, amount]) => tested(amount, range)),
  row('condition < with amount range', 'How many wards have a population over 30,000?', ([_with, amount, range]) => tested(amount, range)),
  row('condition < with amount of range', 'How many wards have a population of over 30,000?', ([_with, amount, _of, range]) => tested(amount, range)),
  row('condition < with amount measured-range', 'How many people live in wards where the average elevation is over 300 m?', ([_with, amount, range]) => tested(amount, inUnitOf(amount, range))),
  row('condition < with amount of measured-range', 'How many people live in wards with an elevation of over 300 m?', ([_with, amount, _of, range]) => tested(amount, inUnitOf(amount, range))),
  row('condition < condition and range amount', 'Which wards have no clinic and more than 10,000 people?', ([one, _and, range, amount]) => bothOf(one, tested(amount, range))),
  row('condition < condition and amount range', 'Which wards have no clinic and a population over 10,000?', ([one, _and, amount, range]) => bothOf(one, tested(amount, range))),
  row('condition < condition and amount of range', 'Which wards have no clinic and a population of over 10,000?', ([one, _and, amount, _of, range]) => bothOf(one, tested(amount, range))),
  row('condition < condition and amount of measured-range', 'Which wards have over 10,000 people and a mean slope of over 1 degree?', ([one, _and, amount, _of, range]) => bothOf(one, tested(amount, inUnitOf(amount, range)))),
  row('condition < condition and amount measured-range', 'Which wards have over 10,000 people and a mean slope over 1 degree?', ([one, _and, amount, range]) => bothOf(one, tested(amount, inUnitOf(amount, range)))),
  row('condition < with property', 'How many secondary schools have pupils?', ([_with, topic]) => tested(ownProperty(catalogue, topic), SOME)),
  row('condition < with most common category classes', 'How many people live in wards whose most common land cover is wetland?', ([_with, _most, _common, topic, classes]) => mostly(topic, classes)),
  row('condition < more-than than number measure', 'How many people live on frames steeper than 3 degrees?', ([{ name, side }, _than, number, unit]) => ofAdjective(catalogue, name, bounded(side, number), unit)),
  row('condition < in series more-than than number measure', 'How many people live on slopes steeper than 3 degrees?', ([_in, series, { name, side }, _than, number, unit]) => series.some((topic) => topic === topicNamed(catalogue, name)) && ofAdjective(catalogue, name, bounded(side, number), unit), 0),
  row('condition < with more amount than amount', 'How many frames have more buildings than people?', ([_with, _more, one, _than, other]) => moreAmount(one, other)),
  row('condition < with fewer amount than amount', 'How many frames have fewer buildings than people?', ([_with, _fewer, one, _than, other]) => moreAmount(other, one)),
  row('condition < more amount than amount', 'On how many frames are there more buildings than people?', ([_more, one, _than, other]) => moreAmount(one, other), 2),
  row('condition < with more things than things', 'How many wards have more clinics than schools?', ([_with, _more, one, _than, other]) => moreOf(one, other)),
  row('condition < with fewer things than things', 'How many wards have fewer clinics than schools?', ([_with, _fewer, one, _than, other]) => moreOf(other, one)),
  row('condition < reach away things', 'How many clinics are within 2 km of a school?', ([reach, _away, things]) => farFrom(things, reach)),
  row('condition < with things reach', 'What share of towns have a clinic within 2 km?', ([_with, things, reach]) => !reach.isBeyond && farFrom(things, reach)),
  row('condition < without things reach', 'What share of towns have no clinic within 2 km?', ([_without, things, reach]) => !reach.isBeyond && oppositeOf(farFrom(things, reach))),
  row('condition < condition and condition', 'How many secondary schools have boarding and are in Marembe?', ([one, _and, other]) => bothOf(one, other)),
  row('condition < condition or condition', 'How many frames are forest or have a slope over 5 degrees?', ([one, _or, other]) => eitherOf([one, other]), 2),
]
const bothOf = (one: Condition | undefined, other: Condition | undefined) =>
  one && other && (!one.isInUnits || other.isInUnits === true) && (!one.isDenied || other.isDenied === true)
    ? combined('all', [one, other])
    : undefined
// oxlint-disable-next-line max-params
function ofAdjective(catalogue: Catalogue, name: string, bounds: Bounds, unit?: Unit): Condition | undefined {
  const topic = topicNamed(catalogue, name)
  const amount = topic && amountOf(topic)
  return amount && tested(amount, unit ? inUnitOf(amount, { bounds, unit }) : bounds)
}
/** The most common class of a unit. */
function mostly(topic: Topic, classes: Condition): Condition | undefined {
  const figure = closed(amountOf(topic))
  const test = classes.frames
  if (!figure || !test || !('is' in test) || !('name' in test) || test.name !== nameOf(topic)) return undefined
  return { units: ofUnits({ of: figure }, { is: test.is }) }
}
/** A frame, or a unit, has more of one than of the other. */
function moreAmount(one: Amount, other: Amount): Condition | undefined {
  const [first, second] = [closed(one), closed(other)]
  const isPlain = [one, other].every(
    ({ is, things, how }) => is === 'attribute' && how === undefined && things.where.length === 0,
  )
  if (!first || !second || !isPlain || first.how !== 'sum' || second.how !== 'sum' || !one.topic || !other.topic)
    return undefined
  const [of, minus] = [one.topic, other.topic].map((topic) => ({ of: layerOf(topic) ?? '', name: nameOf(topic) }))
  return (
    of &&
    minus && { frames: { ...of, minus, ...SOME }, units: ofUnits({ of: first, op: 'difference', to: second }, SOME) }
  )
}
function moreOf(one: Things, other: Things): Condition | undefined {
  const [first, second] = [one, other].map((things) => withThings(things, SOME) && closed(countOf(things)))
  return first && second && { units: ofUnits({ of: first, op: 'difference', to: second }, SOME) }
}

const yearIn = (topics: readonly Topic[], year: string) => topics.filter((topic) => hasYear(topic, Number(year)))
// prettier-ignore
const ofAmounts = (catalogue: Catalogue) => [
  row('amount < series', 'What is the population of the ward Isale?', ([series]) => chosen(series, [])),
  row('amount < series in year', 'What was the population in 2025 in wards with a clinic?', ([series, _in, year]) => chosen(yearIn(series, year), [Number(year)]), 0),
  row('amount < property', 'How many beds are there per 10,000 people?', ([topic]) => ownProperty(catalogue, topic)),
  row('amount < property of things', 'What are the beds of clinics open at night?', ([topic, _of, things]) => propertyOf(topic, things)),
  row('amount < property per things', 'What is the average number of pupils per secondary school?', ([topic, _per, things]) => meanProperty(topic, things)),
  row('amount < property things with', 'How many beds do clinics open at night have?', ([topic, things]) => propertyOf(topic, things)),
  row('amount < things property', 'What are the secondary school pupils?', ([things, topic]) => propertyOf(topic, things)),
  row('amount < amount condition', 'How many people live in wards with a clinic?', ([one, other]) => limitedAmount(one, other)),
  row('amount < amount comma condition', 'How many people are there, except in Marembe?', ([amount, _comma, condition]) => limitedAmount(amount, condition), 2),
  row('amount < classes amount', 'What is the rural population of the wards with a clinic?', ([classes, amount]) => limitedAmount(amount, classes)),
  row('amount < place amount', 'What is the Marembe population in wards with a clinic?', ([place, amount]) => limitedAmountBy(amount, inPlaces([place])), 2),
  row('amount < land', 'What is the land area in wards with a clinic?', () => ({ is: 'land', things: framesOf() }), 2),
  row('amount < measure of classes', 'How many acres of mangrove are there?', ([unit, _of, classes]) => landOf(unit, classes)),
  row('amount < measure condition', 'How many acres are neither forest nor woodland?', ([unit, condition]) => landOf(unit, condition)),
  row('amount < extent of things', 'What is the length of the paved roads?', ([_extent, _of, things]) => lengthOf(things)),
  row('amount < measure of things', 'How many miles of paved road are there?', ([unit, _of, things]) => extentOf(things, unit)),
  row('amount < distinct category', 'How many kinds of land cover are there?', ([_distinct, topic]) => ({ ...amountOf(topic), how: 'distinct' as const })),
  row('amount < amount average', 'What is the elevation of the wards with a clinic on average?', ([amount]) => meanOf(amount)),
  row('amount < amount land', 'How high is the ground in wards with a clinic?', ([amount]) => amount.topic && !isAdded(amount.topic) && amount.is === 'attribute' && amount.things.where.length === 0 && amount),
  row('amount < average amount', 'Average pupils of secondary schools', ([_average, amount]) => meanOf(amount)),
  row('amount < average count amount', 'What is the average number of pupils of secondary schools?', ([_average, _count, amount]) => meanOf(amount)),
  row('amount < median amount', 'Median pupils of secondary schools', ([_median, amount]) => closed(amount, 'median')),
  row('amount < median count amount', 'What is the median number of pupils of secondary schools?', ([_median, _count, amount]) => closed(amount, 'median')),
  row('amount < total amount', 'What is the total population of the wards with a clinic?', ([_total, amount]) => closed(amount, 'sum')),
  row('amount < highest amount', 'What is the highest elevation of the wards with a clinic?', ([_highest, amount]) => closed(amount, 'max')),
  row('amount < lowest amount', 'What is the lowest elevation of the wards with a clinic?', ([_lowest, amount]) => closed(amount, 'min')),
  row('amount < amount weighted amount', 'What is the average distance to a clinic weighted by population?', ([one, , other]) => weightedBy(one, other)),
  row('amount < count amount with average things', 'How many pupils has the average secondary school?', ([_count, amount, _with, _average, things]) => meanOver(amount, things, 'mean'), 0),
  row('amount < count amount with median things', 'How many pupils has the median secondary school?', ([_count, amount, _with, _median, things]) => meanOver(amount, things, 'median'), 0),
  row('amount < average amount per level', 'What is the average population per ward?', ([_average, amount, _per, level]) => meanOver(amount, { of: level, where: [], among: [] }, 'mean'), 0),
  row('amount < average amount of level', 'What is the average population of a ward?', ([_average, amount, _of, level]) => meanOver(amount, { of: level, where: [], among: [] }, 'mean'), 0),
]
const chosen = (topics: readonly Topic[], years: readonly number[]): Amount | undefined => {
  const [topic, ...more] = chosenTopics(topics, years)
  return topic && more.length === 0 ? amountOf(topic) : undefined
}
const limitedAmountBy = (amount: Amount, condition: Condition | undefined) =>
  condition && limitedAmount(amount, condition)
const meanProperty = (topic: Topic, things: Things) => {
  const own = propertyOf(topic, things)
  return own && closed(own, 'mean')
}
type Unit = NonNullable<Amount['unit']>
const landOf = (unit: Unit, condition: Condition): Amount | undefined =>
  unit.dimension === 'area' && condition.frames ? { is: 'land', things: framesOf([condition.frames]), unit } : undefined
const EXTENTS: Partial<Record<Topic['kind'], Unit['dimension']>> = { lines: 'length', polygons: 'area' }
const extentOf = (things: Things, unit: Unit): Amount | undefined =>
  things.of === 'features' && things.topic && EXTENTS[things.topic.kind] === unit.dimension
    ? { is: 'extent', topic: things.topic, things, unit }
    : undefined
const KM: Unit = { name: 'km', dimension: 'length', factor: '1000' }
const lengthOf = (things: Things) => extentOf(things, KM)
function weightedBy(amount: Amount, weight: Amount): Amount | undefined {
  const isPlain = weight.is === 'attribute' && weight.how === undefined && weight.things.where.length === 0
  const isOpen =
    amount.is === 'attribute' && (amount.how === undefined || amount.how === 'mean' || amount.how === 'weighted_mean')
  return isPlain && isOpen && weight.topic && amount.topic?.type === 'number'
    ? { ...amount, how: 'weighted_mean', weight: weight.topic }
    : undefined
}
/** The mean goes over features that have the property, or over units that have a total. */
function meanOver(amount: Amount, things: Things, how: 'mean' | 'median'): Amount | undefined {
  if (amount.how !== undefined) return undefined
  if (things.of === 'features')
    return amount.is === 'property' && amount.topic && amount.things.where.length + amount.things.among.length === 0
      ? { is: 'property', topic: amount.topic, things, how }
      : undefined
  const own = closed(amount)
  return isOfUnits(things) && own?.how && /^(sum|count)$/.test(own.how)
    ? { is: 'unit figure', ...(amount.topic && { topic: amount.topic }), own: { of: own }, things, how }
    : undefined
}

export {
  amountOf,
  countOf,
  extentOf,
  farFrom,
  inPlaces,
  inUnitOf,
  isOfUnits,
  meanOver,
  moreAmount,
  moreOf,
  ofClass,
  ofKind,
  propertyOf,
  recorded,
  tested,
  weightedBy,
}
