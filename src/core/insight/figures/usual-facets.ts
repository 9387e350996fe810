/** Makes facets of the usual figures, which are read for every answer: of the index, of attributes and of features. */
import type { FramesFigure } from '../../db/statements.js'
import { facetOf, type Computed, type Facet } from './facets.js'
import type { AttributeFigures, FeatureFigures } from './read-figures.js'
import { describedAttribute, describedFeatures, describedIndex, INDEX } from './subject.js'
import { amount, extreme, mode, type Figure, type FigureStatistic, type Result } from './typed.js'

/** Returns undefined where the attribute has no such figure. `count` counts the frames of the answer. */
export function attributeFacet(
  figures: AttributeFigures,
  asked: { statistic: FigureStatistic; class?: string },
  count: number,
): Facet | undefined {
  const subject = describedAttribute(figures, figures.dataset)
  const computed = resultOfAttribute(figures, asked, count)
  return computed && facetOf({ figure: { ...subject.source, ...asked }, subject, set: { count } }, computed)
}

/** A result of some of the recorded frames has their number with it. */
export function resultOfAttribute(
  figures: AttributeFigures,
  { statistic, class: value = '' }: Pick<Figure, 'statistic' | 'class'>,
  count: number,
): Computed | undefined {
  const { frames, odd, weight } = figures
  const classes = figures.classes?.map((each) => ({ value: each.value, count: each.frames })) ?? null
  const having = classes?.find((each) => each.value === value)?.count ?? 0
  const results: Partial<Record<FigureStatistic, Result | undefined>> = {
    sum: amount(figures.sum),
    mean: amount(figures.mean),
    weighted_mean: amount(figures.weightedMean),
    min: extreme(figures.lowest, figures.lowestFrame, figures.lowestFrames),
    max: extreme(figures.highest, figures.highestFrame, figures.highestFrames),
    mode: mode(classes, frames),
    share: frames === 0 ? undefined : { is: 'share', value, count: having, of: frames },
    value: recordedValues(figures, classes),
    odd: odd === 0 ? undefined : amount(String(odd)),
    frames: { is: 'recorded', count: frames, of: count },
  }
  const result = results[statistic]
  if (!result) return undefined
  if (result.is === 'mode') return { result, frames, class: result.classes[0] ?? '' }
  if (statistic === 'odd') return { result, frames: odd }
  // A weight of zero or less, or none, leaves the frame out of the average.
  if (statistic === 'weighted_mean')
    return { result, frames: figures.weightedFrames, ...(weight !== null && { weight }) }
  return { result, frames }
}

const VALUES_NAMED = 10

/** An attribute without a summary is told as it is recorded. */
function recordedValues(
  { lowest, highest, frames }: AttributeFigures,
  classes: readonly { value: string; count: number }[] | null,
): Result | undefined {
  if (lowest !== null && lowest === highest) return amount(lowest)
  const [first, ...others] = classes ?? []
  if (!classes || !first) return undefined
  if (others.length === 0) return { is: 'text', value: first.value }
  const shown = classes.slice(0, VALUES_NAMED)
  return { is: 'classes', classes: shown, more: classes.length - shown.length, of: frames }
}

export function featureFacet({ dataset, features, frames }: FeatureFigures, statistic: 'count' | 'frames', of: number) {
  const subject = describedFeatures(dataset)
  return facetOf(
    { figure: { ...subject.source, statistic }, subject, set: { count: of } },
    resultOfFeatures({ features, frames }, statistic, of),
  )
}

export const resultOfFeatures = (
  { features, frames }: { features: number; frames: number },
  statistic: 'count' | 'frames',
  of: number,
): Computed => ({
  result: statistic === 'count' ? { is: 'amount', number: String(features) } : { is: 'recorded', count: frames, of },
  frames,
})

/** The index knows how many frames there are, how large they are, and in which units they lie. */
export const indexFacets = (row: FramesFigure): Facet[] =>
  ['frame_id', 'geom', 'state', 'lga', 'ward'].flatMap((attribute) => {
    const subject = describedIndex(attribute)
    const found = resultOfIndex(row, attribute)
    if (!subject || !found) return []
    const figure = { layerId: INDEX.layerId, attribute, statistic: found.statistic }
    return [facetOf({ figure, subject, set: { count: row.frames } }, { result: found.result, frames: row.frames })]
  })

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
