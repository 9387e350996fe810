/** Computes a figure of frames from what its source says, and nothing else. An answer and its replay both come here. */
import { figuresOfFrames } from '../db/statements.js'
import type { FigureRow } from '../db/index.js'
import { defined } from '../defined.js'
import { isUnitLevel, levelNoun, UNIT_LEVELS, type UnitLevel, type UnitPath } from '../place.js'
import { placeName } from '../place-name.js'
import { NAMED_MAX, scopeOf } from './facet-text.js'
import { type Computed, type Facet, facetOf, writtenNames } from './facets.js'
import { type FrameSet, nameOfSet, unitOf } from './frame-set.js'
import { keptProfile, keptTotal, setInPlace } from './profile.js'
import { type Reads, readsOfFigure } from './reads.js'
import { featuresOn } from './recorded.js'
import { describe, type Description, type FigureCall } from './subject.js'
import type { Figure, FigureStatistic, Result, SourceCondition } from './typed.js'
import { comparedFigure, densityFigure, portionFigure } from './arithmetic.js'
import { composedFigure } from './composed.js'
import { framesPassing, namedTests, wholeOf } from './conditions.js'
import { intervalFigure, portionInterval } from './intervals.js'
import {
  askedOf,
  both,
  countOf,
  countOfFrames,
  extentOf,
  framesOf,
  landOf,
  measureOf,
  measureOnFrames,
  namesOf,
} from './measures.js'
import { valuesFigure } from './values.js'

/** Returns undefined where these frames have no such figure. */
export async function computeFigure(reads: Reads, set: FrameSet, figure: Figure): Promise<Facet | undefined> {
  const own = readsOfFigure(reads)
  const facet = await figureFrom(own, set, figure)
  const place = nameOfSet(set)
  return facet && { ...facet, typed: { ...facet.typed, ...defined({ place }) }, statements: own.sent() }
}

async function figureFrom(reads: Reads, set: FrameSet, figure: Figure): Promise<Facet | undefined> {
  const { where = [], ...own } = figure
  if (figure.unit) return figureOfUnit(reads, figure, figure.unit)
  if (figure.whole) return figureOfWhole(reads, set, figure, figure.whole)
  const subject = await describe(reads, figure)
  const selected = subject && (await framesPassing(reads, set, where))
  if (!selected) return undefined
  if (figure.statistic === 'passing') {
    const [computed, tests] = await Promise.all([passingFigure(reads, set, selected), namedTests(reads, where)])
    const { recorded, ...found } = computed
    const result = { is: 'passing' as const, ...found, of: set.count, recorded, tests }
    return facetOf({ set, figure, subject }, { result, frames: recorded })
  }
  const isPortion = (figure.statistic === 'portion' || figure.of === 'portion') && where.length > 0
  if (selected.count === 0 && !isPortion) return undefined
  const call = { reads, set: isPortion ? await wholeOf(reads, set, where) : selected, figure: own, subject }
  const ofPortion = figure.of === 'portion' ? portionInterval : portionFigure
  const computed = await (isPortion ? ofPortion(call, selected) : figureOfFrames(call))
  if (!computed || where.length === 0) return computed && facetOf(call, computed)
  return await scoped(reads, facetOf(call, computed), { where })
}

/** Label and source say which of the frames a figure is over. */
async function scoped(reads: Reads, facet: Facet, over: Pick<Figure, 'where' | 'whole'>): Promise<Facet> {
  const { named, result } = facet.typed
  const isOfFeatures = (named.type === 'features' || named.type === 'property') && result.is !== 'passing'
  const tests = writtenNames(await namedTests(reads, over.whole ?? over.where ?? []))
  const scope = isOfFeatures ? tests.map((test) => ({ ...test, isOfFeatures })) : tests
  const label = `${facet.label}, ${scopeOf(scope)}`
  return { ...facet, label, typed: { ...facet.typed, scope }, source: { ...facet.source, label, ...over } }
}

/** The frames that pass are a part of those of the whole, and of no others. */
async function figureOfWhole(
  reads: Reads,
  set: FrameSet,
  { whole: _whole, ...figure }: Figure,
  whole: SourceCondition[],
): Promise<Facet | undefined> {
  const selected = figure.statistic === 'passing' ? await framesPassing(reads, set, whole) : undefined
  if (!selected || selected.count === 0) return undefined
  const facet = await figureFrom(reads, selected, figure)
  return facet && (await scoped(reads, facet, { whole }))
}

/** The figure of a whole unit stands beside that of a few of its frames. */
async function figureOfUnit(
  reads: Reads,
  { unit, ...figure }: Figure,
  path: readonly string[],
): Promise<Facet | undefined> {
  const set = await setInPlace(reads, { unit: path })
  const facet = set.count === 0 ? undefined : await figureFrom(reads, set, figure)
  const ward = placeName(path.at(-1) ?? '')
  const label = `${facet?.label}, of the ${levelNoun('ward')} ${ward}`
  return (
    facet && {
      ...facet,
      label,
      typed: { ...facet.typed, ward },
      source: { ...facet.source, label, ...defined({ unit }) },
    }
  )
}

/** Names the first frames that pass. A frame fails where a test of what it records fails. */
async function passingFigure(reads: Reads, set: FrameSet, selected: FrameSet) {
  const failing = selected.where && both(set.where, { not: selected.where })
  // A place of the conditions is looked at alone: frames outside of it fail.
  const inside = { frames: selected.frames, count: 0, ...defined({ where: set.where }) }
  const [passing, all, failed] = await Promise.all([
    framesOf(reads, selected),
    inside.frames === set.frames ? set.count : countOf(reads, countOfFrames(inside)),
    failing ? countOf(reads, countOfFrames({ ...inside, where: failing })) : undefined,
  ])
  const silent = failed === undefined ? 0 : Math.max(0, all - selected.count - failed)
  return { ...passing, recorded: set.count - silent }
}

/** Every subject with a number on frames has these. */
const OF_SINGLE_FRAMES: readonly FigureStatistic[] = ['mean', 'median', 'min', 'max', 'range']

async function figureOfFrames(call: FigureCall): Promise<Computed | undefined> {
  const { figure, subject } = call
  const { statistic } = figure
  const { type } = subject.named
  if (figure.figure) return composedFigure(call)
  if (statistic === 'per' || statistic === 'change') return comparedFigure(call)
  if (statistic === 'per_km2') return densityFigure(call)
  if (statistic === 'interval')
    return type === 'number' && subject.dataset && figure.of !== 'portion' ? intervalFigure(call) : undefined
  if (statistic === 'rank') return hasNumbers(subject) ? rankFigure(call) : undefined
  if (type === 'features') return featureFigure(call)
  return subject.dataset ? valuesFigure(call) : indexFigure(call)
}

/** Classes have no order, and years are no amount. */
const hasNumbers = ({ named: { type, isYear }, summary }: Description) =>
  type === 'property' ? !isYear && summary !== 'mode' : type === 'number' || type === 'features'

/** A person cannot read more than some frames in one line: the table has the rest. */
async function rankFigure({ reads, set, figure, subject }: FigureCall): Promise<Computed | undefined> {
  const { n, order = 'highest' } = figure
  const list = Math.min(n ?? NAMED_MAX, NAMED_MAX)
  const of = measureOnFrames(set, subject)
  const rows = await askedOf(reads, { of, by: { each: true }, order, list, ...defined({ n }) })
  const named = rows.flatMap(({ name, shown }) => (name === null || shown === null ? [] : [{ name, number: shown }]))
  const [first] = rows
  const last = named.at(-1)
  if (!first || !last) return undefined
  const more = (n === undefined ? first.withValue : first.amongFirst) - named.length
  const tied = n === named.length && more > 0 ? { tied: last.number } : {}
  return { result: { is: 'rank', order, ranked: named, more, ...tied }, frames: first.withValue }
}

async function featureFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, figure, subject } = call
  const { statistic } = figure
  if (statistic === 'count' || statistic === 'frames')
    return resultOfFeatures(await countsOf(call), statistic, set.count)
  if (statistic === 'extent') {
    const kind = subject.dataset?.kind
    const [row] = kind === 'lines' || kind === 'polygons' ? await askedOf(reads, { of: extentOf(set, subject) }) : []
    return row && { result: { is: 'amount', number: row.shown ?? '0' }, frames: set.count }
  }
  if (OF_SINGLE_FRAMES.includes(statistic)) return valuesFigure(call)
  if (statistic !== 'names') return undefined
  const rows = await askedOf(reads, { of: measureOf(set, subject), by: { each: true }, list: NAMED_MAX })
  return { result: { is: 'names', names: namesOf(rows), count: rows[0]?.groups ?? 0 }, frames: set.count }
}

async function countsOf({ reads, set, subject }: FigureCall): Promise<{ features: number; frames: number }> {
  const total = keptTotal(await keptProfile(reads, set), subject)
  if (total) return { features: Number(total.number), frames: total.recorded }
  if (!set.where && !set.place && subject.dataset) return await featuresOn(reads, set, subject.dataset)
  const some = { of: subject.source.layerId, above: 0 }
  const [features, frames] = await Promise.all([
    countOf(reads, measureOf(set, subject)),
    countOf(reads, countOfFrames(set, some)),
  ])
  return { features, frames }
}

export const resultOfFeatures = (
  { features, frames }: { features: number; frames: number },
  statistic: 'count' | 'frames',
  of: number,
): Computed => ({
  result: statistic === 'count' ? { is: 'amount', number: String(features) } : { is: 'recorded', count: frames, of },
  frames,
})

async function indexFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, figure } = call
  const { statistic, attribute, class: value = '' } = figure
  if (!isUnitLevel(attribute)) {
    if (attribute === 'geom' && OF_SINGLE_FRAMES.includes(statistic)) return valuesFigure(call)
    if (attribute === 'frame_id') {
      if (statistic !== 'count') return undefined
      // The read that counted them stands behind this figure, too.
      await (set.where ? framesOf(reads, set) : areaOf(reads, set))
      return amountOf(String(set.count), set.count)
    }
    const km2 = statistic === 'sum' ? await areaOf(reads, set) : undefined
    return km2 === undefined ? undefined : amountOf(km2, set.count)
  }
  if (statistic === 'share') {
    const rows = await askedOf(reads, { of: countOfFrames(set), by: { level: attribute } })
    const of = framesIn(rows)
    const count = framesIn(rows.filter(({ path }) => path.at(-1) === value))
    return of === 0 ? undefined : { result: { is: 'share', value, count, of }, frames: of }
  }
  const units = await unitsOf(reads, set, attribute)
  const result = resultOfUnits(units)
  const names = statistic === 'names' ? unitNames(units) : statistic === result?.statistic ? result.result : undefined
  return names && { result: names, frames: set.count }
}

const framesIn = (rows: readonly FigureRow[]) => rows.reduce((sum, { things }) => sum + things, 0)
const amountOf = (number: string, frames: number): Computed => ({ result: { is: 'amount', number }, frames })

/** The frames and the land of a place are kept; one statement reads those of a call, and their units. */
async function areaOf(reads: Reads, set: FrameSet): Promise<string | undefined> {
  if (!set.where && set.place) return (await keptProfile(reads, set))?.km2
  if (set.where) return (await askedOf(reads, { of: landOf(set) }))[0]?.shown ?? undefined
  const [row] = await reads.rows(figuresOfFrames, set.frames)
  return row?.area ?? undefined
}

/** The units above those of a place are its own, and those of frames of a call are read with their land. */
export async function unitsOf(reads: Reads, set: FrameSet, level: UnitLevel): Promise<UnitPath[]> {
  const path = set.where ? undefined : unitOf(set)
  const depth = UNIT_LEVELS.indexOf(level) + 1
  if (path && depth <= path.length) return [path.slice(0, depth).map((name) => name.toUpperCase())]
  if (set.where || set.place) {
    const rows = await askedOf(reads, { of: countOfFrames(set), by: { level } })
    return rows.filter(({ things }) => things > 0).map((row) => row.path)
  }
  const [row] = await reads.rows(figuresOfFrames, set.frames)
  const names = row && { state: row.states, lga: row.lgas, ward: row.wards }[level]
  return names?.map((name) => name.split(', ').toReversed()) ?? []
}

/** The units above them tell two units of one name apart. The name of a single unit is its value. */
function unitNames(units: readonly UnitPath[]): Result | undefined {
  if (units.length < 2) return undefined
  const names = units.map((unit) => unit.at(-1) ?? '')
  const isShared = new Set(names).size < names.length
  const shown = isShared ? units.map((unit) => unit.toReversed().join(', ')) : names
  return { is: 'names', names: shown.toSorted().slice(0, NAMED_MAX), count: shown.length }
}

/** The names of several units are counted. */
export function resultOfUnits(units: readonly UnitPath[]): { statistic: FigureStatistic; result: Result } | undefined {
  const [first, ...others] = units
  if (first === undefined) return undefined
  return others.length === 0
    ? { statistic: 'value', result: { is: 'text', value: first.at(-1) ?? '' } }
    : { statistic: 'count', result: { is: 'amount', number: String(units.length) } }
}
