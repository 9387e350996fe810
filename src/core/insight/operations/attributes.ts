/** Computes the usual figures of one attribute of a baseline. */
import { figuresOfBaselines, figuresOfGroups, intervalOfSet } from '../../db/statements.js'
import { roundOutwards } from '../../decimal.js'
import type { Computed } from '../figures/facets.js'
import { isReadable, type FrameSet } from '../figures/frame-set.js'
import type { Reads, Total } from '../figures/reads.js'
import type { FigureSubject } from '../figures/typed.js'
import { figuresOfTotal, type AttributeFigures } from '../figures/read-figures.js'
import type { FigureCall } from '../figures/subject.js'
import { resultOfAttribute } from '../figures/usual-facets.js'
import { boundsOf } from './conditions.js'
import { spreadFigure } from './spread.js'

export async function attributeFigure(call: FigureCall): Promise<Computed | undefined> {
  const { set, figure } = call
  if (figure.statistic === 'interval') return intervalFigure(call)
  const found = await (set.place ? figuresOfPlace(call) : figuresOfIds(call))
  if (found === 'spread') return isReadable(set) ? spreadFigure(call) : undefined
  if (found) return resultOfAttribute(found, figure, set.count)
  return figure.statistic === 'frames' ? { result: { is: 'recorded', count: 0, of: set.count }, frames: 0 } : undefined
}

/** Bounds of the file stay as they are; those that draws give are rounded outwards. */
async function intervalFigure(call: FigureCall): Promise<Computed | undefined> {
  const coverage: FigureCall = { ...call, figure: { ...call.figure, statistic: 'frames' } }
  const [interval, recorded] = await Promise.all([intervalOf(call), attributeFigure(coverage)])
  if (!interval || !recorded) return undefined
  const { lower, upper, isOfDraws } = interval
  const bounds = isOfDraws ? roundOutwards(interval) : { lower, upper }
  return { result: { is: 'interval', ...bounds, isOfDraws }, frames: recorded.frames }
}

/** The totals of a place have their intervals. */
async function intervalOf({ reads, set, figure }: FigureCall) {
  const { lower, upper } = (await totalOf(reads, set, figure)) ?? {}
  if (lower && upper) return { lower, upper, isOfDraws: true }
  if (set.place && set.count > 1) return undefined
  const [row] = await reads.rows(intervalOfSet, set.frames, figure.layerId, [figure.attribute])
  return row && { ...row, isOfDraws: row.draws !== null }
}

async function totalOf(reads: Reads, set: FrameSet, { layerId, attribute }: FigureSubject): Promise<Total | undefined> {
  const known = await reads.totalsOf(set)
  return known?.totals.find((each) => each.dataset.layerId === layerId && each.attribute === attribute)
}

async function figuresOfIds({ reads, set, figure, subject }: FigureCall): Promise<AttributeFigures | undefined> {
  const { dataset } = subject
  const rows = await reads.rows(figuresOfBaselines, set.frames, [figure.layerId])
  const row = rows.find(({ name }) => name === figure.attribute)
  return row && dataset && { ...row, dataset }
}

/** Totals of a place are kept. Its classes are counted, and other figures of its numbers are a spread of single frames. */
async function figuresOfPlace(call: FigureCall): Promise<AttributeFigures | 'spread' | undefined> {
  const { reads, set, figure, subject } = call
  const { layerId, attribute, statistic } = figure
  const total = await totalOf(reads, set, figure)
  const entry = await reads.attributeOf(layerId, attribute)
  if (!total || !entry || total.recorded === 0) return undefined
  const figures = figuresOfTotal(total, entry)
  if (statistic === 'frames') return figures
  if (subject.named.type === 'number') return statistic === entry.summary ? figures : 'spread'
  if (!isReadable(set)) return statistic === 'mode' || total.classes ? figures : undefined
  const bounds = boundsOf({ test: 'any' })
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
