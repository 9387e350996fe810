/** Computes the usual figures of one attribute of a baseline. Those of a place come from the totals that imports keep. */
import { figuresOfGroups } from '../../db/statements.js'
import type { AttributeEntry, AttributeFigure } from '../../db/rows.js'
import type { Computed } from '../figures/facets.js'
import { isReadable, type FrameSet } from '../figures/frame-set.js'
import type { Reads, Total } from '../figures/reads.js'
import {
  amount,
  extreme,
  mode,
  type Figure,
  type FigureStatistic,
  type FigureSubject,
  type Result,
} from '../figures/typed.js'
import type { FigureCall } from '../figures/subject.js'
import { attributesOn } from '../figures/recorded.js'
import { testBounds } from './conditions.js'
import { spreadFigure } from './spread.js'

export async function attributeFigure(call: FigureCall): Promise<Computed | undefined> {
  const { set, figure } = call
  const found = await (set.place ? attributeOfPlace(call) : attributeOfIds(call))
  if (found === 'spread') return isReadable(set) ? spreadFigure(call) : undefined
  if (found) return resultOfAttribute(found, figure, set.count)
  return figure.statistic === 'frames' ? { result: { is: 'recorded', count: 0, of: set.count }, frames: 0 } : undefined
}

export async function totalOf(
  reads: Reads,
  set: FrameSet,
  { layerId, attribute }: FigureSubject,
): Promise<Total | undefined> {
  const known = await reads.totalsOf(set)
  return known?.totals.find((each) => each.dataset.layerId === layerId && each.attribute === attribute)
}

async function attributeOfIds({ reads, set, figure, subject }: FigureCall): Promise<AttributeFigure | undefined> {
  const rows = subject.dataset ? await attributesOn(reads, set, subject.dataset) : []
  return rows.find(({ name }) => name === figure.attribute)
}

/** Totals of a place are kept. Its classes are counted, and other figures of its numbers are a spread of single frames. */
async function attributeOfPlace(call: FigureCall): Promise<AttributeFigure | 'spread' | undefined> {
  const { reads, set, figure, subject } = call
  const { layerId, attribute, statistic } = figure
  const total = await totalOf(reads, set, figure)
  const entry = await reads.attributeOf(layerId, attribute)
  if (!total || !entry || total.recorded === 0) return undefined
  const figures = figuresOfTotal(total, entry)
  if (statistic === 'frames') return figures
  if (subject.named.type === 'number') return statistic === entry.summary ? figures : 'spread'
  if (!isReadable(set)) return statistic === 'mode' || total.classes ? figures : undefined
  const bounds = testBounds({ test: 'any' })
  const groups = await reads.rows(
    figuresOfGroups,
    set.frames,
    'frames',
    'frame_id',
    layerId,
    attribute,
    'sum',
    ...bounds,
  )
  return { ...figures, classes: groups.map(({ name, frames }) => ({ value: name, frames })) }
}

/** A total has no extremes and no values that are no number: those are of single frames. */
function figuresOfTotal(total: Total, entry: AttributeEntry): AttributeFigure {
  const { number, recorded, classes } = total
  const { summary } = entry
  const common = total.class === null ? null : [{ value: total.class, frames: total.classFrames ?? 0 }]
  return {
    ...entry,
    frames: recorded,
    sum: summary === 'sum' ? number : null,
    mean: summary === 'mean' ? number : null,
    weightedMean: summary === 'weighted_mean' ? number : null,
    weightedFrames: recorded,
    lowest: null,
    lowestFrame: null,
    lowestFrames: 0,
    highest: null,
    highestFrame: null,
    highestFrames: 0,
    classes: classes?.map((each) => ({ value: each.class, frames: each.frames })) ?? common,
  }
}

/** A result of some of the recorded frames has their number with it. */
export function resultOfAttribute(
  figures: AttributeFigure,
  { statistic, class: value = '' }: Pick<Figure, 'statistic' | 'class'>,
  count: number,
): Computed | undefined {
  const { frames, weight } = figures
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
    value: figures.summary === 'mode' && classes?.length === 1 ? undefined : recordedValues(figures, classes),
    frames: { is: 'recorded', count: frames, of: count },
  }
  const result = results[statistic]
  if (!result) return undefined
  if (result.is === 'mode') return { result, frames, class: result.classes[0] ?? '' }
  // A weight of zero or less, or none, leaves the frame out of the average.
  if (statistic === 'weighted_mean')
    return { result, frames: figures.weightedFrames, ...(weight !== null && { weight }) }
  return { result, frames }
}

const VALUES_NAMED = 10

/** An attribute without a summary is told as it is recorded, and a category by its classes. */
function recordedValues(
  { lowest, highest, frames }: AttributeFigure,
  classes: readonly { value: string; count: number }[] | null,
): Result | undefined {
  if (lowest !== null && lowest === highest) return amount(lowest)
  const [first, ...others] = classes ?? []
  if (!classes || !first) return undefined
  if (others.length === 0) return { is: 'text', value: first.value }
  const shown = classes.slice(0, VALUES_NAMED)
  return { is: 'classes', classes: shown, more: classes.length - shown.length, of: frames }
}
