/** The productions that make groups and orders of figures, names of what passes, and lists of figures. */
import type { Bounds } from '../../figures/index.js'
import type { UnitOfMeasure } from '../../numbers/index.js'
import { defined } from '../../defined.js'
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
  growthOf,
  inOrder,
  listed,
  many,
  namesOf,
  ofAdjective,
  ofClass,
  ofLevel,
  perLand,
  rankedExtents,
  rankedFeatures,
  rankedFrames,
  shareOf,
  shareOfThings,
  SIDES,
} from './calculations.js'
import type { Catalogue } from './catalogue.js'
import type { Adjective } from './cues.js'
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
  isUneven,
  limitedCalculation,
  nameOf,
  standingOn,
  type Things,
} from './fragments.js'
import { limitedBy, ofYear } from './amount-productions.js'
import { intervalOf, spreadOf } from './figure-productions.js'
import { wayTo } from './names.js'
import { type Places, type Production, row, type Years } from './production.js'
import { classFilter, listedOf, ofClass as ofClassNamed } from './conditions.js'
import { inPlaces } from './productions.js'
import { isAdded, layerOf, seriesOf, type Topic } from './topic.js'

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
  const people = name === 'population density' ? ofAdjective(catalogue, { name: 'population' }) : undefined
  return asFigure(ofAdjective(catalogue, { name })) ?? (people && densityOf(catalogue, people))
}
const having = (level: Level, calculation: Calculation | undefined, bounds: Bounds) =>
  grouped(calculation, { by: { level }, having: bounds })

// prettier-ignore
export const OF_GROUPS: Production[] = [
  row('figure < calculation', 'How many secondary schools are there?', ([calculation]) => calculation, 0),
  row('figure < figure years', 'population change by state between 2025 and 2026', ([figure, years], catalogue) => changeIn(catalogue, figure, years), 0),
  row('figure < figure dated', 'How many people lived in each state in 2025?', ([figure, year], catalogue) => inYear(catalogue, figure, year), 0),
  row('figure < dated figure', 'In 2025, which LGA had the most people?', ([year, figure], catalogue) => inYear(catalogue, figure, year), 0),
  row('grouping < by|each level', 'How many secondary schools are there by LGA?', ([_by, level]) => ofLevel(level), 0),
  row('grouping < level by level', 'How many secondary schools are there, state by state?', ([one, _by, other]) => one === other && ofLevel(one), 0),
  row('grouping < by|each category|kind', 'How many secondary schools are there by land cover?', ([_by, topic]) => ofClass(topic), 0),
  row('grouping < with each category', 'How many people live where each main language is spoken?', ([_with, _each, topic]) => ofClass(topic), 0),
  row('grouping < by series', 'Population by distance to the nearest school', ([_by, series], catalogue) => bandsOf(catalogue, series), 0),
  row('figure < calculation grouping', 'How many secondary schools are there by LGA?', ([calculation, grouping]) => grouped(calculation, grouping)),
  row('figure < calculation grouping with interval', 'people by ward with the margin of error', ([calculation, grouping]) => grouped(intervalOf(calculation), grouping), 0),
  row('figure < grouping comma calculation', 'In each ward, how many secondary schools are there?', ([grouping, _comma, calculation]) => grouped(calculation, grouping)),
  row('figure < share amount grouping', 'Which part of all people lives in each state?', ([_share, amount, grouping]) => groupShare(amount, grouping)),
  row('figure < calculation in things', 'population in the wards of Meridian Bay', ([calculation, _in, things]) => things.among.length > 0 && overUnits(things, calculation, (level, own) => grouped(own, ofLevel(level))), 1),
  row('figure < things by calculation', 'Meridian Bay wards by population', ([things, _by, calculation]) => overUnits(things, calculation, (level, own) => inOrderOf(level, own))),
  row('figure < share land? each level classes', 'what share of each ward is forest', ([_share, land, _each, level, classes]) => grouped(shareOf(land ? { is: 'land', things: framesOf() } : countOf(framesOf()), classes), ofLevel(level))),
  row('figure < which category|kind with|by most|least calculation', 'Which land cover has the most secondary schools?', ([_which, topic, _with, order, calculation]) => grouped(calculation, { ...ofClass(topic), order, n: 1 })),
  row('figure < number? level with most|least calculation', 'LGA with the most secondary schools', ([n = '1', level, _with, order, calculation]) => firstUnits(level, calculation, order, n)),
  row('figure < things with most|least calculation', 'wards in Marembe with the most secondary schools', ([things, _with, order, calculation]) => things.among.length > 0 && overUnits(things, calculation, (level, own) => firstUnit(level, own, order))),
  row('figure < in which level most calculation', 'in which ward do most people live over 1 km from a school', ([_in, _which, level, _most, calculation]) => firstUnit(level, calculation, 'highest')),
  row('growth < grow|loss|gained most|fast share? amount? years?', 'Which LGA gained the most people?', ([order, _most, share, amount, years]) => ({ op: amount && !share ? 'difference' : 'change', order, ...defined({ amount, years }) }), 0),
  row('growth < got most amount years', 'Which LGA got the most people between 2025 and 2026?', ([_got, _most, amount, years]) => ({ op: 'difference', order: 'highest', amount, years }), 0),
  row('growth < with most|fast amount? grow|loss amount? years?', 'Which LGA had the fastest population growth?', ([_with, _fast, one, order, other, years]) => (one ? !other : other) && { op: 'change', order, ...defined({ amount: one ?? other, years }) }, 0),
  row('growth < growth percent', 'Which LGA lost the most people in percentage terms?', ([growth]) => ({ ...growth, op: 'change' }), 0),
  row('growth < fast rising|falling', 'the fastest growing ward', ([_fast, order]) => ({ op: 'change', order }), 0),
  row('growth < amount growth', 'In which LGA did the people grow fastest?', ([amount, growth]) => !growth.amount && { ...growth, amount }, 0),
  row('figure < level growth', 'the LGA that grew the most', ([level, growth], catalogue) => growthOf(catalogue, level, growth), 0),
  row('figure < in which level growth', 'In which LGAs did the people grow most?', ([_in, _which, level, growth], catalogue) => growthOf(catalogue, level, growth, 3), 0),
  row('figure < growth level', 'the fastest growing ward', ([growth, level], catalogue) => growthOf(catalogue, level, growth), 0),
  row('figure < in which level calculation most|least', 'In which ward do people live the most?', ([_in, _which, level, calculation, order]) => firstUnit(level, calculation, order), 1),
  row('figure < calculation most|least in which level', 'People live the most in which ward?', ([calculation, order, _in, _which, level]) => firstUnit(level, calculation, order), 1),
  row('figure < which level with ordinal most calculation', 'Which LGA has the third most people?', ([_which, level, _with, nth, _most, calculation]) => grouped(calculation, { by: { level }, order: 'highest', nth })),
  row('figure < which level each level with most calculation', 'Which LGA in each state has the most people?', ([_which, level, _each, inEach, _with, _most, calculation]) => level !== inEach && grouped(calculation, { ...firstOf(level, 'highest', 1), inEach })),
  row('figure < top|bottom number level by calculation', 'Top 3 LGAs by secondary schools', ([order, n, level, _by, calculation]) => firstUnits(level, calculation, order, n)),
  row('figure < ordinal? most|least level by calculation', 'the largest LGA by population', ([nth, order, level, _by, calculation]) => grouped(calculation, { by: { level }, order, ...(nth ? { nth } : { n: 1 }) })),
  row('figure < level most|least by calculation', 'Which LGA is the largest by population?', ([level, order, _by, calculation]) => firstUnit(level, calculation, order)),
  row('figure < rank level by calculation', 'Rank the states by population density', ([_rank, level, _by, calculation]) => inOrderOf(level, calculation)),
  row('figure < rank level inOrder|inReverse adjective', 'Rank the wards from the most to the least populous', ([_rank, level, order, { name }], catalogue) => inOrderOf(level, adjectiveOf(catalogue, name), order)),
  row('figure < figure inOrder|inReverse', 'Rank the states by population density from highest to lowest', ([figure, order]) => figure.order === 'highest' && figure.n === undefined && figure.nth === undefined && { ...figure, order }, 0),
  row('figure < level with most-of series|features average?', 'Which LGA has the steepest slopes?', ([level, _with, adjective, named], catalogue) => isOf(catalogue, adjective, named) && firstUnit(level, adjectiveOf(catalogue, adjective.name), SIDES[adjective.side]), 0),
  row('figure < number|ordinal? most-of level', 'Which is the steepest ward?', ([n = '1', { name, side }, level], catalogue) => grouped(adjectiveOf(catalogue, name), { by: { level }, order: SIDES[side], ...(typeof n === 'number' ? { nth: n } : { n: listed(n) }) })),
  row('most-of < most-of average', 'Which LGA lies lowest on average?', ([one], catalogue) => isMean(catalogue, one) && one, 0),
  row('figure < level ordinal in calculation', 'Which LGA is second in number of people?', ([level, nth, _in, calculation]) => grouped(calculation, { by: { level }, order: 'highest', nth }), 0),
  row('figure < level ordinal? most-of', 'Which ward is the steepest?', ([level, nth, { name, side }], catalogue) => grouped(adjectiveOf(catalogue, name), { by: { level }, order: SIDES[side], ...(nth ? { nth } : { n: 1 }) })),
  row('figure < most-of level each level', 'most populous ward of every state', ([{ name, side }, level, _each, inEach], catalogue) => level !== inEach && grouped(adjectiveOf(catalogue, name), { ...firstOf(level, SIDES[side], 1), inEach })),
  row('figure < level large|small', 'Which ward is the largest?', ([level, order]) => firstUnit(level, asFigure({ is: 'land', things: framesOf() }), order), 2),
  row('figure < large|small level', 'the largest ward', ([order, level]) => firstUnit(level, asFigure({ is: 'land', things: framesOf() }), order), 2),
  row('figure < which level with range calculation', 'Which LGAs have more than 20 people per hectare?', ([_which, level, _with, range, calculation]) => calculation.op !== undefined && having(level, calculation, range)),
  row('figure < in? which|count level with? part of? amount condition', 'which LGAs have at least 40% of their people within 1 km of a school', ([_in, _which, level, _with, part, _of, amount, condition]) => having(level, shareOf(amount, condition), part), 0),
  row('figure < level with share amount condition part', 'wards with a share of people in urban frames above 50 %', ([level, _with, _share, amount, condition, part]) => having(level, shareOf(amount, condition), part), 0),
  row('figure < rare category', 'the rarest land cover', ([_rare, topic]) => commonest(topic, 'lowest')),
  row('figure < which category rare', 'Which subsoil texture is the rarest?', ([_which, topic]) => commonest(topic, 'lowest')),
  row('figure < ordinal common category', 'What is the second most widespread land cover?', ([nth, _common, topic]) => nthCommonest(topic, nth)),
  row('figure < which category ordinal common', 'Which land cover is the second most common?', ([_which, topic, nth]) => nthCommonest(topic, nth)),
  row('figure < which kind most|least things', 'Which goods do the most stalls sell?', ([_which, topic, order, things]) => kindsOf(topic, things, order)),
  row('figure < which category covering most|least land', 'Which topsoil texture covers the most land?', ([_which, topic, _p2, order]) => grouped(asFigure({ is: 'land', things: framesOf() }), { ...ofClass(topic), order, n: 1 }), 0),
  row('figure < category in least frames', 'Which land cover is found in the fewest frames?', ([topic]) => commonest(topic, 'lowest'), 0),
  row('figure < amount in|of figure', 'How many people live in the most populous ward?', ([amount, _in, figure]) => isSameAmount(figure, amount)),
  row('figure < things with pronoun calculation', 'List the LGAs in Marembe with their population', ([things, _with, _their, calculation]) => overUnits(things, calculation, (level, own) => inOrderOf(level, own)), 0),
  row('figure < breakdown calculation grouping', 'Break down the population by land cover', ([_breakdown, calculation, grouping]) => grouped(calculation, grouping), 0),
  row('figure < breakdown amount', 'breakdown of the land cover of Marembe', ([_breakdown, amount]) => ofClasses(amount), 0),
  row('figure < amount breakdown', 'land cover breakdown', ([amount]) => ofClasses(amount), 0),
  row('figure < figure beside amount pronoun', 'Which LGA has the most people, and how many people live there?', ([figure, _beside, amount]) => isSameAmount(figure, amount), 0),
  row('figure < figure beside count measure pronoun', 'What is the smallest LGA and how many square miles is it?', ([figure, _beside, _count, unit]) => inUnit(figure, unit), 0),
  row('beside < comma? and', 'Which LGA has the most people and how many people live there?', () => true, 0),
  row('figure < figure condition', 'largest school by number of pupils in Marembe', ([figure, condition]) => condition.isPlace && limitedFigure(figure, condition), 3),
  row('figure < where figure', 'Where is the densest built-up area?', ([_where, figure]) => figure.by !== undefined && figure, 1),
  row('figure < figure comma percent', 'Which part of all people lives in each state, in percent?', ([figure]) => (/^(percent|change)$/.test(figure.op ?? '') ? figure : undefined), 0),
]
/** "By state between 2020 and 2025": the change in each group is between these years. */
function changeIn(catalogue: Catalogue, figure: FigureFragment, years: Years): FigureFragment | undefined {
  const { of, op, by } = figure
  const own = by && (op === 'change' || op === 'difference') ? changeOf(catalogue, of, years, op) : undefined
  return own && { ...figure, ...own }
}
/** "By state in 2025": each amount has that year. */
function inYear(catalogue: Catalogue, figure: FigureFragment, year: string): FigureFragment | undefined {
  const { of, op, to, unit } = figure
  const own = ofYear(catalogue, of, year)
  if (!own || op === 'change' || op === 'difference') return undefined
  if (!to) return { ...figure, of: own }
  // An amount that no year is known of serves for every year.
  const same = to.topic?.years.length === 0 ? to : undefined
  const other = to.is === 'land' && unit ? perLand(own, unit) : { to: ofYear(catalogue, to, year) ?? same }
  return other?.to && { ...figure, of: own, to: other.to }
}
function limitedFigure(figure: FigureFragment, condition: Condition): FigureFragment | undefined {
  const own = limitedCalculation(figure, condition)
  return own && { ...figure, ...own }
}
/** Slopes are steep, and wells are deep by their depth. */
const isOf = (catalogue: Catalogue, adjective: Adjective, named: Topic | Topic[]) => {
  const topic = ofAdjective(catalogue, adjective)?.topic
  return topic && [named].flat().some((each) => each === topic || (each.type === 'features' && layerOf(each) === layerOf(topic))) // prettier-ignore
}
const isMean = (catalogue: Catalogue, adjective: Adjective) => {
  const topic = ofAdjective(catalogue, adjective)?.topic
  return topic !== undefined && !isAdded(topic)
}
function nthCommonest(topic: Topic, nth: number): FigureFragment | undefined {
  const { n: _first, ...figure } = commonest(topic, 'highest') ?? {}
  return 'of' in figure ? { ...figure, nth } : undefined
}
/** The frames of each class. */
function ofClasses({ is, topic, things, how }: Amount): FigureFragment | undefined {
  const isOfFrames = is === 'attribute' && topic?.type === 'category' && how === undefined
  return isOfFrames ? { of: { ...countOf(things), how: 'count' }, ...ofClass(topic) } : undefined
}
/** The classes of a property, by the number of features. */
function kindsOf(topic: Topic, things: Things, order: 'highest' | 'lowest'): FigureFragment | undefined {
  const isOwn = things.of === 'features' && layerOf(things.topic) === layerOf(topic)
  return isOwn
    ? { of: { ...countOf(things), how: 'count' }, by: { class: { name: nameOf(topic) } }, order, n: 1 }
    : undefined
}
/** "And how many people live there": the first of an order has the amount that it is in the order of. */
const isSameAmount = (figure: FigureFragment, amount: Amount) => {
  const own = closed(amount)
  const isFirst = figure.order !== undefined && figure.op === undefined
  const isSame =
    own &&
    own.topic === figure.of.topic &&
    own.is === figure.of.is &&
    own.things.where.length + own.things.among.length === 0
  return isFirst && isSame ? figure : undefined
}
const inUnit = (figure: FigureFragment, unit: UnitOfMeasure) =>
  figure.order !== undefined && figure.of.is === 'land' && figure.op === undefined && unit.dimension === 'area'
    ? { ...figure, unit }
    : undefined
// prettier-ignore
export const OF_ORDERS: Production[] = [
  row('figure < in? which things', 'Which secondary schools have boarding?', ([_in, _which, things]) => isLimited(things) && namesOf(things)),
  row('figure < names things', 'Names of the secondary schools', ([_names, things]) => namesOf(things)),
  row('figure < which number? things with most|least property', 'Which secondary school has the most pupils?', ([_which, n = '1', things, _with, order, property]) => rankedFeatures(things, property, { order, n: listed(n) })),
  row('figure < most property of things', 'most pupils of a school', ([_most, property, _of, things]) => rankedFeatures(things, property, { order: 'highest', n: 1 })),
  row('figure < most|least|top number? things by property', 'the largest secondary school by pupils', ([order, n = '1', things, _by, property]) => rankedFeatures(things, property, { order, n: listed(n) })),
  row('figure < which things with range property', 'Which boarding schools have over 400 pupils?', ([_which, things, _with, range, property]) => rankedFeatures(things, property, { order: 'highest', having: range })),
  row('figure < with most|least amount', 'Which has the most people?', ([_with, order, amount]) => rankedFrames(amount, order, 1), 3),
  row('figure < number? things with most|least amount', 'Which rural frame has the most people?', ([n = '1', things, _with, order, amount]) => inOrder(things, amount, order, listed(n))),
  row('figure < old|young things', 'What is the oldest reserve?', ([order, things], catalogue) => byYear(catalogue, things, order)),
  row('figure < number? long|short things', 'What is the longest main road?', ([n = '1', order, things]) => rankedExtents('lines', things, order, listed(n))),
  row('figure < things long|short', 'Which main road is the shortest?', ([things, order]) => rankedExtents('lines', things, order)),
  row('figure < number? large|small things', 'What are the two largest reserves?', ([n = '1', order, things]) => rankedExtents('polygons', things, order, listed(n))),
  row('figure < things large|small', 'Which reserve is the largest?', ([things, order]) => rankedExtents('polygons', things, order)),
  row('figure < most-of land', 'Where is the highest ground?', ([{ name, side }], catalogue) => adjectiveFrame(catalogue, framesOf(), { name, order: SIDES[side], n: 1 })),
  row('figure < where amount most|least', 'Where is the building density highest?', ([_where, amount, order]) => rankedFrames(amount, order, 1)),
  row('figure < things most-of', 'Which rural frame is the steepest?', ([things, { name, side }], catalogue) => adjectiveFrame(catalogue, things, { name, order: SIDES[side], n: 1 })),
  row('figure < number? most-of things', 'the steepest rural frame', ([n = '1', { name, side }, things], catalogue) => adjectiveFrame(catalogue, things, { name, order: SIDES[side], n: listed(n) })),
  row('figure < things nearest|farthest away things', 'which frame is closest to a market', ([things, order, _away, other], catalogue) => inOrderOfWay(catalogue, things, other, order)),
  row('figure < top|bottom number things by amount', 'top three frames by number of shops', ([order, n, things, _by, amount]) => inOrder(things, amount, order, listed(n))),
  row('figure < rank things by amount', 'Rank the frames by population', ([_rank, things, _by, amount]) => inOrder(things, amount, 'highest')),
]
function wayTopic(catalogue: Catalogue, { topic, where, among }: Things): Topic | undefined {
  const to = where.length + among.length === 0 ? topic : undefined
  return to && (wayTo(catalogue, to.label, 'minutes') ?? wayTo(catalogue, to.label))
}
const wayOf = (catalogue: Catalogue, to: Things): Calculation | undefined => {
  const topic = wayTopic(catalogue, to)
  return topic && asFigure(amountOf(topic))
}
function inOrderOfWay(catalogue: Catalogue, things: Things, to: Things, order: 'highest' | 'lowest') {
  const way = wayTopic(catalogue, to)
  return isOfUnits(things)
    ? overUnits(things, wayOf(catalogue, to), (level, own) => firstUnit(level, own, order))
    : way && inOrder(things, amountOf(way), order, 1)
}
/** The one year that is recorded of the features. */
function byYear({ topics }: Catalogue, things: Things, order: 'highest' | 'lowest'): FigureFragment | undefined {
  const [year, ...more] = topics.filter(
    ({ subject, summary, type }) =>
      subject.kind === 'property' &&
      type === 'number' &&
      summary === 'none' &&
      subject.layerId === layerOf(things.topic),
  )
  return year && more.length === 0 ? rankedFeatures(things, year, { order, n: 1 }) : undefined
}
const isLimited = ({ of, where, among }: Things) => of === 'features' || where.length + among.length > 0
type OfAdjective = { name: string; order: 'highest' | 'lowest'; n: number }
function adjectiveFrame(catalogue: Catalogue, things: Things, { name, order, n }: OfAdjective) {
  const amount = ofAdjective(catalogue, { name })
  if (amount?.is === 'property') return amount.topic && rankedFeatures(things, amount.topic, { order, n })
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
  const isAlike = tests(one).length > 0 && all.every((each) => each.of.is === one.of.is && each.op === one.op && tests(each).length === tests(one).length) // prettier-ignore
  return (isOpen && !isAlike) || all.some((each) => isUneven(each, one)) ? undefined : [...all, one]
}
const joint = (calculations: readonly (Calculation | undefined)[]) => {
  const found = calculations.flatMap((each) => each ?? [])
  return found.length === calculations.length ? found : undefined
}
// prettier-ignore
export const OF_LISTS: Production[] = [
  row('items < calculation and|comma calculation', 'population and number of secondary schools by ward', ([one, _and, other]) => beside([one], other)),
  row('items < items and|comma calculation', 'population, secondary schools and clinics by ward', ([all, _and, one]) => beside(all, one)),
  row('items < share class and class condition', 'share of towns and villages with a school', ([_share, one, _and, other, condition]) => joint([one, other].map((each) => shareOfThings(framesOf([classFilter(each)]), condition)))),
  row('items < compare class and class amount', 'compare urban and rural population', ([_compare, one, _and, other, amount]) => eachOf(amount, [ofClassNamed(one), ofClassNamed(other)])),
  row('items < calculation compare calculation', 'number of schools vs number of clinics', ([one, _compare, other]) => beside([one], other)),
  row('items < calculation condition compare things', 'How many schools are in urban frames compared to rural frames?', ([one, condition, _compare, things]) => things.of === 'frames' && eachPlaces(one, condition, standingOn(things))),
  row('items < calculation conditions', 'How many people live in Lakeside and Lagoon?', ([one, each]) => eachOf(one, each)),
  row('items < places calculation', 'Lakeside and Lagoon population', ([places, one]) => eachPlace(one, places)),
  row('items < highest and lowest amount', 'highest and lowest slope', ([_highest, _and, _lowest, amount]) => joint([asFigure(closed(amount, 'max')), asFigure(closed(amount, 'min'))])),
  row('items < amount comma highest and lowest', 'slope, highest and lowest', ([amount]) => joint([asFigure(closed(amount, 'max')), asFigure(closed(amount, 'min'))])),
  row('items < amount in? year comma year and year', 'population in 2026, 2025 and 2026', ([amount, _in, one, _comma, other, _and, third], catalogue) => inYears(catalogue, amount, [one, other, third])),
  row('items < amount in? year and|compare year', 'population 2025 and 2026', ([amount, _in, one, _and, other], catalogue) => inYears(catalogue, amount, [one, other])),
  row('items < compare places by calculation', 'Compare Kofa (North), Kofa (South) and Hillcrest by number of pupils', ([_compare, places, _by, one]) => eachPlace(one, places)),
  row('items < more? calculation condition compare|than place', 'Do more people live in Marembe than N\'Dara?', ([_more, one, condition, _than, place]) => condition.isPlace && eachPlaces(one, condition, inPlaces([{ ...place, isListed: true }])), 0),
  row('items < more calculation in places', 'Do more people live in Marembe or N\'Dara?', ([_more, one, _in, places]) => eachPlace(one, { ...places, isEither: false }), 0),
  row('items < calculation condition bound condition', 'Is the population density of Marembe higher than that of N\'Dara?', ([one, condition, bound, other]) => /^(above|below)$/.test(bound) && condition.isPlace && other.isPlace && eachPlaces(one, listedOf(condition), listedOf(other)), 0),
  row('items < more amount condition or condition', 'Are there more people in towns or in villages?', ([_more, amount, one, _or, other]) => eachOf(amount, [one, other]), 0),
  row('items < which with more calculation comma places', 'Which has more people, Marembe or N\'Dara?', ([_which, _with, _more, calculation, _comma, { places }]) => eachPlace(calculation, { places, isEither: false }), 0),
  row('items < place with more|fewer calculation than place', 'Does Marembe have more schools than N\'Dara?', ([one, _with, _more, calculation, _than, other]) => eachPlace(calculation, { places: [one, other], isEither: false }), 0),
  row('items < more calculation or more? calculation', 'Are there more schools or clinics?', ([_more, one, _or, _too, other]) => one.of.things.of === other.of.things.of && beside([one], other), 0),
  row('items < place bigger place', 'Is Marembe bigger than N\'Dara?', ([one, _bigger, other]) => eachPlace(asFigure({ is: 'land', things: framesOf() }), { places: [one, other], isEither: false }), 0),
  row('items < place more-than than place', 'Is Marembe steeper than N\'Dara?', ([one, { name }, _than, other], catalogue) => eachPlace(adjectiveOf(catalogue, name), { places: [one, other], isEither: false }), 0),
  row('figures < items', 'How many people live in Lakeside and Lagoon?', ([all]) => all, 0),
  row('figures < figure', 'How many secondary schools are there?', ([figure]) => [figure], 0),
  row('figures < which figures', 'What are the population and the number of secondary schools of Lakeside?', ([_which, all]) => all),
  row('figures < items grouping', 'population and number of secondary schools by ward', ([all, grouping]) => many(all, grouping), 0),
  row('figures < grouping comma items', 'for each ward, how many people and how many schools', ([grouping, _comma, all]) => many(all, grouping), 0),
  row('figures < spread amount', 'range of elevation', ([_spread, amount]) => spreadsOf(amount), 0),
  row('figures < amount spread', 'altitude range', ([amount]) => spreadsOf(amount), 0),
  row('figures < where', 'Where is this?', () => UNIT_LEVELS.map((of) => ({ of: countOf({ of, where: [], among: [] }) }))),
  row('figures < not features comma figures', 'not schools, clinics only', ([_not, _other, _comma, all]) => all),
  row('figure < figure only', 'not schools, clinics only', ([figure]) => figure),
  row('figures < compare items', 'compare the population and the number of clinics', ([_compare, all]) => all),
  row('figures < compare calculation', 'Compare the population of these frames', ([_compare, one]) => [rankedFrames(open(one), 'highest') ?? one], 1),
  row('rising < grow|loss|rising|falling or grow|loss|rising|falling', 'Has the population risen or fallen?', ([one, _or, other]) => one !== other && 'highest', 0),
  row('figures < amount rising|falling years? condition?', 'Is the population growing?', ([amount, _rising, years, place], catalogue) => trendOf(catalogue, place ? place.isPlace && limitedBy(amount, place) : amount, years)),
]
const spreadsOf = (amount: Amount) =>
  joint([asFigure(closed(amount, 'max')), asFigure(closed(amount, 'min')), spreadOf(amount)])
/** An amount with its usual statistic is ranked by itself. */
function open({ of: { how, ...amount }, op }: Calculation): Amount | undefined {
  return op === undefined && amount.things.where.length === 0 && closed(amount)?.how === how ? amount : undefined
}
const eachPlace = (one: Calculation | undefined, { places, isEither }: Places) =>
  one && places.length > 1 && !isEither
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
/** "Is it growing" is answered by the newest figure first, "by how much" and "between two years" by the change. */
function trendOf(
  catalogue: Catalogue,
  amount: Amount | undefined | false,
  years?: Years,
): FigureFragment[] | undefined {
  const change = amount && changeOf(catalogue, amount, years)
  const newest = change && asFigure(change.of)
  return change && newest ? [...(years ? [] : [newest]), change] : undefined
}
