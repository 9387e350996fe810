/** The productions that make groups and orders of figures, names of what passes, and lists of figures. */
import type { Bounds } from '../../figures/index.js'
import { UNIT_LEVELS, type UnitLevel } from '../../place.js'
import {
  asFigure,
  bandsOf,
  changeOf,
  commonest,
  densityOf,
  firstOf,
  grouped,
  groupShare,
  inOrder,
  listed,
  many,
  namesOf,
  ofAdjective,
  ofClass,
  ofLevel,
  rankedFeatures,
  rankedFrames,
  shareOf,
  shareOfThings,
  SIDES,
} from './calculations.js'
import type { Catalogue } from './catalogue.js'
import {
  type Amount,
  amountOf,
  type Calculation,
  closed,
  type Condition,
  countOf,
  type FigureFragment,
  framesOf,
  isOfUnits,
  limitedCalculation,
  type Things,
} from './fragments.js'
import { intervalOf, spreadOf } from './figure-productions.js'
import { wayTo } from './names.js'
import { type Places, type Production, row } from './production.js'
import { classFilter, ofClass as ofClassNamed } from './conditions.js'
import { inPlaces } from './productions.js'
import { seriesOf, type Topic } from './topic.js'

type Level = UnitLevel
const firstUnit = (level: Level, calculation: Calculation | undefined, order: 'highest' | 'lowest') =>
  grouped(calculation, firstOf(level, order, 1))
const firstUnits = (level: Level, calculation: Calculation | undefined, order: 'highest' | 'lowest', n: string) =>
  grouped(calculation, firstOf(level, order, listed(n)))
const inOrderOf = (level: Level, calculation: Calculation | undefined, order: 'highest' | 'lowest' = 'highest') =>
  grouped(calculation, { by: { level }, order })
/** Units in a place: "the wards of Marembe". */
const inUnits = (things: Things, calculation: Calculation | undefined): [Level, Calculation] | undefined => {
  if (!calculation || !isOfUnits(things) || things.where.length > 0) return undefined
  const own = things.among.reduce<Calculation | undefined>(
    (each, frames) => each && limitedCalculation(each, { frames, isPlace: true }),
    calculation,
  )
  return own && [things.of, own]
}
type Grouped = (level: Level, calculation: Calculation) => FigureFragment | undefined
const overUnits = (things: Things, calculation: Calculation | undefined, make: Grouped) => {
  const own = inUnits(things, calculation)
  return own && make(...own)
}
/** "Densest" is of people where no dataset records it. */
function adjectiveOf(catalogue: Catalogue, name: string): Calculation | undefined {
  const people =
    name === 'population density' ? ofAdjective(catalogue, { name: 'population', side: 'above' }) : undefined
  return asFigure(ofAdjective(catalogue, { name, side: 'above' })) ?? (people && densityOf(catalogue, people))
}
const having = (level: Level, calculation: Calculation | undefined, bounds: Bounds) =>
  grouped(calculation, { by: { level }, having: bounds })

// prettier-ignore
export const OF_GROUPS: Production[] = [
  row('figure < calculation', 'How many secondary schools are there?', ([calculation]) => calculation, 0),
  row('figure < calculation by level', 'How many secondary schools are there by LGA?', ([calculation, _by, level]) => grouped(calculation, ofLevel(level))),
  row('figure < calculation each level', 'How many secondary schools are there in each LGA?', ([calculation, _each, level]) => grouped(calculation, ofLevel(level))),
  row('figure < calculation in things', 'population in the wards of Meridian Bay', ([calculation, _in, things]) => things.among.length > 0 && overUnits(things, calculation, (level, own) => grouped(own, ofLevel(level))), 1),
  row('figure < things by calculation', 'Meridian Bay wards by population', ([things, _by, calculation]) => overUnits(things, calculation, (level, own) => inOrderOf(level, own))),
  row('figure < each level comma calculation', 'In each ward, how many secondary schools are there?', ([_each, level, _comma, calculation]) => grouped(calculation, ofLevel(level))),
  row('figure < share amount each level', 'Which part of all people lives in each state?', ([_share, amount, _each, level]) => groupShare(amount, ofLevel(level))),
  row('figure < share amount by level', 'share of people by ward', ([_share, amount, _by, level]) => groupShare(amount, ofLevel(level))),
  row('figure < share amount by category', 'share of people by land cover', ([_share, amount, _by, topic]) => groupShare(amount, ofClass(topic))),
  row('figure < share amount by series', 'percentage of people by distance to a school', ([_share, amount, _by, series], catalogue) => groupShare(amount, bandsOf(catalogue, series))),
  row('figure < calculation by category', 'How many secondary schools are there by land cover?', ([calculation, _by, topic]) => grouped(calculation, ofClass(topic))),
  row('figure < calculation each category', 'How many secondary schools are there in each land cover?', ([calculation, _each, topic]) => grouped(calculation, ofClass(topic))),
  row('figure < calculation by series', 'Population by distance to the nearest school', ([calculation, _by, series], catalogue) => grouped(calculation, bandsOf(catalogue, series) ?? {}) && bandsOf(catalogue, series) && grouped(calculation, bandsOf(catalogue, series) ?? {})),
  row('figure < share each level classes', 'what share of each ward is forest', ([_share, _each, level, classes]) => grouped(shareOf(countOf(framesOf()), classes), ofLevel(level))),
  row('figure < share land each level classes', 'what percent of the land of each ward is urban', ([_share, _land, _each, level, classes]) => grouped(shareOf({ is: 'land', things: framesOf() }, classes), ofLevel(level))),
  row('figure < which category with most calculation', 'Which land cover has the most secondary schools?', ([_which, topic, _with, _most, calculation]) => grouped(calculation, { ...ofClass(topic), order: 'highest', n: 1 })),
  row('figure < which category with least calculation', 'Which land cover has the fewest secondary schools?', ([_which, topic, _with, _least, calculation]) => grouped(calculation, { ...ofClass(topic), order: 'lowest', n: 1 })),
  row('figure < level with most calculation', 'LGA with the most secondary schools', ([level, _with, _most, calculation]) => firstUnit(level, calculation, 'highest')),
  row('figure < level with least calculation', 'LGA with the fewest secondary schools', ([level, _with, _least, calculation]) => firstUnit(level, calculation, 'lowest')),
  row('figure < things with most calculation', 'wards in Marembe with the most secondary schools', ([things, _with, _most, calculation]) => things.among.length > 0 && overUnits(things, calculation, (level, own) => firstUnit(level, own, 'highest'))),
  row('figure < things with least calculation', 'wards in Marembe with the fewest secondary schools', ([things, _with, _least, calculation]) => things.among.length > 0 && overUnits(things, calculation, (level, own) => firstUnit(level, own, 'lowest'))),
  row('figure < in which level most calculation', 'in which ward do most people live over 1 km from a school', ([_in, _which, level, _most, calculation]) => firstUnit(level, calculation, 'highest')),
  row('figure < number level with most calculation', 'three LGAs with the most secondary schools', ([n, level, _with, _most, calculation]) => firstUnits(level, calculation, 'highest', n)),
  row('figure < number level with least calculation', 'three LGAs with the fewest secondary schools', ([n, level, _with, _least, calculation]) => firstUnits(level, calculation, 'lowest', n)),
  row('figure < which level with ordinal most calculation', 'Which LGA has the third most people?', ([_which, level, _with, nth, _most, calculation]) => grouped(calculation, { by: { level }, order: 'highest', nth })),
  row('figure < which level each level with most calculation', 'Which LGA in each state has the most people?', ([_which, level, _each, inEach, _with, _most, calculation]) => level !== inEach && grouped(calculation, { ...firstOf(level, 'highest', 1), inEach })),
  row('figure < top number level by calculation', 'Top 3 LGAs by secondary schools', ([_top, n, level, _by, calculation]) => firstUnits(level, calculation, 'highest', n)),
  row('figure < bottom number level by calculation', 'Bottom 3 LGAs by secondary schools', ([_bottom, n, level, _by, calculation]) => firstUnits(level, calculation, 'lowest', n)),
  row('figure < rank level by calculation', 'Rank the states by population density', ([_rank, level, _by, calculation]) => inOrderOf(level, calculation)),
  row('figure < most-of level', 'Which is the steepest ward?', ([{ name, side }, level], catalogue) => firstUnit(level, adjectiveOf(catalogue, name), SIDES[side])),
  row('figure < level most-of', 'Which ward is the steepest?', ([level, { name, side }], catalogue) => firstUnit(level, adjectiveOf(catalogue, name), SIDES[side])),
  row('figure < number most-of level', 'the three steepest wards', ([n, { name, side }, level], catalogue) => firstUnits(level, adjectiveOf(catalogue, name), SIDES[side], n)),
  row('figure < level nearest away things', 'which ward is nearest to a market', ([level, _nearest, _away, to], catalogue) => firstUnit(level, wayOf(catalogue, to), 'lowest')),
  row('figure < level farthest away things', 'which ward is farthest from a market', ([level, _farthest, _away, to], catalogue) => firstUnit(level, wayOf(catalogue, to), 'highest')),
  row('figure < ordinal most-of level', 'third most populous ward', ([nth, { name, side }, level], catalogue) => grouped(adjectiveOf(catalogue, name), { by: { level }, order: SIDES[side], nth })),
  row('figure < ordinal most level by calculation', 'What is the second largest LGA by population?', ([nth, _most, level, _by, calculation]) => grouped(calculation, { by: { level }, order: 'highest', nth })),
  row('figure < most-of level each level', 'most populous ward of every state', ([{ name, side }, level, _each, inEach], catalogue) => level !== inEach && grouped(adjectiveOf(catalogue, name), { ...firstOf(level, SIDES[side], 1), inEach })),
  row('figure < level large', 'Which ward is the largest?', ([level]) => firstUnit(level, asFigure({ is: 'land', things: framesOf() }), 'highest'), 2),
  row('figure < level small', 'Which ward is the smallest?', ([level]) => firstUnit(level, asFigure({ is: 'land', things: framesOf() }), 'lowest'), 2),
  row('figure < large level', 'the largest ward', ([_large, level]) => firstUnit(level, asFigure({ is: 'land', things: framesOf() }), 'highest'), 2),
  row('figure < small level', 'the smallest ward', ([_small, level]) => firstUnit(level, asFigure({ is: 'land', things: framesOf() }), 'lowest'), 2),
  row('figure < which level with range calculation', 'Which LGAs have more than 20 people per hectare?', ([_which, level, _with, range, calculation]) => calculation.op !== undefined && having(level, calculation, range)),
  row('figure < which level with part of amount condition', 'which LGAs have at least 40% of their people within 1 km of a school', ([_which, level, _with, part, _of, amount, condition]) => having(level, shareOf(amount, condition), part), 0),
  row('figure < which level with part amount condition', 'which wards have less than half their people within 1 km of a school', ([_which, level, _with, part, amount, condition]) => having(level, shareOf(amount, condition), part), 0),
  row('figure < count level with part of amount condition', 'how many LGAs have at least 40 percent of the people within 1 km of a school', ([_count, level, _with, part, _of, amount, condition]) => having(level, shareOf(amount, condition), part), 0),
  row('figure < in which level part amount condition', 'in which wards do more than half the people live in rural frames', ([_in, _which, level, part, amount, condition]) => having(level, shareOf(amount, condition), part), 0),
  row('figure < level with share amount condition part', 'wards with a share of people in urban frames above 50 %', ([level, _with, _share, amount, condition, part]) => having(level, shareOf(amount, condition), part), 0),
  row('figure < in which level amount change most', 'In which LGAs did the people grow most?', ([_in, _which, level, amount], catalogue) => firstUnits(level, changeOf(catalogue, amount), 'highest', '3')),
  row('figure < which level change most', 'Which LGA grew the most?', ([_which, level], catalogue) => firstUnit(level, peopleChange(catalogue), 'highest')),
  row('figure < which category least common', 'Which land cover is the least common?', ([_which, topic]) => commonest(topic, 'lowest')),
  row('figure < least common category', 'What is the least common land cover?', ([_least, _common, topic]) => commonest(topic, 'lowest')),
  row('figure < calculation by level with interval', 'people by ward with the margin of error', ([calculation, _by, level]) => grouped(intervalOf(calculation), ofLevel(level)), 0),
  row('figure < figure condition', 'largest school by number of pupils in Marembe', ([figure, condition]) => condition.isPlace && limitedFigure(figure, condition), 3),
  row('figure < where figure', 'Where is the densest built-up area?', ([_where, figure]) => figure.by !== undefined && figure, 1),
  row('figure < figure comma percent', 'Which part of all people lives in each state, in percent?', ([figure]) => (/^(percent|change)$/.test(figure.op ?? '') ? figure : undefined), 0),
]
function limitedFigure(figure: FigureFragment, condition: Condition): FigureFragment | undefined {
  const own = limitedCalculation(figure, condition)
  return own && { ...figure, ...own }
}
const peopleChange = (catalogue: Catalogue) => {
  const amount = ofAdjective(catalogue, { name: 'population', side: 'above' })
  return amount && changeOf(catalogue, amount)
}
// prettier-ignore
export const OF_ORDERS: Production[] = [
  row('figure < which things', 'Which secondary schools have boarding?', ([_which, things]) => isLimited(things) && namesOf(things)),
  row('figure < names things', 'Names of the secondary schools', ([_names, things]) => namesOf(things)),
  row('figure < which things with most property', 'Which secondary school has the most pupils?', ([_which, things, _with, _most, property]) => rankedFeatures(things, property, { order: 'highest', n: 1 })),
  row('figure < which things with least property', 'Which secondary school has the fewest pupils?', ([_which, things, _with, _least, property]) => rankedFeatures(things, property, { order: 'lowest', n: 1 })),
  row('figure < most property of things', 'most pupils of a school', ([_most, property, _of, things]) => rankedFeatures(things, property, { order: 'highest', n: 1 })),
  row('figure < which number things with most property', 'Which two clinics have the most beds?', ([_which, n, things, _with, _most, property]) => rankedFeatures(things, property, { order: 'highest', n: listed(n) })),
  row('figure < which number things with least property', 'Which two clinics have the fewest beds?', ([_which, n, things, _with, _least, property]) => rankedFeatures(things, property, { order: 'lowest', n: listed(n) })),
  row('figure < top number things by property', 'Top 3 secondary schools by pupils', ([_top, n, things, _by, property]) => rankedFeatures(things, property, { order: 'highest', n: listed(n) })),
  row('figure < least things by property', 'smallest clinic by beds', ([_least, things, _by, property]) => rankedFeatures(things, property, { order: 'lowest', n: 1 })),
  row('figure < most things by property', 'the largest secondary school by pupils', ([_most, things, _by, property]) => rankedFeatures(things, property, { order: 'highest', n: 1 })),
  row('figure < which things with range property', 'Which boarding schools have over 400 pupils?', ([_which, things, _with, range, property]) => rankedFeatures(things, property, { order: 'highest', having: range })),
  row('figure < with most amount', 'Which has the most people?', ([_with, _most, amount]) => rankedFrames(amount, 'highest', 1), 3),
  row('figure < with least amount', 'Which has the fewest people?', ([_with, _least, amount]) => rankedFrames(amount, 'lowest', 1), 3),
  row('figure < things with most amount', 'Which rural frame has the most people?', ([things, _with, _most, amount]) => inOrder(things, amount, 'highest', 1)),
  row('figure < things with least amount', 'Which rural frame has the fewest people?', ([things, _with, _least, amount]) => inOrder(things, amount, 'lowest', 1)),
  row('figure < number things with most amount', 'which three frames have the most people', ([n, things, _with, _most, amount]) => inOrder(things, amount, 'highest', listed(n))),
  row('figure < number things with least amount', 'which three frames have the fewest people', ([n, things, _with, _least, amount]) => inOrder(things, amount, 'lowest', listed(n))),
  row('figure < most-of land', 'Where is the highest ground?', ([{ name, side }], catalogue) => adjectiveFrame(catalogue, framesOf(), { name, order: SIDES[side], n: 1 })),
  row('figure < where amount most', 'Where is the building density highest?', ([_where, amount]) => rankedFrames(amount, 'highest', 1)),
  row('figure < where amount least', 'Where is the building density lowest?', ([_where, amount]) => rankedFrames(amount, 'lowest', 1)),
  row('figure < things most-of', 'Which rural frame is the steepest?', ([things, { name, side }], catalogue) => adjectiveFrame(catalogue, things, { name, order: SIDES[side], n: 1 })),
  row('figure < most-of things', 'the steepest rural frame', ([{ name, side }, things], catalogue) => adjectiveFrame(catalogue, things, { name, order: SIDES[side], n: 1 })),
  row('figure < number most-of things', 'the ten most crowded frames', ([n, { name, side }, things], catalogue) => adjectiveFrame(catalogue, things, { name, order: SIDES[side], n: listed(n) })),
  row('figure < things nearest away things', 'which frame is closest to a market', ([things, _nearest, _away, other], catalogue) => inOrderOfWay(catalogue, things, other, 'lowest')),
  row('figure < things farthest away things', 'which frame is farthest from a market', ([things, _farthest, _away, other], catalogue) => inOrderOfWay(catalogue, things, other, 'highest')),
  row('figure < top number things by amount', 'top three frames by number of shops', ([_top, n, things, _by, amount]) => inOrder(things, amount, 'highest', listed(n))),
  row('figure < bottom number things by amount', 'bottom three frames by number of shops', ([_bottom, n, things, _by, amount]) => inOrder(things, amount, 'lowest', listed(n))),
  row('figure < rank things by amount', 'Rank the frames by population', ([_rank, things, _by, amount]) => inOrder(things, amount, 'highest')),
]
function wayTopic(catalogue: Catalogue, { topic, where, among }: Things): Topic | undefined {
  const to = where.length + among.length === 0 ? topic : undefined
  return to && (wayTo(catalogue, to.label, 'minutes') ?? wayTo(catalogue, to.label))?.topic
}
const wayOf = (catalogue: Catalogue, to: Things): Calculation | undefined => {
  const topic = wayTopic(catalogue, to)
  return topic && asFigure(amountOf(topic))
}
function inOrderOfWay(catalogue: Catalogue, things: Things, to: Things, order: 'highest' | 'lowest') {
  const way = wayTopic(catalogue, to)
  return way && inOrder(things, amountOf(way), order, 1)
}
const isLimited = ({ of, where, among }: Things) => of === 'features' || where.length + among.length > 0
type OfAdjective = { name: string; order: 'highest' | 'lowest'; n: number }
function adjectiveFrame(catalogue: Catalogue, things: Things, { name, order, n }: OfAdjective) {
  const amount = ofAdjective(catalogue, { name, side: 'above' })
  return amount && inOrder(things, amount, order, n)
}

const eachOf = (
  calculation: Calculation | Amount | undefined,
  each: readonly Condition[],
): Calculation[] | undefined => {
  const own = calculation && ('is' in calculation ? asFigure(calculation) : calculation)
  const found = own ? each.flatMap((condition) => limitedCalculation(own, condition) ?? []) : []
  return found.length === each.length ? found : undefined
}
/** "People in urban frames and rural frames": what is not limited itself may be elliptic. */
function beside(all: readonly Calculation[], one: Calculation): Calculation[] | undefined {
  const tests = ({ of: { things } }: Calculation) =>
    (things.of === 'frames' ? things.where : things.among).filter((filter) => !('said' in filter))
  const isOpen = all.some((each) => each.of.things.isDenied || tests(each).length > 0 || each.op === 'percent')
  const isAlike = tests(one).length > 0 && all.every(({ of, op }) => of.is === one.of.is && op === one.op)
  return isOpen && !isAlike ? undefined : [...all, one]
}
const joint = (calculations: readonly (Calculation | undefined)[]) => {
  const found = calculations.flatMap((each) => each ?? [])
  return found.length === calculations.length ? found : undefined
}
// prettier-ignore
export const OF_LISTS: Production[] = [
  row('items < calculation and calculation', 'population and number of secondary schools by ward', ([one, _and, other]) => beside([one], other)),
  row('items < calculation comma calculation', 'population, secondary schools and clinics by ward', ([one, _comma, other]) => beside([one], other)),
  row('items < items and calculation', 'population, secondary schools and clinics by ward', ([all, _and, one]) => beside(all, one)),
  row('items < items comma calculation', 'population, buildings, secondary schools and clinics by ward', ([all, _comma, one]) => beside(all, one)),
  row('items < share class and class condition', 'share of towns and villages with a school', ([_share, one, _and, other, condition]) => joint([one, other].map((each) => shareOfThings(framesOf([classFilter(each)]), condition)))),
  row('items < compare class and class amount', 'compare urban and rural population', ([_compare, one, _and, other, amount]) => eachOf(amount, [ofClassNamed(one), ofClassNamed(other)])),
  row('items < calculation compare calculation', 'number of schools vs number of clinics', ([one, _compare, other]) => [one, other]),
  row('items < calculation conditions', 'How many people live in Lakeside and Lagoon?', ([one, each]) => eachOf(one, each)),
  row('items < places calculation', 'Lakeside and Lagoon population', ([places, one]) => eachPlace(one, places)),
  row('items < highest and lowest amount', 'highest and lowest slope', ([_highest, _and, _lowest, amount]) => joint([asFigure(closed(amount, 'max')), asFigure(closed(amount, 'min'))])),
  row('items < amount comma highest and lowest', 'slope, highest and lowest', ([amount]) => joint([asFigure(closed(amount, 'max')), asFigure(closed(amount, 'min'))])),
  row('items < amount year and year', 'population 2025 and 2026', ([amount, one, _and, other], catalogue) => inYears(catalogue, amount, [one, other])),
  row('items < amount year compare year', 'population 2025 vs 2026', ([amount, one, _compare, other], catalogue) => inYears(catalogue, amount, [one, other])),
  row('items < amount in year and year', 'population in 2025 and 2026', ([amount, _in, one, _and, other], catalogue) => inYears(catalogue, amount, [one, other])),
  row('items < compare places by calculation', 'Compare Kofa (North), Kofa (South) and Hillcrest by number of pupils', ([_compare, places, _by, one]) => eachPlace(one, places)),
  row('items < calculation condition compare place', 'people in West Quay compared with Meridian Bay', ([one, condition, _compare, place]) => condition.isPlace && eachPlaces(one, condition, inPlaces([{ ...place, isListed: true }])), 0),
  row('items < more calculation in places', 'Do more people live in Kofa (North) or in Kofa (South)?', ([_more, one, _in, places]) => eachPlace(one, { ...places, isEither: false }), 0),
  row('figures < items', 'How many people live in Lakeside and Lagoon?', ([all]) => all, 0),
  row('figures < figure', 'How many secondary schools are there?', ([figure]) => [figure], 0),
  row('figures < which figures', 'What are the population and the number of secondary schools of Lakeside?', ([_which, all]) => all),
  row('figures < items by level', 'population and number of secondary schools by ward', ([all, _by, level]) => many(all, ofLevel(level)), 0),
  row('figures < items each level', 'population and number of secondary schools in each ward', ([all, _each, level]) => many(all, ofLevel(level)), 0),
  row('figures < each level comma items', 'for each ward, how many people and how many schools', ([_each, level, _comma, all]) => many(all, ofLevel(level)), 0),
  row('figures < spread amount', 'range of elevation', ([_spread, amount]) => spreadsOf(amount), 0),
  row('figures < amount spread', 'altitude range', ([amount]) => spreadsOf(amount), 0),
  row('figures < where', 'Where is this?', () => UNIT_LEVELS.map((of) => ({ of: countOf({ of, where: [], among: [] }) }))),
  row('figures < not features comma figures', 'not schools, clinics only', ([_not, _other, _comma, all]) => all),
  row('figure < figure only', 'not schools, clinics only', ([figure]) => figure),
  row('figures < compare items', 'compare the population and the number of clinics', ([_compare, all]) => all),
  row('figures < compare calculation', 'Compare the population of these frames', ([_compare, one]) => [rankedFrames(open(one), 'highest') ?? one], 1),
  row('figures < amount trend', 'Is the population growing?', ([amount], catalogue) => trendOf(catalogue, amount)),
]
const spreadsOf = (amount: Amount) =>
  joint([asFigure(closed(amount, 'max')), asFigure(closed(amount, 'min')), spreadOf(amount)])
/** An amount with its usual statistic is ranked by itself. */
function open({ of: { how, ...amount }, op }: Calculation): Amount | undefined {
  return op === undefined && amount.things.where.length === 0 && closed(amount)?.how === how ? amount : undefined
}
const eachPlace = (one: Calculation, { places, isEither }: Places) =>
  places.length > 1 && !isEither
    ? eachOf(
        one,
        places.flatMap((place) => inPlaces([{ ...place, isListed: true }]) ?? []),
      )
    : undefined
const eachPlaces = (one: Calculation, first: Condition, other: Condition | undefined) =>
  other && eachOf(one, [first, other])
const inYears = (catalogue: Catalogue, amount: Amount, years: readonly string[]) => {
  const { topic } = amount
  const series = topic && amount.how === undefined ? seriesOf(catalogue, topic) : []
  return joint(
    years.map((year) => {
      const own = series.find((each: Topic) => each.years.includes(Number(year)))
      return own && asFigure({ ...amount, topic: own })
    }),
  )
}
/** "Is it growing" is answered by the newest figure first, "by how much" by the change. */
function trendOf(catalogue: Catalogue, amount: Amount): FigureFragment[] | undefined {
  const change = changeOf(catalogue, amount)
  const newest = change && asFigure(change.of)
  return change && newest && [newest, change]
}
