/** Computes a figure of frames from what its source says, and nothing else. An answer and its replay both come here. */
import {
  extentOfFeatures,
  figuresOfFrames,
  framesOfClass,
  namesOfFeatures,
  propertyOfFeatures,
  totalsOfParts,
} from '../../db/statements.js'
import type { FramesFigure, PropertyFigure } from '../../db/rows.js'
import { defined } from '../../defined.js'
import { NAMED_MAX, scopeOf } from '../figures/facet-text.js'
import { type Computed, type Facet, facetOf } from '../figures/facets.js'
import { type FrameSet, isReadable, isUnitLevel, UNIT_LEVELS, unitOf } from '../figures/frame-set.js'
import { type Reads, readsOfFigure, setInPlace, type Totals } from '../figures/reads.js'
import { featuresOn } from '../figures/recorded.js'
import { describe, type FigureCall, INDEX, keptTotal } from '../figures/subject.js'
import {
  amount,
  extreme,
  type Figure,
  type FigureStatistic,
  mode,
  type Result,
  type SourceCondition,
} from '../figures/typed.js'
import { attributeFigure } from './attributes.js'
import { testBounds, framesPassing, idsOfSet, isOfPlace, namedTests, wholeOf } from './conditions.js'
import { groupsFigure } from './groups.js'
import { intervalFigure, portionInterval } from './intervals.js'
import { comparedFigure, densityFigure, portionFigure, spreadFigure } from './spread.js'

/** Returns undefined where these frames have no such figure, and where they are too many to read. */
export async function computeFigure(reads: Reads, set: FrameSet, figure: Figure): Promise<Facet | undefined> {
  const own = readsOfFigure(reads)
  const facet = await figureFrom(own, set, figure)
  return facet && { ...facet, statements: own.sent() }
}

async function figureFrom(reads: Reads, set: FrameSet, figure: Figure): Promise<Facet | undefined> {
  const { where = [], ...own } = figure
  if (figure.unit) return figureOfUnit(reads, figure, figure.unit)
  if (figure.whole) return figureOfWhole(reads, set, figure, figure.whole)
  const subject = await describe(reads, figure)
  const selected = subject && (await framesPassing(reads, set, where))
  if (!selected) return undefined
  if (figure.statistic === 'passing') {
    if (!isReadable(selected.set)) return undefined
    const { recorded } = selected
    const [ids, tests] = await Promise.all([idsOfSet(reads, selected.set), namedTests(reads, where)])
    const result = { is: 'passing' as const, ids, of: set.count, recorded, tests }
    return facetOf({ set, figure, subject }, { result, frames: recorded })
  }
  // The frames of one unit have all of its share, and none of another's.
  const parts = figure.by ? where.filter((condition) => !isOfPlace(condition)) : where
  const isPortion = (figure.statistic === 'portion' || figure.of === 'portion') && parts.length > 0
  if (selected.set.count === 0 && !isPortion) return undefined
  const call = { reads, set: isPortion ? await wholeOf(reads, set, where) : selected.set, figure: own, subject }
  const ofPortion = figure.of === 'portion' ? portionInterval : figure.by ? groupsFigure : portionFigure
  const computed = await (isPortion ? ofPortion(call, selected.set) : figureOfFrames(call))
  if (!computed || where.length === 0) return computed && facetOf(call, computed)
  return await scoped(reads, facetOf(call, computed), { where })
}

/** Label and source say which of the frames a figure is over. */
async function scoped(reads: Reads, facet: Facet, over: Pick<Figure, 'where' | 'whole'>): Promise<Facet> {
  const { named, result } = facet.typed
  const isOfFeatures = (named.type === 'features' || named.type === 'property') && result.is !== 'passing'
  const tests = await namedTests(reads, over.whole ?? over.where ?? [])
  const scope = isOfFeatures ? tests.map((test) => ({ ...test, isOfFeatures })) : tests
  const label = `${facet.label}, on ${scopeOf(scope)}`
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
  if (!selected || selected.set.count === 0) return undefined
  const facet = await figureFrom(reads, selected.set, figure)
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
  const ward = path.at(-1) ?? ''
  const label = `${facet?.label}, of the ward ${ward}`
  return (
    facet && {
      ...facet,
      label,
      typed: { ...facet.typed, ward },
      source: { ...facet.source, label, ...defined({ unit }) },
    }
  )
}

/** Every subject with a number has these. They are of single frames. */
const SPREAD_STATISTICS: readonly FigureStatistic[] = ['median', 'range', 'rank']

async function figureOfFrames(call: FigureCall): Promise<Computed | undefined> {
  const { figure, subject, set } = call
  const { statistic } = figure
  const { type, isYear } = subject.named
  if (figure.by !== undefined) return groupsFigure(call)
  // The years of several features on a frame have no sum that could be ranked.
  if (isYear && type === 'property') return isReadable(set) ? propertyFigure(call) : undefined
  if (statistic === 'per' || statistic === 'change') return comparedFigure(call)
  if (statistic === 'per_km2') return densityFigure(call)
  if (statistic === 'interval')
    return type === 'number' && subject.dataset && figure.of !== 'portion' ? intervalFigure(call) : undefined
  if (SPREAD_STATISTICS.includes(statistic)) return isReadable(set) ? spreadFigure(call) : undefined
  if (type === 'features') return featureFigure(call)
  if (type === 'property') return isReadable(set) ? propertyFigure(call) : undefined
  return subject.dataset ? attributeFigure(call) : indexFigure(call)
}

async function featureFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, figure } = call
  const { statistic } = figure
  if (statistic === 'count' || statistic === 'frames') {
    const counted = await countOf(call)
    return counted && resultOfFeatures(counted, statistic, set.count)
  }
  if (statistic === 'extent') {
    const extent = await measuredExtent(call)
    return extent === undefined ? undefined : { result: { is: 'amount', number: extent }, frames: set.count }
  }
  if (!isReadable(set)) return undefined
  if (statistic !== 'names') return spreadFigure(call)
  const [row] = await reads.rows(namesOfFeatures, set.frames, figure.layerId, NAMED_MAX)
  return row && { result: { is: 'names', names: row.names, count: row.features }, frames: set.count }
}

async function countOf({ reads, set, subject }: FigureCall) {
  const total = keptTotal(await reads.totalsOf(set), subject)
  if (total) return { features: Number(total.number), frames: total.recorded }
  if (!isReadable(set)) return undefined
  return subject.dataset && (await featuresOn(reads, set, subject.dataset))
}

export const resultOfFeatures = (
  { features, frames }: { features: number; frames: number },
  statistic: 'count' | 'frames',
  of: number,
): Computed => ({
  result: statistic === 'count' ? { is: 'amount', number: String(features) } : { is: 'recorded', count: frames, of },
  frames,
})

/** Lines have a length, and polygons an area. Those of a unit are kept. */
async function measuredExtent({ reads, set, figure, subject }: FigureCall): Promise<string | undefined> {
  const kind = subject.dataset?.kind
  if (kind !== 'lines' && kind !== 'polygons') return undefined
  const measure = kind === 'lines' ? 'km' : 'km2'
  const known = unitOf(set) && (await reads.totalsOf(set))
  const total = known?.totals.find(
    ({ dataset, attribute }) => dataset.layerId === figure.layerId && attribute === measure,
  )
  if (total) return total.number ?? '0'
  if (!isReadable(set)) return undefined
  const [row] = await reads.rows(extentOfFeatures, set.frames, figure.layerId)
  return row?.[measure] ?? '0'
}

/** A property is summed, averaged and compared over features, each counted once. */
async function propertyFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, figure } = call
  const [row] = await reads.rows(propertyOfFeatures, set.frames, figure.layerId, figure.property ?? '')
  const result = row && propertyResult(call, row)
  if (!result) return undefined
  const isNumber = result.is === 'amount' || result.is === 'extreme'
  const recorded = { count: isNumber ? row.numbers : row.recorded, of: row.features }
  const common = result.is === 'mode' ? { class: result.classes[0] ?? '' } : {}
  return { result, frames: set.count, recorded, ...common }
}

function propertyResult({ figure, subject }: FigureCall, row: PropertyFigure): Result | undefined {
  const { features, recorded, classes } = row
  const isAdded = !subject.named.isYear
  const share = (value: string): Result => {
    const found = classes?.find((each) => each.value === value) ?? { features: 0, names: [] }
    return { is: 'share', value, count: found.features, of: features, names: found.names }
  }
  const results: Partial<Record<FigureStatistic, () => Result | undefined>> = {
    sum: () => (isAdded ? amount(features === 0 ? '0' : row.total) : undefined),
    mean: () => (isAdded ? amount(row.mean) : undefined),
    min: () => extreme(row.lowest, row.lowestName, 1),
    max: () => extreme(row.highest, row.highestName, 1),
    mode: () => mode(classes?.map((each) => ({ value: each.value, count: each.features })) ?? null, recorded),
    share: () => share(figure.class ?? ''),
    frames: () => (recorded === features ? undefined : { is: 'recorded', count: recorded, of: features }),
  }
  return results[figure.statistic]?.()
}

async function indexFigure(call: FigureCall): Promise<Computed | undefined> {
  const { set, figure, subject } = call
  const { statistic, attribute } = figure
  const isUnit = subject.named.type === 'unit'
  if (isUnit && statistic === 'share') return isReadable(set) ? unitShare(call) : undefined
  const row = await framesFigure(call)
  if (!row) return undefined
  if (isUnit && statistic === 'names') return unitNames(unitsIn(row, attribute), set.count)
  const usual = resultOfIndex(row, attribute)
  if (usual?.statistic === statistic) return { result: usual.result, frames: row.frames }
  return !isUnit && isReadable(set) ? spreadFigure(call) : undefined
}

/** The frames and the land of a place are kept. The units below a unit are its parts; those of a box are read. */
async function framesFigure({ reads, set, figure: { attribute } }: FigureCall): Promise<FramesFigure | undefined> {
  const known = await reads.totalsOf(set)
  const path = unitOf(set)
  if (known && (!isUnitLevel(attribute) || (path && UNIT_LEVELS.indexOf(attribute) < path.length)))
    return framesOfPlace(set, known)
  if (known && path) {
    const any = testBounds({ test: 'any' })
    const parts = await reads.rows(totalsOfParts, [...path], attribute, INDEX.layerId, 'frame_id', ...any)
    const names = parts.map((part) => (part.path ?? []).toReversed().join(', ')).toSorted()
    return { ...framesOfPlace(set, known), [`${attribute}s`]: names }
  }
  if (!isReadable(set)) return undefined
  const [row] = await reads.rows(figuresOfFrames, set.frames)
  return row
}

/** The units above them tell two units of one name apart. The name of a single unit is its value. */
function unitNames(units: string[] | null, frames: number): Computed | undefined {
  if (!units || units.length === 1) return undefined
  const names = units.map((unit) => unit.split(', ')[0] ?? '')
  const shown = new Set(names).size === names.length ? names : units
  return { result: { is: 'names', names: shown.slice(0, NAMED_MAX), count: shown.length }, frames }
}

async function unitShare({ reads, set, figure, subject }: FigureCall): Promise<Computed | undefined> {
  const value = figure.class ?? ''
  const [row] = await reads.rows(framesOfClass, set.frames, ...subject.args, value)
  if (!row || row.recorded === 0) return undefined
  return { result: { is: 'share', value, count: row.ids.length, of: row.recorded }, frames: row.recorded }
}

/** The names of several units are counted. */
export function resultOfIndex(
  row: FramesFigure,
  attribute: string,
): { statistic: FigureStatistic; result: Result } | undefined {
  if (attribute === 'frame_id') return { statistic: 'count', result: { is: 'amount', number: String(row.frames) } }
  if (attribute === 'geom') return row.area === null ? undefined : { statistic: 'sum', result: { is: 'amount', number: row.area } } // prettier-ignore
  const [first, ...others] = unitsIn(row, attribute) ?? []
  if (first === undefined) return undefined
  return others.length === 0
    ? { statistic: 'value', result: { is: 'text', value: first.split(', ')[0] ?? '' } }
    : { statistic: 'count', result: { is: 'amount', number: String(others.length + 1) } }
}

/** Each unit has the names of those above it behind its own. */
export const unitsIn = ({ states, lgas, wards }: FramesFigure, attribute: string): string[] | null =>
  attribute === 'state' ? states : attribute === 'lga' ? lgas : wards

/** The units above those of the place are its own; those below are not listed. */
function framesOfPlace(set: FrameSet, { frames, km2 }: Totals): FramesFigure {
  const [state, lga, ward] = unitOf(set) ?? []
  const named = (...names: (string | undefined)[]) =>
    names.includes(undefined) ? null : [names.map((name) => name?.toUpperCase()).join(', ')]
  return { frames, area: km2, states: named(state), lgas: named(lga, state), wards: named(ward, lga, state) }
}
