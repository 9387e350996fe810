/** A map lights the frames and the units that the figures of an answer name, and takes the attribute of the first for its colour. */
import type { InsightAnswer } from '../../core/insight/answer.js'
import type { Facet } from '../../core/insight/figures/facets.js'
import { UNIT_LEVELS, type UnitPath } from '../../core/insight/figures/frame-set.js'
import { INDEX } from '../../core/insight/figures/subject.js'

/** A map lights at most this many of each. */
const LIT_MAX = 50

/** Frames and units that a value names, and the unit that a figure is of. */
export function litBy({ shown: { named }, place }: InsightAnswer): { frames: string[]; units: UnitPath[] } {
  const above = place && 'unit' in place ? place.unit : undefined
  const units = named.flatMap((facet) => [...(facet.units ?? []), ...unitOfScope(facet, above)])
  const keys = units.map((unit) => unit.join('\n'))
  return {
    frames: [...new Set(named.flatMap(framesNamed))].slice(0, LIT_MAX),
    units: units.filter((_, i) => keys.indexOf(keys[i] ?? '') === i).slice(0, LIT_MAX),
  }
}

function framesNamed({ source, typed: { named, result } }: Facet): string[] {
  if (source.by !== undefined || named.type === 'property') return []
  if (result.is === 'extreme') return result.at === null ? [] : [result.at]
  if (result.is === 'rank') return result.ranked.map(({ name }) => name)
  return result.is === 'passing' ? result.ids : []
}

function unitOfScope({ source: { where = [] } }: Facet, above: UnitPath | undefined): UnitPath[] {
  const names = UNIT_LEVELS.flatMap((level) =>
    where.flatMap((each) =>
      each.layerId === INDEX.layerId && each.attribute === level && each.test === 'class' ? [each.value] : [],
    ),
  )
  return above && names.length > 0 ? [[...above, ...names]] : []
}

/** A map may be coloured by this attribute of the first answer; null for the number of features. */
export function colourOfAnswer({ shown }: InsightAnswer): { layerId: string; attribute: string | null } | undefined {
  const [facet] = shown.named
  if (!facet?.dataset || facet.typed.named.type === 'property') return undefined
  const { layerId, attribute } = facet.source
  return { layerId, attribute: facet.dataset.kind === 'frames' ? attribute : null }
}
