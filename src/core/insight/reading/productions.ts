/** The productions that make numbers, places, classes and things of the words of a question. */
import type { Bounds } from '../../figures/index.js'
import type { UnitLevel } from '../../place.js'
import { BOTH } from './calculations.js'
import type { Catalogue } from './catalogue.js'
import {
  NONE,
  SOME,
  bounded,
  classFilter,
  deniedOf,
  eitherOf,
  inUnitOf,
  isOfTopic,
  isOneSubject,
  notAny,
  ofClass,
  ofClassInUnits,
  ofKind,
  ofPeople,
  recorded,
} from './conditions.js'
import {
  type Condition,
  type OfPlace,
  type Things,
  combined,
  denied,
  featuresOf,
  framesOf,
  isOfUnits,
  limited,
  nameOf,
  opposite,
  standingOn,
  withThings,
} from './fragments.js'
import type { ClassNamed, PlaceNamed } from './tokens.js'
import { type Places, type Production, type Range, row } from './production.js'
import { chosenTopics, type Topic, layerOf, yesAndNo } from './topic.js'

const between = (atLeast: string, atMost: string): Bounds => ({ atLeast, atMost })

const isPair = ([one, other]: readonly string[]) => Number(one) < Number(other)

/** "0-4, 4-8 km" share no frame. */
const apart = (all: readonly Bounds[]): Bounds[] =>
  all.map(({ atLeast, ...rest }) => {
    const isShared = atLeast !== undefined && all.some((each) => each.atMost === atLeast)
    return isShared ? { ...rest, above: atLeast } : { ...rest, ...(atLeast !== undefined && { atLeast }) }
  })

// prettier-ignore
export const OF_NUMBERS: Production[] = [
  row('range < bound number', 'How many frames have more than 5,000 people?', ([bound, number]) => bounded(bound, number)),
  row('range < number boundBehind', 'How many wards have 3 or more clinics?', ([number, bound]) => bounded(bound, number)),
  row('range < number to number', 'How many frames have 100 to 200 people?', ([low, _to, high]) => isPair([low, high]) && between(low, high)),
  row('range < between number and number', 'How many frames have between 100 and 200 people?', ([_between, low, _and, high]) => isPair([low, high]) && between(low, high)),
  row('range < number number', 'people by distance to a school in bands of 0–1, 1–2 and 2+ km', ([low, high]) => isPair([low, high]) && between(low, high), 3),
  row('openRanges < range comma range', 'people by distance to a school in bands of 0–1, 1–2 and 2+ km', ([one, _comma, other]) => [one, other]),
  row('openRanges < openRanges comma|and range', 'people by distance to a school in bands of 0–1, 1–2, 2–3 and 3+ km', ([all, _comma, one]) => [...all, one]),
  row('ranges < openRanges measure', 'people by distance to a school in bands of 0–1, 1–2 and 2+ km', ([all, unit]) => apart(all).map((bounds) => ({ bounds, unit }))),
  row('measured-range < range measure', 'How many people live in wards where the average elevation is over 300 m?', ([bounds, unit]) => ({ bounds, unit })),
  row('measured-range < bound half measure', 'how many people live within half an hour of a market', ([bound, _half, unit]) => ({ bounds: bounded(bound, '0.5'), unit })),
  row('measured-range < bound quantity', 'How many people live in wards where the average elevation is over 300m?', ([bound, { number, unit }]) => ({ bounds: bounded(bound, number), unit })),
  row('measured-range < number measure boundBehind', 'households 8 minutes or less from a market', ([number, unit, bound]) => ({ bounds: bounded(bound, number), unit })),
  row('measured-range < from measured-range', 'frames under 1 km, from 1 to 2 km and over 2 km from a school', ([_from, own]) => own),
  row('measured-range < bound number to? number measure', 'people within 1-2 km of a school', ([bound, low, _to, high, unit]) => bound === 'atMost' && isPair([low, high]) && { bounds: between(low, high), unit }, 0),
  row('measured-range < between number measure and number measure', 'people between 500 metres and 2 km from a school', ([_between, low, small, _and, high, unit]) => scaledPair(low, small, { number: high, unit })),
  row('measured-range < measured-range and measured-range', 'people over 1.5 km and within 2 km of a school', ([one, _and, other]) => joined(one, other)),
  row('measured-range < range and measured-range', 'people over 1 and within 2 km of a school', ([bounds, _and, other]) => joined({ bounds, unit: other.unit }, other)),
  row('ranges < measured-range comma measured-range', 'frames under 1 km, from 1 to 2 km and over 2 km from a school', ([one, _comma, other]) => [one, other]),
  row('ranges < ranges comma|and measured-range', 'frames under 1 km, from 1 to 2 km, 2 to 3 km and over 3 km from a school', ([all, _comma, one]) => [...all, one]),
  row('ranges < bands ranges', 'people by distance to a school in bands of 0–1, 1–2 and 2+ km', ([_bands, all]) => all, 0),
  row('ranges < bound numbers measure', 'people within 1, 2 and 3 km of a school', ([bound, all, unit]) => all.map((number) => ({ bounds: bounded(bound, number), unit }))),
  row('numbers < number and number', 'people within 1 and 2 km of a school', ([one, _and, other]) => [one, other]),
  row('numbers < number comma numbers', 'people within 1, 2 and 3 km of a school', ([one, _comma, all]) => [one, ...all]),
  row('years < bothYears', 'By how much did the population grow between the two years?', () => [BOTH], 0),
  row('years < from year', 'How has the population changed since 2025?', ([_from, from]) => [from], 0),
  row('years < from|between year to|and year', 'population growth from 2025 to 2026', ([_from, from, _to, to]) => [from, to], 0),
  row('years < year year', 'population growth 2025 2026', ([from, to]) => [from, to], 1),
  row('dated < in year', 'How many people lived in each state in 2025?', ([_in, year]) => year, 0),
  row('dated < lastYear', 'What was the population of Marembe last year?', ([year]) => year, 0),
  row('dated < dated comma|which', 'In 2025, which LGA had the most people?', ([year]) => year, 0),
  row('since < from year', 'How many reserves were founded since 1995?', ([_from, year]) => ({ atLeast: year }), 0),
  row('since < in year', 'How many nature reserves were founded in 1995?', ([_in, year]) => ({ equals: year }), 0),
  row('since < after|before year', 'How many reserves were founded after 1995?', ([bound, year]) => bounded(bound, year), 0),
  row('since < between year and year', 'How many reserves were founded between 1980 and 2000?', ([_between, from, _and, to]) => isPair([from, to]) && between(from, to), 0),
  row('years < lastYear', 'By how many people did Isale grow last year?', ([from]) => [from], 0),
  row('part < bound percentage', 'which LGAs have at least 40% of their people within 1 km of a school', ([bound, number]) => bounded(bound, number)),
  row('part < bound number percent', 'how many LGAs have at least 40 percent of the people within 1 km of a school', ([bound, number]) => bounded(bound, number)),
  row('part < bound half', 'which wards have less than half of their people within 1 km of a school', ([bound]) => bounded(bound, '50')),
]

type Unit = Range['unit']

function scaledPair(low: string, small: Unit, { number, unit }: { number: string; unit: Unit }): Range | undefined {
  if (small.dimension !== unit.dimension) return undefined
  const from = String(Number((Number(low) * (Number(small.factor) / Number(unit.factor))).toPrecision(12)))
  return isPair([from, number]) ? { bounds: between(from, number), unit } : undefined
}

/** "Over 2 km and under 5 km" is one range. */
function joined(one: Range, other: Range): Range | undefined {
  const bounds = { ...one.bounds, ...other.bounds }
  const [low, high] = [bounds.above ?? bounds.atLeast, bounds.below ?? bounds.atMost]
  const isOne = Object.keys(bounds).length === 2 && one.unit.name === other.unit.name
  return isOne && low !== undefined && high !== undefined && Number(low) < Number(high)
    ? { bounds, unit: one.unit }
    : undefined
}

/** A place at one of its levels, or a zone, as a filter of frames. */
function filterOfPlace({ levels, text, unit, categories, otherwise, isListed }: PlaceNamed): OfPlace | undefined {
  const [own] = levels
  const [zone] = categories
  const said = {
    text,
    categories,
    ...(unit && { unit }),
    ...(otherwise && { otherwise }),
    ...(isListed && { isListed }),
  }
  if (own) return { units: own.level, named: own.names, said }
  return zone?.subject.kind === 'attribute'
    ? { of: zone.subject.layerId, name: zone.subject.attribute, is: [zone.value], said }
    : undefined
}

export const inPlaces = (places: readonly PlaceNamed[]): Condition | undefined => {
  const filters = places.flatMap((place) => filterOfPlace(place) ?? [])
  const own = combined(
    'any',
    filters.map((frames) => ({ frames, isPlace: true })),
  )
  return own && filters.length === places.length ? { ...own, isPlace: true } : undefined
}

/** Each of several places. */
const eachOf = ({ places, isEither }: Places): Condition[] | undefined =>
  places.length > 1 && !isEither
    ? places.flatMap((place) => inPlaces([{ ...place, isListed: true as const }]) ?? [])
    : undefined

const LEVEL_WORDS = { state: 'state', lga: 'LGA', ward: 'ward' } as const

export function atLevel(place: PlaceNamed, level: UnitLevel): PlaceNamed | undefined {
  const levels = place.levels.filter((each) => each.level === level)
  const { otherwise: _class, ...own } = place
  return levels.length > 0 && place.unit === undefined ? { ...own, levels, unit: LEVEL_WORDS[level] } : undefined
}

const placesAt = ({ places, isEither }: Places, level: UnitLevel): Places | undefined => {
  const own = places.flatMap((place) => atLevel(place, level) ?? [])
  return places.length > 1 && own.length === places.length ? { places: own, isEither } : undefined
}

const excluded = ({ places }: Places) => {
  const own = inPlaces(places)
  return own && opposite(own)
}

const deniedPlaces = (places: readonly PlaceNamed[]) => {
  const own = inPlaces(places)
  return own && denied(own)
}

// prettier-ignore
export const OF_PLACES: Production[] = [
  row('level < state|lga|ward', 'How many states are there?', ([level]) => level),
  row('place < place level', 'How many people live in Lagoon LGA?', ([place, level]) => atLevel(place, level), 0),
  row('place < level of|called? place', 'How many people live in the LGA of Lagoon?', ([level, _of, place]) => atLevel(place, level), 0),
  row('places < place', 'How many people live outside Marembe?', ([place]) => ({ places: [place], isEither: false }), 0),
  row('places < places and|or place', 'How many people live outside Lakeside or Lagoon?', ([{ places, isEither }, joint, place]) => (joint === 'or' || !isEither) && { places: [...places, place], isEither: joint === 'or' }),
  row('places < places comma place', 'How many people live outside Marembe, Lagoon and Isale?', ([{ places, isEither }, _comma, place]) => ({ places: [...places, place], isEither })),
  row('places < level of? places', 'What about the wards Ibis and Palace, how many people?', ([level, _of, places]) => placesAt(places, level), 0),
  row('condition < in|of|belong place', 'How many secondary schools are in Marembe?', ([_in, place]) => inPlaces([place]), 0),
  row('condition < in|of places', 'How many secondary schools are in Lakeside or Lagoon?', ([_in, { places, isEither }]) => isEither && inPlaces(places)),
  row('conditions < in|of places', 'How many people live in Lakeside and Lagoon?', ([_in, places]) => eachOf(places)),
  row('condition < not|without places', 'not Marembe or N\'Dara: how many people', ([_not, { places }]) => deniedPlaces(places)),
  row('condition < outside|except places', 'How many secondary schools are outside Marembe and N\'Dara?', ([_outside, places]) => excluded(places)),
  row('condition < in|of level except places', 'How many secondary schools are in all states except Marembe?', ([_in, _level, _except, places]) => excluded(places)),
  row('condition < neither place nor place', 'How many secondary schools are in neither Marembe nor N\'Dara?', ([_neither, place, _nor, other]) => deniedPlaces([place, other])),
  row('lead < condition', 'In urban frames, how many people live within 2 km of a school?', ([condition]) => [condition], 0),
  row('lead < place', 'give me everything about Isale', ([place]) => oneOf(inPlaces([place])), 1),
  row('lead < profile', 'Give me an overview of the area', () => []),
  row('lead < profile|about lead', 'Profile of Lakeside', ([_profile, lead]) => lead),
  row('lead < places', 'Ibis and Palace: how many people?', ([places]) => eachOf(places), 2),
  row('lead < conditions', 'In Ibis and Palace, how many people?', ([all]) => all, 0),
]

/** The newest of a series. */
const unrecordedOf = (series: readonly Topic[]) => {
  const [topic, ...more] = chosenTopics(series, [])
  return topic && more.length === 0 ? opposite(recorded(topic)) : undefined
}

/** Pupils of a school, but no people near a clinic. */
const attended = (things: Things): Condition | undefined => {
  const { features } = standingOn(things) ?? {}
  return features && { features }
}

const oneOf = (condition: Condition | undefined) => condition && [condition]

const ofFlag = (topic: Topic) => {
  const [value] = yesAndNo(topic) ?? []
  return value === undefined ? undefined : ofKind({ topic, value })
}

// prettier-ignore
export const OF_CLASSES: Production[] = [
  row('classes < class', 'how much of the land area is cropland, in square kilometres?', ([one]) => ofClass(one)),
  row('classes < feature-class', 'How many secondary schools have boarding?', ([one]) => ofKind(one)),
  row('classes < flag', 'How many beds are in clinics open at night?', ([one]) => ofFlag(one)),
  row('classes < classes or|and classes', 'How many frames have clay or loam soil?', ([one, _or, other]) => isOneSubject(one, other) && eitherOf([one, other])),
  row('classes < classes or classes', 'What fraction of the country is forest or urban?', ([one, _or, other]) => eitherOf([one, other]), 4),
  row('classes < either classes or classes', 'How many acres are either forest or woodland?', ([_either, one, _or, other]) => eitherOf([one, other])),
  row('classes < classes comma classes', 'How many acres are forest, woodland or mangrove?', ([one, _comma, other]) => eitherOf([one, other])),
  row('classes < classes category|kind', 'How many acres of clay soil are there?', ([classes, topic]) => isOfTopic(classes, topic) && classes, 0),
  row('classes < category classes', 'How many acres have the land cover forest?', ([category, classes]) => isOfTopic(classes, category) && classes, 0),
  row('category < sort category', 'Which type of land cover is the rarest?', ([_sort, topic]) => topic, 0),
  row('kind < sort kind', 'Which kind of goods is sold by the fewest stalls?', ([_sort, topic]) => topic, 0),
  row('condition < classes', 'How many schools are secondary?', ([classes]) => classes),
  row('condition < in classes', 'How many people live on clay soils?', ([_in, classes]) => classes),
  row('condition < belong classes', 'Which part of the stalls belongs to cloth?', ([_belong, { features }]) => features && { features }),
  row('condition < with classes', 'share of wards with forest', ([_with, classes]) => ofClassInUnits(classes, SOME)),
  row('condition < with classes frames', 'wards with forest frames', ([_with, classes]) => classes.frames && ofClassInUnits(classes, SOME), 0),
  row('condition < outside classes', 'people outside forest and woodland', ([_outside, classes]) => opposite(classes)),
  row('condition < without classes', 'How many secondary schools have no boarding?', ([_without, classes]) => ({ ...opposite(classes), units: ofClassInUnits(classes, NONE).units })),
  row('condition < neither classes nor classes', 'How many acres are neither forest nor woodland?', ([_neither, one, _nor, other]) => notAny([one, other])),
  row('condition < notRecorded category|series', 'number of frames with null topsoil', ([_not, topics]) => unrecordedOf([topics].flat()), 0),
  row('condition < recording category', 'How many acres record a land cover?', ([_recording, topic]) => recorded(topic)),
  row('condition < with? nobody', 'How many frames are uninhabited?', (_parts, catalogue) => ofPeople(catalogue, NONE), 0),
  row('condition < with? inhabited', 'How many frames are inhabited?', (_parts, catalogue) => ofPeople(catalogue, SOME), 0),
  row('condition < without category|series record', 'How many frames lack a population estimate?', ([_without, topics]) => unrecordedOf([topics].flat()), 0),
  row('condition < with? category|series unrecorded', 'In how many frames is the slope unknown?', ([_with, topics]) => unrecordedOf([topics].flat()), 0),
  row('classes < under classes', 'How much land is under forest?', ([_under, classes]) => classes, 0),
  row('condition < in land condition', 'How many people live on land with clay soil?', ([_in, _land, condition]) => condition, 1),
  row('classes < classes land', 'How many schools lie on forest land?', ([classes]) => classes, 0),
  row('condition < attend things', 'What share of the pupils attend secondary schools?', ([_attend, things]) => attended(things), 0),
]

// prettier-ignore
export const OF_THINGS: Production[] = [
  row('things < features', 'How many schools are there?', ([one]) => featuresOf(one)),
  row('things < frames', 'How many frames are there?', () => framesOf()),
  row('things < level', 'How many wards are there?', ([of]) => ({ of, where: [], among: [] })),
  row('things < feature-class', 'How much cloth is there?', ([one], catalogue) => featuresOfClass(catalogue, one), 3),
  row('things < class', 'What share of towns have a clinic within 2 km?', ([one]) => framesOf([classFilter(one)]), 3),
  row('things < classes things', 'average pupils per boarding school', ([classes, things]) => limited(things, classes)),
  row('things < inhabited things', 'What share of inhabited frames have a school?', ([_inhabited, things], catalogue) => things.of === 'frames' && limitedBy(things, ofPeople(catalogue, SOME)), 0),
  row('things < nobody things', 'How many empty frames have a school?', ([_nobody, things], catalogue) => things.of === 'frames' && limitedBy(things, ofPeople(catalogue, NONE)), 0),
  row('things < things notThat classes with classes|things', 'How many frames that are not forest have a clay topsoil?', ([things, _not, classes, _with, other]) => limitedTwice(things, opposite(classes), 'of' in other ? withThings(other, SOME) : other), 0),
  row('things < features frames', 'How many people live in the reserve frames?', ([topic]) => framesWith(topic)),
  row('things < proper features', 'What is the length of the Lagoon Road?', ([name, topic]) => namedLike(topic, name), 0),
  row('things < features called name', 'How many schools are called Lakeview?', ([topic, _called, name]) => namedLike(topic, name), 0),
  row('things < place things', 'Meridian Bay wards by population', ([place, things]) => limitedBy(things, inPlaces([place])), 2),
  row('things < things with? measured-range', 'Which reserves have over 100 km²?', ([things, own, range], catalogue) => (own !== undefined || range.bounds.atMost === undefined) && limitedBy(things, ofSize(catalogue, things, range)), 0),
  row('things < things condition', 'Which wards have no clinic and more than 10,000 people?', ([one, other]) => limited(one, other)),
  row('condition < in things', 'How many people live in wards with a clinic?', ([_in, things]) => standingOn(things)),
  row('condition < of things', 'What is the population of the wards with a clinic?', ([_of, things]) => isOfUnits(things) || things.of === 'frames' ? standingOn(things) : undefined),
  row('condition < except things', 'people excluding frames with a school or a clinic', ([_except, things]) => things.of === 'frames' && deniedOf(standingOn(things))),
]

function featuresOfClass({ topics }: Catalogue, named: ClassNamed): Things | undefined {
  const owner = topics.find((each) => each.type === 'features' && layerOf(each) === layerOf(named.topic))
  return owner && limited(featuresOf(owner), ofKind(named))
}

const framesWith = (topic: Topic) => {
  const { frames } = withThings(featuresOf(topic), SOME) ?? {}
  return frames && framesOf([frames])
}

const namedLike = (topic: Topic, name: string): Things => ({
  ...featuresOf(topic),
  where: [{ name: 'name', has: name }],
})

const limitedTwice = (things: Things, one: Condition, other: Condition | undefined) => {
  const own = limited(things, one)
  return own && other && limited(own, other)
}
/** "Stores with over 500 t": what is recorded of them in tonnes. Lines have a length, and polygons an area. */
function ofSize({ topics }: Catalogue, { topic, ...things }: Things, range: Range): Condition | undefined {
  const layer = layerOf(topic)
  if (things.of !== 'features' || !topic || layer === undefined) return undefined
  const [own, ...more] = topics.flatMap((each) => (each.subject.kind === 'property' && layerOf(each) === layer ? (inUnitOf(each.unit, range) ? [each] : []) : [])) // prettier-ignore
  const bounds = inUnitOf(own?.unit ?? EXTENT_UNITS[topic.kind], range)
  return bounds && more.length === 0
    ? { features: { layer, filter: { ...(own ? { name: nameOf(own) } : { extent: true }), ...bounds } } }
    : undefined
}
const EXTENT_UNITS: Partial<Record<Topic['kind'], string>> = { lines: 'km', polygons: 'km²' }
const limitedBy = (things: Things, condition: Condition | undefined) => condition && limited(things, condition)
