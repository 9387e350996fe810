/** frames import frames FILE: an organisation's own grid. */
import { importFrames } from '../load/import-frames.js'
import { readWords, UsageError, type Command } from './command.js'
import { withDatabase } from './open-database.js'

export const importCommand: Command = {
  usage: 'frames FILE',
  does: 'put an index of your own in place: GeoJSON or a GeoJSON text sequence',
  run: async (config, words, out) => {
    const { operands } = readWords(words, [], ['frames', 'FILE'])
    const [what, file = ''] = operands
    if (what !== 'frames') throw new UsageError(`"import ${what}" is not known; "import frames FILE" is.`)
    const made = await withDatabase(config, (db) => importFrames(db, file, out.progress))
    out.result(made, `Generation ${made.generation} is being served: ${made.frames} frames.`)
  },
}
