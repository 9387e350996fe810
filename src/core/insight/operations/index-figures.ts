/** Computes the figures of the index itself: the frames, their area and their units. */
import { figuresOfFrames, framesOfClass, totalsOfParts, type FramesFigure } from '../../db/statements.js'
import type { Computed } from '../figures/facets.js'
import { NAMED_MAX } from '../figures/facet-text.js'
import { isReadable, isUnitLevel, UNIT_LEVELS, unitOf } from '../figures/frame-set.js'
import { framesOfPlace } from '../figures/read-figures.js'
import { type FigureCall, INDEX } from '../figures/subject.js'
import { resultOfIndex, unitsIn } from '../figures/usual-facets.js'
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
