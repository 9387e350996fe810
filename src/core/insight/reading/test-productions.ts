/** The productions that make conditions of things, amounts and distances. */
import {
  NONE,
  SOME,
  bothOf,
  bounded,
  eachWay,
  eitherOf,
  eitherWay,
  farFrom,
  isAway,
  isBoth,
  isContrary,
  isPlainTotal,
  listedOf,
  measured,
  moreAmount,
  moreOf,
  mostly,
  onlyMeasuredIn,
  rangeOf,
  tested,
  withNone,
  withSome,
  without,
} from './conditions.js'
import type { Bounds } from '../../figures/index.js'
import { inTwoYears, ofAdjective } from './calculations.js'
import type { Catalogue } from './catalogue.js'
import { type Amount, type Condition, combined, denied, limited, ownProperty, withThings } from './fragments.js'
import type { Adjective } from './cues.js'
import { topicNamed } from './names.js'
import { inPlaces } from './productions.js'
import type { Topic } from './topic.js'
import { type Production, type Range, row, type Years } from './production.js'

// prettier-ignore
export const OF_TESTS: Production[] = [
  row('condition < with|without things', 'How many wards have a clinic open at night?', ([own, things]) => (own === true ? withNone : withSome)(things)),
  row('condition < with things and|or things', 'How many frames have a school or a clinic?', ([_with, one, joint, other]) => (joint === 'or' ? eitherOf2 : bothOf)(withSome(one), withSome(other))),
  row('condition < without things or things', 'How many wards have no school or clinic?', ([_without, one, _or, other]) => bothOf(withNone(one), withNone(other))),
  row('condition < without things comma things or things', 'people without a clinic, a school or a road', ([_without, one, _comma, other, _or, third]) => bothOf(bothOf(withNone(one), withNone(other)), withNone(third))),
  row('condition < with things but|and not things', 'Which wards have a school but not a clinic?', ([_with, one, _but, _not, other]) => bothOf(withSome(one), withNone(other))),
  row('condition < without things but things', 'How many wards have no clinic but a school?', ([_without, one, _but, other]) => bothOf(withNone(one), withSome(other))),
  row('condition < with neither things nor things measured-range?', 'How many wards have neither a school nor a clinic?', ([_with, _neither, one, _nor, other, range], catalogue) => (range ? bothOf(without(catalogue, one, range), without(catalogue, other, range)) : bothOf(withNone(one), withNone(other))), 0),
  row('condition < with things but without things measured-range', 'people with a school but no clinic within 1 km', ([_with, one, _but, _without, other, range], catalogue) => bothOf(farFrom(one, range, catalogue), without(catalogue, other, range)), 0),
  row('condition < with? more|fewer amount than amount', 'How many frames have more buildings than people?', ([_with, order, one, _than, other]) => moreAmount(one, other, MORE[order])),
  row('condition < with|of range amount', 'How many frames have at least five thousand people?', ([own, range, amount]) => ownedBy(own, tested(amount, range))),
  row('condition < with number amount boundBehind', 'How many wards have 30,000 people or more?', ([own, number, amount, bound]) => ownedBy(own, tested(amount, bounded(bound, number)))),
  row('condition < with|of measured-range of? amount', 'How many wards have over 1,000 feet of elevation?', ([_with, range, _of, amount]) => measured(amount, range), 0),
  row('condition < with|verb amount of? range|measured-range', 'How many wards have a population over 30,000?', ([own, amount, _of, range]) => ownedBy(own, inRange(amount, range))),
  row('condition < amount measured-range', 'How many frames are forest, slope over 3 degrees and uninhabited?', ([amount, range]) => amount.is === 'attribute' && measured(amount, range), 2),
  row('condition < condition and|or range amount', 'Which wards have no clinic and more than 10,000 people?', ([one, joint, range, amount]) => (joint === 'or' ? eitherOf2 : bothOf)(one, ownedBy('with', tested(amount, range)))),
  row('condition < condition and amount of? range|measured-range', 'Which wards have no clinic and a population over 10,000?', ([one, _and, amount, _of, range]) => bothOf(one, inRange(amount, range))),
  row('condition < with|without property', 'How many secondary schools have pupils?', ([own, topic], catalogue) => tested(ownProperty(catalogue, topic), own === true ? NONE : SOME)),
  row('sized < number property', 'How many clinics of 20 beds are there?', ([number, topic], catalogue) => tested(ownProperty(catalogue, topic), bounded('equals', number)), 0),
  row('sized < range property', 'How many schools under 100 pupils are there?', ([range, topic], catalogue) => tested(ownProperty(catalogue, topic), range), 0),
  row('sized < number property boundBehind', 'How many schools of 500 pupils or more are there?', ([number, topic, bound], catalogue) => tested(ownProperty(catalogue, topic), bounded(bound, number)), 0),
  row('sized < property of? number property', 'How many schools have an enrolment of 500 pupils?', ([topic, _of, number, unit], catalogue) => topic === unit && tested(ownProperty(catalogue, topic), bounded('equals', number)), 0),
  row('condition < in|of|with sized', 'How many clinics of 20 beds are there?', ([_of, condition]) => condition),
  row('things < sized things', 'How long are the 2-lane roads?', ([condition, things]) => things.of === 'features' && limited(things, condition)),
  row('things < things sized', 'How many schools over 500 pupils are there?', ([things, condition]) => things.of === 'features' && limited(things, condition)),
  row('condition < with|without amount', 'Which frames have people but no clinic?', ([own, amount]) => isPlainTotal(amount) && ownedBy(own === true ? 'with' : own, tested(amount, own === true ? NONE : SOME)), 2),
  row('condition < with common category classes', 'How many people live in wards whose main land cover is wetland?', ([_with, _common, topic, classes]) => mostly(topic, classes)),
  row('condition < in series measured-range', 'How many people live on slopes above 3 degrees?', ([_in, series, range]) => rangeOf(series, range), 1),
  row('condition < in|with? series? more-than than number measure', 'How many people live on frames steeper than 3 degrees?', ([_in, series, adjective, _than, number, unit], catalogue) => (!series || isNamed(catalogue, series, adjective)) && measuredBy(ofAdjective(catalogue, adjective), { bounds: bounded(adjective.side, number), unit }), 0),
  row('condition < property since', 'How many reserves were founded since 1995?', ([topic, bounds], catalogue) => topic.summary === 'none' && tested(ownProperty(catalogue, topic), bounds), 0),
  row('condition < with number things', 'How many wards have two clinics?', ([_with, number, things]) => withThings(things, bounded('equals', number)), 2),
  row('condition < things through', 'How many frames does a main road pass through?', ([things]) => withSome(things)),
  row('condition < through place', 'Which roads cross Marembe?', ([_through, place]) => inPlaces([place])),
  row('condition < grow|loss|gained amount years?', 'How many wards lost people since 2025?', ([order, amount, years], catalogue) => changed(catalogue, amount, years, MORE[order]), 2),
  row('condition < grow|loss years?', 'Which wards grew?', ([order, years], catalogue) => ownedBy('with', changed(catalogue, ofAdjective(catalogue, { name: 'population' }), years, MORE[order])), 4),
  row('condition < amount grow|loss years?', 'In how many wards did the population fall?', ([amount, order, years], catalogue) => changed(catalogue, amount, years, MORE[order]), 2),
  row('condition < with more|fewer amount in year than year', 'How many frames have more people in 2026 than in 2025?', ([_with, order, amount, _in, to, _than, from], catalogue) => changed(catalogue, amount, [from, to], MORE[order]), 0),
  row('condition < with more|fewer things than things', 'How many wards have more clinics than schools?', ([_with, order, one, _than, other]) => moreOf(one, other, MORE[order])),
  row('condition < in? measured-range', 'How many people live at more than 300 m?', ([_at, range], catalogue) => onlyMeasuredIn(catalogue, range), 3),
  row('condition < measured-range away things', 'How many people live over 2 km from a school?', ([range, away, things], catalogue) => isAway(away, range) && farFrom(things, range, catalogue)),
  row('condition < measured-range away things and|or things', 'people not within 5 km of a clinic or a school', ([range, away, one, joint, other], catalogue) => isAway(away, range) && (joint === 'or' ? eitherWay(catalogue, range, [one, other]) : bothOf(farFrom(one, range, catalogue), farFrom(other, range, catalogue)))),
  row('condition < with|without things measured-range', 'What share of towns have a clinic within 2 km?', ([own, things, range], catalogue) => own === true ? without(catalogue, things, range) : farFrom(things, range, catalogue)),
  row('condition < except condition', 'people excluding those within 5 km of a clinic', ([_except, one]) => denied(one), 2),
  row('conditions < ranges away things', 'people within 1, 2 and 3 km of a school', ([all, away, things], catalogue) => isAway(away, ...all) && eachWay(all.map((range) => farFrom(things, range, catalogue)))),
  row('conditions < by series ranges', 'people by distance to a school in bands of 0–1, 1–2 and 2+ km', ([_by, series, all]) => eachWay(all.map((range) => rangeOf(series, range)))),
  row('conditions < measured-range away things compare things', 'people within 1 km of a school versus a clinic', ([range, away, one, _compare, other], catalogue) => isAway(away, range) && eachWay([one, other].map((things) => farFrom(things, range, catalogue)))),
  row('conditions < condition and condition', 'Population in urban frames and in rural frames', ([one, _and, other]) => isContrary(one, other) && [listedOf(one), listedOf(other)]),
  row('conditions < condition compare condition', 'average distance to a clinic in urban areas compared with in peri-urban areas', ([one, _compare, other]) => [one, other], 2),
  row('condition < not condition', 'people not within 5 km of a clinic or a school', ([_not, one]) => !isBoth(one) && denied(one), 2),
  row('condition < condition and condition', 'How many secondary schools have boarding and are in Marembe?', ([one, _and, other]) => bothOf(one, other)),
  row('condition < condition but condition', 'people not in Marembe but in N\'Dara', ([one, _but, other]) => combined('all', [one, other])),
  row('condition < condition or condition', 'How many frames are forest or have a slope over 5 degrees?', ([one, _or, other]) => eitherOf([one, other]), 2),
]

const isNamed = (catalogue: Catalogue, series: readonly Topic[], { name }: Adjective) =>
  series.some((topic) => topic === topicNamed(catalogue, name))
const measuredBy = (amount: Amount | undefined, range: Range) => amount && measured(amount, range)
const inRange = (amount: Amount, range: Bounds | Range) =>
  'unit' in range ? measured(amount, range) : tested(amount, range)
/** "People where there are over 50 goats" are on frames of a kind; "people with over 50 goats" own them. */
const ownedBy = (own: string | true | undefined, condition: Condition | undefined) =>
  condition && typeof own === 'string' && !/^(where|there)$/.test(own) ? { ...condition, isOwned: true } : condition
/** A frame, or a unit, has more or less of it than in another year. */
function changed(catalogue: Catalogue, amount: Amount | undefined, years: Years | undefined, bounds: Bounds) {
  const [to, from] = (amount && inTwoYears(catalogue, amount, years)) ?? []
  return amount && to && from && moreAmount({ ...amount, topic: to }, { ...amount, topic: from }, bounds)
}
const MORE = { highest: SOME, lowest: { below: '0' } } as const
const eitherOf2 = (one: Condition | undefined, other: Condition | undefined) => one && other && eitherOf([one, other])
