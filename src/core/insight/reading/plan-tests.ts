/** Reads the tests of a plan: each is a condition of frames, of features and of units. */
import type { Bounds, Filter } from '../../figures/index.js'
import { unitOfMeasureAt, unitOfMeasureNamed, type UnitOfMeasure } from '../../numbers/index.js'
import { isUnitLevel, levelPlural, UNIT_LEVELS, type UnitLevel } from '../../place.js'
import { farFrom, inUnitOf, moreAmount, moreOf, ofClass, ofKind, recorded, tested } from './conditions.js'
import {
  type Amount,
  amountOf,
  closed,
  combined,
  type Condition,
  countOf,
  featuresOf,
  framesOf,
  limited,
  limitedAmount,
  ofUnits,
  opposite,
  propertyOf,
  standingOn,
  type Things,
  withThings,
} from './fragments.js'
import type { PlaceNamed } from './tokens.js'
import type { UnitMeanings } from './names.js'
import type { PlannedTest, PlannedTests } from './plan.js'
import { atLevel, inPlaces } from './productions.js'
import { canonical, needed, refuseIf, spanOf } from './plan-words.js'
import { layerOf, type Topic } from './topic.js'
import { fold, plainWordsOf } from './words.js'

type PlanClass = { id: string; value: string }
/**
 * A subject of the catalogue under the id that the plan uses for it. `owner`: the id of the features whose property it is.
 * `names`: those that tell more than its label. What is not offered is not in the prompt.
 */
export type PlanSubject = {
  id: string
  name: string
  topic: Topic
  owner?: string
  classes: readonly PlanClass[]
  names: readonly string[]
  isOffered: boolean
}
export type PlanContext = {
  question: string
  subjects: readonly PlanSubject[]
  /** The places that the question names. */
  places: readonly PlaceNamed[]
  /** Its numbers, in digits and in words, as plain decimals. */
  numbers: readonly string[]
  /** The numbers that "third" and "3rd" stand for. */
  ordinals: readonly string[]
  /** All names of units. */
  allUnits: UnitMeanings
}
export const DOES_NOT_FIT = 'parts that do not go together'
export const fits = <Value>(value: Value | undefined | false | null | ''): Value =>
  needed(value || undefined, DOES_NOT_FIT)

/** The subject of an id, with the class where the id is that of one. */
export function subjectOf({ subjects }: PlanContext, id: string): PlanSubject & { value: string | undefined } {
  const found = subjects.find((each) => each.id === id || each.classes.some((own) => own.id === id))
  const subject = needed(found, 'an unknown subject')
  return { ...subject, value: subject.classes.find((own) => own.id === id)?.value }
}

export const ownerOf = ({ subjects }: PlanContext, topic: Topic): Topic =>
  fits(subjects.find((each) => each.topic.type === 'features' && layerOf(each.topic) === layerOf(topic))?.topic)

export const isOfFeatures = ({ subject }: Topic) => subject.kind === 'property'

const INDEX_NAMES: Readonly<Record<string, string>> = { frames: 'Frames', land: 'Area', each: 'Each', place: 'Place' }
export const isOfIndex = (id: string): boolean => isUnitLevel(id) || Object.hasOwn(INDEX_NAMES, id)
export const indexName = (id: string) => (isUnitLevel(id) ? levelPlural(id) : INDEX_NAMES[id])

export const testSubjects = ({ subject, only = '', value = '' }: PlannedTest, context: PlanContext) =>
  [subject, only, ...(context.subjects.some(({ id }) => id === value) ? [value] : [])]
    .filter((id) => id !== '' && !isOfIndex(id))
    .map((id) => subjectOf(context, id))

export function unitOf(text: string, { question }: PlanContext): UnitOfMeasure {
  spanOf(question, text)
  return needed(unitOfMeasureAt(plainWordsOf(text), 0)?.unit, 'an unknown unit of measure')
}

export function numberOfQuestion(text: string, { numbers }: PlanContext): string {
  refuseIf(!/^\d{1,15}(\.\d{1,6})?$/.test(text), 'a number that is no plain decimal')
  const value = canonical(text)
  refuseIf(!numbers.includes(value), 'a number that is not in the question')
  return value
}

/** All of these tests, each of which is any of some. */
export function whereOf(amount: Amount, tests: PlannedTests, context: PlanContext): Amount {
  const classes = tests.flatMap(([only, ...others]) => (only?.is === 'is' && others.length === 0 ? [only.subject] : []))
  const categories = classes.flatMap((id) => (isOfIndex(id) ? [] : [subjectOf(context, id).topic]))
  refuseIf(new Set(categories).size < categories.length, 'two classes of one category')
  return tests.reduce((so, any) => fits(limitedAmount(so, conditionOfAny(any, so.things, context))), amount)
}

function conditionOfAny(any: readonly PlannedTest[], things: Things, context: PlanContext): Condition {
  const conditions = any.map((test) => conditionOf(test, things, context))
  return fits(conditions.length === 1 ? conditions[0] : combined('any', conditions))
}

function conditionOf(test: PlannedTest, things: Things, context: PlanContext): Condition {
  const own = testedAs(test, context)
  const { per } = test
  if (per === undefined || test.subject === 'place') return own
  // It holds of whole units: of the things, or of those that they lie in.
  const units = fits(limited({ of: per, where: [], among: [] }, { units: fits(own.units) }))
  return things.of === per ? { units: own.units } : fits(standingOn(units))
}

const SOME: Bounds = { above: '0' }
const NONE: Bounds = { equals: '0' }
const BOUNDS: Partial<Record<PlannedTest['is'], keyof Bounds>> = {
  above: 'above',
  at_least: 'atLeast',
  below: 'below',
  at_most: 'atMost',
  equals: 'equals',
}

function testedAs(test: PlannedTest, context: PlanContext): Condition {
  const { subject, is, value = '', unit = '' } = test
  if (subject === 'place') {
    refuseIf(is !== 'is' && is !== 'is_not', DOES_NOT_FIT)
    const place = fits(inPlaces([placeOf(test, context)]))
    return is === 'is' ? place : { ...opposite(place), isPlace: true }
  }
  const found = subjectOf(context, subject)
  const { topic } = found
  if (found.value !== undefined) {
    refuseIf((is !== 'is' && is !== 'is_not') || value !== '', DOES_NOT_FIT)
    const own = ofClassNamed(topic, found.value, { context, per: test.per })
    return is === 'is' ? own : opposite(own)
  }
  if (is === 'within' || is === 'beyond') return farFromFeatures(test, topic, context)
  if (is === 'any' || is === 'none') {
    refuseIf(value + unit !== '', DOES_NOT_FIT)
    if (topic.type === 'category') return is === 'any' ? recorded(topic) : opposite(recorded(topic))
    return boundsOn(test, topic, { bounds: is === 'any' ? SOME : NONE, context })
  }
  if (is === 'recorded' || is === 'unrecorded') {
    refuseIf(topic.type === 'features' || isOfFeatures(topic) || value + unit !== '', DOES_NOT_FIT)
    return is === 'recorded' ? recorded(topic) : opposite(recorded(topic))
  }
  if (is === 'named') return ofName(topic, value, context)
  const bound = fits(BOUNDS[is])
  if (context.subjects.some(({ id }) => id === value)) return comparedWith(test, topic, context)
  const bounds: Bounds = { [bound]: numberOfQuestion(value, context) }
  return boundsOn(test, topic, { bounds, context })
}

type ClassTest = { context: PlanContext; per: UnitLevel | undefined }
/** A class of frames; or features of a class, and the frames and units that have some. */
function ofClassNamed(topic: Topic, value: string, { context, per }: ClassTest): Condition {
  if (isOfFeatures(topic)) {
    const own = ofKind({ topic, value })
    const things = fits(limited(featuresOf(ownerOf(context, topic)), own))
    return { ...withThings(things, SOME), ...own }
  }
  // A unit has frames of the class; or most of its frames are of it, where the test holds of the whole unit.
  const own = ofClass({ topic, value })
  const of = closed(per === undefined ? countOf(framesOf(own.frames ? [own.frames] : [])) : amountOf(topic))
  return { ...own, ...(of && { units: ofUnits({ of }, per === undefined ? SOME : { is: [value] }) }) }
}

/** Features that a test looks at: all of a dataset, or those of a class. */
function featuresOfTest({ only = '' }: PlannedTest, topic: Topic, context: PlanContext): Things {
  const things = featuresOf(topic)
  if (only === '') return things
  const named = subjectOf(context, only)
  refuseIf(named.value === undefined || !isOfFeatures(named.topic), DOES_NOT_FIT)
  return fits(limited(things, ofKind({ topic: named.topic, value: named.value ?? '' })))
}

function farFromFeatures(test: PlannedTest, topic: Topic, context: PlanContext): Condition {
  refuseIf(topic.type !== 'features', DOES_NOT_FIT)
  const unit = unitOf(test.unit ?? '', context)
  refuseIf(unit.dimension !== 'length', DOES_NOT_FIT)
  const number = numberOfQuestion(test.value ?? '', context)
  const bounds: Bounds = test.is === 'beyond' ? { above: number } : { atMost: number }
  return fits(farFrom(featuresOfTest(test, topic, context), { bounds, unit }))
}

/** "30 %" of a subject in "% of households", "132 kV" of one in kV: a unit of the catalogue that is no unit of measure. */
const isOwnUnit = ({ unit }: Topic, text: string, { question }: PlanContext) =>
  unit !== undefined && (unit === text || unit.startsWith(`${text} of `)) && fold(question).includes(fold(text))

type Bounding = { bounds: Bounds; context: PlanContext }
function boundsOn(test: PlannedTest, topic: Topic, { bounds, context }: Bounding): Condition {
  const { unit = '', only = '' } = test
  if (topic.type === 'features') {
    refuseIf(unit !== '', 'a unit of measure without use')
    return fits(withThings(featuresOfTest(test, topic, context), bounds))
  }
  refuseIf(only !== '', DOES_NOT_FIT)
  refuseIf(topic.type === 'category', 'a test that its subject does not have')
  const amount = isOfFeatures(topic) ? fits(propertyOf(topic, featuresOf(ownerOf(context, topic)))) : amountOf(topic)
  const isOther =
    unit !== '' &&
    !isOwnUnit(topic, unit, context) &&
    unitOfMeasureNamed(topic.unit)?.name !== unitOf(unit, context).name
  const own = isOther ? fits(inUnitOf(amount.topic?.unit, { bounds, unit: unitOf(unit, context) })) : bounds
  return fits(tested(amount, own))
}

/** More of one than of another. */
function comparedWith({ is, value = '' }: PlannedTest, topic: Topic, context: PlanContext): Condition {
  const other = subjectOf(context, value).topic
  refuseIf(is !== 'above' && is !== 'below', DOES_NOT_FIT)
  const [more, less] = is === 'above' ? [topic, other] : [other, topic]
  if (more.type === 'features' && less.type === 'features')
    return { units: fits(moreOf(featuresOf(more), featuresOf(less))?.units) }
  return fits(moreAmount(amountOf(more), amountOf(less)))
}

function ofName(topic: Topic, value: string, { question }: PlanContext): Condition {
  const layer = layerOf(topic)
  refuseIf(topic.type !== 'features' || layer === undefined, DOES_NOT_FIT)
  const filter: Filter = { name: 'name', has: plainWordsOf(spanOf(question, value)).join(' ') }
  return { ...withThings({ ...featuresOf(topic), where: [filter] }, SOME), features: { layer, filter } }
}

const LEVEL_WORDS: Readonly<Record<UnitLevel, RegExp>> = {
  state: /\bstates?\b/i,
  lga: /\b(lgas?|local government( area)?s?)\b/i,
  ward: /\bwards?\b/i,
}

/** Names of the index at every level: of several, the largest is meant, or that of the level beside the name. */
export function placeOf({ value: text = '', per }: PlannedTest, context: PlanContext): PlaceNamed {
  const { question, places } = context
  const words = spanOf(question, text)
  const isNamed = (name: string) => {
    const named = places.filter((place) => plainWordsOf(place.text).join(' ') === plainWordsOf(name).join(' '))
    return per === undefined ? named : named.flatMap((place) => atLevel(place, per) ?? [])
  }
  const [own] = isNamed(words)
  if (own) return own
  for (const level of UNIT_LEVELS) {
    const word = LEVEL_WORDS[level]
    const [found] = isNamed(words.replace(word, '').replace(/^\s*of\b|\bthe\b/gi, '')).flatMap(
      (place) => atLevel(place, level) ?? [],
    )
    if (word.test(words) && found) return found
  }
  const near = nearestPlace(words, context.allUnits)
  return needed(near && (per === undefined ? near : atLevel(near, per)), 'a place that the index does not have')
}

/** The one name that is spelled nearly so: one slip, or two in a long name. */
function nearestPlace(text: string, all: UnitMeanings): PlaceNamed | undefined {
  const words = plainWordsOf(text).join(' ')
  const most = words.length < 5 ? 0 : words.length < 9 ? 1 : 2
  const near = [...all.keys()].flatMap((name) => {
    const slips =
      Math.abs(name.length - words.length) > most || name[0] !== words[0] ? Infinity : slipsBetween(name, words)
    return slips <= most ? [{ name, slips }] : []
  })
  const fewest = Math.min(...near.map(({ slips }) => slips))
  const [found, ...others] = near.filter(({ slips }) => slips === fewest)
  if (!found || others.length > 0) return undefined
  const meanings = all.get(found.name) ?? []
  const namesAt = (level: UnitLevel) =>
    meanings.flatMap(({ topic, value }) => (topic.label.toLowerCase() === level && value !== undefined ? [value] : []))
  return {
    text,
    categories: meanings.map(({ topic: { subject, label }, value = '' }) => ({ subject, label, value })),
    levels: UNIT_LEVELS.flatMap((level) => (namesAt(level).length > 0 ? [{ level, names: namesAt(level) }] : [])),
  }
}

/** How many letters are added, left out, replaced or swapped. */
function slipsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= one.length; i++) {
    const [above = [], before = []] = [rows[i - 1], rows[i - 2]]
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      )
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? Infinity
}
