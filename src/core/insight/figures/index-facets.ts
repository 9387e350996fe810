/** Makes the facets of the index itself. */
import type { FramesFigure } from '../../db/statements.js'
import { groupThousands } from '../../decimal.js'
import { INDEX, type Facet } from './facets.js'
import { withUnit } from './figure-text.js'
import type { FigureStatistic } from './figures.js'
import { namedIndex, type Result } from './typed.js'
import type { LabelledValue } from '../numbers/verify.js'

/** The index knows how many frames there are, how large they are, and in which units they lie. */
export function indexFacets({ frames, area, states, lgas, wards }: FramesFigure): Facet[] {
  type IndexText = LabelledValue & { name: string; unit: string | null; result: Result }
  const facet = (
    attribute: string,
    statistic: FigureStatistic,
    { label, value, name, unit, result }: IndexText,
  ): Facet => ({
    label,
    value,
    source: { label, ...INDEX, attribute, statistic, frames },
    typed: { named: namedIndex(name, unit), result, scope: [], frames },
    category: INDEX.dataset,
  })
  const amount = (label: string, value: string, number: string, unit: string): IndexText => ({
    label,
    value,
    name: label,
    unit,
    result: { is: 'amount', number },
  })
  const unitFacets = (label: string, plural: string, names: string[] | null, attribute: string) => {
    const [first, ...others] = names ?? []
    if (!names || first === undefined) return []
    const value = first.split(', ')[0] ?? ''
    if (others.length === 0)
      return [facet(attribute, 'value', { label, value, name: label, unit: null, result: { is: 'text', value } })]
    const number = String(names.length)
    const result: Result = { is: 'amount', number }
    return [facet(attribute, 'count', { label: plural, value: `${number} ${plural}`, name: label, unit: null, result })]
  }
  return [
    facet('frame_id', 'count', amount('Frames', withUnit(String(frames), 'frames'), String(frames), 'frames')),
    ...(area === null ? [] : [facet('geom', 'sum', amount('Area', `${groupThousands(area)} km²`, area, 'km²'))]),
    ...unitFacets('State', 'states', states, 'state'),
    ...unitFacets('LGA', 'LGAs', lgas, 'lga'),
    ...unitFacets('Ward', 'wards', wards, 'ward'),
  ]
}
