/** Computes the counts, the names and the extent of the features of a dataset, and the figures of their properties. */
import {
  extentOfFeatures,
  featuresPerFrame,
  figuresOfFeatures,
  namesOfFeatures,
  propertyOfFeatures,
  type PropertyFigure,
} from '../../db/statements.js'
import { groupThousands } from '../../decimal.js'
import { featureFacets, type Facet } from '../figures/facets.js'
import { percentText, tiedText } from '../figures/figure-text.js'
import type { FigureStatistic } from '../figures/figures.js'
import { isReadable, unitOf } from '../figures/frame-set.js'
import { facetOf, type FigureCall, type FigureText } from './facet.js'
import { extreme, type Result } from '../figures/typed.js'
import { spreadFigure } from './spread.js'
import { insideSentence, keptTotal, singularName, type Description } from './subject.js'

const NAMED_FEATURES = 10

export async function featureFigure(call: FigureCall): Promise<Facet | undefined> {
  const { statistic } = call.figure
  if (call.figure.frameId !== undefined) return countOfFrame(call, call.figure.frameId)
  if (statistic === 'count' || statistic === 'frames') return countOfFeatures(call, statistic)
  if (statistic === 'extent') return extentFigure(call)
  if (!isReadable(call.set)) return undefined
  return statistic === 'names' ? namesFigure(call) : spreadFigure(call)
}

async function countOfFeatures(
  { reads, set, figure, subject }: FigureCall,
  statistic: 'count' | 'frames',
): Promise<Facet | undefined> {
  const { dataset } = subject
  if (!dataset) return undefined
  const total = keptTotal(await reads.totalsOf(set), subject)
  if (!total && !isReadable(set)) return undefined
  const [row = { layer: 1, features: 0, frames: 0 }] = total
    ? [{ layer: 1, features: Number(total.number), frames: total.recorded }]
    : await reads.rows(figuresOfFeatures, set.frames, [figure.layerId])
  return featureFacets({ ...row, dataset }, set.count).find(({ source }) => source.statistic === statistic)
}

async function countOfFrame(call: FigureCall, frameId: string): Promise<Facet | undefined> {
  const { reads, set, figure } = call
  if (set.place || !set.frames.includes(frameId)) return undefined
  const rows = await reads.rows(featuresPerFrame, set.frames, [figure.layerId])
  const features = rows.find(({ place }) => set.frames[place - 1] === frameId)?.features ?? 0
  return facetOf(call, {
    label: `frame ${frameId}`,
    value: groupThousands(String(features)),
    frames: features === 0 ? 0 : 1,
    result: { is: 'amount', number: String(features) },
  })
}

async function namesFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, figure, subject } = call
  const [row] = await reads.rows(namesOfFeatures, set.frames, figure.layerId, NAMED_FEATURES)
  if (!row) return undefined
  const value = `${countText(row.features, subject.label)}${namesText(row.names, row.features)}`
  const result: Result = { is: 'names', names: row.names, count: row.features }
  return facetOf(call, { label: 'names', value, frames: set.count, result })
}

const countText = (count: number, name: string) =>
  `${groupThousands(String(count))} ${insideSentence(count === 1 ? singularName(name) : name)}`

function namesText(names: readonly string[], all: number): string {
  if (names.length === 0) return ''
  const others = all - names.length
  return `: ${names.join(', ')}${others === 0 ? '' : ` and ${groupThousands(String(others))} more`}`
}

async function extentFigure(call: FigureCall): Promise<Facet | undefined> {
  const { set, subject } = call
  const kind = subject.dataset?.kind
  if (kind !== 'lines' && kind !== 'polygons') return undefined
  const isLines = kind === 'lines'
  const extent = await extentOf(call, isLines ? 'km' : 'km2')
  if (extent === undefined) return undefined
  return facetOf(call, {
    label: `${isLines ? 'length' : 'area'} inside the frames`,
    value: `${groupThousands(extent)} ${isLines ? 'km' : 'km²'}`,
    frames: set.count,
    result: { is: 'amount', number: extent },
  })
}

/** The lengths and areas of a unit are kept. */
async function extentOf({ reads, set, figure }: FigureCall, measure: 'km' | 'km2'): Promise<string | undefined> {
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
export async function propertyFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, figure, subject } = call
  const [row] = await reads.rows(propertyOfFeatures, set.frames, figure.layerId, figure.property ?? '')
  const text = row && propertyText(call, row)
  if (!row || !text) return undefined
  const name = subject.dataset?.name ?? ''
  const isNumber = figure.statistic !== 'share' && figure.statistic !== 'mode' && figure.statistic !== 'frames'
  const counted = isNumber ? row.numbers : row.recorded
  const note =
    counted === row.features || figure.statistic === 'frames'
      ? ''
      : `; ${counted} of ${countText(row.features, name)} record it`
  const recorded = { count: figure.statistic === 'frames' ? row.recorded : counted, of: row.features }
  return facetOf(call, { ...text, value: text.value + note, frames: set.count, recorded })
}

type PropertyText = Pick<FigureText, 'label' | 'value' | 'result'> & { source?: { class: string } }

function propertyText({ figure, subject }: FigureCall, row: PropertyFigure): PropertyText | undefined {
  const { features, recorded, total, mean, lowest, lowestName, highest, highestName } = row
  const name = subject.dataset?.name ?? ''
  const one = singularName(insideSentence(name))
  const [least = '', most = ''] = subject.isYear
    ? ['earliest', 'latest']
    : [`lowest of a ${one}`, `highest of a ${one}`]
  const textOf = (label: string, decimal: string | null): PropertyText | undefined =>
    decimal === null ? undefined : { label, value: subject.text(decimal), result: { is: 'amount', number: decimal } }
  const extremeOf = (label: string, decimal: string | null, at: string | null): PropertyText | undefined =>
    decimal === null
      ? undefined
      : { label, value: `${subject.text(decimal)} at ${at}`, result: extreme(decimal, at, 1) }
  const texts: Partial<Record<FigureStatistic, () => PropertyText | undefined>> = {
    sum: () => (subject.isYear ? undefined : textOf('total', features === 0 ? '0' : total)),
    mean: () => (subject.isYear ? undefined : textOf(`average per ${one}`, mean)),
    min: () => extremeOf(least, lowest, lowestName),
    max: () => extremeOf(most, highest, highestName),
    mode: () => commonText(name, row),
    share: () => classText(subject, row, figure.class ?? ''),
    frames: () =>
      recorded === features
        ? undefined
        : {
            label: 'recorded on',
            value: `${recorded} of ${countText(features, name)}`,
            result: { is: 'recorded', count: recorded, of: features },
          },
  }
  return texts[figure.statistic]?.()
}

function commonText(name: string, { recorded, classes }: PropertyFigure): PropertyText | undefined {
  const [first] = classes ?? []
  if (!first) return undefined
  const share = percentText(first.features, recorded)
  const tied = (classes ?? []).filter(({ features }) => features === first.features).map(({ value }) => value)
  return {
    label: 'most common',
    value: `${tiedText(tied)} (${first.features} of ${countText(recorded, name)}, ${share} %)`,
    source: { class: first.value },
    result: { is: 'mode', classes: tied, count: first.features, of: recorded },
  }
}

function classText(subject: Description, { features, classes }: PropertyFigure, value: string): PropertyText {
  const found = classes?.find((each) => each.value === value) ?? { features: 0, names: [] }
  const names = found.features === features ? '' : namesText(found.names, found.features)
  return {
    label: value === 'true' || value === 'false' ? { whole: flagLabel(subject, value) } : value,
    value: `${found.features} of ${countText(features, subject.dataset?.name ?? '')}${names}`,
    result: { is: 'share', value, count: found.features, of: features, names: found.names },
  }
}

/** "Clinics, open at night" and "Clinics, not open at night". */
const flagLabel = ({ label, dataset }: Description, value: 'true' | 'false') => {
  const name = `${dataset?.name ?? ''}, `
  return value === 'true' ? label : `${name}not ${label.slice(name.length)}`
}
