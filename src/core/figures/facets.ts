/** A facet is a figure as a person reads it, with the source that it can be computed from again. */
import { defined } from '../defined.js'
import type { DatasetRow } from '../db/index.js'
import type { UnitPath } from '../place.js'
import { placeName } from '../place-name.js'
import type { SentStatement } from './reads.js'
import { labelOf, valueOf } from './results/results.js'
import type { NamedFigure } from './subject.js'
import type { Result, Source, TypedFigure } from './typed.js'

export type LabelledValue = { label: string; value: string }

/** A facet of the index itself has no dataset. */
export type Facet = LabelledValue & {
  source: Source
  typed: TypedFigure
  category: string
  dataset?: DatasetRow
  /** PostgreSQL got these for it. */
  statements?: readonly SentStatement[]
  /** The value lists these units, or names the first of them. */
  units?: readonly UnitPath[]
  /** Each group with its value, as far as a page lists them: the value names the first of them. */
  groups?: readonly { name: string; value: string; number: string; unit?: UnitPath }[]
}

/** A computed figure: so many frames record a value for it. */
export type Computed = Pick<TypedFigure, 'recorded'> & { result: Result; frames: number } & Partial<
    Pick<Source, 'class' | 'weight'>
  > &
  Pick<Facet, 'units' | 'groups'>

/** SQL tells two units of one name apart by those above: "OLD MARKET of KIRIN GATE, MAREMBE". */
function writtenName(stored: string): string {
  const [, own, above] = /^(\P{Ll}+) of (\P{Ll}+)$/u.exec(stored) ?? []
  return own === undefined || above === undefined ? placeName(stored) : `${placeName(own)} (${placeName(above)})`
}

const NAMES: ReadonlySet<string> = new Set(['value', 'name', 'names', 'classes', 'at'])

/** Figures name places, features and classes as people write them. A source names them as they are stored. */
export const writtenNames = <T>(told: T): T =>
  JSON.parse(JSON.stringify(told), (key, value: unknown) => {
    if (!NAMES.has(key)) return value
    const written = (each: unknown) => (typeof each === 'string' ? writtenName(each) : each)
    return Array.isArray(value) ? value.map(written) : written(value)
  }) as T

export function facetOf(named: NamedFigure, computed: Computed): Facet {
  const { figure, subject, set } = named
  const { count } = set
  const { result: stored, frames, recorded, units, groups: all, ...more } = computed
  const result = writtenNames(stored)
  const groups = all?.map((group) => ({ ...group, name: placeName(group.name) }))
  const label = labelOf(named, result)
  const ofFrames = { count: frames, of: count }
  const typed = { named: subject.named, result, scope: [], frames: count, recorded: recorded ?? ofFrames }
  return {
    label,
    value: valueOf(named, { result, ...(subject.named.type === 'property' && defined({ recorded })) }),
    source: { ...subject.source, ...figure, ...more, label, frames },
    typed,
    category: subject.category,
    ...(subject.dataset && { dataset: subject.dataset }),
    ...(units && { units }),
    ...(groups && { groups }),
  }
}
