/** The productions that make figures of amounts: totals, ratios, shares, differences, groups and orders. */
import type { Filter } from '../../figures/index.js'
import type { UnitOfMeasure } from '../../numbers/index.js'
import type { UnitLevel } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import {
  type Amount,
  type Calculation,
  closed,
  type Condition,
  type FigureFragment,
  framesOf,
  type Grouping,
  isCountable,
  limited,
  limitedAmount,
  limitedCalculation,
  nameOf,
  type Things,
} from './fragments.js'
import { countOf, inPlaces, isOfUnits, meanOver } from './productions.js'
import { type Production, row } from './production.js'
import { layerOf, seriesOf, type Topic } from './topic.js'

const unlimited = ({ things }: Amount) => things.where.length + things.among.length === 0
const asFigure = (amount: Amount | undefined): Calculation | undefined => {
  const own = amount && closed(amount)
  return own && { of: own, ...(own.unit && { unit: own.unit }) }
}

function compared(
  op: NonNullable<Calculation['op']>,
  one: Amount | undefined,
  other: Amount | undefined,
): Calculation | undefined {
  const [of, to] = [one && closed(one), other && closed(other)]
  if (!of || !to) return undefined
  // Only totals have a ratio, and only numbers of one unit a difference.
  const areTotals = [of, to].every(({ how }) => how === 'sum' || how === 'count')
  const areOfOneUnit = of.topic?.unit === to.topic?.unit || of.is === 'count'
  const isMeant = op === 'ratio' || op === 'percent' ? areTotals : areOfOneUnit && of.is === to.is
  return isMeant ? { of, op, to } : undefined
}

const recordedBy = (topic: Topic): Filter => ({ of: layerOf(topic) ?? '', name: nameOf(topic), recorded: true })

/** A ratio of two totals. A condition is of both sides, or of none: features may be of a class. */
function ratioOf(one: Amount | undefined, other: Amount | undefined): Calculation | undefined {
  const isWhole = (amount: Amount) =>
    amount.things.among.length === 0 && (amount.things.of === 'features' || amount.things.where.length === 0)
  return one && other && isWhole(one) && isWhole(other) ? compared('ratio', one, other) : undefined
}
const shareIsOfPlace = ({ op }: Calculation, { isPlace = false }: Condition) => op !== 'percent' || isPlace
const limitedBoth = (calculation: Calculation, condition: Condition) =>
  calculation.op !== undefined && shareIsOfPlace(calculation, condition)
    ? limitedCalculation(calculation, condition)
    : undefined

/** The part of an amount or of things that passes a condition. */
function shareOf(whole: Amount, condition: Condition | undefined): Calculation | undefined {
  const part = condition && limitedAmount(whole, condition)
  return part && isCountable(whole) ? compared('percent', part, whole) : undefined
}
/** Frames of a class count among those that record it. */
function shareOfThings(things: Things, condition: Condition | undefined): Calculation | undefined {
  const test = condition?.frames
  const isOfClass = things.of === 'frames' && test && 'is' in test && 'of' in test && 'name' in test
  const recorded: Filter[] = isOfClass ? [{ of: test.of ?? '', name: test.name ?? '', recorded: true }] : []
  return shareOf(countOf({ ...things, where: [...things.where, ...recorded] }), condition)
}

const shareOfLand = (classes: Condition) => classes.frames && shareOfThings(framesOf(), classes)

/** Per square kilometre, hectare or acre of the land. */
function perLand(amount: Amount | undefined, unit: UnitOfMeasure): Calculation | undefined {
  if (!amount) return undefined
  const { where, among } = amount.things
  const isOfFrames = amount.things.of === 'frames'
  if (unit.dimension !== 'area') return undefined
  // The density is over the land of the frames that record the topic.
  const recorded = amount.is === 'attribute' && amount.topic ? [recordedBy(amount.topic)] : []
  const land: Amount = { is: 'land', things: framesOf([...(isOfFrames ? where : among), ...recorded]), how: 'sum' }
  const calculation = compared('ratio', amount, land)
  return calculation && { ...calculation, unit }
}

/** From one year of a series to another: from the oldest to the newest where none is named. */
function changeOf(catalogue: Catalogue, amount: Amount, years?: [string, string]): Calculation | undefined {
  const { topic } = amount
  if (amount.is !== 'attribute' || !topic) return undefined
  const series = seriesOf(catalogue, topic)
  const inYear = (year: string) => series.find((each) => each.years.includes(Number(year)))
  const [from, to] = years ? years.map(inYear) : [series[0], series.at(-1)]
  if (!from || !to || from === to) return undefined
  return compared('change', { ...amount, topic: to }, { ...amount, topic: from })
}

const grouped = (calculation: Calculation | undefined, grouping: Grouping): FigureFragment | undefined => {
  // A level of units has no groups of its own.
  const isOfFrames = calculation && [calculation.of, calculation.to].every((each) => !each || !isOfUnits(each.things))
  return calculation && isOfFrames ? { ...calculation, ...grouping } : undefined
}
const ofLevel = (level: UnitLevel): Grouping => ({ by: { level } })
const firstOf = (level: UnitLevel, order: 'highest' | 'lowest', n: number): Grouping => ({ by: { level }, order, n })
const listed = (number: string): number => Math.min(Number(number), 50)

/** Units that pass: counted by their frames, so that each has a row. */
const namesOf = (things: Things): FigureFragment | undefined => {
  if (isOfUnits(things))
    return things.where.length > 0
      ? {
          of: { is: 'count', things: framesOf([...things.where, ...things.among]), how: 'count' },
          by: { level: things.of },
          having: { above: '0' },
        }
      : undefined
  const isSelected = things.where.length > 0
  return isSelected ? { of: { ...countOf(things), how: 'count' }, by: { each: true } } : undefined
}

/** Single features in the order of a property. */
function rankedFeatures(things: Things, property: Topic, grouping: Grouping): FigureFragment | undefined {
  if (things.of !== 'features' || layerOf(things.topic) !== layerOf(property)) return undefined
  return { of: { is: 'property', topic: property, things, how: 'sum' }, by: { each: true }, ...grouping }
}

function commonest(topic: Topic, order: 'highest' | 'lowest', things: Things = framesOf()): FigureFragment | undefined {
  const layer = layerOf(topic)
  if (topic.type !== 'category' || layer === undefined) return undefined
  return { of: { ...countOf(things), how: 'count' }, by: { class: { of: layer, name: nameOf(topic) } }, order, n: 1 }
}

export const figureProductions = (catalogue: Catalogue): Production[] => [
  ...ofCalculations(catalogue),
  ...ofGroups(catalogue),
  ...ofNames,
]

// prettier-ignore
const ofCalculations = (catalogue: Catalogue) => [
  row('amount < count things', 'How many secondary schools are there per 1,000 people?', ([_count, things]) => countOf(things)),
  row('calculation < amount', 'Pupils of secondary schools', ([one]) => asFigure(one)),
  row('calculation < count amount', 'How many beds are in clinics open at night?', ([_count, amount]) => isCountable(amount) && asFigure(amount)),
  row('calculation < things', 'Secondary schools?', ([things]) => asFigure(countOf(things)), 2),
  row('calculation < in count things condition', 'In how many frames are there more buildings than people?', ([_in, _count, things, condition]) => asFigure(thingsAmount(limited(things, condition))), 2),
  row('calculation < amount per amount', 'People per building by land cover', ([one, _per, other]) => ratioOf(one, other)),
  row('calculation < amount per things', 'Population per secondary school', ([one, _per, things]) => ratioOf(one, countOf(things))),
  row('calculation < count amount per things', 'How many people are there per secondary school?', ([_count, one, _per, things]) => isCountable(one) && ratioOf(one, countOf(things))),
  row('calculation < amount per number amount', 'How many secondary schools are there per 10,000 people?', ([one, _per, times, other]) => timesOf(ratioOf(one, other), times)),
  row('calculation < count amount per number amount', 'How many beds are there per 10,000 people?', ([_count, one, _per, times, other]) => isCountable(one) && timesOf(ratioOf(one, other), times)),
  row('calculation < amount for number amount', 'How many secondary schools are there for 10,000 people?', ([one, _for, times, other]) => timesOf(ratioOf(one, other), times)),
  row('calculation < count amount rate things', 'How many people are there to a school?', ([_count, one, rate, things]) => rate === 'to' && isCountable(one) && ratioOf(one, countOf(things))),
  row('calculation < count amount rate measure', 'How many people live on a square mile?', ([_count, amount, _rate, unit]) => isCountable(amount) && perLand(amount, unit)),
  row('calculation < things per number amount', 'Secondary schools per 10,000 people', ([things, _per, times, other]) => timesOf(ratioOf(countOf(things), other), times)),
  row('calculation < ratio amount to amount', 'What is the ratio of people to buildings in wards with a clinic?', ([_ratio, one, _to, other]) => ratioOf(one, other)),
  row('calculation < amount per measure', 'People per hectare', ([amount, _per, unit]) => perLand(amount, unit)),
  row('calculation < things per measure', 'Secondary schools per square mile', ([things, _per, unit]) => perLand(countOf(things), unit)),
  row('calculation < count amount per measure', 'How many people are there per hectare?', ([_count, amount, _per, unit]) => isCountable(amount) && perLand(amount, unit)),
  row('calculation < share amount verb condition', 'What share of people in urban frames live within 1 km of a school?', ([_share, amount, _verb, condition]) => shareOf(amount, condition), 0),
  row('calculation < share amount condition', 'Share of people in wards with a clinic', ([_share, amount, condition]) => shareOf(amount, condition)),
  row('calculation < share things condition', 'What share of wards have a clinic?', ([_share, things, condition]) => shareOfThings(things, condition)),
  row('calculation < share classes condition', 'What share of towns have a clinic within 2 km?', ([_share, classes, condition]) => shareOfThings(framesOf(classes.frames ? [classes.frames] : []), classes.frames && condition)),
  row('calculation < share land classes', 'What fraction of the land is forest or woodland?', ([_share, _land, classes]) => shareOfLand(classes)),
  row('calculation < share here classes', 'What fraction of the country is forest?', ([_share, _here, classes]) => shareOfLand(classes)),
  row('calculation < difference amount between place and place', 'What is the difference in population between Marembe and N\'Dara?', ([_difference, amount, _between, one, _and, other]) => inTwo('difference', amount, [one, other]), 2),
  row('calculation < count more amount condition than condition', 'How many more people live in villages than in towns?', ([_count, _more, amount, one, _than, other]) => inBoth(amount, one, other)),
  row('calculation < count more amount condition than place', 'How many more people live in Marembe than N\'Dara?', ([_count, _more, amount, one, _than, place]) => inBoth(amount, one, inPlaces([place]))),
  row('calculation < count classes condition', 'How many villages have a school but no clinic?', ([_count, classes, condition]) => classes.frames && asFigure(thingsAmount(limited(framesOf([classes.frames]), condition)))),
  row('calculation < count more things than things', 'How many more schools are there than clinics?', ([_count, _more, one, _than, other]) => compared('difference', countOf(one), countOf(other))),
  row('calculation < total amount of place and place', 'What is the combined population of Marembe and N\'Dara?', ([_total, amount, _of, one, _and, other]) => asFigure(limitedBy(amount, inPlaces([one, other])))),
  row('calculation < change amount', 'What is the growth of the population of the wards with a clinic?', ([_change, amount]) => changeOf(catalogue, amount)),
  row('calculation < change amount change', 'By how many percent did the people in wards with a clinic grow?', ([_change, amount, _behind]) => changeOf(catalogue, amount)),
  row('calculation < change amount from year to year', 'What was the growth of the population from 2025 to 2026?', ([_change, amount, _from, from, _to, to]) => changeOf(catalogue, amount, [from, to])),
  row('calculation < calculation condition', 'How many secondary schools are there per 10,000 people in Marembe?', ([one, other]) => limitedBoth(one, other), 2),
  row('calculation < condition in count things', 'Nobody lives in how many frames?', ([condition, _in, _count, things]) => asFigure(thingsAmount(limited(things, condition)))),
  row('calculation < amount per measure of classes land', 'People per km² of urban land', ([amount, _per, unit, _of, classes]) => perLand(limitedBy(amount, classes), unit)),
  row('calculation < count amount rate measure of classes land', 'How many people live on a km² of urban land?', ([_count, amount, _rate, unit, _of, classes]) => isCountable(amount) && perLand(limitedBy(amount, classes), unit)),
  row('calculation < share land classes comma in measure', 'How much of the land is wetland, in km²?', ([_share, _land, classes, _comma, _in, unit]) => landIn(classes, unit), 0),
  row('calculation < share land classes in measure', 'How much of the land is wetland in km²?', ([_share, _land, classes, _in, unit]) => landIn(classes, unit), 0),
  row('calculation < count more amount with average things than average things', 'How many more pupils has the average secondary school than the average primary school?', ([_count, _more, amount, _with, _average, one, _than, _mean, other]) => compared('difference', meanOver(amount, one, 'mean'), meanOver(amount, other, 'mean'))),
  row('calculation < calculation in here', 'How many people live on a square mile in the country?', ([calculation]) => calculation, 0),
  row('calculation < calculation here with', 'How many miles of main road does the country have?', ([calculation]) => calculation, 0),
  row('calculation < calculation in measure', 'What is the average elevation of the wards with a clinic in feet?', ([calculation, _in, unit]) => inMeasure(calculation, unit)),
  row('calculation < calculation comma in measure', 'What is the average elevation of the wards with a clinic, in feet?', ([calculation, _comma, _in, unit]) => inMeasure(calculation, unit), 0),
  row('calculation < calculation percent', 'What share of wards have a clinic in percent?', ([calculation]) => isPercent(calculation), 0),
  row('figure < figure comma percent', 'Which part of all people lives in each state, in percent?', ([figure]) => isPercent(figure), 0),
]
const limitedBy = (amount: Amount, condition: Condition | undefined) => condition && limitedAmount(amount, condition)
const thingsAmount = (things: Things | undefined) => things && countOf(things)
const timesOf = (calculation: Calculation | undefined, times: string) =>
  calculation && Number(times) > 0 ? { ...calculation, times } : undefined
const landIn = (classes: Condition, unit: UnitOfMeasure): Calculation | undefined =>
  classes.frames && unit.dimension === 'area'
    ? { of: { is: 'land', things: framesOf([classes.frames]), how: 'sum' }, unit }
    : undefined
const isPercent = <Part extends Calculation>(part: Part) => /^(percent|change)$/.test(part.op ?? '') && part
const inBoth = (amount: Amount, one: Condition, other: Condition | undefined) =>
  other && unlimited(amount) ? compared('difference', limitedBy(amount, one), limitedBy(amount, other)) : undefined
type Place = Parameters<typeof inPlaces>[0][number]
const inTwo = (op: 'difference', amount: Amount, [one, other]: [Place, Place]) =>
  compared(op, limitedBy(amount, inPlaces([one])), limitedBy(amount, inPlaces([other])))
/** A figure is told in another unit of what its topic measures. */
function inMeasure(calculation: Calculation, unit: UnitOfMeasure): Calculation | undefined {
  return calculation.unit === undefined && calculation.op === undefined ? { ...calculation, unit } : undefined
}

// prettier-ignore
const ofGroups = (catalogue: Catalogue) => [
  row('figure < calculation', 'How many secondary schools are there?', ([calculation]) => calculation, 0),
  row('figure < calculation by level', 'How many secondary schools are there by LGA?', ([calculation, _by, level]) => grouped(calculation, ofLevel(level))),
  row('figure < calculation each level', 'How many secondary schools are there in each LGA?', ([calculation, _each, level]) => grouped(calculation, ofLevel(level))),
  row('figure < calculation comma each level', 'What share of the people live on rural frames, in each state?', ([calculation, _comma, _each, level]) => grouped(calculation, ofLevel(level))),
  row('figure < share amount each level', 'Which part of all people lives in each state?', ([_share, amount, _each, level]) => isCountable(amount) && grouped(compared('percent', amount, amount), { by: { level }, toBy: null })),
  row('figure < calculation by category', 'How many secondary schools are there by land cover?', ([calculation, _by, topic]) => grouped(calculation, { by: { class: { of: layerOf(topic) ?? '', name: nameOf(topic) } } })),
  row('figure < calculation each category', 'How many secondary schools are there in each land cover?', ([calculation, _each, topic]) => grouped(calculation, { by: { class: { of: layerOf(topic) ?? '', name: nameOf(topic) } } })),
  row('figure < level with most calculation', 'LGA with the most secondary schools', ([level, _with, _most, calculation]) => grouped(calculation, firstOf(level, 'highest', 1))),
  row('figure < level with least calculation', 'LGA with the fewest secondary schools', ([level, _with, _least, calculation]) => grouped(calculation, firstOf(level, 'lowest', 1))),
  row('figure < which number level with most calculation', 'Which three LGAs have the most secondary schools?', ([_which, n, level, _with, _most, calculation]) => grouped(calculation, firstOf(level, 'highest', listed(n)))),
  row('figure < which number level with least calculation', 'Which three LGAs have the fewest secondary schools?', ([_which, n, level, _with, _least, calculation]) => grouped(calculation, firstOf(level, 'lowest', listed(n)))),
  row('figure < which level with ordinal most calculation', 'Which LGA has the third most people?', ([_which, level, _with, nth, _most, calculation]) => grouped(calculation, { by: { level }, order: 'highest', nth })),
  row('figure < which level each level with most calculation', 'Which LGA in each state has the most people?', ([_which, level, _each, inEach, _with, _most, calculation]) => level !== inEach && grouped(calculation, { ...firstOf(level, 'highest', 1), inEach })),
  row('figure < top number level by calculation', 'Top 3 LGAs by secondary schools', ([_top, n, level, _by, calculation]) => grouped(calculation, firstOf(level, 'highest', listed(n)))),
  row('figure < bottom number level by calculation', 'Bottom 3 LGAs by secondary schools', ([_bottom, n, level, _by, calculation]) => grouped(calculation, firstOf(level, 'lowest', listed(n)))),
  row('figure < rank level by calculation', 'Rank the states by population density', ([_rank, level, _by, calculation]) => grouped(calculation, { by: { level }, order: 'highest' })),
  row('calculation < density amount', 'Rank the states by density of people', ([_density, amount]) => isCountable(amount) && densityOf(amount)),
  row('calculation < amount density', 'Rank the states by population density', ([amount]) => isCountable(amount) && densityOf(amount)),
  row('figure < which level with range amount rate measure', 'Which LGAs have more than 200 people on a km²?', ([_which, level, _with, range, amount, _rate, unit]) => isCountable(amount) && grouped(perLand(amount, unit), { by: { level }, having: range })),
  row('figure < which level with range calculation', 'Which LGAs have more than 20 people per hectare?', ([_which, level, _with, range, calculation]) => calculation.op !== undefined && grouped(calculation, { by: { level }, having: range })),
  row('figure < in which level amount change most', 'In which LGAs did the people grow most?', ([_in, _which, level, amount]) => grouped(changeOf(catalogue, amount), firstOf(level, 'highest', 3))),
  row('figure < which category least common', 'Which land cover is the least common?', ([_which, topic]) => commonest(topic, 'lowest')),
  row('figure < least common category', 'What is the least common land cover?', ([_least, _common, topic]) => commonest(topic, 'lowest')),
  row('figure < which figure', 'What is the least common land cover?', ([_which, figure]) => figure, 1),
]
const KM2: UnitOfMeasure = { name: 'km²', dimension: 'area', factor: '1000000' }
const densityOf = (amount: Amount) => perLand(amount, KM2)

const SINGLE = { highest: 'highest', lowest: 'lowest' } as const
// prettier-ignore
const ofNames = [
  row('figure < which things', 'Which secondary schools have boarding?', ([_which, things]) => namesOf(things)),
  row('figure < names things', 'Names of the secondary schools', ([_names, things]) => namesOf(things)),
  row('figure < which things with most property', 'Which secondary school has the most pupils?', ([_which, things, _with, _most, property]) => rankedFeatures(things, property, { order: SINGLE.highest, n: 1 })),
  row('figure < which things with least property', 'Which secondary school has the fewest pupils?', ([_which, things, _with, _least, property]) => rankedFeatures(things, property, { order: SINGLE.lowest, n: 1 })),
  row('figure < which number things with most property', 'Which two clinics have the most beds?', ([_which, n, things, _with, _most, property]) => rankedFeatures(things, property, { order: SINGLE.highest, n: listed(n) })),
  row('figure < which number things with least property', 'Which two clinics have the fewest beds?', ([_which, n, things, _with, _least, property]) => rankedFeatures(things, property, { order: SINGLE.lowest, n: listed(n) })),
  row('figure < top number things by property', 'Top 3 secondary schools by pupils', ([_top, n, things, _by, property]) => rankedFeatures(things, property, { order: SINGLE.highest, n: listed(n) })),
  row('figure < which things with range property', 'Which boarding schools have over 400 pupils?', ([_which, things, _with, range, property]) => rankedFeatures(things, property, { order: SINGLE.highest, having: range })),
]

export { compared, KM2, namesOf, perLand }
