/** Computes the figures of the index itself: the frames, their area and their units. */
import { figuresOfFrames, framesOfClass } from '../../db/statements.js'
import type { Facet } from '../figures/facets.js'
import { shareText } from '../figures/figure-text.js'
import { indexFacets } from '../figures/index-facets.js'
import { facetOf, type FigureCall } from './facet.js'
import type { Result } from '../figures/typed.js'
import { spreadFigure } from './spread.js'

const NAMED_UNITS = 10

export async function indexFigure(call: FigureCall): Promise<Facet | undefined> {
  const { reads, frameIds, figure, subject } = call
  const [row] = await reads.rows(figuresOfFrames, frameIds)
  if (!row) return undefined
  const { statistic, attribute } = figure
  if (subject.type === 'unit' && statistic === 'share') return unitShare(call)
  if (subject.type === 'unit' && statistic === 'names') return unitNamesFigure(call, unitsNamed(row, attribute))
  const usual = indexFacets(row).find(({ source }) => source.attribute === attribute)
  if (usual?.source.statistic === statistic) return usual
  return subject.type === 'number' ? spreadFigure(call) : undefined
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
  const value = shown.slice(0, NAMED_UNITS).join('; ') + (others > 0 ? ` and ${others} more` : '')
  const result: Result = { is: 'names', names: shown.slice(0, NAMED_UNITS), count: shown.length }
  return facetOf(call, { label: 'names', value, frames: call.frameIds.length, result })
}

async function unitShare(call: FigureCall): Promise<Facet | undefined> {
  const { reads, frameIds, figure, subject } = call
  const value = figure.class ?? ''
  const [row] = await reads.rows(framesOfClass, frameIds, ...subject.args, value)
  if (!row || row.recorded === 0) return undefined
  const { ids, recorded } = row
  const result: Result = { is: 'share', value, count: ids.length, of: recorded }
  return facetOf(call, { label: value, value: shareText(ids.length, recorded), frames: recorded, result })
}
