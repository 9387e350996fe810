/** The productions that make figures of amounts: totals, ratios, densities, shares, differences, changes and intervals. */
import { type UnitOfMeasure, unitOfMeasureNamed } from '../../numbers/index.js'
import { limitedBy, meanOver, ofUnit } from './amount-productions.js'
import {
  asFigure,
  changeOf,
  compared,
  densityOf,
  KM2,
  limitedBoth,
  ofAdjective,
  perLand,
  ratioOf,
  shareOf,
  shareOfFrames,
  shareOfLand,
  shareOfOther,
  shareOfThings,
  unlimited,
} from './calculations.js'
import {
  type Amount,
  type Calculation,
  closed,
  type Condition,
  countOf,
  framesOf,
  isCountable,
  limited,
  limitedCalculation,
  type Things,
} from './fragments.js'
import type { Catalogue } from './catalogue.js'
import type { Adjective } from './cues.js'
import { UNIT_LEVELS, type UnitLevel } from '../../place.js'
import { type Production, row, type Years } from './production.js'
import { inPlaces } from './productions.js'

// prettier-ignore
export const OF_CALCULATIONS: Production[] = [
  row('calculation < amount', 'Pupils of secondary schools', ([one]) => asFigure(one)),
  row('calculation < for|in count things condition', 'For how many frames is no topsoil texture recorded?', ([_for, _count, things, condition]) => asFigure(thingsAmount(limited(things, condition))), 2),
  row('calculation < amount per amount', 'People per building by land cover', ([one, _per, other]) => ratioOf(one, other)),
  row('calculation < amount per|for number amount', 'How many secondary schools are there per 10,000 people?', ([one, _per, times, other]) => timesOf(ratioOf(one, other), times)),
  row('calculation < amount head', 'buildings per capita', ([one], catalogue) => ratioOf(one, ofAdjective(catalogue, { name: 'population' }))),
  row('calculation < amount rate things', 'How many people are there to a school?', ([one, rate, things]) => rate === 'to' && isCountable(one) && ratioOf(one, countOf(things))),
  row('calculation < ratio amount to amount', 'What is the ratio of people to buildings in wards with a clinic?', ([_ratio, one, _to, other]) => ratioOf(one, other)),
  row('calculation < amount per|rate measure', 'People per hectare', ([amount, per, unit]) => (per === true || isCountable(amount)) && perLand(amount, unit)),
  row('calculation < density|dense amount', 'Rank the states by density of people', ([_density, amount], catalogue) => densityOf(catalogue, amount)),
  row('calculation < amount density', 'Rank the states by population density', ([amount], catalogue) => densityOf(catalogue, amount)),
  row('calculation < share amount verb condition', 'What share of people in urban frames live within 1 km of a school?', ([_share, amount, _verb, condition]) => shareOf(amount, condition), 0),
  row('calculation < share amount condition', 'Share of people in wards with a clinic', ([_share, amount, condition]) => shareOf(amount, condition)),
  row('calculation < share amount verb amount', 'What share of the buildings are shops?', ([_share, whole, _verb, part]) => shareOfOther(part, whole)),
  row('calculation < share amount classes things', 'How many of the schools in Marembe are boarding schools?', ([_share, amount, classes, things]) => things.topic === amount.topic && unlimited(countOf(things)) && shareOf(amount, classes), 0),
  row('calculation < share classes verb in place', 'what share of the cropland lies in Meridian Bay', ([_share, classes, _verb, _in, place]) => classes.frames && shareOfThings(framesOf([classes.frames]), inPlaces([place])), 0),
  row('calculation < share land classes', 'What fraction of our land is forest or woodland?', ([_share, _land, classes]) => shareOfLand(classes), 0),
  row('calculation < share place? with? classes frames?', 'What fraction of the country is forest?', ([_share, place, _with, classes]) => (place ? limitedShare(shareOfFrames(classes), inPlaces([place])) : shareOfFrames(classes))),
  row('calculation < which level', 'What LGA are we in?', ([_which, level], { topics }) => asFigure(ofUnit(topics, level)), 2),
  row('calculation < in? which level place in|belong?', 'Which LGA does Isale belong to?', ([_in, _which, level, place]) => unitAround(level, place), 1),
  row('calculation < classes share', 'rural %', ([classes]) => shareOfFrames(classes)),
  row('calculation < common classes', 'Is it mainly forest?', ([_common, classes]) => shareOfFrames(classes), 2),
  row('calculation < difference amount between place and place', 'What is the difference in population between Marembe and N\'Dara?', ([_difference, amount, _between, one, _and, other]) => inTwo('difference', amount, [one, other]), 2),
  row('calculation < count more amount condition than condition|place', 'How many more people live in villages than in towns?', ([_count, _more, amount, one, _than, other]) => inBoth(amount, one, 'levels' in other ? inPlaces([other]) : other)),
  row('calculation < count more amount place with than place', 'How many more schools does Marembe have than N\'Dara?', ([_count, _more, amount, one, _with, _than, other]) => inTwo('difference', amount, [one, other]), 0),
  row('calculation < count more things than things', 'How many more schools are there than clinics?', ([_count, _more, one, _than, other]) => compared('difference', countOf(one), countOf(other))),
  row('calculation < amount in|of places joint|total', 'How many people live in Lakeside and Lagoon combined?', ([amount, _in, { places }]) => asFigure(limitedBy(amount, inPlaces(places))), 0),
  row('calculation < amount and amount joint', 'How many schools and clinics are there together?', ([one, _and, other]) => compared('sum', one, other), 0),
  row('calculation < joint amount of places', 'What is the combined population of Marembe and N\'Dara?', ([_joint, amount, _of, { places }]) => asFigure(limitedBy(amount, inPlaces(places)))),
  row('calculation < change|grow|loss amount years?', 'What is the growth of the population of the wards with a clinic?', ([_change, amount, years], catalogue) => changeOf(catalogue, amount, years)),
  row('calculation < change|by? amount change|grow|loss years?', 'How has the population changed since 2025?', ([_how, amount, _change, years], catalogue) => changeOf(catalogue, amount, years), 0),
  row('calculation < change place grow|loss years?', 'By how much did Marembe grow?', ([_change, place, _behind, years], catalogue) => growthIn(catalogue, place, years)),
  row('calculation < count amount gained|loss years?', 'How many people have we gained since 2025?', ([_count, amount, _gained, years], catalogue) => changeOf(catalogue, amount, years)),
  row('calculation < count more|fewer amount in? year? than year', 'How many more people are there now than in 2025?', ([_count, _more, amount, _in, to, _than, from], catalogue) => changeOf(catalogue, amount, to === undefined ? [from] : [from, to])),
  row('calculation < absolute calculation', 'absolute population growth by LGA', ([_absolute, one]) => one.op === 'change' && { ...one, op: 'difference' as const }, 0),
  row('calculation < difference amount between highest and lowest frames', 'difference in building density between the highest and the lowest frame', ([_difference, amount]) => spreadOf(amount), 0),
  row('calculation < calculation condition', 'What is the ratio of people to buildings in wards with a clinic?', ([one, other]) => limitedBoth(one, other), 2),
  row('calculation < condition calculation', 'In Marembe how many secondary schools are there per 10,000 people?', ([condition, one]) => limitedCalculation(one, condition), 3),
  row('calculation < condition in count things', 'Nobody lives in how many frames?', ([condition, _in, _count, things]) => asFigure(thingsAmount(limited(things, condition)))),
  row('calculation < amount per|rate measure of classes land', 'People per km² of urban land', ([amount, per, unit, _of, classes]) => (per === true || isCountable(amount)) && perLand(limitedBy(amount, classes), unit)),
  row('calculation < share land classes in measure', 'How much of the land is wetland in km²?', ([_share, _land, classes, _in, unit]) => landIn(classes, unit), 0),
  row('calculation < count more amount with average things than average things', 'How many more pupils has the average secondary school than the average primary school?', ([_count, _more, amount, _with, _average, one, _than, _mean, other]) => compared('difference', meanOver(amount, one, 'mean'), meanOver(amount, other, 'mean'))),
  row('calculation < calculation in measure', 'What is the average elevation of the wards with a clinic in feet?', ([calculation, _in, unit]) => inMeasure(calculation, unit)),
  row('calculation < calculation percent', 'What share of wards have a clinic in percent?', ([calculation]) => isPercent(calculation), 0),
  row('calculation < interval of? calculation', 'how sure is the number of people', ([_interval, _of, one]) => intervalOf(one), 0),
  row('calculation < calculation with interval', 'population with the margin of error', ([one]) => intervalOf(one), 0),
  row('calculation < percentage|number percent? interval of calculation', '95% confidence interval of the number of people', ([level, _percent, _interval, _of, one]) => level === '95' && intervalOf(one), 0),
  row('calculation < difference highest and lowest amount', 'difference between the highest and the lowest elevation', ([_difference, _highest, _and, _lowest, amount]) => spreadOf(amount), 0),
  row('calculation < difference amount between most-of and most-of frames', 'difference in slope between the steepest and the flattest frame', ([_difference, amount, _between, one, _and, other], catalogue) => isSpread(catalogue, amount, [one, other]) && spreadOf(amount), 0),
  row('calculation < calculation per measure', 'Population density per square mile', ([one, _per, unit]) => one.op === 'ratio' && one.to?.is === 'land' && one.unit === KM2 && unit.dimension === 'area' && { ...one, unit }, 0),
  row('calculation < calculation place', 'population density Marembe', ([one, place]) => one.op === 'ratio' && limitedShare(one, inPlaces([place])), 3),
]
/** The unit that a smaller one lies in. */
const unitAround = (of: UnitLevel, place: Place) =>
  place.levels.some(({ level }) => UNIT_LEVELS.indexOf(level) > UNIT_LEVELS.indexOf(of))
    ? asFigure(countOf({ of, where: [], among: [inPlaces([place])?.frames ?? []].flat() }))
    : undefined
const limitedShare = (share: Calculation | undefined, place: Condition | undefined) =>
  share && place && limitedCalculation(share, place)
/** A place grows by its people. */
function growthIn(catalogue: Catalogue, place: Place, years?: Years): Calculation | undefined {
  const people = ofAdjective(catalogue, { name: 'population' })
  const own = people && limitedBy(people, inPlaces([place]))
  return own && changeOf(catalogue, own, years)
}
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
  const { unit: own, op } = calculation
  const { is, topic } = calculation.of
  const dimension =
    own?.dimension ??
    (is === 'land'
      ? 'area'
      : is === 'extent' || is === 'count'
        ? undefined
        : unitOfMeasureNamed(topic?.unit)?.dimension)
  return dimension === unit.dimension && op === undefined ? { ...calculation, unit } : undefined
}
/** Of what is modelled: a total, its density, its mean or its share. */
export const intervalOf = (calculation: Calculation): Calculation | undefined =>
  calculation.of.is === 'attribute' && calculation.of.topic?.type === 'number' && calculation.op !== 'change'
    ? { ...calculation, isInterval: true }
    : undefined
const isSpread = (catalogue: Catalogue, { topic }: Amount, [one, other]: [Adjective, Adjective]) =>
  one.name === other.name && one.side !== other.side && ofAdjective(catalogue, one)?.topic === topic
export const spreadOf = (amount: Amount): Calculation | undefined => {
  const of = amount.is === 'attribute' && amount.topic?.type === 'number' ? closed(amount, 'max') : undefined
  return of && { of, isRange: true }
}
