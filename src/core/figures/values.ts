/** Reads once what the frames of a figure record of a subject, and computes the usual figures from that. */
import { figuresOfBaselines, summary } from '../db/statements.js'
import type { RowOf, SummaryRow } from '../db/index.js'
import { NAMED_MAX } from './facet-text.js'
import type { Computed } from './facets.js'
import { attributesOn } from './recorded.js'
import type { FrameSet } from './frame-set.js'
import { keptProfile, type ProfileFigure } from './profile.js'
import type { FigureCall } from './subject.js'
import { amount, extreme, type FigureStatistic, mode, type Result } from './typed.js'
import { askedOf, measureOf, measureOnFrames, namesOf } from './measures.js'

/** The things are frames or features. A kept total has no extremes and no values that are no number. */
export type Values = Pick<
  SummaryRow,
  'things' | 'recorded' | 'total' | 'mean' | 'weightedMean' | 'weighted' | 'lowest' | 'lowestName' | 'lowestThings'
> &
  Pick<SummaryRow, 'highest' | 'highestName' | 'highestThings' | 'classes'> &
  Partial<Pick<SummaryRow, 'median' | 'range'>>

/** The value of an attribute on each frame, or of a property of each feature. */
export async function valuesFigure(call: FigureCall): Promise<Computed | undefined> {
  const computed = computedOf(call, await valuesOf(call))
  if (!computed || call.subject.named.type !== 'property') return computed
  return { ...computed, result: await namedShare(call, computed.result) }
}

export function computedOf(
  call: Pick<FigureCall, 'figure' | 'subject'> & { set: Pick<FrameSet, 'count'> },
  values: Values,
): Computed | undefined {
  const { subject, figure, set } = call
  const result = resultOf(call, values)
  if (!result) return undefined
  const common = result.is === 'mode' ? { class: result.classes[0] ?? '' } : {}
  if (subject.named.type === 'property') {
    const recorded = { count: values.recorded, of: values.things }
    return { result, frames: set.count, recorded, ...common }
  }
  // A weight of zero or less, or none, leaves the frame out of the average.
  if (figure.statistic === 'weighted_mean')
    return { result, frames: values.weighted, ...(subject.weight !== null && { weight: subject.weight }) }
  return { result, frames: values.recorded, ...common }
}

/** Counts the frames that record the subject. */
export const recordedCount = async (call: FigureCall): Promise<number> =>
  (await valuesOf({ ...call, figure: { ...call.figure, statistic: 'frames' } })).recorded

/** One statement reads the frames of a call; imports keep the totals of a place. */
async function valuesOf(call: FigureCall): Promise<Values> {
  const { reads, set, subject, figure } = call
  const { named, source, dataset } = subject
  const isOfFrames = dataset?.kind === 'frames'
  if (isOfFrames && !set.where && figure.statistic !== 'median' && figure.statistic !== 'range') {
    const total = await totalOf(call)
    if (total && isKept(call, total)) return valuesOfTotal(total, subject.summary, set.count)
    const rows = set.place ? [] : await attributesOn(reads, set, dataset)
    if (!set.place)
      return valuesOfRow(
        rows.find(({ name }) => name === source.attribute),
        set.count,
      )
  }
  const measure = named.type === 'features' ? measureOnFrames(set, subject) : measureOf(set, subject)
  const how = figure.statistic === 'median' ? 'median' : measure.how
  const [row = EMPTY] = await reads.rows(summary, JSON.stringify({ ...measure, how }))
  return row
}

/** The kept total of a place. */
export async function totalOf({ reads, set, subject }: FigureCall): Promise<ProfileFigure | undefined> {
  const known = await keptProfile(reads, set)
  return known?.figures.find((each) => each.dataset === subject.dataset && each.attribute === subject.source.attribute)
}

/** Counting all classes takes 0.4 s for 751,415 frames. */
const MANY_FRAMES = 50_000

/** The most common class of a unit is kept, but not whether others tie with it: none does where most frames have it. */
function isKept({ figure: { statistic }, subject, set }: FigureCall, total: ProfileFigure): boolean {
  if (statistic === 'frames') return true
  if (subject.named.type === 'number') return statistic === subject.summary
  const isOnly = 2 * (total.classFrames ?? 0) > total.recorded || set.count > MANY_FRAMES
  return total.classes !== null || (statistic === 'mode' && total.class !== null && isOnly)
}

const EMPTY: Values = {
  things: 0,
  recorded: 0,
  total: null,
  mean: null,
  weightedMean: null,
  weighted: 0,
  lowest: null,
  lowestName: null,
  lowestThings: 0,
  highest: null,
  highestName: null,
  highestThings: 0,
  classes: null,
}

function valuesOfTotal(total: ProfileFigure, how: string, things: number): Values {
  const { number, recorded, classes } = total
  const common = total.class === null ? null : [{ value: total.class, things: total.classFrames ?? 0 }]
  return {
    ...EMPTY,
    things,
    recorded,
    weighted: recorded,
    total: how === 'sum' ? number : null,
    mean: how === 'mean' ? number : null,
    weightedMean: how === 'weighted_mean' ? number : null,
    classes: classes?.map((each) => ({ value: each.class, things: each.frames })) ?? common,
  }
}

export const valuesOfRow = (row: RowOf<typeof figuresOfBaselines> | undefined, things: number): Values =>
  row === undefined
    ? { ...EMPTY, things }
    : {
        ...row,
        things,
        recorded: row.frames,
        total: row.sum,
        weighted: row.weightedFrames,
        lowestName: row.lowestFrame,
        lowestThings: row.lowestFrames,
        highestName: row.highestFrame,
        highestThings: row.highestFrames,
        classes: row.classes?.map(({ value, frames }) => ({ value, things: frames })) ?? null,
      }

/** Only a subject that is summed has a total. A year has none, and no average. */
function resultOf({ figure, subject, set }: Parameters<typeof computedOf>[0], values: Values): Result | undefined {
  const { named, summary: usual } = subject
  const { things, recorded, lowest, highest, range } = values
  const isProperty = named.type === 'property'
  const classes = values.classes?.map((each) => ({ value: each.value, count: each.things })) ?? null
  const results: Partial<Record<FigureStatistic, () => Result | undefined>> = {
    sum: () => (usual === 'sum' ? amount(isProperty && things === 0 ? '0' : values.total) : undefined),
    mean: () => (isProperty && named.isYear ? undefined : amount(values.mean)),
    weighted_mean: () => amount(values.weightedMean),
    median: () => amount(values.median ?? null),
    min: () => extreme(lowest, values.lowestName, isProperty ? 1 : values.lowestThings),
    max: () => extreme(highest, values.highestName, isProperty ? 1 : values.highestThings),
    range: () => (range && lowest && highest ? { is: 'range', number: range, lowest, highest } : undefined),
    mode: () => mode(classes, recorded),
    share: () => {
      const of = isProperty ? things : recorded
      const value = figure.class ?? ''
      const count = classes?.find((each) => each.value === value)?.count ?? 0
      return of > 0 || isProperty ? { is: 'share', value, count, of } : undefined
    },
    value: () => (usual === 'mode' && classes?.length === 1 ? undefined : recordedValues(values, classes)),
    frames: () =>
      !isProperty
        ? { is: 'recorded', count: recorded, of: set.count }
        : recorded === things
          ? undefined
          : { is: 'recorded', count: recorded, of: things },
  }
  return results[figure.statistic]?.()
}

const VALUES_NAMED = 10

/** An attribute without a summary is told as it is recorded, and a category by its classes. */
function recordedValues(
  { lowest, highest, recorded }: Values,
  classes: readonly { value: string; count: number }[] | null,
): Result | undefined {
  if (lowest !== null && lowest === highest) return amount(lowest)
  const [first, ...others] = classes ?? []
  if (!classes || !first) return undefined
  if (others.length === 0) return { is: 'text', value: first.value }
  const shown = classes.slice(0, VALUES_NAMED)
  return { is: 'classes', classes: shown, more: classes.length - shown.length, of: recorded }
}

/** A share of features names the first of them. */
async function namedShare({ reads, set, subject }: FigureCall, result: Result): Promise<Result> {
  if (result.is !== 'share' || result.count === 0) return result
  const where = { name: subject.source.property ?? '', is: [result.value] }
  const rows = await askedOf(reads, {
    of: { ...measureOf(set, subject), where, how: 'count' },
    by: { each: true },
    list: NAMED_MAX,
  })
  return { ...result, names: namesOf(rows) }
}
