/** Computes a figure of frames from what its source says, and nothing else. An answer and its replay both come here. */
import type { Facet } from '../figures/facets.js'
import type { FigureStatistic } from '../figures/figures.js'
import { isReadable, type FrameSet } from '../figures/frame-set.js'
import { readsOfFigure, type Reads } from '../figures/reads.js'
import { attributeFigure } from './attributes.js'
import { comparisonFigure } from './comparisons.js'
import { framesPassing, idsOf, namedTests, passingWords, scopeOfConditions, selectionText } from './conditions.js'
import { facetOf, withConditions, type FigureCall } from './facet.js'
import { featureFigure, propertyFigure } from './features.js'
import { groupsFigure } from './groups.js'
import { indexFigure } from './index-figures.js'
import { densityFigure, portionFigure, spreadFigure } from './spread.js'
import { describe, type Figure } from './subject.js'

/** Returns undefined where these frames have no such figure, and where they are too many to read. */
export async function computeFigure(reads: Reads, set: FrameSet, figure: Figure): Promise<Facet | undefined> {
  const own = readsOfFigure(reads)
  const facet = await figureFrom(own, set, figure)
  return facet && { ...facet, statements: own.sent() }
}

async function figureFrom(reads: Reads, set: FrameSet, figure: Figure): Promise<Facet | undefined> {
  const { where = [], ...own } = figure
  const subject = await describe(reads, figure)
  if (!subject) return undefined
  if (figure.statistic === 'passing') return passingFigure({ reads, set, figure, subject })
  const selected = await framesPassing(reads, set, where)
  if (figure.statistic === 'portion' && selected && where.length > 0) {
    const portion = await portionFigure({ reads, set, figure: own, subject }, selected.set)
    return portion && withConditions(reads, portion, where)
  }
  if (!selected || selected.set.count === 0) return undefined
  const facet = await figureOfFrames({ reads, set: selected.set, figure: own, subject })
  return facet && withConditions(reads, facet, where)
}

/** Every subject with a number has these. They are of single frames. */
const SPREAD_STATISTICS: readonly FigureStatistic[] = ['median', 'range', 'rank', 'part']

async function figureOfFrames(call: FigureCall): Promise<Facet | undefined> {
  const { figure, subject, set } = call
  const { statistic } = figure
  if (figure.by !== undefined) return groupsFigure(call)
  // The years of several features on a frame have no sum that could be ranked.
  if (subject.isYear && subject.type === 'property') return isReadable(set) ? propertyFigure(call) : undefined
  if (statistic === 'per' || statistic === 'change') return comparisonFigure(call)
  if (statistic === 'per_km2') return densityFigure(call)
  if (SPREAD_STATISTICS.includes(statistic)) return isReadable(set) ? spreadFigure(call) : undefined
  if (subject.type === 'features') return featureFigure(call)
  if (subject.type === 'property') return isReadable(set) ? propertyFigure(call) : undefined
  return subject.dataset ? attributeFigure(call) : indexFigure(call)
}

/** Says how many frames pass the conditions, and which. The subject is that of the first condition. */
async function passingFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, figure, subject } = call
  const where = figure.where ?? []
  const selected = await framesPassing(reads, set, where)
  if (!selected || !isReadable(selected.set)) return undefined
  const [first] = where
  const whole =
    where.length === 1 && first
      ? `${subject.label}, frames ${passingWords(first, subject)}`
      : `F${(await scopeOfConditions(reads, where)).slice(1)}`
  const { recorded } = selected
  const ids = await idsOf(reads, selected.set)
  return facetOf(call, {
    label: { whole },
    value: selectionText({ ids, recorded }, set.count),
    frames: recorded,
    result: { is: 'passing', ids, of: set.count, recorded, tests: await namedTests(reads, where) },
    source: { where },
  })
}
