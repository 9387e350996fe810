/** Computes a figure of frames from what its source says, and nothing else. An answer and its replay both come here. */
import type { Facet } from '../figures/facets.js'
import type { FigureStatistic } from '../figures/figures.js'
import { attributeFigure } from './attributes.js'
import { comparisonFigure } from './comparisons.js'
import { framesPassing, namedTests, passingWords, scopeOfConditions, selectionText } from './conditions.js'
import { facetOf, withConditions, type FigureCall } from './facet.js'
import { featureFigure, propertyFigure } from './features.js'
import { groupsFigure } from './groups.js'
import { indexFigure } from './index-figures.js'
import type { Reads } from './reads.js'
import { portionFigure, spreadFigure } from './spread.js'
import { describe, type Figure } from './subject.js'

/** Returns undefined where these frames have no such figure. */
export async function computeFigure(
  reads: Reads,
  frameIds: readonly string[],
  figure: Figure,
): Promise<Facet | undefined> {
  const { where = [], ...own } = figure
  const subject = await describe(reads, figure)
  if (!subject) return undefined
  if (figure.statistic === 'passing') return passingFigure({ reads, frameIds: [...frameIds], figure, subject })
  const selected = await framesPassing(reads, frameIds, where)
  if (figure.statistic === 'portion' && selected && where.length > 0) {
    const portion = await portionFigure({ reads, frameIds: [...frameIds], figure: own, subject }, selected.ids)
    return portion && withConditions(reads, portion, where)
  }
  if (!selected || selected.ids.length === 0) return undefined
  const facet = await figureOfFrames({ reads, frameIds: selected.ids, figure: own, subject })
  return facet && withConditions(reads, facet, where)
}

/** Every subject with a number has these. */
const SPREAD_STATISTICS: readonly FigureStatistic[] = ['median', 'range', 'rank', 'part', 'per_km2']

function figureOfFrames(call: FigureCall): Promise<Facet | undefined> {
  const { figure, subject } = call
  const { statistic } = figure
  if (figure.by !== undefined) return groupsFigure(call)
  // The years of several features on a frame have no sum that could be ranked.
  if (subject.isYear && subject.type === 'property') return propertyFigure(call)
  if (statistic === 'per' || statistic === 'change') return comparisonFigure(call)
  if (SPREAD_STATISTICS.includes(statistic)) return spreadFigure(call)
  if (subject.type === 'features') return featureFigure(call)
  if (subject.type === 'property') return propertyFigure(call)
  return subject.dataset ? attributeFigure(call) : indexFigure(call)
}

/** Says how many frames pass the conditions, and which. The subject is that of the first condition. */
async function passingFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, frameIds, figure, subject } = call
  const where = figure.where ?? []
  const selected = await framesPassing(reads, frameIds, where)
  if (!selected) return undefined
  const [first] = where
  const whole =
    where.length === 1 && first
      ? `${subject.label}, frames ${passingWords(first, subject)}`
      : `F${(await scopeOfConditions(reads, where)).slice(1)}`
  return facetOf(call, {
    label: { whole },
    value: selectionText(selected, frameIds.length),
    frames: selected.recorded,
    result: {
      is: 'passing',
      ids: selected.ids,
      of: frameIds.length,
      recorded: selected.recorded,
      tests: await namedTests(reads, where),
    },
    source: { where },
  })
}
