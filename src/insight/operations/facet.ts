/** Makes the facet of a computed figure, its source complete. */
import type { Facet, Source } from '../facets.js'
import { scopeOfConditions } from './conditions.js'
import type { Reads } from './reads.js'
import type { Description, Figure } from './subject.js'

/** A call has the frames that a figure is about, and says what its subject is. */
export type FigureCall = { reads: Reads; frameIds: string[]; figure: Figure; subject: Description }
/** The label is the words after the subject's own, or a whole label. */
export type FigureText = {
  label: string | { whole: string }
  value: string
  frames: number
  source?: Partial<Source>
}

export function facetOf(
  { figure, subject, frameIds }: FigureCall,
  { label, value, frames, source }: FigureText,
): Facet {
  const whole = typeof label === 'object' ? label.whole : label === '' ? subject.label : `${subject.label}, ${label}`
  const { statistic, n, order, other, by, having } = figure
  return {
    label: whole,
    value,
    source: {
      label: whole,
      ...subject.source,
      statistic,
      frames,
      ...(figure.class === undefined ? {} : { class: figure.class }),
      ...(figure.frameId === undefined ? {} : { frameId: figure.frameId }),
      ...(n === undefined ? {} : { n }),
      ...(order === undefined ? {} : { order }),
      ...(other === undefined ? {} : { other }),
      ...(by === undefined ? {} : { by }),
      ...(having === undefined ? {} : { having }),
      ...source,
    },
    category: subject.category,
    ...(subject.dataset ? { dataset: subject.dataset } : {}),
    coverage: { frames, of: frameIds.length },
  }
}

/** Says in label and source which of the frames the figure is over. */
export async function withConditions(reads: Reads, facet: Facet, where: Figure['where'] = []): Promise<Facet> {
  if (where.length === 0) return facet
  const label = `${facet.label}, on ${await scopeOfConditions(reads, where)}`
  return { ...facet, label, source: { ...facet.source, label, where: [...where] } }
}
