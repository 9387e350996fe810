/** Computes the counts, the names and the extent of the features of a dataset, and the figures of their properties. */
import { extentOfFeatures, namesOfFeatures, propertyOfFeatures, type PropertyFigure } from '../../db/statements.js'
import type { Computed } from '../figures/facets.js'
import { NAMED_MAX } from '../figures/facet-text.js'
import { isReadable, unitOf } from '../figures/frame-set.js'
import { type FigureCall, keptTotal } from '../figures/subject.js'
import { amount, extreme, mode, type FigureStatistic, type Result } from '../figures/typed.js'
import { featuresOn } from '../figures/recorded.js'
import { spreadFigure } from './spread.js'

export async function featureFigure(call: FigureCall): Promise<Computed | undefined> {
  const { reads, set, figure } = call
  const { statistic } = figure
  if (statistic === 'count' || statistic === 'frames') {
    const counted = await countOf(call)
    return counted && resultOfFeatures(counted, statistic, set.count)
  }
  if (statistic === 'extent') {
    const extent = await extentOf(call)
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
async function extentOf({ reads, set, figure, subject }: FigureCall): Promise<string | undefined> {
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
export async function propertyFigure(call: FigureCall): Promise<Computed | undefined> {
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
