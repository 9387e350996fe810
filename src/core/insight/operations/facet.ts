/** Makes the facet of a computed figure, its source complete. */
import type { Facet, Source } from '../figures/facets.js'
import type { FrameSet } from '../figures/frame-set.js'
import type { NamedTest, Result } from '../figures/typed.js'
import { namedTests, scopeOfConditions } from './conditions.js'
import type { Reads } from '../figures/reads.js'
import { namedOf, type Description, type Figure } from './subject.js'

/** A call has the frames that a figure is about, and says what its subject is. */
export type FigureCall = { reads: Reads; set: FrameSet; figure: Figure; subject: Description }
/** The label is the words after the subject's own, or a whole label. */
export type FigureText = {
  label: string | { whole: string }
  value: string
  frames: number
  result: Result
  /** So many features of those on the frames record a value. */
  recorded?: { count: number; of: number }
  source?: Partial<Source>
}

export function facetOf(
  { figure, subject, set: { count } }: FigureCall,
  { label, value, frames, result, source, recorded }: FigureText,
): Facet {
  const whole = typeof label === 'object' ? label.whole : label === '' ? subject.label : `${subject.label}, ${label}`
  const { statistic, n, order, other, times, by, having } = figure
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
      ...(times === undefined ? {} : { times }),
      ...(by === undefined ? {} : { by }),
      ...(having === undefined ? {} : { having }),
      ...source,
    },
    typed: {
      named: namedOf(subject),
      result,
      scope: [],
      frames: count,
      recorded: recorded ?? { count: frames, of: count },
    },
    category: subject.category,
    ...(subject.dataset ? { dataset: subject.dataset } : {}),
    coverage: { frames, of: count },
  }
}

/** Says in label and source which of the frames the figure is over. */
export async function withConditions(reads: Reads, facet: Facet, where: Figure['where'] = []): Promise<Facet> {
  if (where.length === 0) return facet
  const label = `${facet.label}, on ${await scopeOfConditions(reads, where)}`
  const scope: NamedTest[] = await namedTests(reads, where)
  return { ...facet, label, typed: { ...facet.typed, scope }, source: { ...facet.source, label, where: [...where] } }
}
