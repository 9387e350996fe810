/** Computes the figures of the index itself: the frames, their area and their units. */
import { figuresOfFrames, framesOfClass, totalsOfParts, type FramesFigure } from '../../db/statements.js'
import type { Computed } from '../figures/facets.js'
import { NAMED_MAX } from '../figures/facet-text.js'
import { isReadable, isUnitLevel, UNIT_LEVELS, unitOf, type FrameSet } from '../figures/frame-set.js'
import type { Totals } from '../figures/reads.js'
import { type FigureCall, INDEX } from '../figures/subject.js'
import type { FigureStatistic, Result } from '../figures/typed.js'
import { boundsOf } from './conditions.js'
import { spreadFigure } from './spread.js'

export async function indexFigure(call: FigureCall): Promise<Computed | undefined> {
  const { set, figure, subject } = call
  const { statistic, attribute } = figure
  const isUnit = subject.named.type === 'unit'
  if (isUnit && statistic === 'share') return isReadable(set) ? unitShare(call) : undefined
  const row = await figuresOf(call)
  if (!row) return undefined
  if (isUnit && statistic === 'names') return unitNames(unitsIn(row, attribute), set.count)
  const usual = resultOfIndex(row, attribute)
  if (usual?.statistic === statistic) return { result: usual.result, frames: row.frames }
  return !isUnit && isReadable(set) ? spreadFigure(call) : undefined
}

/** The frames and the land of a place are kept. The units below a unit are its parts; those of a box are read. */
async function figuresOf({ reads, set, figure: { attribute } }: FigureCall): Promise<FramesFigure | undefined> {
  const known = await reads.totalsOf(set)
  const path = unitOf(set)
  if (known && (!isUnitLevel(attribute) || (path && UNIT_LEVELS.indexOf(attribute) < path.length)))
    return framesOfPlace(set, known)
  if (known && path) {
    const any = boundsOf({ test: 'any' })
    const parts = await reads.rows(totalsOfParts, [...path], attribute, INDEX.layerId, 'frame_id', ...any)
    const names = parts.map((part) => (part.path ?? []).toReversed().join(', ')).toSorted()
    return { ...framesOfPlace(set, known), [`${attribute}s`]: names }
  }
  if (!isReadable(set)) return undefined
  const [row] = await reads.rows(figuresOfFrames, set.frames)
  return row
}

/** The units above them tell two units of one name apart. The name of a single unit is its value. */
function unitNames(units: string[] | null, frames: number): Computed | undefined {
  if (!units || units.length === 1) return undefined
  const names = units.map((unit) => unit.split(', ')[0] ?? '')
  const shown = new Set(names).size === names.length ? names : units
  return { result: { is: 'names', names: shown.slice(0, NAMED_MAX), count: shown.length }, frames }
}

async function unitShare({ reads, set, figure, subject }: FigureCall): Promise<Computed | undefined> {
  const value = figure.class ?? ''
  const [row] = await reads.rows(framesOfClass, set.frames, ...subject.args, value)
  if (!row || row.recorded === 0) return undefined
  return { result: { is: 'share', value, count: row.ids.length, of: row.recorded }, frames: row.recorded }
}

/** The names of several units are counted. */
export function resultOfIndex(
  row: FramesFigure,
  attribute: string,
): { statistic: FigureStatistic; result: Result } | undefined {
  if (attribute === 'frame_id') return { statistic: 'count', result: { is: 'amount', number: String(row.frames) } }
  if (attribute === 'geom') return row.area === null ? undefined : { statistic: 'sum', result: { is: 'amount', number: row.area } } // prettier-ignore
  const [first, ...others] = unitsIn(row, attribute) ?? []
  if (first === undefined) return undefined
  return others.length === 0
    ? { statistic: 'value', result: { is: 'text', value: first.split(', ')[0] ?? '' } }
    : { statistic: 'count', result: { is: 'amount', number: String(others.length + 1) } }
}

/** Each unit has the names of those above it behind its own. */
export const unitsIn = ({ states, lgas, wards }: FramesFigure, attribute: string): string[] | null =>
  attribute === 'state' ? states : attribute === 'lga' ? lgas : wards

/** The units above those of the place are its own; those below are not listed. */
function framesOfPlace(set: FrameSet, { frames, km2 }: Totals): FramesFigure {
  const [state, lga, ward] = unitOf(set) ?? []
  const named = (...names: (string | undefined)[]) =>
    names.includes(undefined) ? null : [names.map((name) => name?.toUpperCase()).join(', ')]
  return { frames, area: km2, states: named(state), lgas: named(lga, state), wards: named(ward, lga, state) }
}
