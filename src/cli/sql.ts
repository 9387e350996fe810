/** frames sql: the statements that a call runs, in order, with its values; nothing is charged, written or worded. */
import { filled, prepared } from '../inspect/literals.js'
import type { Heeded } from '../inspect/dry-run.js'
import { ASKER, CALL, comment, headOf, withCall } from './asked-call.js'
import { command, form } from './command.js'

export const sqlCommand = command('the statements that a call runs, ready to be pasted', [
  form({
    does: 'Prints the statements that a call runs, in order, with its values. Nothing is charged, written or worded.',
    operands: CALL,
    options: {
      ...ASKER,
      prepared: { does: 'prints PREPARE and EXECUTE, as the API sends them', unset: 'the values stand in the text' },
    },
    run: async (config, { operands, options }, out) => {
      const paste = options.prepared
        ? prepared
        : (_name: string, text: string, args: readonly unknown[]) => filled(text, args)
      await withCall(config, operands[0], options, async (_db, seen) => {
        const steps = seen.heeded.flatMap((each) => ('name' in each ? [each] : []))
        out.result(
          steps.map(({ name, file, text, args }) => ({ name, file, sql: paste(name, text, args), args })),
          [headOf(seen), ...seen.heeded.map((each) => pasted(each, paste))].join('\n\n'),
        )
      })
    },
  }),
])

const pasted = (each: Heeded, paste: typeof prepared) =>
  'name' in each ? `${paste(each.name, each.text, each.args)};` : comment(each.note)
