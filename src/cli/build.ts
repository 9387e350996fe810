/** frames build: makes a new index from an outline and wards. */
import { build, type BuildSummary } from '../load/build.js'
import type { ServedIndex } from '../load/new-index.js'
import { commandForm, type Command } from './command.js'
import { indexReport } from './load-report.js'
import { withDatabase } from './open-database.js'
import { anyValue } from './values.js'

export const buildCommand: Command = {
  summary: 'build the index: a grid over the outline, each frame in a ward',
  forms: [
    commandForm({
      description: 'Builds a new index beside the one that is being served, and switches to it at the end.',
      options: {
        outline: { value: anyValue('FILE', 'GeoJSON'), description: 'the outline of the country', required: true },
        wards: {
          value: anyValue('FILE', 'GeoJSON, or a JSON array of rows'),
          description: 'the wards, as points or polygons, with the names of their states and areas',
          required: true,
        },
      },
      run: async (config, { options }, output) => {
        const summary = await withDatabase(config, (db) => build(db, options, output.progress))
        output.result(summary, buildReport(summary))
      },
    }),
  ],
}

export function buildReport(made: BuildSummary & ServedIndex): string {
  const notes = [
    [made.repeatedNames, 'names came more than once: their places are one ward'],
    [made.untidyNames, 'names had line breaks or needless blanks: made single blanks'],
    [made.withoutStateOrLga, 'rows named no state or area: left out'],
    [made.atTheSamePlace, 'rows lay at the very place of another: the lowest name has the land'],
    [made.outsideTheOutline, 'rows lie outside the outline: they have what land is nearest to them'],
    [made.wardsTooSmallForAFrame, 'wards hold the middle of no frame: they have none'],
  ] as const
  const counted = notes.filter(([count]) => count > 0).map(([count, note]) => `  ${count} ${note}.`)
  return [
    `Generation ${made.generation} is being served: ${made.frames} frames, ${made.states} states, ${made.lgas} local government areas, ${made.wards} wards.`,
    `${made.cutAtBoundary} frames are cut at the boundary, ${made.inSeveralParts} of them in several parts.`,
    ...indexReport(made),
    ...(counted.length > 0
      ? [`Notes on the ${made.wardRows} ${made.wardRows === 1 ? 'row' : 'rows'} of wards:`, ...counted]
      : []),
  ].join('\n')
}
