/** frames build: a new index from an outline and wards. */
import { build, type BuildSummary } from '../load/build.js'
import { readWords, type Command } from './command.js'
import { withDatabase } from './open-database.js'

export const buildCommand: Command = {
  usage: '--outline FILE --wards FILE',
  does: 'build the index: a grid over the outline, each frame in a ward',
  run: async (config, words, out) => {
    const { options } = readWords(words, ['outline', 'wards'], [])
    const summary = await withDatabase(config, (db) => build(db, options, out.progress))
    out.result(summary, describe(summary))
  },
}

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
