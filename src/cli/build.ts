/** frames build: a new index from an outline and wards. */
import { build, type BuildSummary } from '../load/build.js'
import { command, form } from './command.js'
import { withDatabase } from './open-database.js'
import { file } from './values.js'

export const buildCommand = command('build the index: a grid over the outline, each frame in a ward', [
  form({
    does: 'Builds a new index beside the one that is being served, and switches to it at the end.',
    options: {
      outline: { value: file('FILE', 'GeoJSON'), does: 'the outline of the country', required: true },
      wards: {
        value: file('FILE', 'GeoJSON, or a JSON array of rows'),
        does: 'the wards, as points or polygons, with the names of their states and areas',
        required: true,
      },
    },
    run: async (config, { options }, out) => {
      const summary = await withDatabase(config, (db) => build(db, options, out.progress))
      out.result(summary, describe(summary))
    },
  }),
])

function describe(made: BuildSummary & { generation: string }): string {
  const dirt = [
    [made.repeatedNames, 'names came more than once: their places are one ward'],
    [made.untidyNames, 'names had line breaks or needless blanks: made single blanks'],
    [made.withoutStateOrLga, 'rows named no state or area: left out'],
    [made.atTheSamePlace, 'rows lay at the very place of another: the lowest name has the land'],
    [made.outsideTheOutline, 'rows lie outside the outline: they have what land is nearest to them'],
    [made.wardsTooSmallForAFrame, 'wards hold the middle of no frame: they have none'],
  ] as const
  return [
    `Generation ${made.generation} is being served: ${made.frames} frames, ${made.states} states, ${made.lgas} local government areas, ${made.wards} wards.`,
    `${made.cutAtBoundary} frames are cut at the boundary, ${made.inSeveralParts} of them in several parts.`,
    `Of ${made.wardRows} rows of wards:`,
    ...dirt.filter(([count]) => count > 0).map(([count, what]) => `  ${count} ${what}.`),
  ].join('\n')
}
