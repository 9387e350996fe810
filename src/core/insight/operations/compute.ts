/** Computes a figure of frames from what its source says, and nothing else. An answer and its replay both come here. */
import { defined } from '../../defined.js'
import { facetOf, type Computed, type Facet } from '../figures/facets.js'
import { scopeOf } from '../figures/facet-text.js'
import { isReadable, type FrameSet } from '../figures/frame-set.js'
import { readsOfFigure, setInPlace, type Reads } from '../figures/reads.js'
import { describe, type FigureCall } from '../figures/subject.js'
import type { Figure, FigureStatistic } from '../figures/typed.js'
import { attributeFigure } from './attributes.js'
import { framesPassing, idsOf, namedTests } from './conditions.js'
import { featureFigure, propertyFigure } from './features.js'
import { groupsFigure } from './groups.js'
import { indexFigure } from './index-figures.js'
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
  const subject = await describe(reads, figure)
  const selected = subject && (await framesPassing(reads, set, where))
  if (!selected) return undefined
  if (figure.statistic === 'passing') {
    if (!isReadable(selected.set)) return undefined
    const { recorded } = selected
    const [ids, tests] = await Promise.all([idsOf(reads, selected.set), namedTests(reads, where)])
    const result = { is: 'passing' as const, ids, of: set.count, recorded, tests }
    return facetOf({ set, figure, subject }, { result, frames: recorded })
  }
  const isPortion = (figure.statistic === 'portion' || figure.of === 'portion') && where.length > 0
  if (selected.set.count === 0 && !isPortion) return undefined
  const call = { reads, set: isPortion ? set : selected.set, figure: own, subject }
  const ofPortion = figure.of === 'portion' ? portionInterval : portionFigure
  const computed = await (isPortion ? ofPortion(call, selected.set) : figureOfFrames(call))
  if (!computed || where.length === 0) return computed && facetOf(call, computed)
  // Label and source say which of the frames the figure is over.
  const facet = facetOf(call, computed)
  const scope = await namedTests(reads, where)
  const label = `${facet.label}, on ${scopeOf(scope)}`
  return { ...facet, label, typed: { ...facet.typed, scope }, source: { ...facet.source, label, where: [...where] } }
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
