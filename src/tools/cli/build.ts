/** frames build: makes a new index from an outline and wards. */
import { counted } from '../../core/counted.js'
import { build, type BuildSummary, type Overlap } from '../load/build.js'
import type { ServedIndex } from '../load/new-index.js'
import { form, required, type Command } from './command.js'
import { indexReport } from './load-report.js'
import { onDatabase } from './open-database.js'
import { anyValue } from '../../core/values.js'

export const buildCommand: Command = {
  summary: 'build the index: a grid over the outline, each frame in a ward',
  form: form({
    description: 'Builds a new index beside the one that is being served, and switches to it at the end.',
    args: {
      outline: required(anyValue('FILE', 'GeoJSON, or CSV with wkt'), 'the outline of the country'),
      wards: required(
        anyValue('FILE', 'GeoJSON, a JSON array of rows, or CSV with wkt or with lon and lat'),
        'the wards, as points or polygons, with the names of their states and areas',
      ),
    },
    run: onDatabase((db, files, output) => build(db, files, output.progress), buildReport),
  }),
}

/** More wards than these are in the JSON alone. */
const REPORTED_OVERLAPS = 10

export function buildReport(made: BuildSummary & ServedIndex): string {
  const notes: [count: number, one: string, more: string][] = [
    [
      made.repeatedNames,
      'name came more than once: its places are one ward',
      'names came more than once: their places are one ward',
    ],
    [
      made.untidyNames,
      'name had line breaks or needless blanks: made single blanks',
      'names had line breaks or needless blanks: made single blanks',
    ],
    [made.withoutStateOrLga, 'row named no state or area: left out', 'rows named no state or area: left out'],
    [
      made.atTheSamePlace,
      'row lay at the very place of another: the lowest name has the land',
      'rows lay at the very place of another: the lowest name has the land',
    ],
    [
      made.outsideTheOutline,
      'row lies outside the outline: it has what land is nearest to it',
      'rows lie outside the outline: they have what land is nearest to them',
    ],
    [
      made.wardsTooSmallForAFrame,
      'ward holds the middle of no frame: it has none',
      'wards hold the middle of no frame: they have none',
    ],
    [
      made.tookNearestWard,
      'frame took the nearest ward: no area holds its middle',
      'frames took the nearest ward: no area holds their middle',
    ],
  ]
  const faults = notes.filter(([count]) => count > 0).map(([count, one, more]) => `  ${counted(count, one, more)}.`)
  const odd = [...faults, ...overlapReport(made.overlaps)]
  return [
    `Generation ${made.generation} is being served: ${counted(made.frames, 'frame')}, ${counted(made.states, 'state')}, ${counted(made.lgas, 'local government area')}, ${counted(made.wards, 'ward')}.`,
    `${counted(made.cutAtBoundary, 'frame is', 'frames are')} cut at the boundary, ${made.inSeveralParts} of them in several parts.`,
    ...made.outlineFaults.map(
      (fault) => `The outline is not valid, and was mended. Compare the land below with your source. ${fault}.`,
    ),
    ...indexReport(made),
    ...(odd.length > 0 ? [`Notes on the ${counted(made.wardRows, 'row')} of wards:`, ...odd] : []),
  ].join('\n')
}

function overlapReport(overlaps: readonly Overlap[]): string[] {
  if (overlaps.length === 0) return []
  const more = overlaps.length - REPORTED_OVERLAPS
  return [
    `  The areas of ${counted(overlaps.length, 'ward')} overlap. Where several hold the middle of a frame, the lowest name has it:`,
    ...overlaps.slice(0, REPORTED_OVERLAPS).map(({ ward, middles, kept, hasNoFrame }) => {
      const held = counted(middles, 'middle')
      return hasNoFrame
        ? `    ${ward} holds ${held}, all in other wards too: it has no frame.`
        : `    ${ward} holds ${held} that other wards hold too, and has ${kept} of these frames.`
    }),
    ...(more > 0 ? [`    And ${more} more: --json lists them all.`] : []),
  ]
}
