/** Computes the figures of the index itself: the frames, their area and their units. */
import { figuresOfFrames, framesOfClass, totalsOfParts, type FramesFigure } from '../../db/statements.js'
import { INDEX, type Facet } from '../figures/facets.js'
import { countText, shareText } from '../figures/figure-text.js'
import { isReadable, isUnitLevel, UNIT_LEVELS, unitOf } from '../figures/frame-set.js'
import { indexFacets } from '../figures/index-facets.js'
import { framesOfPlace } from '../figures/read-figures.js'
import type { Result } from '../figures/typed.js'
import { boundsOf } from './conditions.js'
import { facetOf, type FigureCall } from './facet.js'
import { spreadFigure } from './spread.js'

const NAMED_UNITS = 10

export async function indexFigure(call: FigureCall): Promise<Facet | undefined> {
  const { set, figure, subject } = call
  const { statistic, attribute } = figure
  if (subject.type === 'unit' && statistic === 'share') return isReadable(set) ? unitShare(call) : undefined
  const row = await figuresOf(call)
  if (!row) return undefined
  if (subject.type === 'unit' && statistic === 'names') return unitNamesFigure(call, unitsNamed(row, attribute))
  const usual = indexFacets(row).find(({ source }) => source.attribute === attribute)
  if (usual?.source.statistic === statistic) return usual
  return subject.type === 'number' && isReadable(set) ? spreadFigure(call) : undefined
}

/** The frames and the land of a place are kept. The units below a unit are its parts; those of a box are read. */
async function figuresOf({ reads, set, figure: { attribute } }: FigureCall): Promise<FramesFigure | undefined> {
  const known = await reads.totalsOf(set)
  const path = unitOf(set)
  if (known && !isUnitLevel(attribute)) return framesOfPlace(set, known)
  if (known && path && isUnitLevel(attribute)) {
    if (UNIT_LEVELS.indexOf(attribute) < path.length) return framesOfPlace(set, known)
    const any = boundsOf({ test: 'any' })
    const parts = await reads.rows(totalsOfParts, [...path], attribute, INDEX.layerId, 'frame_id', ...any)
    const names = parts.map((part) => (part.path ?? []).toReversed().join(', ')).toSorted()
    return { ...framesOfPlace(set, known), [`${attribute}s`]: names }
  }
  if (!isReadable(set)) return undefined
  const [row] = await reads.rows(figuresOfFrames, set.frames)
  return row
}

type Units = { states: string[] | null; lgas: string[] | null; wards: string[] | null }
const unitsNamed = ({ states, lgas, wards }: Units, attribute: string) =>
  attribute === 'state' ? states : attribute === 'lga' ? lgas : wards

/** The units above them tell two units of one name apart. */
function unitNamesFigure(call: FigureCall, units: string[] | null): Facet | undefined {
  // The name of a single unit is its value.
  if (!units || units.length === 1) return undefined
  const names = units.map((unit) => unit.split(', ')[0] ?? '')
  const shown = new Set(names).size === names.length ? names : units
  const others = shown.length - NAMED_UNITS
  const value = shown.slice(0, NAMED_UNITS).join('; ') + (others > 0 ? ` and ${countText(others)} more` : '')
  const result: Result = { is: 'names', names: shown.slice(0, NAMED_UNITS), count: shown.length }
  return facetOf(call, { label: 'names', value, frames: call.set.count, result })
}

async function unitShare(call: FigureCall): Promise<Facet | undefined> {
  const { reads, set, figure, subject } = call
  const value = figure.class ?? ''
  const [row] = await reads.rows(framesOfClass, set.frames, ...subject.args, value)
  if (!row || row.recorded === 0) return undefined
  const { ids, recorded } = row
  const result: Result = { is: 'share', value, count: ids.length, of: recorded }
  return facetOf(call, { label: value, value: shareText(ids.length, recorded), frames: recorded, result })
}
