/** Says in the algebra of figures what a figure of a subject measures. */
import type { Figure as Asked, Filter, Measure, Subject } from './algebra.js'
import { figure as figureStatement } from '../db/statements.js'
import type { FigureRow } from '../db/index.js'
import { NAMED_MAX } from './facet-text.js'
import type { Reads } from './reads.js'
import type { FrameSet } from './frame-set.js'
import { type Description, INDEX } from './subject.js'

const LAND: Subject = { of: INDEX.layerId, name: 'geom' }

/** Undefined where neither is asked for. */
export function both(...filters: (Filter | undefined)[]): Filter | undefined {
  const [first, ...others] = filters.flatMap((filter) => filter ?? [])
  return first && others.length > 0 ? { all: [first, ...others] } : first
}

const inSet = ({ frames, where }: FrameSet, more?: Filter): Pick<Measure, 'place' | 'among' | 'where'> => ({
  place: frames,
  ...(where && { among: where }),
  ...(more && { where: more }),
})

/** The features on the frames of a set, each once. */
const featuresIn = (layerId: string, set: FrameSet): Pick<Measure, 'things' | 'place' | 'among'> => ({
  things: layerId,
  ...inSet(set),
})

export const countOfFrames = (set: FrameSet, more?: Filter): Measure => ({ ...inSet(set, more), how: 'count' })
export const landOf = (set: FrameSet, more?: Filter): Measure => ({ ...inSet(set, more), subject: LAND, how: 'sum' })

/** Features are counted, and a property is summed over them, on each frame. */
export function measureOnFrames(set: FrameSet, { named: { type }, source, weight }: Description): Measure {
  const { layerId, attribute, property } = source
  if (layerId === INDEX.layerId && attribute === 'frame_id') return countOfFrames(set)
  const name = type === 'features' ? {} : { name: property ?? attribute }
  const weighing = weight === null ? {} : { weight: weight === 'area' ? LAND : { of: layerId, name: weight } }
  return { ...inSet(set), subject: { of: layerId, ...name }, ...weighing, how: 'sum' }
}

/** A feature on several frames counts once, and so does its property. */
export function measureOf(set: FrameSet, subject: Description): Measure {
  const { type } = subject.named
  const { layerId, property } = subject.source
  if (type === 'features') return { ...featuresIn(layerId, set), how: 'count' }
  if (property !== undefined) return { ...featuresIn(layerId, set), subject: { name: property }, how: 'sum' }
  return measureOnFrames(set, subject)
}

export const extentOf = (set: FrameSet, { source: { layerId } }: Description): Measure => ({
  ...featuresIn(layerId, set),
  subject: { extent: true },
  how: 'sum',
})

/** The frames that record a value of the subject: each frame has so many features, or none. */
export const recordedBy = ({ named: { type }, source: { layerId, attribute } }: Description): Filter | undefined =>
  layerId !== INDEX.layerId && (type === 'number' || type === 'category')
    ? { of: layerId, name: attribute, recorded: true }
    : undefined

/** The rows of one figure. */
export const askedOf = (reads: Reads, asked: Asked): Promise<FigureRow[]> =>
  reads.rows(figureStatement, JSON.stringify(asked))

export async function countOf(reads: Reads, measure: Measure): Promise<number> {
  const [row] = await askedOf(reads, { of: { ...measure, how: 'count' } })
  return row?.things ?? 0
}

/** How many frames a set has, and the first of them: one statement says both. */
export async function framesOf(reads: Reads, set: FrameSet): Promise<{ count: number; names: string[] }> {
  const rows = await askedOf(reads, { of: countOfFrames(set), by: { each: true }, list: NAMED_MAX })
  return { count: rows[0]?.groups ?? 0, names: namesOf(rows) }
}

export const namesOf = (rows: readonly FigureRow[]): string[] => rows.flatMap(({ name }) => name ?? [])
