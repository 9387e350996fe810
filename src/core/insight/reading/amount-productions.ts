/** The productions that make amounts: what is counted, measured or summed, of which things, by which statistic. */
import { type UnitOfMeasure, unitOfMeasureNamed } from '../../numbers/index.js'
import type { UnitLevel } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import { ofAdjective } from './calculations.js'
import {
  type Amount,
  amountOf,
  closed,
  type Condition,
  countOf,
  framesOf,
  isCountable,
  isOfUnits,
  limitedAmount,
  meanOf,
  nameOf,
  onFrames,
  ownProperty,
  propertyOf,
  type Things,
} from './fragments.js'
import type { PlaceNamed } from './tokens.js'
import { wayTo } from './names.js'
import { type Production, row } from './production.js'
import { inPlaces } from './productions.js'
import { chosenTopics, hasYear, isAdded, seriesOf, type Topic } from './topic.js'

const yearIn = (topics: readonly Topic[], year: string) => topics.filter((topic) => hasYear(topic, Number(year)))
const inYear = (topics: readonly Topic[], year: string) => chosen(yearIn(topics, year), [Number(year)])

// prettier-ignore
export const OF_AMOUNTS: Production[] = [
  row('amount < series', 'What is the population of the ward Isale?', ([series]) => chosen(series, [])),
  row('amount < category', 'what\'s growing there', ([topic]) => amountOf(topic)),
  row('amount < amount dated', 'What was the population in 2025 in wards with a clinic?', ([amount, year], catalogue) => ofYear(catalogue, amount, year), 0),
  row('amount < series year', 'total population 2025', ([series, year]) => inYear(series, year), 0),
  row('amount < year series', 'What is the 2025 population?', ([year, series]) => inYear(series, year), 0),
  row('amount < property', 'How many beds are there per 10,000 people?', ([topic], catalogue) => ownProperty(catalogue, topic)),
  row('amount < amount per things', 'What is the average number of pupils per secondary school?', ([amount, _per, things]) => amount.is === 'property' && amount.topic && isBare(amount) && closedAs(propertyOf(amount.topic, things), 'mean')),
  row('amount < kind of things', 'What is the surface of the roads?', ([topic, _of, things]) => propertyOf(topic, things)),
  row('amount < things', 'which frame has the most schools', ([things]) => countOf(things), 2),
  row('amount < property in|of|attend? things', 'What is the median number of pupils in a school?', ([topic, _in, things]) => propertyOf(topic, things)),
  row('amount < things property', 'What are the secondary school pupils?', ([things, topic]) => propertyOf(topic, things)),
  row('amount < common level', 'most common ward', ([_common, level], { topics }) => ofUnit(topics, level)),
  row('property < count property', 'largest school by number of pupils', ([_count, topic]) => topic),
  row('amount < how place away things', 'how far is Marembe from a clinic', ([_how, place, away, { topic, where, among }], catalogue) => away === 'from' && topic && where.length + among.length === 0 && limitedBy(ofWay(catalogue, topic), inPlaces([place]))),
  row('amount < category or classes', 'Is this a city or a village?', ([topic, _or, classes]) => isOfTopic(classes, topic) && amountOf(topic)),
  row('amount < adjective or adjective', 'Is it hilly or flat?', ([one, _or, other], catalogue) => one.name === other.name && ofAdjective(catalogue, one)),
  row('amount < amount count', 'wetland frames count', ([amount]) => isCountable(amount) && amount),
  row('amount < count amount', 'What is the number of people in wards with a clinic?', ([_count, amount]) => isCountable(amount) && amount),
  row('amount < amount condition', 'How many people live in wards with a clinic?', ([one, other]) => limitedAmount(one, other)),
  row('amount < classes amount', 'what share of the rural population lives without a school', ([classes, amount]) => named(limitedAmount(amount, classes))),
  row('amount < place amount', 'What is the Marembe population in wards with a clinic?', ([place, amount]) => limitedBy(amount, inPlaces([place])), 1),
  row('amount < land', 'How much land is there, in km²?', () => ({ is: 'land', things: framesOf() }), 3),
  row('amount < size', 'what is the size of the area', () => ({ is: 'land', things: framesOf() }), 1),
  row('amount < size in things', 'What area lies in nature reserves?', ([_size, _in, things]) => things.topic?.kind === 'polygons' && extentOf(things), 0),
  row('amount < size of place? classes', 'What is the area of forest?', ([_size, _of, place, classes]) => landIn(classes, place)),
  row('amount < measure of land', 'How many acres of land are there?', ([unit]) => unit.dimension === 'area' && { is: 'land', things: framesOf(), unit }, 0),
  row('amount < count measure', 'How many hectares are there?', ([_count, unit]) => unit.dimension === 'area' && { is: 'land', things: framesOf(), unit }, 2),
  row('amount < measure of classes', 'How many acres of forest and woodland are there?', ([unit, _of, classes]) => landOf(unit, classes)),
  row('amount < extent things', 'What is the length of the paved roads?', ([_extent, things]) => extentOf(things)),
  row('amount < count? measure of amount', 'How many feet of elevation are there on average?', ([_count, unit, _of, amount]) => toldIn(amount, unit)),
  row('amount < measure of things', 'How many miles of paved road are there?', ([unit, _of, things]) => extentOf(things, unit)),
  row('amount < distinct category', 'How many kinds of land cover are there?', ([_distinct, topic]) => ({ ...amountOf(topic), how: 'distinct' as const })),
  row('amount < category common', 'Which land cover is the most common?', ([topic]) => amountOf(topic)),
  row('amount < common which? category', 'What is the most common land cover in rural frames?', ([_common, _which, topic]) => amountOf(topic)),
  row('amount < category common? in|covering most frames', 'Which land cover is found in the most frames?', ([topic]) => amountOf(topic), 0),
  row('amount < highest category', 'biggest tribe', ([_highest, topic]) => amountOf(topic), 3),
  row('amount < amount average', 'What is the elevation of the wards with a clinic on average?', ([amount]) => averageOf(amount)),
  row('amount < average amount', 'Average pupils of secondary schools', ([_average, amount]) => averageOf(amount)),
  row('amount < amount of? land', 'how high above sea level is the land', ([amount]) => amount.topic && !isAdded(amount.topic) && amount.is === 'attribute' && amount.things.where.length === 0 && amount),
  row('amount < average amount in things', 'average buildings on the frames that have any', ([_average, amount, _in, things]) => things.of === 'frames' && meanOnFrames(onThings(amount, things)), 3),
  row('amount < amount each frames', 'How many people live in each frame?', ([amount]) => meanOnFrames(onFrames(amount)), 1),
  row('amount < ordinal percentile amount', 'What is the 90th percentile of building density?', ([nth, _percentile, amount]) => percentileOf(amount, nth)),
  row('amount < things extent', 'What share of the road length is paved?', ([things]) => extentOf(things), 1),
  row('amount < total amount', 'What is the total population of the wards with a clinic?', ([_total, amount]) => closed(amount, isCountable(amount) ? undefined : 'sum')),
  row('amount < amount joint', 'How many people live in these frames together?', ([amount]) => closed(amount, isCountable(amount) ? undefined : 'sum'), 6),
  row('amount < amount total', 'What is the population in total?', ([amount]) => closed(amount, isCountable(amount) ? undefined : 'sum')),
  row('amount < highest|lowest|median amount', 'What is the highest elevation of the wards with a clinic?', ([how, amount]) => closedAs(onFramesOrOwn(amount), how)),
  row('amount < amount highest|lowest', 'slope max', ([amount, order]) => closedAs(onFramesOrOwn(amount), order)),
  row('amount < highest|lowest|median amount in|per frames', 'maximum number of people in any frame', ([how, amount]) => closedAs(onFrames(amount), how), 0),
  row('amount < amount highest|lowest|median frames', 'How high does the highest frame lie?', ([amount, how]) => closedAs(onFrames(amount), how), 0),
  row('amount < amount place with', 'How many people did Marembe have in 2025?', ([amount, place]) => limitedBy(amount, inPlaces([place]))),
  row('amount < amount place', 'By how many people did Isale grow last year?', ([amount, place]) => limitedBy(amount, inPlaces([place])), 3),
  row('amount < amount weighted amount', 'What is the average distance to a clinic weighted by population?', ([one, , other]) => weightedBy(one, other)),
  row('amount < amount weighted land', 'What is the average elevation of the wards with a clinic weighted by land area?', ([amount]) => byArea(amount), 0),
  row('amount < amount weightedBefore amount', 'Population-weighted average distance to a clinic', ([other, , one]) => weightedBy(one, other), 0),
  row('amount < land weightedBefore amount', 'Area-weighted average elevation', ([_land, _weighted, amount]) => byArea(amount), 0),
  row('amount < size average things in property', 'How big is the average primary school in pupils?', ([_size, _average, things, _in, topic], catalogue) => meanOfThings(catalogue, topic, things), 0),
  row('amount < how amount', 'How urbanised is it on average?', ([_how, amount]) => amount.topic && amount.is === 'attribute' && !isAdded(amount.topic) && amount),
  row('amount < land adjective', 'Is the ground steep?', ([_land, adjective], catalogue) => ofAdjective(catalogue, adjective)),
  row('amount < how adjective land', 'how populated is this area', ([_how, adjective], catalogue) => ofAdjective(catalogue, adjective)),
  row('amount < count amount with average|median things', 'How many pupils has the average secondary school?', ([_count, amount, _with, how, things]) => meanOver(amount, things, how), 0),
  row('amount < average|median amount per|of level', 'What is the average population per ward?', ([how, amount, _per, level]) => meanOver(amount, { of: level, where: [], among: [] }, how), 0),
  row('amount < amount per|each level average|median', 'How many schools are there per ward on average?', ([amount, _per, level, how]) => meanOver(amount, { of: level, where: [], among: [] }, how), 0),
]
const named = (amount: Amount | undefined) => amount && { ...amount, isNamed: true as const }
const averageOf = (amount: Amount) =>
  amount.topic?.type === 'category'
    ? undefined
    : (meanOf(amount) ?? (amount.is === 'attribute' ? closed(amount, 'mean') : undefined))
const ofWay = (catalogue: Catalogue, { label }: Topic) => {
  const way = wayTo(catalogue, label)
  return way && amountOf(way)
}
/** "Kilograms of maize", "tonnes of rice" of tonnes per year. */
const toldIn = (amount: Amount, unit: UnitOfMeasure): Amount | undefined => {
  const [text = '', ...period] = amount.topic?.unit?.split(' per ') ?? []
  const own = unitOfMeasureNamed(text)
  if (own?.dimension !== unit.dimension || /^(count|extent|land)$/.test(amount.is)) return undefined
  return own.name === unit.name ? amount : period.length > 0 ? undefined : { ...amount, unit }
}
const isBare = ({ things, how }: Amount) => how === undefined && things.where.length + things.among.length === 0
/** The catalogue may record the units of the index, too. */
export const ofUnit = (topics: readonly Topic[], level: UnitLevel) => {
  const topic = topics.find(({ label, type }) => type === 'category' && label.toLowerCase() === level)
  return topic && amountOf(topic)
}
const isOfTopic = ({ frames }: Condition, topic: Topic) =>
  frames !== undefined && 'is' in frames && 'name' in frames && frames.name === nameOf(topic)
/** The newest year is meant where none is named. */
export function ofYear(catalogue: Catalogue, amount: Amount, year: string): Amount | undefined {
  const own = amount.topic && seriesOf(catalogue, amount.topic).find((each) => hasYear(each, Number(year)))
  return own && { ...amount, topic: own }
}
const closedAs = (amount: Amount | undefined, how: NonNullable<Amount['how']>) => amount && closed(amount, how)
const meanOnFrames = (amount: Amount | undefined) => amount && closed({ ...amount, isOverFrames: true }, 'mean')
/** The largest school is no frame with the most of them. */
const onFramesOrOwn = (amount: Amount) =>
  amount.is === 'property' ? amount : amount.is === 'count' ? undefined : onFrames(amount)
const onThings = (amount: Amount, things: Things) => {
  const own = onFrames(amount)
  return own && { ...own, things: { ...own.things, where: [...own.things.where, ...things.where] } }
}
const chosen = (topics: readonly Topic[], years: readonly number[]): Amount | undefined => {
  const [topic, ...more] = chosenTopics(topics, years)
  return topic && more.length === 0 ? amountOf(topic) : undefined
}
export const limitedBy = (amount: Amount | undefined, condition: Condition | undefined) =>
  amount && condition && limitedAmount(amount, condition)
type Unit = UnitOfMeasure
const landIn = (classes: Condition, place?: PlaceNamed) => {
  const own = limitedBy({ is: 'land', things: framesOf() }, classes)
  return place ? limitedBy(own, inPlaces([place])) : own
}
const landOf = (unit: Unit, condition: Condition): Amount | undefined =>
  unit.dimension === 'area' && condition.frames ? { is: 'land', things: framesOf([condition.frames]), unit } : undefined
const EXTENTS: Partial<Record<Topic['kind'], Unit>> = {
  lines: { name: 'km', dimension: 'length', factor: '1000' },
  polygons: { name: 'km²', dimension: 'area', factor: '1000000' },
}
/** Lines have a length, and polygons an area. */
export const extentOf = (things: Things, unit?: Unit): Amount | undefined => {
  const own = things.topic && EXTENTS[things.topic.kind]
  return things.of === 'features' && things.topic && own && (unit ?? own).dimension === own.dimension
    ? { is: 'extent', topic: things.topic, things, unit: unit ?? own }
    : undefined
}
function percentileOf(amount: Amount, nth: number): Amount | undefined {
  const own = nth < 100 ? closedAs(onFramesOrOwn(amount), 'quantile') : undefined
  return own && { ...own, at: nth / 100 }
}
/** The mean that the catalogue weights by area. */
const byArea = (amount: Amount) =>
  amount.topic?.summary === 'weighted_mean' && amount.is === 'attribute' ? closed(amount, 'weighted_mean') : undefined
const meanOfThings = (catalogue: Catalogue, topic: Topic, things: Things) => {
  const own = ownProperty(catalogue, topic)
  return own && meanOver(own, things, 'mean')
}
export function weightedBy(amount: Amount, weight: Amount): Amount | undefined {
  const isPlain = weight.is === 'attribute' && weight.how === undefined && weight.things.where.length === 0
  const isOpen =
    amount.is === 'attribute' && (amount.how === undefined || amount.how === 'mean' || amount.how === 'weighted_mean')
  return isPlain && isOpen && weight.topic && amount.topic?.type === 'number'
    ? { ...amount, how: 'weighted_mean', weight: weight.topic }
    : undefined
}
/** The mean goes over features that have the property, or over units that have a total. */
export function meanOver(amount: Amount, things: Things, how: 'mean' | 'median'): Amount | undefined {
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
