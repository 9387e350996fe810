/** frames sql: the statements that a call runs, in order, with its values; nothing is charged, written or worded. */
import { filled, prepared } from '../inspect/literals.js'
import type { Heeded } from '../inspect/rehearse.js'
import { CALL_USAGE, comment, headOf, withCall } from './asked-call.js'
import type { Command } from './command.js'

export const sqlCommand: Command = {
  usage: `${CALL_USAGE} [--prepared]`,
  does: 'the statements that a call runs, ready to be pasted',
  run: async (config, words, out) => {
    const asFile = words.includes('--prepared')
    const paste = asFile ? prepared : (_name: string, text: string, args: readonly unknown[]) => filled(text, args)
    await withCall(
      config,
      words.filter((word) => word !== '--prepared'),
      async (_db, seen) => {
        const steps = seen.heeded.flatMap((each) => ('name' in each ? [each] : []))
        out.result(
          steps.map(({ name, file, text, args }) => ({ name, file, sql: paste(name, text, args), args })),
          [headOf(seen), ...seen.heeded.map((each) => pasted(each, paste))].join('\n\n'),
        )
      },
    )
  },
}

const pasted = (each: Heeded, paste: typeof prepared) =>
  'name' in each ? `${paste(each.name, each.text, each.args)};` : comment(each.note)
